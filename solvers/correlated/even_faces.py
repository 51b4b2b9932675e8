"""The exact point of a face near an even equilibrium in floats: a rational distribution.

The rows that are tight in floats, and the joint actions that are played, name a face. Its point
nearest to the float solution often is an exact equilibrium.

One linear system in integers finds it. With ``B`` the independent ones among the rows ``sum x = 1``
(or 0) and ``G_i x = 0``,

    minimise |x - c|**2   subject to   B x = e     has     x = c - B'm / 2,   B B' m = 2 (B c - e).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import flint
import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, freeze
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_distribution
from solvers._programs.rational_systems import Entries
from solvers._programs.separable_convex import EvenPoint
from solvers.correlated.incentive_program import IncentiveRows, deviation_entries

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
) -> FacePoint | None:
    """Project a target on a face; None if the rows exclude every distribution on the support.

    Args:
        rows: The rows ``G_i`` that hold with equality, in integers.
        support: Columns that may be positive.
        target (list of int, int): The target on the support, as numerators and a denominator.
        total: What the weights sum to: 1 for a point, 0 for a direction.
    """
    place = {column: k for k, column in enumerate(support)}
    dense = [[1] * len(support)]
    for entries in rows:
        row = [0] * len(support)
        for column, value in entries:
            if column in place:
                row[place[column]] = value
        dense.append(row)
    chosen = _independent(dense)
    table = flint.fmpz_mat(len(chosen), len(support), [v for k in chosen for v in dense[k]])
    numerators, whole = target
    wanted = flint.fmpz_mat(len(chosen), 1, [total * whole] + [0] * (len(chosen) - 1))
    aim = flint.fmpz_mat(len(support), 1, numerators)
    try:
        gram: Any = table * table.transpose()
        solved = gram.solve(2 * (table * aim - wanted))
    except ZeroDivisionError:
        return None
    found, divisor = solved.numer_denom()
    one = int(divisor) * whole
    moved = (table.transpose() * found).entries()
    moves = zip(numerators, moved, strict=True)
    scaled = [2 * aimed * int(divisor) - int(move) for aimed, move in moves]
    if _is_missed(dense, chosen, scaled):
        return None
    weights = np.full(num_columns, ZERO, dtype=object)
    weights[support] = [Fraction(value, 2 * one) for value in scaled]
    multipliers = [ZERO] * len(dense)
    for k, value in zip(chosen, found.entries(), strict=True):
        multipliers[k] = Fraction(int(value), one)
    return FacePoint(freeze(weights), multipliers[1:], multipliers[0])


def _is_missed(rows: list[list[int]], chosen: list[int], weights: list[int]) -> bool:
    """Tell whether a row that was left out as dependent is not zero: then it contradicts others."""
    left_out = set(range(len(rows))) - set(chosen)
    return any(sum(v * w for v, w in zip(rows[k], weights, strict=True) if v) for k in left_out)


def _independent(rows: list[list[int]]) -> list[int]:
    """Return the first rows that span all, the first one of them."""
    columns = len(rows[0])
    entries = [row[j] % PRIME for j in range(columns) for row in rows]
    reduced, rank = flint.nmod_mat(columns, len(rows), entries, PRIME).rref()
    chosen: list[int] = []
    column = 0
    for k in range(rank):
        while not int(reduced[k, column]):
            column += 1
        chosen.append(column)
        column += 1
    return chosen


GRAIN = 2**50  # a float weight is rounded to about this many parts of one
NEGLIGIBLE = 2.0**-44  # lighter joint actions are left out, if a face can be found without them


def point_near(rows: IncentiveRows, point: EvenPoint) -> CorrelatedDistribution | None:
    """Return the point of the face that is nearest to a float solution, if it is a distribution."""
    tight = np.flatnonzero(point.multipliers > point.slacks).tolist()
    support = np.flatnonzero(point.weights > NEGLIGIBLE).tolist()
    if len(tight) > MOST_TIGHT or not support:
        return None
    shares = np.rint(point.weights[support] * GRAIN).astype(np.int64)
    nearest = nearest_on_face(
        [deviation_entries(rows, row) for row in tight],
        support,
        num_columns=rows.num_joint,
        target=(cast("list[int]", shares.tolist()), GRAIN),
    )
    if nearest is None or min(nearest.weights.tolist()) < 0:
        return None
    return correlated_distribution(nearest.weights.reshape(rows.game.num_actions))
