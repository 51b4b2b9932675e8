"""Exact faces under even correlated equilibria: from tight rows in floats to a rational point."""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray
from gametheory_core.certificates.incentives import IncentivePrice
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_distribution
from solvers._programs.even_face import FacePoint, nearest_on_face
from solvers._programs.separable_convex import EvenPoint
from solvers.correlated.incentive_program import (
    IncentiveRows,
    deviation_entries,
    deviation_slacks,
    incentive_prices,
)
from solvers.solution import Meter

MOST_TIGHT = 600  # rows of an exact face
MOST_REPAIRS = 40
GRAIN = 2**50  # a float weight is rounded to about this many parts of one
NEGLIGIBLE = 2.0**-44  # lighter joint actions are left out, if a face can be found without them


@dataclass(frozen=True, eq=False)
class _Face:
    """Which rows are tight, and which joint actions may be played."""

    tight: list[int]
    support: list[int]


def point_near(rows: IncentiveRows, point: EvenPoint) -> CorrelatedDistribution | None:
    """Return the point of the face that is nearest to a float solution, if it is a distribution."""
    face = _face(point, point.weights > NEGLIGIBLE)
    if len(face.tight) > MOST_TIGHT:
        return None
    shares = np.rint(point.weights[face.support] * GRAIN).astype(np.int64)
    nearest = _nearest(rows, face, (cast("list[int]", shares.tolist()), GRAIN))
    if nearest is None or min(nearest.weights.tolist()) < 0:
        return None
    return _tensor(rows, nearest.weights)


def most_gini(
    rows: IncentiveRows, point: EvenPoint, meter: Meter
) -> tuple[CorrelatedDistribution, tuple[IncentivePrice, ...]] | None:
    """Exchange tight rows and support until the optimality conditions hold exactly.

    None if budget or repairs end first.
    """
    face = _face(point, point.weights > point.reduced)
    for _ in range(MOST_REPAIRS):
        if meter.is_exhausted or len(face.tight) > MOST_TIGHT or not face.support:
            return None
        meter.step()
        found = _nearest(rows, face, ([0] * len(face.support), 1))
        if found is None:
            return None
        better = _repaired(rows, face, found)
        if better is None:
            multipliers = [ZERO] * rows.first[-1]
            for row, value in zip(face.tight, found.multipliers, strict=True):
                multipliers[row] = value
            return _tensor(rows, found.weights), incentive_prices(rows, multipliers, 1)
        face = better
    return None


def _face(point: EvenPoint, played: np.ndarray) -> _Face:
    tight = np.flatnonzero(point.multipliers > point.slacks)
    return _Face(tight.tolist(), np.flatnonzero(played).tolist())


def _nearest(rows: IncentiveRows, face: _Face, target: tuple[list[int], int]) -> FacePoint | None:
    entries = [deviation_entries(rows, row) for row in face.tight]
    return nearest_on_face(entries, face.support, num_columns=rows.num_joint, target=target)


def _repaired(rows: IncentiveRows, face: _Face, found: FacePoint) -> _Face | None:
    """Drop rows and joint actions of the wrong sign, add violated ones; None if there are none."""
    weights = cast("list[Fraction]", found.weights.tolist())
    released = {row for row, value in zip(face.tight, found.multipliers, strict=True) if value < 0}
    missed = {row for row, slack in enumerate(_slacks(rows, found.weights)) if slack < 0}
    charges = [ZERO] * rows.num_joint
    for row, value in zip(face.tight, found.multipliers, strict=True):
        if value:
            for column, gain in deviation_entries(rows, row):
                charges[column] += value * gain
    support = set(face.support)
    left = {column for column in support if weights[column] < 0}
    entered = {
        column
        for column in range(rows.num_joint)
        if column not in support and charges[column] + found.level < 0
    }
    if not (released or missed or left or entered):
        return None
    return _Face(sorted((set(face.tight) - released) | missed), sorted((support - left) | entered))


def _slacks(rows: IncentiveRows, weights: ExactArray) -> list[Fraction]:
    used = np.flatnonzero(weights)
    out: list[Fraction] = []
    for own in rows.players:
        out += cast("list[Fraction]", deviation_slacks(own, used, weights[used]))
    return out


def _tensor(rows: IncentiveRows, weights: ExactArray) -> CorrelatedDistribution:
    return correlated_distribution(weights.reshape(rows.game.num_actions))
