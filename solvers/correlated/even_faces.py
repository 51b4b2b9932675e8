"""Even equilibria exactly: the point of a face near floats, and the most impurity of all.

The rows that are tight in floats, and the joint actions that are played, name a face. Its point
nearest to the float solution often is an exact equilibrium. One linear system in integers finds it:
with ``B`` the independent ones among the rows ``sum x = 1`` (or 0) and ``G_i x = 0``,

    minimise |x - c|**2   subject to   B x = e     has     x = c - B'm / 2,   B B' m = 2 (B c - e).

A dual active-set method finds the equilibrium of most Gini impurity:

    minimise |x|**2   subject to   G x <= 0,   sum x == 1,   x >= 0.

Some rows and columns are *active*: held at 0, with multipliers that are not negative, and ``x`` is
optimal among all points that keep them there. A condition that ``x`` violates most is made active:
its multiplier grows, ``x`` moves, and an active one whose multiplier falls to 0 on the way is
released. The dual objective rises strictly, so no active set comes twice, and the method ends
(Goldfarb and Idnani 1983) - in rationals, without a tolerance.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import flint
import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, exact_sum, freeze, scaled_integers
from gametheory_core.certificates.incentives import IncentivePrice
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_distribution
from solvers._programs.exact import Tick
from solvers._programs.rational_systems import Entries
from solvers._programs.separable_convex import EvenPoint
from solvers.correlated.incentive_program import (
    IncentiveRows,
    deviation_entries,
    deviation_slacks,
    incentive_prices,
)
from solvers.solution import BudgetOver, Meter

MOST_TIGHT = 600  # rows of an exact face: more would take minutes
PRIME = 2**61 - 1  # rows that are dependent modulo this prime count as dependent


@dataclass(frozen=True, eq=False)
class FacePoint:
    """Where the nearest point is.

    Attributes:
        weights (num_columns,): ``x``; 0 outside the support. Of either sign.
        multipliers: ``m`` for each row; 0 for dependent ones.
        level: The multiplier of the sum.
    """

    weights: ExactArray
    multipliers: list[Fraction]
    level: Fraction


def nearest_on_face(
    rows: list[Entries],
    support: list[int],
    *,
    num_columns: int,
    target: tuple[list[int], int],
    total: int = 1,
    tick: Tick = lambda: None,
) -> FacePoint | None:
    """Project a target on a face; None if the rows exclude every distribution on the support.

    Args:
        rows: The rows ``G_i`` that hold with equality, in integers.
        support: Columns that may be positive.
        target (list of int, int): The target on the support, as numerators and a denominator.
        total: What the weights sum to: 1 for a point, 0 for a direction.
        tick: Called before each longer step, where fractions are long; may raise to stop.
    """
    sparse = [dict(entries) for entries in rows]
    dense = [[1] * len(support), *([row.get(j, 0) for j in support] for row in sparse)]
    chosen = _independent(dense)
    table = flint.fmpz_mat(len(chosen), len(support), [v for k in chosen for v in dense[k]])
    numerators, whole = target
    wanted = flint.fmpz_mat(len(chosen), 1, [total * whole] + [0] * (len(chosen) - 1))
    aim = flint.fmpz_mat(len(support), 1, numerators)
    tick()
    try:
        gram: Any = table * table.transpose()
        solved = gram.solve(2 * (table * aim - wanted))
    except ZeroDivisionError:
        return None
    tick()
    found, divisor = solved.numer_denom()
    one = int(divisor) * whole
    moved = (table.transpose() * found).entries()
    moves = zip(numerators, moved, strict=True)
    scaled = [2 * aimed * int(divisor) - int(move) for aimed, move in moves]
    left_out = set(range(len(dense))) - set(chosen)  # dependent, unless they contradict others
    if any(sum(v * w for v, w in zip(dense[k], scaled, strict=True) if v) for k in left_out):
        return None
    weights = np.full(num_columns, ZERO, dtype=object)
    for column, value in zip(support, scaled, strict=True):
        tick()
        weights[column] = Fraction(value, 2 * one)
    multipliers = [ZERO] * len(dense)
    for k, value in zip(chosen, found.entries(), strict=True):
        tick()
        multipliers[k] = Fraction(int(value), one)
    return FacePoint(freeze(weights), multipliers[1:], multipliers[0])


def _independent(rows: list[list[int]]) -> list[int]:
    """Return the first rows that span all, the first one of them."""
    columns = len(rows[0])
    entries = [row[j] % PRIME for j in range(columns) for row in rows]
    reduced, rank = flint.nmod_mat(columns, len(rows), entries, PRIME).rref()
    found = iter(range(len(rows)))
    return [next(j for j in found if int(reduced[k, j])) for k in range(rank)]


GRAIN = 2**50  # a float weight is rounded to about this many parts of one
NEGLIGIBLE = 2.0**-44  # lighter joint actions are left out, if a face can be found without them


def point_near(
    rows: IncentiveRows, point: EvenPoint, meter: Meter
) -> CorrelatedDistribution | None:
    """Return the point of the face that is nearest to a float solution, if it is a distribution.

    None if time is up before.
    """
    tight = np.flatnonzero(point.multipliers > point.slacks).tolist()
    support = np.flatnonzero(point.weights > NEGLIGIBLE).tolist()
    if len(tight) > MOST_TIGHT or not support:
        return None
    shares = np.rint(point.weights[support] * GRAIN).astype(np.int64)
    try:
        nearest = nearest_on_face(
            [deviation_entries(rows, row) for row in tight],
            support,
            num_columns=rows.num_joint,
            target=(cast("list[int]", shares.tolist()), GRAIN),
            tick=meter.require_time,
        )
    except BudgetOver:
        return None
    if nearest is None or min(nearest.weights.tolist()) < 0:
        return None
    return correlated_distribution(nearest.weights.reshape(rows.game.num_actions))


MostEven = tuple[CorrelatedDistribution, tuple[IncentivePrice, ...]]


@dataclass(frozen=True, eq=False)
class _Active:
    """What is held at 0, with multipliers, and the weights that are optimal there; or all changes.

    The multipliers are those of rows and of columns. Modified in place.
    """

    weights: ExactArray
    tight: dict[int, Fraction]
    unused: dict[int, Fraction]

    @property
    def support(self) -> list[int]:
        """The joint actions that may be played."""
        return [j for j in range(len(self.weights)) if j not in self.unused]


@dataclass(frozen=True)
class _Condition:
    """A row ``a x <= 0`` that becomes active: a deviation, or ``-x_j <= 0``."""

    index: int
    is_column: bool
    entries: Entries


def most_gini(rows: IncentiveRows, point: EvenPoint, meter: Meter) -> MostEven | None:
    """Find the equilibrium of most impurity, and the prices that prove it.

    None if the budget ends, or more rows are tight than an exact face may have.

    Args:
        point: The solution in floats: the better it is, the fewer steps it takes.
        meter: Counts linear systems.
    """
    try:
        return _most_gini(rows, point, meter)
    except BudgetOver:
        return None


def _most_gini(rows: IncentiveRows, point: EvenPoint, meter: Meter) -> MostEven | None:
    tight = np.flatnonzero(point.multipliers > point.slacks).tolist()
    played = np.flatnonzero(point.weights > point.reduced).tolist()
    active = _started(rows, tight, played, meter)
    while active is not None:
        wanted = _most_violated(rows, active.weights)
        if wanted is None:
            multipliers = [active.tight.get(row, ZERO) for row in range(rows.first[-1])]
            found = correlated_distribution(active.weights.reshape(rows.game.num_actions))
            return found, incentive_prices(rows, multipliers, 1)
        if not _activate(rows, active, wanted, meter):
            return None
    return None


def _started(
    rows: IncentiveRows, tight: list[int], played: list[int], meter: Meter
) -> _Active | None:
    """Release what has a negative multiplier until nothing has."""
    held, support = tight, played
    while not meter.is_exhausted:
        found = None
        if support and len(held) <= MOST_TIGHT:
            meter.step()
            entries = [deviation_entries(rows, row) for row in held]
            found = nearest_on_face(
                entries,
                support,
                num_columns=rows.num_joint,
                target=([0] * len(support), 1),
                tick=meter.require_time,
            )
        if found is None:  # no distribution is there
            held, support = [], list(range(rows.num_joint))
            continue
        prices = dict(zip(held, found.multipliers, strict=True))
        charges = _charges(rows, prices, found.level, meter)
        idle = set(range(rows.num_joint)) - set(support)
        freed = [j for j in idle if charges[j] < 0]
        positive = {row: value for row, value in prices.items() if value > 0}
        if not freed and all(value >= 0 for value in found.multipliers):
            weights = found.weights.copy()
            return _Active(weights, positive, {j: charges[j] for j in idle})
        held, support = sorted(positive), sorted([*support, *freed])
    return None


def _most_violated(rows: IncentiveRows, weights: ExactArray) -> _Condition | None:
    """Return the condition that is missed most, where payoffs are scaled to [0, 1]."""
    used = np.flatnonzero(weights)
    values = cast("list[Fraction]", weights.tolist())
    worst = min(values)
    index, is_column = values.index(worst), True
    shares = scaled_integers(weights[used])
    for own, first in zip(rows.players, rows.first[:-1], strict=True):
        slacks = deviation_slacks(own, used, shares.numerators)
        least = min(slacks, default=0)
        relative = Fraction(least, shares.denominator) / own.span
        if relative < min(worst, ZERO):
            worst, index, is_column = relative, first + slacks.index(least), False
    if worst >= 0:
        return None
    return _Condition(
        index, is_column, [(index, -1)] if is_column else deviation_entries(rows, index)
    )


def _activate(rows: IncentiveRows, active: _Active, wanted: _Condition, meter: Meter) -> bool:
    """Move until a violated condition holds with equality; tell whether that was possible."""
    price = ZERO
    while not meter.is_exhausted and len(active.tight) <= MOST_TIGHT:
        meter.step()
        direction = _direction(rows, active, wanted, meter)
        if direction is None:
            return False
        slope = -_product(wanted.entries, direction.weights)
        whole = _product(wanted.entries, active.weights) / slope if slope else None
        release, blocked = _first_to_fall(active, direction)
        length = blocked if whole is None or (blocked is not None and blocked < whole) else whole
        if length is None:  # no distribution satisfies all: never so for incentives
            return False
        price += 2 * length
        _move(active, direction, length)
        if length == whole:  # the multiplier that falls to 0 at the same time may stay
            if wanted.is_column:
                active.unused[wanted.index] = price
                active.weights[wanted.index] = ZERO
            else:
                active.tight[wanted.index] = price
            return True
        is_column, index = release
        del (active.unused if is_column else active.tight)[index]
    return False


def _direction(
    rows: IncentiveRows, active: _Active, wanted: _Condition, meter: Meter
) -> _Active | None:
    """Find how all changes, the active conditions at 0, as the new multiplier grows by 2."""
    new = dict(wanted.entries)
    support = active.support
    found = nearest_on_face(
        [deviation_entries(rows, row) for row in active.tight],
        support,
        num_columns=rows.num_joint,
        target=([-new.get(j, 0) for j in support], 1),
        total=0,
        tick=meter.require_time,
    )
    if found is None:
        return None
    changes = dict(zip(active.tight, found.multipliers, strict=True))
    charges = _charges(rows, changes, found.level, meter)
    unused = {j: 2 * new.get(j, 0) + charges[j] for j in active.unused}
    return _Active(found.weights, changes, unused)


def _first_to_fall(active: _Active, direction: _Active) -> tuple[tuple[bool, int], Fraction | None]:
    """Return which multiplier reaches 0 first (a column's?, its index), and after what length."""
    release, least = (False, -1), None
    for is_column, held, changes in (
        (False, active.tight, direction.tight),
        (True, active.unused, direction.unused),
    ):
        for index, change in changes.items():
            if change < 0 and (least is None or held[index] < -change * least):
                release, least = (is_column, index), held[index] / -change
    return release, least


def _move(active: _Active, direction: _Active, length: Fraction) -> None:
    active.weights[:] = active.weights + length * direction.weights
    for held, changes in ((active.tight, direction.tight), (active.unused, direction.unused)):
        for index, change in changes.items():
            held[index] += length * change


def _charges(
    rows: IncentiveRows, prices: dict[int, Fraction], level: Fraction, meter: Meter
) -> list[Fraction]:
    """Return what prices of deviations, and the level, charge each joint action."""
    denominator = math.lcm(*{value.denominator for value in (level, *prices.values())})
    charges = [level.numerator * (denominator // level.denominator)] * rows.num_joint
    for row, value in prices.items():
        meter.require_time()
        if value:
            price = value.numerator * (denominator // value.denominator)
            for column, gain in deviation_entries(rows, row):
                charges[column] += price * gain
    shared: list[Fraction] = []
    for charge in charges:
        meter.require_time()
        shared.append(Fraction(charge, denominator))
    return shared


def _product(entries: Entries, weights: ExactArray) -> Fraction:
    return exact_sum(value * weights[column] for column, value in entries)
