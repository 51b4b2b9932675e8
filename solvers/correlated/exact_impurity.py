"""The equilibrium of most Gini impurity, exactly, by a dual active-set method.

minimise |x|**2   subject to   G x <= 0,   sum x == 1,   x >= 0.

Some rows and columns are *active*: held at 0, with multipliers that are not negative, and ``x`` is
optimal among all points that keep them there. A condition that ``x`` violates most is made active:
its multiplier grows, ``x`` moves, and an active one whose multiplier falls to 0 on the way is
released. The dual objective rises strictly, so no active set comes twice, and the method ends
(Goldfarb and Idnani 1983) - in rationals, without a tolerance.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray
from gametheory_core.certificates.incentives import IncentivePrice
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_distribution
from solvers._programs.rational_systems import Entries
from solvers._programs.separable_convex import EvenPoint
from solvers.correlated.even_faces import MOST_TIGHT, nearest_on_face
from solvers.correlated.incentive_program import (
    IncentiveRows,
    deviation_entries,
    deviation_slacks,
    incentive_prices,
)
from solvers.solution import Meter

MostEven = tuple[CorrelatedDistribution, tuple[IncentivePrice, ...]]


@dataclass(frozen=True, eq=False)
class _Active:
    """What is held at 0, with multipliers; ``weights`` is optimal there. Modified in place."""

    weights: ExactArray
    tight: dict[int, Fraction]
    unused: dict[int, Fraction]

    @property
    def support(self) -> list[int]:
        """The joint actions that may be played."""
        return [j for j in range(len(self.weights)) if j not in self.unused]


@dataclass(frozen=True, eq=False)
class _Direction:
    """How all change while the multiplier of a new condition grows by 2."""

    weights: ExactArray
    tight: dict[int, Fraction]
    unused: dict[int, Fraction]


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
                entries, support, num_columns=rows.num_joint, target=([0] * len(support), 1)
            )
        if found is None:  # no distribution is there
            held, support = [], list(range(rows.num_joint))
            continue
        prices = dict(zip(held, found.multipliers, strict=True))
        charges = _charges(rows, prices, found.level)
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
    for own, first in zip(rows.players, rows.first[:-1], strict=True):
        slacks = cast("list[Fraction]", deviation_slacks(own, used, weights[used]))
        for row, slack in enumerate(slacks, start=first):
            if slack < min(worst, ZERO) * own.span:
                worst, index, is_column = Fraction(slack) / own.span, row, False
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
        direction = _direction(rows, active, wanted)
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


def _direction(rows: IncentiveRows, active: _Active, wanted: _Condition) -> _Direction | None:
    """Find how all moves that keeps active conditions at 0 and the sum at 1."""
    new = dict(wanted.entries)
    support = active.support
    found = nearest_on_face(
        [deviation_entries(rows, row) for row in active.tight],
        support,
        num_columns=rows.num_joint,
        target=([-new.get(j, 0) for j in support], 1),
        total=0,
    )
    if found is None:
        return None
    changes = dict(zip(active.tight, found.multipliers, strict=True))
    charges = _charges(rows, changes, found.level)
    unused = {j: 2 * new.get(j, 0) + charges[j] for j in active.unused}
    return _Direction(found.weights, changes, unused)


def _first_to_fall(
    active: _Active, direction: _Direction
) -> tuple[tuple[bool, int], Fraction | None]:
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


def _move(active: _Active, direction: _Direction, length: Fraction) -> None:
    active.weights[:] = active.weights + length * direction.weights
    for held, changes in ((active.tight, direction.tight), (active.unused, direction.unused)):
        for index, change in changes.items():
            held[index] += length * change


def _charges(rows: IncentiveRows, prices: dict[int, Fraction], level: Fraction) -> list[Fraction]:
    """Return what prices of deviations, and the level, charge each joint action."""
    charges = [level] * rows.num_joint
    for row, value in prices.items():
        if value:
            for column, gain in deviation_entries(rows, row):
                charges[column] += value * gain
    return charges


def _product(entries: Entries, weights: ExactArray) -> Fraction:
    return sum((value * weights[column] for column, value in entries), ZERO)
