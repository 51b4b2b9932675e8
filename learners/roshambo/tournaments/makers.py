"""What makes a bot, by its place: a module, a file of one's own, or a checkpoint.

Makers can be sent to other processes, which find the place again.
"""

import difflib
import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, cast

from gametheory_core.arguments import described, shown
from gametheory_core.errors import InvalidArgument
from learners.roshambo.matches.guarded_matches import said
from learners.roshambo.matches.matches import Bot
from learners.roshambo.tournaments.sources import digest_of_file

Maker: TypeAlias = Callable[[], Bot]
METHODS = ("reset", "throw")


@dataclass(frozen=True)
class Entrant:
    """Makes a bot that is told by words; can be sent to other processes.

    Attributes:
        place: ``module:name``, or the path of a file and a name in it.
        key: In the list or mapping of that name; None if the name is the maker itself.
        source: What tells the maker from others: the words, and of a file what is in it.
    """

    place: str
    key: str | int | None = None
    source: str = ""

    def __call__(self) -> Bot:
        """Make the bot."""
        found = found_at(self.place)
        return (found if self.key is None else found[self.key])()


@dataclass(frozen=True)
class Checkpointed:
    """Makes a bot that replies to a trained predictor; can be sent to other processes.

    Attributes:
        path: Of the checkpoint.
        source: What tells it from others: what is in it.
    """

    path: str
    source: str

    def __call__(self) -> Bot:
        """Make the bot."""
        module = importlib.import_module("learners.roshambo.prediction")
        return module.bot_of_checkpoint(self.path)


def is_strange(maker: Maker) -> bool:
    """Return if a maker is not of this package: it, or the function of a partial.

    >>> is_strange(Entrant("mine.py:Rock")), is_strange(Entrant("learners.bots:Rock"))
    (True, False)
    """
    inner: Any = maker
    while isinstance(inner, partial):
        inner = cast("partial[Bot]", inner).func
    home = inner.place if isinstance(inner, Entrant) else str(getattr(inner, "__module__", ""))
    return not home.startswith("learners.") or home.rpartition(":")[0].endswith(".py")


def absolute(words: str) -> str:
    """Return ``file.py:NAME`` with the whole path of the file, found from any folder.

    >>> absolute("/home/mine.py:Rock")
    '/home/mine.py:Rock'
    """
    path, _, name = words.rpartition(":")
    return f"{Path(path).absolute()}:{name}"


def checkpointed(word: str) -> Checkpointed:
    """Return what makes the bot of a checkpoint, refused if it is none."""
    Checkpointed(word, "")()  # which refuses what is no checkpoint
    content = hashlib.sha256(Path(word).read_bytes()).hexdigest()
    return Checkpointed(str(Path(word).absolute()), f"a checkpoint with SHA-256 {content}")


def require_maker(found: Any, *, where: str) -> None:
    """Refuse what surely makes no bot."""
    if not callable(found):
        has = all(hasattr(found, name) for name in METHODS)
        raise InvalidArgument(
            needs="a class of bots, or a function that makes one",
            found=f"it is {described(found)}",
            remedy="Give the class itself, not a bot of it." if has else "",
            where=where,
        )
    lacks = [name for name in METHODS if isinstance(found, type) and not hasattr(found, name)]
    if lacks:
        raise InvalidArgument(
            needs="a class with reset(self, seed) and throw(self, own, other)",
            found=f"{cast('type', found).__name__} has no {' and no '.join(lacks)}",
            where=where,
        )


def found_at(place: str) -> Any:
    """Import a module or a file, and return what it has by a name."""
    path, _, name = place.rpartition(":")
    if not path.endswith(".py"):
        if place.endswith(".py"):
            path, name = place, ""
        else:
            return getattr(importlib.import_module(path), name)
    if not Path(path).is_file():
        raise InvalidArgument(needs="a file with bots", found="there is none", where=path)
    content = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    module = _loaded(str(Path(path).absolute()), content)
    if not name or not hasattr(module, name):
        own = [key for key, value in vars(module).items() if _is_own(module, key, value)]
        raise InvalidArgument(
            needs=f"{path}:NAME, with a name that the file defines",
            found=f"it defines no {shown(name)}" if name else "there is no name",
            remedy=f"{nearest(name, own)}It defines {', '.join(own)}." if own else "",
            where=place,
        )
    return getattr(module, name)


def digest_of(words: str) -> str:
    """Return what tells a name in a file from others: the name, and what is in the file."""
    path, _, name = words.rpartition(":")
    return f"{name} of a file with {digest_of_file(Path(path))}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the question whether names like it were meant, empty if there are none."""
    close = difflib.get_close_matches(name, list(known), n=3)
    return f"Did you mean {' or '.join(close)}? " if close else ""


def _is_own(module: ModuleType, key: str, value: Any) -> bool:
    is_bot = isinstance(value, type) and all(hasattr(value, name) for name in METHODS)
    is_imported = inspect.ismodule(value) or getattr(value, "__module__", "") != module.__name__
    is_listed = isinstance(value, list | tuple | dict)
    return not key.startswith("_") and (is_listed or (is_bot and not is_imported))


@cache
def _loaded(path: str, content: str) -> ModuleType:
    """Run a file with such content once, as a module; files beside it can be imported."""
    folder = str(Path(path).parent)
    if folder not in sys.path:
        sys.path.append(folder)
    name = f"roshambo_entrants_{content}"
    spec: Any = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where pickle finds its classes
    try:
        spec.loader.exec_module(module)
    except BaseException as error:  # a file may call sys.exit
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise InvalidArgument(
            needs="a file that Python can run",
            found=f"it raises {type(error).__name__}: {shown(said(error))}",
            where=path,
        ) from error
    return module
