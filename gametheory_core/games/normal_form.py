"""Normal-form games: players choose one action each, at once, and a tensor says what they get.

``payoffs[i, a_0, ..., a_{n-1}]`` is what player ``i`` gets when each player ``j`` plays ``a_j``.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import check_labels, number_of, numbered_labels
from gametheory_core.array_likes import axes_of
from gametheory_core.arrays import (
    ExactArray,
    FloatArray,
    NumberArray,
    ScaledFloats,
    ScaledIntegers,
    as_exact,
    as_float,
    freeze,
    hexadecimal,
    is_exact,
    number_array,
    object_array,
    reading_floats,
    scaled_floats,
    scaled_integers,
    to_fraction,
)
from gametheory_core.errors import InvalidGame
from gametheory_core.games.labelled_payoffs import (
    LabelledMatrix,
    aligned,
    players_of,
    read_matrix,
    read_numbers,
    refuse_numbers_out_of_order,
)
from gametheory_core.games.payoff_text import html_table
from gametheory_core.games.table_content import by_constructor, hash_of_content, keep, same_content

Pair: TypeAlias = Sequence[object]


@dataclass(frozen=True, eq=False, repr=False)
class NormalFormGame:
    """A finite game in strategic form. Build it with one of the named constructors.

    Attributes:
        players: Labels of the players.
        actions: Labels of each player's actions.
        given_payoffs (num_players, *num_actions): As given: float64, or an exact array of
            ``Fraction``. Read-only.
        title: For people; no part of the game's identity.
    """

    players: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    given_payoffs: NumberArray
    title: str = ""

    def __post_init__(self) -> None:
        given = number_array(self.given_payoffs, where="payoffs")
        _check_shape(given.shape)
        players = _player_labels(self.players, given.shape)
        actions = _action_labels(self.actions, given.shape)
        keep(self, given_payoffs=given, players=players, actions=actions)

    @staticmethod
    def from_payoffs(
        payoffs: object,
        *,
        players: Sequence[str] | None = None,
        actions: Sequence[Sequence[str]] | None = None,
        title: str = "",
        decimals: bool = False,
    ) -> "NormalFormGame":
        """Build a game of any number of players from one payoff tensor.

        Args:
            payoffs (num_players, *num_actions): Nested sequences, or any array, tensor or data
                frame. Arrays of floats are kept as floats; anything else is read exactly. Two data
                frames are read as ``bimatrix`` does.
            players, actions: Default "1", "2", ...
            decimals: Whether a float means the shortest decimal that is read as it (0.1 as 1/10),
                and not the dyadic number that it is.

        Raises:
            InvalidGame: If the tensor is ragged, empty, not finite, or does not fit the labels.
        """
        if isinstance(payoffs, list | tuple) and len(pair := cast("Pair", payoffs)) == 2:
            first, second = pair
            if axes_of(first) or axes_of(second):
                return NormalFormGame.bimatrix(
                    first, second, players=players, actions=actions, title=title, decimals=decimals
                )
        with reading_floats(decimals=decimals):
            given = read_numbers(payoffs, where="payoffs")
        _check_shape(given.shape)
        return NormalFormGame(
            players=cast("Any", numbered_labels(given.shape[0]) if players is None else players),
            actions=cast("Any", actions)
            if actions is not None
            else tuple(numbered_labels(count) for count in given.shape[1:]),
            given_payoffs=given,
            title=title,
        )

    @staticmethod
    def bimatrix(
        row_payoffs: object,
        column_payoffs: object,
        *,
        players: Sequence[str] | None = None,
        actions: Sequence[Sequence[str]] | None = None,
        title: str = "",
        decimals: bool = False,
    ) -> "NormalFormGame":
        """Build a two-player game from the row and the column player's payoff matrices.

        Args:
            row_payoffs, column_payoffs: As for ``from_payoffs``. The labels of data frames are
                those of the actions, and the names of index and columns, where both have one, of
                the players. Frames with the same labels in another order are aligned by label.
            players, actions, title, decimals: As for ``from_payoffs``.

        Raises:
            InvalidGame: If one is no matrix, or their shapes or labels differ, or names or numbers
                as labels contradict one another.

        >>> NormalFormGame.bimatrix([[3, 0], [5, 1]], [[3, 5], [0, 1]]).num_actions
        (2, 2)
        """
        with reading_floats(decimals=decimals):
            rows = read_matrix(row_payoffs, where="row player's payoffs")
            columns = read_matrix(column_payoffs, where="column player's payoffs")
        if rows.numbers.shape != columns.numbers.shape:
            raise InvalidGame(
                needs="two matrices of one shape",
                found=f"the row player's payoffs have shape {rows.numbers.shape} and the column "
                f"player's {columns.numbers.shape}",
                remedy="Entry [a, b] of both is for row a and column b.",
            )
        first, second = aligned(rows, columns, actions)
        return _game_of(first, second, players, actions, title)

    @staticmethod
    def zero_sum(
        row_payoffs: object,
        *,
        players: Sequence[str] | None = None,
        actions: Sequence[Sequence[str]] | None = None,
        title: str = "",
        decimals: bool = False,
    ) -> "NormalFormGame":
        """Build the two-player game in which the column player pays the row player the entry.

        Args:
            row_payoffs, players, actions, title, decimals: As for ``bimatrix``.
        """
        with reading_floats(decimals=decimals):
            rows = read_matrix(row_payoffs, where="row player's payoffs")
        first, second = aligned(rows, rows._replace(numbers=_negative(rows.numbers)), actions)
        return _game_of(first, second, players, actions, title)

    @staticmethod
    def symmetric(
        payoffs: object,
        *,
        players: Sequence[str] | None = None,
        actions: Sequence[str] | None = None,
        title: str = "",
        decimals: bool = False,
    ) -> "NormalFormGame":
        """Build the symmetric two-player game: entry [a, b] is what playing a against b pays.

        Args:
            payoffs: Square; of a data frame, rows and columns have the same labels.
            actions: Of both players.
            players, title, decimals: As for ``bimatrix``.
        """
        with reading_floats(decimals=decimals):
            rows = read_matrix(payoffs, where="payoffs")
        if rows.numbers.shape[0] != rows.numbers.shape[1]:
            raise InvalidGame(
                needs="a square matrix",
                found=f"its shape is {rows.numbers.shape}",
                remedy="Use NormalFormGame.bimatrix(A, B).",
            )
        own = rows.axes[0].labels or rows.axes[1].labels
        if actions is None:
            refuse_numbers_out_of_order(*rows.axes)
        both = (actions, actions) if actions is not None else own and (own, own)
        first, _ = aligned(rows, rows, both)
        return _game_of(first, first._replace(numbers=first.numbers.T), players, both, title)

    @property
    def num_players(self) -> int:
        """Number of players."""
        return len(self.players)

    @property
    def num_actions(self) -> tuple[int, ...]:
        """Number of actions of each player."""
        return self.given_payoffs.shape[1:]

    @cached_property
    def payoffs(self) -> FloatArray:
        """Payoffs as float64, shape (num_players, *num_actions); read-only."""
        return as_float(self.given_payoffs)

    @cached_property
    def exact_payoffs(self) -> ExactArray:
        """Payoffs as ``Fraction`` objects, shape (num_players, *num_actions); read-only."""
        return as_exact(self.given_payoffs)

    @cached_property
    def scaled_payoffs(self) -> tuple[ScaledIntegers, ...]:
        """Each player's exact payoffs as integers over a common denominator of that player."""
        return tuple(map(scaled_integers, self.given_payoffs))

    @cached_property
    def scaled_floats(self) -> tuple[ScaledFloats | None, ...]:
        """The same as floats, without rounding; None for a player whose integers do not fit."""
        return tuple(map(scaled_floats, self.given_payoffs))

    @cached_property
    def first_sum(self) -> Fraction:
        """The sum of the players' payoffs where all play their first actions."""
        first = self.given_payoffs.reshape(self.num_players, -1)[:, 0].tolist()
        return sum(map(to_fraction, first), Fraction(0))

    @cached_property
    def digest(self) -> str:
        """Content identity: SHA-256 over labels and exact payoffs (not the title)."""
        content = hashlib.sha256(b"gametheory-core/normal-form/1\n")
        content.update(repr((self.players, self.actions)).encode())
        content.update(" ".join(map(hexadecimal, self.exact_payoffs.ravel())).encode())
        return content.hexdigest()

    __reduce__, __eq__, __hash__ = by_constructor, same_content, hash_of_content

    def __repr__(self) -> str:
        size = " x ".join(map(str, self.num_actions))
        noun = "action" if size == "1" else "actions"
        players = number_of(self.num_players, "player")
        return f"NormalFormGame({self.title!r}, {players}, {size} {noun})"

    def _repr_html_(self) -> str:
        """Show the game as a table in notebooks."""
        return html_table(
            self.given_payoffs, title=self.title, players=self.players, actions=self.actions
        )


def _game_of(
    first: LabelledMatrix,
    second: LabelledMatrix,
    players: Sequence[str] | None,
    actions: Sequence[Sequence[str]] | None,
    title: str,
) -> NormalFormGame:
    """Return the game of two matrices, labels as given or else as the first has them."""
    own = [
        axis.labels or numbered_labels(count)
        for axis, count in zip(first.axes, first.numbers.shape, strict=True)
    ]
    return NormalFormGame(
        players=players_of(first, second, players),
        actions=cast("Any", own if actions is None else actions),
        given_payoffs=_stack(first.numbers, second.numbers),
        title=title,
    )


def _negative(array: NumberArray) -> NumberArray:
    """Return minus the numbers; equal entries of exact arrays continue sharing one object."""
    if not is_exact(array):
        return -array
    flat = array.ravel().tolist()
    negatives = {id(value): -value for value in flat}
    return object_array([negatives[id(value)] for value in flat]).reshape(array.shape)


def _stack(rows: NumberArray, columns: NumberArray) -> NumberArray:
    if is_exact(rows) or is_exact(columns):
        return freeze(np.stack([as_exact(rows), as_exact(columns)]))
    return freeze(np.stack([rows, columns]))


def _check_shape(shape: tuple[int, ...]) -> None:
    if len(shape) < 2 or shape[0] != len(shape) - 1 or 0 in shape:
        raise InvalidGame(
            needs="payoffs of shape (num_players, actions of player 1, actions of player 2, ...), "
            "each at least 1",
            found=f"the shape is {shape}",
        )


def _player_labels(players: Sequence[str], shape: tuple[int, ...]) -> tuple[str, ...]:
    labels = check_labels(players, kind="player")
    if len(labels) != shape[0]:
        raise InvalidGame(needs=f"one label for each of {shape[0]} players", found=f"got {labels}")
    return labels


def _action_labels(
    actions: Sequence[Sequence[str]], shape: tuple[int, ...]
) -> tuple[tuple[str, ...], ...]:
    labels = tuple(
        check_labels(own, kind="action", owner=f"player {i + 1}") for i, own in enumerate(actions)
    )
    counts = tuple(len(own) for own in labels)
    if counts != shape[1:]:
        raise InvalidGame(
            needs=f"action labels for {shape[1:]} actions", found=f"got {counts} labels"
        )
    return labels
