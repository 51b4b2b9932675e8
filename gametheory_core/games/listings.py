"""Listings: answers of rules written down by hand, one for each question, and what they mention."""

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from gametheory_core.arrays import to_fraction
from gametheory_core.distributions import Distribution, check_weights
from gametheory_core.errors import InvalidGame
from gametheory_core.games.rule_answers import Question, checked_signals
from gametheory_core.games.table_content import check_distinct

Answer = TypeVar("Answer")


@dataclass(frozen=True, eq=False, repr=False)
class Listing(Generic[Answer]):
    """Answers by key, as a dictionary that cannot change; equal whatever the order.

    Attributes:
        items: Keys are different.
    """

    items: tuple[tuple[Hashable, Answer], ...]

    @cached_property
    def _index(self) -> dict[Hashable, Answer]:
        return dict(self.items)

    def get(self, key: Hashable) -> Answer | None:
        """Return the answer, or None."""
        return self._index.get(key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self.items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Listing) and self._index == cast("Any", other)._index

    def __hash__(self) -> int:
        return hash(frozenset(self._index))

    def __repr__(self) -> str:
        return repr({key: written(answer) for key, answer in self.items})


def written(answer: object) -> object:
    """Return an answer as one writes it: laws as dictionaries, weights and rewards as text.

    >>> from gametheory_core.distributions import evenly
    >>> written(evenly("HT"))
    {'H': '1/2', 'T': '1/2'}
    """
    if isinstance(answer, Distribution):
        law = cast("Distribution[Any]", answer)
        return {_without_fractions(x): _number(w) for x, w in law}
    return _without_fractions(answer)


def _without_fractions(value: object) -> object:
    if isinstance(value, tuple):
        entries = cast("tuple[object, ...]", value)
        if entries and all(isinstance(entry, Fraction) for entry in entries):
            return tuple(_number(cast("Fraction", entry)) for entry in entries)
    return value


def _number(number: Fraction) -> int | str:
    return int(number) if number.denominator == 1 else str(number)


def listed_law(weights: object, asked: Question) -> Distribution[Any]:
    """Return a law written as ``{outcome: weight}``, after checking that it sums to one."""
    if isinstance(weights, Distribution):
        return cast("Distribution[Any]", weights)
    if not isinstance(weights, Mapping):
        raise InvalidGame(f"{asked}: needs {{outcome: weight, ...}}, but is {weights!r}.")
    listed = cast("Mapping[Any, object]", weights)
    exact = [(x, to_fraction(w, where=f"{asked}: weight of {x!r}")) for x, w in listed.items()]
    check_weights([(str(x), w) for x, w in exact], owner=str(asked))
    return Distribution(tuple((x, w) for x, w in exact if w))


def listed_laws(
    table: Mapping[Any, object], name: str, *, key_parts: int
) -> Listing[Distribution[Any]]:
    """Return the laws of a table; a key of one part is the part itself, not a tuple."""
    asked = [(key, listed_question(name, key, key_parts)) for key in table]
    return Listing(tuple((key, listed_law(table[key], question)) for key, question in asked))


def listed_question(name: str, key: Any, key_parts: int) -> Question:
    """Return the question that a key answers, after checking that it has all its parts."""
    if key_parts == 1:
        return Question(name, (key,))
    if not isinstance(key, tuple) or len(cast("tuple[Any, ...]", key)) != key_parts:
        raise InvalidGame(f"{name}: needs keys of {key_parts} parts, but has {key!r}.")
    return Question(name, cast("tuple[Any, ...]", key))


def listed_signals(
    table: Mapping[Any, object], name: str, players: Sequence[str], *, key_parts: int
) -> Listing[Distribution[Any]]:
    """Return laws of joint observations, after checking that each has one entry a player."""
    laws = listed_laws(table, name, key_parts=key_parts)
    for key, law in laws.items:
        checked_signals(law, players, listed_question(name, key, key_parts))
    return laws


def listed_legal(
    table: Mapping[Any, Any], name: str, actions: Sequence[Sequence[Hashable]], players: Any
) -> Listing[tuple[Any, ...]]:
    """Return legal actions by (player, ...) in the players' order, checked to be the players'."""
    for key, own in table.items():
        asked = listed_question(name, key, 2)
        require_player(key[0], players, asked)
        strange = [action for action in own if action not in actions[key[0]]]
        if strange or not own or len(set(own)) != len(own):
            raise InvalidGame(
                f"{asked}: needs different actions of {players[key[0]]!r}, at least one of "
                f"{tuple(actions[key[0]])!r}, but is {tuple(own)!r}."
            )
    ordered = {key: tuple(a for a in actions[key[0]] if a in own) for key, own in table.items()}
    return Listing(tuple(ordered.items()))


def require_player(player: object, players: Sequence[str], asked: Question) -> None:
    """Refuse a number that is no player's."""
    if player not in range(len(players)):
        raise InvalidGame(
            f"{asked}: needs a player in 0..{len(players) - 1}, but names {player!r}."
        )


def listed_actions(
    actions: Sequence[Sequence[Hashable]], players: Sequence[str], *, owner: str
) -> tuple[tuple[Hashable, ...], ...]:
    """Return each player's actions, after checking that there are some, all different."""
    if len(actions) != len(players):
        raise InvalidGame(
            f"{owner}: needs actions for each of {len(players)} players, but has {len(actions)}."
        )
    listed = tuple(
        check_distinct(tuple(own), kind=f"actions of {label!r}", owner=owner)
        for label, own in zip(players, actions, strict=True)
    )
    for label, own in zip(players, listed, strict=True):
        if not own:
            raise InvalidGame(f"{owner}: needs at least one action of {label!r}, but has none.")
    return listed


def refuse_idle_rows(
    owner: str, rows: Iterable[tuple[str, Hashable]], asked: Container[tuple[str, Hashable]]
) -> None:
    """Refuse a row, (table, key), that answers no question that play asks."""
    for name, key in rows:
        if (name, key) not in asked:
            raise InvalidGame(
                f"{owner}: needs rows that play can reach, but {name}[{key!r}] is never asked. "
                "Look for a misspelt label, or leave the row out."
            )


def written_call(name: str, arguments: Mapping[str, object]) -> str:
    """Return the call that builds a listed game, leaving out what is None."""
    shown = [f"{key}={value!r}" for key, value in arguments.items() if value is not None]
    return f"{name}({', '.join(shown)})"


def answer_of(listing: Listing[Answer], key: Hashable, name: str, key_parts: int) -> Answer:
    """Return a listed answer.

    Raises:
        InvalidGame: If there is none.
    """
    found = listing.get(key)
    if found is None:
        question = listed_question(name, key, key_parts)
        raise InvalidGame(f"{question}: needs an answer, but none is listed. Add the row {key!r}.")
    return found
