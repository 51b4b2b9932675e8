"""The linear program of correlated equilibria: a column a joint action, a row a deviation.

maximise  sum x(s) c(s)   subject to   sum x(s) g(s) <= 0 for every deviation,
                                       floors on payoffs,   sum x(s) == 1,   x >= 0.

Rows: player by player, swaps ``a -> b`` in lexicographic order (coarse: one row for each ``b``);
then floors, then the sum. In floats, payoffs of each player are scaled to [0, 1]; exactly, they are
integers over a common denominator. Exact rows are made only where they are asked for.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core import NormalFormGame
from gametheory_core.arrays import ZERO, ExactArray, FloatArray, IntArray, ScaledIntegers
from gametheory_core.certificates import CorrelatedKind, IncentivePrice, PayoffFloor
from gametheory_core.memory import memory_cap, require_memory
from solvers._programs.linear import LinearProgram
from solvers._programs.rational_systems import Entries, RationalVector
from solvers._programs.refinement import TwofoldProgram
from solvers._programs.separable_convex import float_matrix

BYTES_PER_ENTRY = 36  # of a nonzero coefficient of a float program, at the peak


@dataclass(frozen=True, eq=False)
class PlayerRows:
    """One player's deviations.

    Attributes:
        payoffs: Exact, over ``denominator``.
        floats: Payoffs scaled to [0, 1].
        span: Largest minus smallest of ``payoffs``; 1 if there is no difference.
        columns: Where each joint action stands in the program.
        recommended, played (num_rows,): The deviation of each row; ``recommended`` means nothing in
            the coarse kind.
    """

    player: int
    payoffs: ExactArray
    denominator: int
    floats: FloatArray
    span: int
    columns: IntArray
    recommended: NDArray[np.intp]
    played: NDArray[np.intp]
    is_coarse: bool


@dataclass(frozen=True, eq=False)
class IncentiveRows:
    """All deviations of a game.

    Attributes:
        players: Those who have to be willing to obey.
        first: Index of each player's first row, then the number of rows.
    """

    game: NormalFormGame
    kind: CorrelatedKind
    players: tuple[PlayerRows, ...]
    first: tuple[int, ...]

    @property
    def num_joint(self) -> int:
        """Number of joint actions."""
        return self.players[0].payoffs.size

    @property
    def spans(self) -> list[int]:
        """What each row is divided by in floats."""
        return [own.span for own in self.players for _ in own.played]


def incentive_rows(
    game: NormalFormGame, kind: CorrelatedKind, *, leader: int | None = None
) -> IncentiveRows:
    """Number the deviations of a game, and prepare payoffs.

    Those of a leader do not count; there have to be other players then.

    Raises:
        UnsupportedGame: If the program would be too large; the message has the number of joint
            actions.
    """
    num_joint = game.given_payoffs[0].size
    coarse = kind is CorrelatedKind.COARSE
    obedient = [player for player in range(game.num_players) if player != leader]
    rivals = sum(game.num_actions[player] - (not coarse) for player in obedient)
    entries = num_joint * rivals
    if BYTES_PER_ENTRY * entries > memory_cap():
        advice = "Remove dominated actions of the followers."
        if leader is None:
            advice = (
                "Play it by a no-regret dynamic, whose average is nearly a (coarse) correlated "
                "equilibrium, or remove dominated actions."
            )
        require_memory(
            BYTES_PER_ENTRY * entries,
            what=f"a linear program of {entries} coefficients, as {game!r} has {num_joint} joint "
            "actions",
            remedy=advice,
        )
    joint = np.arange(num_joint, dtype=np.int32).reshape(game.num_actions)
    players = tuple(_player_rows(game, i, joint, coarse=coarse) for i in obedient)
    first = np.concatenate([[0], np.cumsum([len(own.played) for own in players])])
    return IncentiveRows(game, kind, players, tuple(first.tolist()))


def _player_rows(game: NormalFormGame, player: int, joint: IntArray, *, coarse: bool) -> PlayerRows:
    scaled = game.scaled_payoffs[player]
    count = game.num_actions[player]
    payoffs = np.moveaxis(scaled.numerators, player, 0).reshape(count, -1)
    values = cast("list[int]", payoffs.ravel().tolist())
    least = min(values)
    span = max(values) - least or 1
    floats = np.array([(value - least) / span for value in values]).reshape(payoffs.shape)
    recommended, played = (
        (np.arange(count), np.arange(count)) if coarse else np.nonzero(~np.eye(count, dtype=bool))
    )
    columns = np.moveaxis(joint, player, 0).reshape(count, -1)
    return PlayerRows(
        player, payoffs, scaled.denominator, floats, span, columns, recommended, played, coarse
    )


@dataclass(frozen=True, eq=False)
class _ExactRows:
    """Rows of the program in integers, made where they are asked for.

    ``demands`` are floors: the sum of ``x(s) demand[s]`` is at most 0. ``shortfall`` is the unit by
    which the column of that name relaxes them; 0 without it.
    """

    rows: IncentiveRows
    demands: tuple[list[int], ...]
    shortfall: int

    def entries(self, indices: Sequence[int]) -> list[Entries]:
        """Return the rows of some indices."""
        return [self._row(index) for index in indices]

    def _row(self, index: int) -> Entries:
        deviations = self.rows.first[-1]
        if index < deviations:
            return deviation_entries(self.rows, index)
        if index == deviations + len(self.demands):
            return [(j, 1) for j in range(self.rows.num_joint)]
        values = self.demands[index - deviations]
        relaxed = [(self.rows.num_joint, -self.shortfall)] if self.shortfall else []
        return [(j, value) for j, value in enumerate(values) if value] + relaxed

    def slacks(self, columns: RationalVector) -> list[int]:
        """Return what is left of every bound, over the denominator of the columns."""
        weights = columns.numerators[: self.rows.num_joint]
        used = [j for j, weight in enumerate(weights) if weight]
        shares = np.array([weights[j] for j in used], dtype=object)
        out: list[int] = []
        for own in self.rows.players:
            out += deviation_slacks(own, np.array(used, dtype=np.intp), shares)
        relaxed = self.shortfall * columns.numerators[-1] if self.shortfall else 0
        for demand in self.demands:
            out.append(relaxed - sum(demand[j] * weights[j] for j in used))
        return [*out, columns.denominator - sum(shares.tolist())]


def twofold_program(
    rows: IncentiveRows, values: ScaledIntegers, floors: Sequence[PayoffFloor] = ()
) -> TwofoldProgram:
    """Write the program for an objective, and demands on payoffs.

    Args:
        values: The objective at each joint action.
    """
    objective = cast("list[int]", values.numerators.ravel().tolist())
    least = min(objective)  # a constant moves only the multiplier of the sum
    objective = [value - least for value in objective]
    demands = tuple(_demand(rows, floor) for floor in floors)
    return _twofold(_ExactRows(rows, demands, 0), objective, max(objective) or 1)


def shortfall_program(rows: IncentiveRows, floors: Sequence[PayoffFloor]) -> TwofoldProgram:
    """Write the program that makes the largest shortfall of the floors small.

    Its last column is the shortfall, over the least common denominator of all floors and payoffs.
    """
    scaled = [_demand(rows, floor) for floor in floors]
    units = [demand_unit(rows, floor) for floor in floors]
    unit = math.lcm(*units)
    demands = tuple(
        [value * (unit // own) for value in demand]
        for demand, own in zip(scaled, units, strict=True)
    )
    largest = max(abs(value) for demand in demands for value in demand) or 1
    return _twofold(_ExactRows(rows, demands, largest), [0] * rows.num_joint + [-1], 1)


def _twofold(exact: _ExactRows, objective: list[int], objective_span: int) -> TwofoldProgram:
    rows, demands = exact.rows, exact.demands
    num_rows = rows.first[-1] + len(demands) + 1
    row_spans = [*rows.spans, *(max(map(abs, demand)) or 1 for demand in demands), 1]
    places, columns, coefficients = _float_entries(rows)
    extra = [
        (i, j, value / row_spans[i])
        for i in range(rows.first[-1], num_rows)
        for j, value in exact.entries([i])[0]
    ]
    bounds = [0] * (num_rows - 1) + [1]
    floats = LinearProgram(
        objective=np.array([value / objective_span for value in objective]),
        rows=np.concatenate([places, np.array([i for i, _, _ in extra], dtype=np.int32)]),
        columns=np.concatenate([columns, np.array([j for _, j, _ in extra], dtype=np.int32)]),
        values=np.concatenate([coefficients, np.array([value for _, _, value in extra])]),
        bounds=np.array(bounds, dtype=np.float64),
        is_equation=np.arange(num_rows) == num_rows - 1,
        is_free=np.zeros(len(objective), dtype=bool),
    )
    return TwofoldProgram(
        floats, row_spans, objective, objective_span, bounds, exact.entries, exact.slacks
    )


def float_gains(rows: IncentiveRows) -> Any:
    """Return all deviations in floats, (deviations, joint actions): sparse, or dense if full."""
    places, columns, gains = _float_entries(rows)
    return float_matrix(places, columns, gains, shape=(rows.first[-1], rows.num_joint))


def _float_entries(rows: IncentiveRows) -> tuple[IntArray, IntArray, FloatArray]:
    """Return places, columns and coefficients of all deviations, sorted by row."""
    places: list[IntArray] = []
    columns: list[IntArray] = []
    coefficients: list[FloatArray] = []
    first = 0
    for own in rows.players:
        for gains, where in _blocks(own):
            row, place = np.nonzero(gains)
            places.append((row + first).astype(np.int32))
            columns.append(where[place])
            coefficients.append(gains[row, place])
            first += len(gains)
    return np.concatenate(places), np.concatenate(columns), np.concatenate(coefficients)


def _blocks(own: PlayerRows) -> Iterator[tuple[FloatArray, IntArray]]:
    """Yield the rows of a player, some at a time to stay in fast memory, and their columns."""
    if own.is_coarse:
        gains = (own.floats[:, None, :] - own.floats[None]).reshape(len(own.played), -1)
        yield gains, own.columns.ravel()
        return
    for recommended, where in zip(range(len(own.floats)), own.columns, strict=True):
        yield np.delete(own.floats, recommended, axis=0) - own.floats[recommended], where


def deviation_entries(rows: IncentiveRows, index: int) -> Entries:
    """Return one deviation's exact row."""
    owner = bisect_right(rows.first, index) - 1
    own = rows.players[owner]
    row = index - rows.first[owner]
    played, swapped = own.payoffs[own.played[row]], own.recommended[row]
    if own.is_coarse:
        gains, columns = (played - own.payoffs).ravel(), own.columns.ravel()
    else:
        gains, columns = played - own.payoffs[swapped], own.columns[swapped]
    pairs = zip(columns.tolist(), gains.tolist(), strict=True)
    return sorted((column, gain) for column, gain in pairs if gain)


def deviation_slacks(own: PlayerRows, used: NDArray[np.intp], weights: ExactArray) -> list[int]:
    """Return minus the gain of each deviation under a sparse distribution."""
    place = np.empty(own.columns.size, dtype=np.intp)
    place[own.columns.ravel()] = np.arange(own.columns.size)
    action, others = np.divmod(place[used], own.columns.shape[1])
    count = len(own.payoffs)
    earned = np.zeros((count, count), dtype=object)
    np.add.at(earned, action, own.payoffs[:, others].T * weights[:, None])
    gains = earned - np.diagonal(earned)[:, None]
    if own.is_coarse:
        return (-gains.sum(axis=0)).tolist()
    return (-gains[own.recommended, own.played]).tolist()


def demand_unit(rows: IncentiveRows, floor: PayoffFloor) -> int:
    """Return the denominator of a floor's exact row."""
    return rows.players[floor.player].denominator * floor.least.denominator


def _demand(rows: IncentiveRows, floor: PayoffFloor) -> list[int]:
    """Write ``least - u(s)`` as integers over the product of both denominators."""
    own = rows.players[floor.player]
    least = floor.least.numerator * own.denominator
    values = [0] * rows.num_joint
    for column, value in zip(own.columns.ravel().tolist(), own.payoffs.ravel(), strict=True):
        values[column] = least - value * floor.least.denominator
    return values


def incentive_prices(
    rows: IncentiveRows, multipliers: Sequence[Fraction], objective_denominator: int
) -> tuple[IncentivePrice, ...]:
    """Return the positive multipliers of exact rows as prices in payoff units."""
    found: list[IncentivePrice] = []
    for own, first in zip(rows.players, rows.first[:-1], strict=True):
        unit = Fraction(own.denominator, objective_denominator)
        for row in range(len(own.played)):
            price = multipliers[first + row]
            if price > 0:
                swapped = None if own.is_coarse else int(own.recommended[row])
                played = int(own.played[row])
                found.append(IncentivePrice(own.player, swapped, played, price * unit))
    return tuple(found)


def exact_multipliers(
    multipliers: FloatArray, row_spans: Sequence[int], objective_span: int = 1
) -> list[Fraction]:
    """Return what multipliers of float rows mean for exact rows; negative ones count as 0."""
    return [
        Fraction(value) * objective_span / span if value > 0 else ZERO
        for value, span in zip(multipliers.tolist(), row_spans, strict=True)
    ]
