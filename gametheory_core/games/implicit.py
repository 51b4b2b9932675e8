"""Zero-sum games too large for a table: payoffs by a function, or best responses by oracles.

An *implicit* game numbers the actions of both players and computes payoffs where they are asked
for, so that a million actions a player are no obstacle. A *game of oracles* does not even number
its actions: what there is to choose is found by a best-response oracle for each player, which is
believed where it says that nothing is better, and nowhere else.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import (
    as_tuple,
    check_labels,
    require_function,
    require_integer,
    shown,
)
from gametheory_core.arrays import (
    NumberArray,
    are_doubles,
    exact_array,
    freeze,
    is_integer,
    to_fraction,
)
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidGame

Mixture: TypeAlias = Distribution[Any]  # over the actions of one player
Oracle: TypeAlias = Callable[[Mixture], tuple[Hashable, Any]]

PLAYERS = ("Row", "Column")
MOST_ACTIONS = 2**62  # that are numbered


@dataclass(frozen=True, eq=False, repr=False)
class ImplicitGame:
    """Two players, zero-sum; actions are numbers, and payoffs are computed where they are needed.

    Attributes:
        payoffs: Takes numbers of rows (m, 1) and of columns (1, n), int64 arrays that wrap around
            beyond 2^63, and returns what the row player gets, (m, n) or what broadcasts to it:
            integers, floats or fractions. Always the same for the same actions.
        num_actions: Of the row player and of the column player.
        players: Labels.
        title: For people.
    """

    payoffs: Callable[[Any, Any], Any]
    num_actions: tuple[int, int]
    players: tuple[str, str] = PLAYERS
    title: str = ""

    def __post_init__(self) -> None:
        require_function(self.payoffs, name="payoffs")
        counts = as_tuple(self.num_actions, name="num_actions", remedy="Give (rows, columns).")
        if len(counts) != 2:
            raise InvalidGame(needs="num_actions of two players", found=f"got {shown(counts)}")
        for count in counts:
            require_integer(count, name="each of num_actions", low=1, high=MOST_ACTIONS)
        object.__setattr__(self, "num_actions", tuple(map(int, counts)))
        _set_players(self, self.players)

    @property
    def num_players(self) -> int:
        """Two."""
        return len(self.players)

    def __repr__(self) -> str:
        rows, columns = self.num_actions
        return f"ImplicitGame({self.title!r}, {rows:,} x {columns:,} actions)"


@dataclass(frozen=True, eq=False, repr=False)
class OracleGame:
    """Two players, zero-sum; actions are whatever can be hashed, and oracles find the best.

    Attributes:
        payoff: Takes a row and a column; returns what the row player gets, exactly.
        best_row: Takes a mixture of columns; returns a row of the largest expected payoff, and that
            payoff.
        best_column: Takes a mixture of rows; returns a column of the least expected payoff of the
            row player, and that payoff.
        first_actions: A row and a column to begin with.
        players: Labels.
        title: For people.
    """

    payoff: Callable[[Any, Any], Any]
    best_row: Oracle
    best_column: Oracle
    first_actions: tuple[Any, Any]
    players: tuple[str, str] = PLAYERS
    title: str = ""

    def __post_init__(self) -> None:
        for name in ("payoff", "best_row", "best_column"):
            require_function(getattr(self, name), name=name)
        first = as_tuple(self.first_actions, name="first_actions", remedy="Give (row, column).")
        if len(first) != 2 or not all(isinstance(action, Hashable) for action in first):
            raise InvalidGame(
                needs="first_actions to be a row and a column that can be hashed",
                found=f"got {shown(first)}",
            )
        _set_players(self, self.players)

    @property
    def num_players(self) -> int:
        """Two."""
        return len(self.players)

    def __repr__(self) -> str:
        return f"OracleGame({self.title!r}, from {shown(self.first_actions)})"


def implicit_payoffs(game: ImplicitGame, rows: Any, columns: Any) -> NumberArray:
    """Compute the payoffs of some rows against some columns: int64, float64 or exact.

    Args:
        rows (m,), columns (n,): Numbers of actions.

    Raises:
        InvalidGame: If the function returns another shape, or what is no finite number; names the
            actions.
    """
    rows, columns = np.asarray(rows, dtype=np.int64), np.asarray(columns, dtype=np.int64)
    where, shape = f"payoffs of {game!r}", (len(rows), len(columns))
    if 0 in shape:  # of which functions that reduce know nothing
        return freeze(np.zeros(shape, dtype=np.int64))
    given = game.payoffs(rows[:, None], columns[None, :])
    try:
        table = np.broadcast_to(given, shape)
    except ValueError:
        raise InvalidGame(
            needs=f"payoffs of shape {shape} for rows of shape {(shape[0], 1)} and columns of "
            f"shape {(1, shape[1])}",
            found="the function returns "
            f"{f'shape {given.shape}' if isinstance(given, np.ndarray) else shown(given)}",
            remedy="Compute them by numpy's broadcasting, as abs(rows - columns) does.",
            where=where,
        ) from None
    if np.can_cast(table.dtype, np.int64):  # truth values are 0 and 1
        return freeze(table.astype(np.int64))
    if not are_doubles(table):
        return exact_array(table, where=where)
    floats = table.astype(np.float64)
    if not np.isfinite(floats).all():
        i, j = np.argwhere(~np.isfinite(floats))[0].tolist()
        raise InvalidGame(
            needs="finite payoffs",
            found=f"row {rows[i]} against column {columns[j]} pays {floats[i, j]}",
            remedy="Replace NaN and infinite payoffs.",
            witness=(int(rows[i]), int(columns[j])),
            where=where,
        )
    return freeze(floats)


def require_no_wrapping(game: ImplicitGame, rows: Any, columns: Any) -> None:
    """Refuse integer payoffs of some actions, the first and the last that are not what they seem.

    The function is asked again with Python's integers, which are never too large; one that does not
    take these is believed, and so are floats.

    Args:
        rows (m,), columns (n,): Numbers of actions.

    Raises:
        InvalidGame: If 64-bit integers gave another payoff; names the actions.
    """
    rows, columns = (
        np.unique([0, count - 1, *own])
        for own, count in zip((rows, columns), game.num_actions, strict=True)
    )
    table = implicit_payoffs(game, rows, columns)
    if table.dtype != np.int64:
        return
    try:
        given = game.payoffs(rows.astype(object)[:, None], columns.astype(object)[None, :])
        exact = np.broadcast_to(given, table.shape).astype(object)
    except Exception:  # noqa: BLE001 of a function that takes no objects
        return
    for (i, j), paid in np.ndenumerate(table):
        if is_integer(exact[i, j]) and exact[i, j] != paid:
            raise InvalidGame(
                needs="payoffs whose computation stays within 64-bit integers",
                found=f"row {rows[i]} against column {columns[j]} pays {paid}, but "
                f"{shown(exact[i, j])} in Python's integers",
                remedy="Begin the function with rows.astype(object), or compute in floats.",
                witness=(int(rows[i]), int(columns[j])),
                where=f"payoffs of {game!r}",
            )


def oracle_payoff(game: OracleGame, row: Hashable, column: Hashable) -> Fraction:
    """Compute what the row player gets, as a fraction.

    Raises:
        InvalidGame: If it is no finite number; names the actions.
    """
    where = f"payoff of row {shown(row)} against column {shown(column)}"
    return to_fraction(game.payoff(row, column), where=where)


def _set_players(game: Any, players: object) -> None:
    labels = check_labels(cast("tuple[str, ...]", players), kind="player")
    if len(labels) != 2:
        raise InvalidGame(needs="labels of two players", found=f"got {shown(labels)}")
    object.__setattr__(game, "players", labels)
