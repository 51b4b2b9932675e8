"""What tells a maker of bots from others, so that old matches are never taken for a changed bot's.

A class or a function is told by its name, a ``partial`` by its arguments too, and a file by a
digest of what is in it and in the files beside it that it imports.
"""

import ast
import hashlib
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

from gametheory_core.errors import PACKAGES

PLAIN = (int, float, str, bool, type(None))


def source_of(maker: Callable[[], Any]) -> str:
    """Return what tells a maker from others: its ``source`` if it has one, else its name.

    >>> from functools import partial
    >>> source_of(dict), source_of(partial(dict, a=(1, "x")))
    ('dict', "dict(a=(1, 'x'))")
    """
    source = getattr(maker, "source", None)
    if isinstance(source, str):
        return source
    if isinstance(maker, partial):
        own = cast("partial[Any]", maker)
        given = [_told(value) for value in own.args]
        given += [f"{name}={_told(value)}" for name, value in sorted(own.keywords.items())]
        return f"{source_of(own.func)}({', '.join(given)})"
    return getattr(maker, "__qualname__", None) or _digested(maker)


def _told(value: Any) -> str:
    """Write an argument: plain values as they are, others by a digest if they can be sent."""
    if type(value) in PLAIN:
        return repr(value)
    if callable(value):
        return source_of(value)
    if type(value) is tuple or type(value) is list:
        return f"({', '.join(map(_told, value))})"
    if isinstance(value, Mapping):
        items = cast("Mapping[Any, Any]", value).items()
        return "{" + ", ".join(sorted(f"{_told(key)}: {_told(own)}" for key, own in items)) + "}"
    return _digested(value)


def _digested(value: Any) -> str:
    kind = type(value).__qualname__
    try:
        content = pickle.dumps(value, protocol=5)
    except Exception:  # noqa: BLE001 whatever its own methods raise
        return kind
    return f"{kind} with SHA-256 {hashlib.sha256(content).hexdigest()}"


def digest_of_file(path: Path) -> str:
    """Return what tells a file from others: a digest of it, and of files beside it it imports.

    Imports are followed as they are written, also those in functions and of files in turn.
    """
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    folder = path.absolute().parent
    beside = sorted(_imported(path.absolute(), folder) - {path.absolute()})
    if not beside:
        return f"SHA-256 {digest}"
    whole = hashlib.sha256()
    for own in beside:
        whole.update(repr((own.relative_to(folder).as_posix(), own.read_bytes())).encode())
    names = ", ".join(own.relative_to(folder).as_posix() for own in beside)
    return f"SHA-256 {digest}, importing {names} with SHA-256 {whole.hexdigest()}"


def _imported(path: Path, folder: Path) -> set[Path]:
    """Return a file, and all files of a folder that it imports."""
    found, waiting = {path}, [path]
    while waiting:
        own = waiting.pop()
        for name in _names(own, folder):
            stem = folder.joinpath(*name.split("."))
            for file in (stem.with_name(f"{stem.name}.py"), stem / "__init__.py"):
                if file.is_file() and file not in found:
                    found.add(file)
                    waiting.append(file)
    return found


def _names(path: Path, folder: Path) -> Iterator[str]:
    """Walk over the modules that a file may import, those above them included."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):  # Python says so when it is imported
        return
    package = path.relative_to(folder).parent.parts
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [own.name for own in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join((*above, *filter(None, [node.module])))
            names = [".".join(filter(None, (module, own.name))) for own in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] not in PACKAGES and parts[0] not in sys.stdlib_module_names:
                yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))
