"""Names of a package that are loaded when they are first used.

The names stand once, in the stub beside the package's ``__init__.py``: type checkers read it as it
is, and so does ``lazily``.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple


class Names(NamedTuple):
    """What a package with lazy names consists of.

    Attributes:
        getattr, dir: Its ``__getattr__`` and ``__dir__``.
        all: Its ``__all__``.
    """

    getattr: Callable[[str], Any]
    dir: Callable[[], list[str]]
    all: list[str]


def lazily(package: str, file: str) -> Names:
    """Return what gives a package the names of its stub.

    Args:
        package, file: Its ``__name__`` and ``__file__``.

    >>> import gametheory_core.leaders
    >>> gametheory_core.leaders.LeaderView.__module__
    'gametheory_core.leaders.view'
    """
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    home = {
        alias.asname or alias.name: node.module or package
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    def get(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        is_module = home[name] == package
        whole = import_module(f"{package}.{name}" if is_module else home[name])
        found = whole if is_module else getattr(whole, name)
        setattr(sys.modules[package], name, found)  # so that nobody asks again
        return found

    return Names(get, lambda: sorted(home), sorted(home))
