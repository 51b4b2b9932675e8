"""Names of a package that are imported when they are first asked for.

A package says in its stub, ``__init__.pyi``, what it offers and where it is defined; type checkers
read the same file.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def offered(package: str, file: str) -> tuple[list[str], Callable[[str], Any]]:
    """Return the names in a package's stub, and the ``__getattr__`` that imports them.

    Args:
        file: The package's ``__init__.py``.

    >>> import learners.environment as room
    >>> names, get = offered(room.__name__, str(room.__file__))
    >>> names[0], get("environment_of").__name__
    ('Environment', 'environment_of')
    """
    tree = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    places = {
        alias.name: node.module or ""
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        place = places[name]
        found = (
            import_module(f"{package}.{name}")
            if place == package
            else getattr(import_module(place), name)
        )
        setattr(sys.modules[package], name, found)
        return found

    return sorted(places), get
