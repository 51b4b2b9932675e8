"""What rooms of their own add to the general ones, and names loaded when they are first used.

A general room never imports them. Where it meets a name or a game that it does not know itself, it
asks here; only then are the ``ROOMS`` imported, and the modules that installed packages name as
entry points of the group ``"gametheory_core.rooms"``. Each such module registers what it has::

    add_game_kind(GameKind(name="auction", type=Auction, words="an auction", ...))
    add_to_catalog(small_auction, large_auction)

Claims and solvers register by declarations of their own, ``@claim`` and ``@solver``, in the same
modules or in what these import.

Names of a package that are loaded when they are first used.

The names stand once, in the stub beside the package's ``__init__.py``: type checkers read it as it
is, and so does ``lazily``.
"""

import ast
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from gametheory_core.distribution import package_version, require_own
from gametheory_core.errors import InvalidArgument

ROOMS = (
    "gametheory_core.leaders.registration",
    "gametheory_core.mediation.registration",
    "gametheory_core.compact.registration",
    "gametheory_core.formats.public_records",
)
ENTRY_POINTS = "gametheory_core.rooms"


class RegisteredGame(Protocol):
    """What files and commands read off a game of any kind."""

    @property
    def players(self) -> tuple[str, ...]:
        """Labels."""
        ...

    @property
    def title(self) -> str:
        """For people."""
        ...

    @property
    def digest(self) -> str:
        """Content identity."""
        ...


def _nothing(_game: Any) -> tuple[()]:
    return ()


@dataclass(frozen=True)
class Play:
    """How games of a kind are played, so that conversions of them can be checked.

    Attributes:
        draw: Takes a game and a random generator; returns an exact profile.
        payoffs: Takes a game and a profile; returns what each player gets.
        outcomes: Takes a game and a profile; returns the distribution of what happens.
    """

    draw: Callable[[Any, Any], Any]
    payoffs: Callable[[Any, Any], Iterable[Any]]
    outcomes: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class GameKind:
    """A kind of game that general rooms do not know themselves.

    Attributes:
        name: In files and options.
        type: The class of its games, which have players, a title and a digest.
        words: "mediated game (a mediator picks who leads each step)".
        fields: Returns the fields of a record of a game, but for schema, kind, title and players.
        read: Returns the game of a checked record; raises ``InvalidGame`` if it is not one.
        sizes: Name, value and text of each size that ``describe`` shows.
        properties: Name and ``Verdict`` of each property that ``describe`` shows.
        laws: Name of each law that ``check`` tests, and a function of a random generator that
            raises ``LawBroken``.
        instead: What to do where another kind is needed, by what is needed: "POSG", "picture",
            "solve".
        play: How its games are played, if ``check_conversion`` is to check conversions of them.
        is_mixed: Whether a profile is a ``MixedProfile`` over the game's ``actions``.
        to_normal: Returns the normal form of a game, given the most joint actions to list.
        to_extensive: Returns the tree of a game, given the most nodes.
    """

    name: str
    type: type[Any]
    words: str
    fields: Callable[[Any], dict[str, Any]]
    read: Callable[[Any], Any]
    sizes: Callable[[Any], Iterable[tuple[str, Any, str]]] = _nothing
    properties: Callable[[Any], Iterable[tuple[str, Any]]] = _nothing
    laws: Callable[[Any], Iterable[tuple[str, Callable[[Any], None]]]] = _nothing
    instead: Mapping[str, str] = field(default_factory=dict[str, str])
    play: Play | None = None
    is_mixed: bool = False
    to_normal: Callable[[Any, int], Any] | None = None
    to_extensive: Callable[[Any, int], Any] | None = None


@dataclass(frozen=True)
class Picture:
    """A picture of games whose kind has none.

    Attributes:
        kind: Name of the kind of game: "posg".
        words: What is drawn, and of which games.
        draw: Takes a game and the most positions to look at; returns axes, or None if the game does
            not fit. Imports matplotlib when called, not before.
    """

    kind: str
    words: str
    draw: Callable[[Any, int], Any]


_KINDS: dict[str, GameKind] = {}
_BUILDERS: dict[str, Callable[..., Any]] = {}
_PICTURES: dict[str, Picture] = {}


def add_game_kind(kind: GameKind) -> None:
    """Register a kind of game.

    Raises:
        InvalidArgument: If another type has the name.
    """
    known = _KINDS.setdefault(kind.name, kind)
    if known.type is not kind.type:
        raise InvalidArgument(
            needs="a name of its own",
            found=f"{kind.name!r} is that of {known.type!r}",
            remedy="Rename the kind.",
        )


def add_to_catalog(*builders: Callable[..., Any]) -> None:
    """Register functions that build games, each by its name.

    A builder has keyword-only integer parameters with defaults, and its docstring says what the
    game is.

    Raises:
        InvalidArgument: If another builder has the name.
    """
    for build in builders:
        known = _BUILDERS.setdefault(build.__name__, build)
        if known is not build:
            raise InvalidArgument(
                needs="a name of its own",
                found=f"{build.__name__!r} is in the catalogue, from {known.__module__}",
                remedy="Rename the function.",
            )


def add_picture(picture: Picture) -> None:
    """Register a picture."""
    _PICTURES[picture.words] = picture


def game_kinds() -> Mapping[str, GameKind]:
    """Return all kinds of games that rooms have registered, by name."""
    load_rooms()
    return _KINDS


def kind_of_game(game: object) -> GameKind | None:
    """Return the kind of a game that a room has registered; None if it is of no such kind."""
    load_rooms()
    return next((kind for kind in _KINDS.values() if isinstance(game, kind.type)), None)


def builders() -> Mapping[str, Callable[..., Any]]:
    """Return all functions that rooms have added to the catalogue, by name."""
    load_rooms()
    return _BUILDERS


def pictures(kind: str) -> tuple[Picture, ...]:
    """Return the pictures that rooms have registered for a kind of game."""
    load_rooms()
    return tuple(picture for picture in _PICTURES.values() if picture.kind == kind)


@cache
def load_rooms() -> None:
    """Import all rooms, so that they have registered what they have."""
    for room in ROOMS:
        import_module(room)
    from importlib.metadata import entry_points  # noqa: PLC0415  (slow; only if a room is asked)

    for plugin in entry_points(group=ENTRY_POINTS):
        plugin.load()


class Names(NamedTuple):
    """What a package with lazy names consists of.

    Attributes:
        getattr, dir: Its ``__getattr__`` and ``__dir__``.
        all: Its ``__all__``.
    """

    getattr: Callable[[str], Any]
    dir: Callable[[], list[str]]
    all: list[str]


def lazily(
    package: str, file: str, *, needs: str = "", optional: Mapping[str, str] = MappingProxyType({})
) -> Names:
    """Return what gives a package the names of its stub.

    Args:
        package, file: Its ``__name__`` and ``__file__``.
        needs: A package of ours that it imports.
        optional: By module of it, a package of others that it needs and that may be missing: then
            ``import *`` leaves its names out, and asking for one says what to install.

    Raises:
        MissingDependency: If another package is found in that one's place.

    >>> import gametheory_core.leaders
    >>> gametheory_core.leaders.LeaderView.__module__
    'gametheory_core.leaders.view'
    """
    if needs:
        require_own(needs)
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    home = {
        alias.asname or alias.name: node.module or package
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }

    def get(name: str) -> Any:
        if name == "__version__":
            return package_version()
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        is_module = home[name] == package
        whole = import_module(f"{package}.{name}" if is_module else home[name])
        found = whole if is_module else getattr(whole, name)
        setattr(sys.modules[package], name, found)  # so that nobody asks again
        return found

    missing = {f"{package}.{module}" for module, other in optional.items() if not find_spec(other)}
    modules = {name: f"{package}.{name}" if at == package else at for name, at in home.items()}
    there = sorted(name for name, module in modules.items() if module not in missing)
    return Names(get, lambda: sorted(home), there)
