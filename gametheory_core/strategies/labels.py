"""Profiles by the names of their game: ``profile["Row"]["confess"]``."""

from abc import ABC, abstractmethod
from collections.abc import ItemsView, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Self, TypeAlias

from gametheory_core.arguments import shown, shown_players
from gametheory_core.errors import InvalidStrategy

Number: TypeAlias = Fraction | float
MOST_NAMED = 10  # names in a message
LONGEST_TEXT = 1500  # characters


def named(labels: Sequence[str]) -> tuple[str, ...]:
    """Return labels, numbers in place of empty ones, and beside those that are there twice.

    >>> named(("up", "", "up"))
    ('up', '#2', 'up (#3)')
    """
    found: list[str] = []
    for number, label in enumerate(labels, start=1):
        own = label or f"#{number}"
        found.append(f"{own} (#{number})" if own in found else own)
    return tuple(found)


def seats(game: Any) -> tuple[str, ...]:
    """Name those who choose: the players; in a Bayesian game the leader and each type."""
    players = shown_players(game.players)
    types = getattr(game, "types", None)
    if types is None:
        return players
    return (players[0], *(f"{players[1]}, type {label}" for label in named(types)))


def actions_of_seats(game: Any) -> tuple[tuple[str, ...], ...]:
    """Name what each of them may do."""
    if getattr(game, "types", None) is None:
        return tuple(map(named, game.actions))
    return (named(game.leader_actions), *map(named, game.follower_actions))


class Chances(Mapping[str, Number]):
    """How likely each action is, by name, in the order of the game.

    Args:
        owner: Whose actions, for messages.

    >>> own = Chances("Row", ("confess", "deny"), (Fraction(1), Fraction(0)))
    >>> own["confess"], own.support, list(own)
    (Fraction(1, 1), ('confess',), ['confess', 'deny'])
    """

    def __init__(self, owner: str, names: Sequence[str], chances: Sequence[Number]) -> None:
        self._owner = owner
        self._chances = dict(zip(names, chances, strict=True))

    def __getitem__(self, action: str | int) -> Number:
        return self._chances[key_of(action, tuple(self._chances), f"actions of {self._owner}")]

    def __iter__(self) -> Iterator[str]:
        return iter(self._chances)

    def __len__(self) -> int:
        return len(self._chances)

    @property
    def support(self) -> tuple[str, ...]:
        """What is played, with however small a probability."""
        return tuple(name for name, chance in self._chances.items() if chance)

    def __repr__(self) -> str:
        played = ", ".join(f"{name} {self._chances[name]}" for name in self.support)
        return cut(f"{self._owner}: {played}")


def key_of(key: str | int, names: Sequence[str], what: str) -> str:
    """Return the name of a name or number from 0.

    Raises:
        InvalidStrategy: If there is none; lists some.
    """
    if isinstance(key, str) and key in names:
        return key
    if isinstance(key, int) and not isinstance(key, bool) and 0 <= key < len(names):
        return names[key]
    some = ", ".join(map(repr, names[:MOST_NAMED]))
    more = f", ... ({len(names)} in all)" if len(names) > MOST_NAMED else ""
    raise InvalidStrategy(
        needs=f"one of the {what}",
        found=f"got {shown(key)}",
        remedy=f"They are {some}{more}.",
        where="profile",
    )


def cut(text: str) -> str:
    """Keep a text short enough to be printed."""
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 4]} ..."


class Labelled(ABC):
    """A profile that may know its game, and then its names.

    Profiles that solvers return know it; ``profile.of(game)`` tells it to any other.
    """

    _game: Any = None

    @property
    def game(self) -> Any:
        """The game whose names are used; None if nobody said."""
        return self._game

    def of(self, game: Any) -> Self:
        """Return the same profile, which knows its game.

        Raises:
            InvalidStrategy: If it is no profile of the game.
        """
        self.require_fitting(game)
        return self.known_to_be_of(game)

    def known_to_be_of(self, game: Any) -> Self:
        """Return the same as ``of``, without looking whether it fits."""
        found = object.__new__(type(self))
        parts = {name: own for name, own in self.__dict__.items() if name != "_by_name"}
        for name, own in {**parts, "_game": game}.items():
            object.__setattr__(found, name, own)
        return found

    @abstractmethod
    def require_fitting(self, game: Any) -> None:
        """Refuse a game that it is no profile of."""

    @abstractmethod
    def named_parts(self) -> dict[str, Any]:
        """Return by name of a player what it plays."""

    @cached_property
    def _by_name(self) -> dict[str, Any]:
        return self.named_parts()

    def __getitem__(self, player: str | int) -> Any:
        names = tuple(self._by_name)
        labels = () if self._game is None else tuple(self._game.players)
        is_label = isinstance(player, str) and player not in names and labels.count(player) == 1
        if is_label and len(labels) == len(names):
            return self._by_name[names[labels.index(player)]]  # a mere number, as "1"
        return self._by_name[key_of(player, names, "players")]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def items(self) -> ItemsView[str, Any]:
        """Return players by name, and what they play, in the order of the game."""
        return self._by_name.items()

    @property
    def support(self) -> dict[str, Any]:
        """By name of a player, what is played."""
        return {
            name: own.support
            if isinstance(own, Chances)
            else {place: chances.support for place, chances in own.items()}
            for name, own in self._by_name.items()
        }

    def __str__(self) -> str:
        lines: list[str] = []
        for name, own in self._by_name.items():
            parts = [own] if isinstance(own, Chances) else list(own.values())
            lines += [f"{name}, {part!r}" if part is not own else repr(part) for part in parts]
        return cut("\n".join(lines))
