"""Points of a face in rationals: refined by exact residuals, or solved exactly.

Floats satisfy the equations of a face to about 1e-16. Corrections from residuals that are computed
exactly add digits, as many as wanted (iterative refinement). Few equations are solved exactly, with
the variables that they leave free set to simple fractions near the float point.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arrays import FloatArray, IntArray
from solvers._programs.entropy_face import FaceEquations, correction
from solvers._programs.rational_systems import solve_square

MOST_REFINEMENTS = 6
REFINED = 2.0**-90  # a correction this small ends the refinement
FREE_BITS = 60  # of variables left free, where they are not near a simple fraction
MOST_DENOMINATOR = 1000  # of a simple fraction
NEAR = 1e-12  # a probability this near to a simple fraction may be meant to be it


def refined_weights(
    equations: FaceEquations,
    strategy: FloatArray,
    residuals: Callable[[list[int]], FloatArray],
    *,
    bits: int,
) -> list[int]:
    """Return the point as integer weights, which satisfy the equations nearly to their last bit.

    Args:
        strategy (num_support,): Positive, and on the face but for rounding.
        residuals: Of weights: computes the residuals of all equations exactly, then rounds each to
            a float.
        bits: Weights are in units of ``2**-bits``.
    """
    start = [int(math.ldexp(value, bits)) for value in cast("list[float]", strategy.tolist())]
    weights = start
    for _ in range(MOST_REFINEMENTS):
        change = correction(equations, residuals(weights))
        steps = [int(math.ldexp(value, bits)) for value in cast("list[float]", change.tolist())]
        weights = [weight + step for weight, step in zip(weights, steps, strict=True)]
        if np.abs(change).max() < REFINED:
            break
    return weights if min(weights) > 0 else start


def exact_face_point(
    table: list[list[int]], equations: FaceEquations, strategy: FloatArray
) -> list[Fraction] | None:
    """Return a rational point next to a float one that satisfies the independent equations exactly.

    Args:
        table (num_support, num_tight): Exact payoffs, up to a common factor, in the columns of the
            equations.
        strategy (num_support,)

    Returns:
        None if the equations are exactly dependent, or the point leaves the face.
    """
    from scipy.linalg import qr  # noqa: PLC0415 loads scipy

    sum_index = len(equations.columns) - 1
    pivots = cast("list[int]", equations.pivots.tolist())
    rows = [
        [1] * len(table) if k == sum_index else [row[k + 1] - row[0] for row in table]
        for k in pivots
    ]
    _, _, found = cast(
        "tuple[FloatArray, FloatArray, IntArray]", qr(equations.range_basis.T, pivoting=True)
    )
    order = cast("list[int]", found.tolist())
    basic, free = order[: len(pivots)], order[len(pivots) :]
    point = [near_fraction(value) for value in cast("list[float]", strategy.tolist())]
    whole = math.lcm(*(point[i].denominator for i in free))
    weights = {i: int(point[i] * whole) for i in free}
    right = [
        (whole if k == sum_index else 0) - sum(row[i] * weights[i] for i in free)
        for k, row in zip(pivots, rows, strict=True)
    ]
    solved = solve_square([[row[i] for i in basic] for row in rows], right)
    if solved is None:
        return None
    for i, value in zip(basic, cast("list[Fraction]", solved.tolist()), strict=True):
        point[i] = value / whole
    return point if min(point) > 0 and sum(point) == 1 else None


def near_fraction(value: float) -> Fraction:
    """Return the simple fraction next to a float, or the float to 60 bits if there is none."""
    simple = simple_fraction(value)
    return Fraction(round(math.ldexp(value, FREE_BITS)), 2**FREE_BITS) if simple is None else simple


def simple_fraction(value: float) -> Fraction | None:
    """Return the fraction with a small denominator that a float seems to be, if any."""
    simple = Fraction(value).limit_denominator(MOST_DENOMINATOR)
    return simple if abs(float(simple) - value) < NEAR else None


def simple_point(strategy: FloatArray) -> list[Fraction] | None:
    """Return the distribution of simple fractions that a float one seems to be, if any."""
    values: list[Fraction] = []
    for value in cast("list[float]", strategy.tolist()):
        simple = simple_fraction(value)
        if not simple:
            return None
        values.append(simple)
    return values if sum(values) == 1 else None
