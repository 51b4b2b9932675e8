"""Players and their actions, as all compact games have them."""

from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any

from gametheory_core.arguments import (
    as_tuple,
    check_labels,
    counted,
    numbered_labels,
    numbered_players,
)
from gametheory_core.arrays import ExactArray, as_exact
from gametheory_core.errors import InvalidGame
from gametheory_core.games.table_content import (
    by_constructor,
    content_digest,
    hash_of_content,
    same_content,
)
from gametheory_core.memory import BYTES_OF_A_FRACTION, require_memory

Labels = tuple[tuple[str, ...], ...]


@property
def given_exactly(game: Any) -> ExactArray:
    """The given numbers as ``Fraction`` objects, in their shape; read-only."""
    return game.exact_numbers


class CompactRecord:
    """What all compact games are: numbers under labels, the same game if these are the same.

    Records have the players first, what was given as numbers last but one, and the title last.
    """

    @property
    def num_players(self: Any) -> int:
        """Number of players."""
        return len(self.players)

    @property
    def num_actions(self: Any) -> tuple[int, ...]:
        """Number of actions of each player."""
        return tuple(map(len, self.actions))

    @cached_property
    def exact_numbers(self: Any) -> ExactArray:
        """The given payoffs or delays as ``Fraction`` objects, in their shape; read-only."""
        return as_exact(getattr(self, fields(self)[-2].name))

    @cached_property
    def digest(self: Any) -> str:
        """Content identity: SHA-256 over labels, structure and exact numbers."""
        kind = type(self).__name__.removesuffix("Game").lower()
        parts = [getattr(self, own.name) for own in fields(self)[:-2]]
        return content_digest(kind, (*parts, self.exact_numbers))

    __reduce__, __eq__, __hash__ = by_constructor, same_content, hash_of_content


def check_players(players: Sequence[str]) -> tuple[str, ...]:
    """Return the labels of players, after checking that there are some."""
    labels = check_labels(players, kind="player")
    if not labels:
        raise InvalidGame(needs="at least one player", found="got none")
    return labels


def check_actions(actions: Sequence[Sequence[str]], players: tuple[str, ...]) -> Labels:
    """Return the labels of actions, after checking that each player has some."""
    given: tuple[Any, ...] = as_tuple(actions, name="actions")
    if len(given) != len(players):
        raise InvalidGame(
            needs=f"action labels for each of {len(players)} players", found=f"got {len(given)}"
        )
    labels = tuple(
        check_labels(own, kind="action", owner=f"player {i + 1}") for i, own in enumerate(given)
    )
    for i, own in enumerate(labels):
        if not own:
            raise InvalidGame(
                needs="at least one action for each player", found=f"player {i + 1} has none"
            )
    return labels


def require_table(entries: int, *, of: str, remedy: str) -> None:
    """Refuse a table of more numbers than fit into memory, before a function is asked for them."""
    what = f"{counted(entries)} numbers, {of}"
    require_memory(entries * BYTES_OF_A_FRACTION, what=what, remedy=remedy)


def players_or_numbers(players: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """Return the labels given, one for each player, or ``"Player 1"``, ``"Player 2"``, ..."""
    if players is None:
        return numbered_players(count)
    labels = check_players(players)
    if len(labels) != count:
        raise InvalidGame(needs=f"labels for {count} players", found=f"got {len(labels)}")
    return labels


def actions_or_numbers(
    actions: Sequence[Sequence[str]] | None, counts: Sequence[int]
) -> Sequence[Sequence[str]]:
    """Return the labels given, or ``"1"``, ``"2"``, ... for each player."""
    return tuple(map(numbered_labels, counts)) if actions is None else actions


def sizes(counts: Sequence[int]) -> str:
    """Write numbers of actions for a summary.

    >>> sizes((2, 2, 3))
    '2 to 3 actions'
    """
    low, high = min(counts), max(counts)
    return f"{low if low == high else f'{low} to {high}'} action{'s' * (high > 1)}"


def require_places(found: Sequence[int], count: int, *, what: str, where: str) -> None:
    """Refuse numbers outside 0 .. count - 1."""
    for value in found:
        if type(value) is not int or not 0 <= value < count:
            raise InvalidGame(
                needs=f"{what} from 0 to {count - 1}", found=f"got {value!r}", where=where
            )
