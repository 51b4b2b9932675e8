"""The most entropic point of a face of optimal strategies, by Newton steps.

On the maximal support the optimal strategies of the row player are the distributions ``x`` with

    (A'x)_j equal for all tight columns j,    (A'x)_j at least that for the others.

A column is tight if some optimal strategy of the opponent plays it, and the first tight column is
the *reference* that others are compared with. ``D`` holds these differences and a column of ones,
so that the equations are ``D'x = (0, ..., 0, 1)``; ``D P = Q R`` with column pivoting parts the
space into the range of ``D`` and its orthogonal complement, the directions of the face.

Where the inequalities do not bind, Newton's method inside the face finds the maximum of
``-sum x ln x``. Otherwise a primal-dual interior-point method tells which of them bind, and
Newton's method ends on the smaller face. At the maximum ``ln x = D (prices) + C (prices)``, where
``C`` are the columns that bind, with prices of at least 0.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.linalg import LinAlgError

from gametheory_core.arrays import FloatArray, IntArray

Tick = Callable[[], None]

RANK_TOLERANCE = 1e-11  # of D, relative to its largest pivot
SLACK = 1e-13  # an inequality may be violated by as much, where entries are at most 1
BACK_OFF = 0.995  # part of the way to the boundary
MOST_STEPS = 100
DECREMENT_GOAL = 1e-26  # squared Newton decrement; about twice the missing entropy
DECREMENT_FLOOR = 1e-12  # below, a decrement that stays shows rounding only
FIRST_BARRIER, LAST_BARRIER = 1e-2, 1e-14  # weights of logarithms of slacks
LOWERING = 0.1  # of that weight, when the point is central:
CENTERED = 0.1  # its squared decrement is less than this share of the weight
SUFFICIENT = 1e-4  # share of the predicted fall that a step must bring
ROUNDING = 1e-15
LEAST_LENGTH = 1e-10
LEAST_SLACK = 1e-18
TRUST = 1e3  # multipliers stay within this factor of central ones


@dataclass(frozen=True)
class FaceEquations:
    """The equations of a face, factorised.

    Attributes:
        columns (num_tight,): Tight columns; the first is the reference.
        pivots (rank,): Which of the equations are independent: index k is ``columns[k + 1]``
            against the reference, the last index the sum.
        range_basis (num_support, rank)
        triangle (rank, rank)
        directions (num_support, dimension): Orthonormal.
    """

    columns: IntArray
    pivots: IntArray
    range_basis: FloatArray
    triangle: FloatArray
    directions: FloatArray


@dataclass(frozen=True)
class FacePoint:
    """A point of a face and the prices that show it is the most entropic.

    Attributes:
        strategy (num_support,): Positive.
        prices (num_columns,): Sum to 0, at least 0 off the tight columns; ``ln strategy`` is
            ``A @ prices`` on the support up to a constant.
        equations: Which hold at the point with equality; more than the face's where inequalities
            bind.
        inside (num_support,): A point of the face where no inequality binds.
        face: Of the face.
    """

    strategy: FloatArray
    prices: FloatArray
    equations: FaceEquations
    inside: FloatArray
    face: FaceEquations


@dataclass(frozen=True)
class _Bounded:
    """Where the interior-point method stands: a point, multipliers, and the barrier's weight."""

    point: FloatArray
    charges: FloatArray
    barrier: float


def face_equations(table: FloatArray, tight: IntArray) -> FaceEquations:
    """Factorise the equations of a face.

    Args:
        table (num_support, num_columns): Rows of the support, all columns.
        tight: At least one.
    """
    from scipy.linalg import qr  # noqa: PLC0415 loads scipy

    reference = table[:, tight[:1]]
    ones = np.ones((len(table), 1))
    differences = np.concatenate([table[:, tight[1:]] - reference, ones], axis=1)
    basis, triangle, order = cast(
        "tuple[FloatArray, FloatArray, IntArray]",
        qr(differences, pivoting=True, check_finite=False),
    )
    sizes = np.abs(np.diag(triangle))
    rank = int((sizes > RANK_TOLERANCE * sizes[0]).sum())
    return FaceEquations(
        columns=tight,
        pivots=order[:rank],
        range_basis=basis[:, :rank],
        triangle=triangle[:rank, :rank],
        directions=basis[:, rank:],
    )


def correction(equations: FaceEquations, residuals: FloatArray) -> FloatArray:
    """Return the least change of a point that takes these residuals of the equations away.

    Args:
        residuals (num_tight,): For each tight column but the reference, what it pays more than the
            reference; then the sum of probabilities, less one.
    """
    from scipy.linalg import solve_triangular  # noqa: PLC0415 loads scipy

    independent = residuals[equations.pivots]
    return -equations.range_basis @ solve_triangular(
        equations.triangle, independent, trans=1, check_finite=False
    )


def most_entropic_point(
    table: FloatArray, tight: IntArray, start: FloatArray, *, tick: Tick
) -> FacePoint:
    """Find the most entropic point of a face.

    Args:
        table (num_support, num_columns): Payoffs to the row player in the rows of the maximal
            support, at most 1 in absolute value.
        tight: The opponent's maximal support.
        start (num_support,): Positive, nearly in the face, and clear of its inequalities.
        tick: Called before each step; may raise to stop.
    """
    equations = face_equations(table, tight)
    center = _put_right(table, equations, start)
    others = np.setdiff1d(np.arange(table.shape[1], dtype=np.int32), tight)
    excess = table[:, others] - table[:, tight[:1]]
    strategy = _free_maximum(center, equations.directions, tick)
    if (strategy @ excess).min(initial=0.0) >= -SLACK:
        prices = _prices(table, equations, np.log(strategy))
        return FacePoint(strategy, prices, equations, (center + strategy) / 2, equations)
    inside, charges = _bounded_maximum(center, equations.directions, excess, tick)
    binding = charges > inside @ excess
    smaller = face_equations(table, np.concatenate([tight, others[binding]]))
    strategy = _free_maximum(_put_right(table, smaller, inside), smaller.directions, tick)
    prices = _prices(table, smaller, np.log(strategy))
    if (strategy @ excess).min() >= -SLACK and prices[others].min() >= -SLACK:
        prices[others] = np.maximum(prices[others], 0.0)
        prices[tight[0]] -= prices.sum()
        return FacePoint(strategy, prices, smaller, (center + strategy) / 2, equations)
    prices = _prices(table, equations, np.log(inside) - excess @ charges)
    prices[others] = charges
    prices[tight[0]] -= charges.sum()
    return FacePoint(inside, prices, equations, (center + inside) / 2, equations)


def _put_right(table: FloatArray, equations: FaceEquations, point: FloatArray) -> FloatArray:
    """Move a point into the face, to the precision of floats; it stays positive."""
    for _ in range(2):
        paid = point @ table[:, equations.columns]
        moved = point + correction(equations, np.append(paid[1:] - paid[0], point.sum() - 1.0))
        if moved.min() <= 0:
            break
        point = moved
    return point


def _free_maximum(point: FloatArray, directions: FloatArray, tick: Tick) -> FloatArray:
    """Maximize entropy along directions, from a positive point, by damped Newton steps."""
    from scipy.linalg import cho_factor, cho_solve  # noqa: PLC0415 loads scipy

    if not directions.shape[1]:
        return point
    before = np.inf
    for _ in range(MOST_STEPS):
        tick()
        slope = directions.T @ np.log(point)
        curvature = (directions / point[:, None]).T @ directions
        try:
            factors = cho_factor(curvature, overwrite_a=True, check_finite=False)
        except LinAlgError:
            break
        change = cho_solve(factors, -slope, check_finite=False)
        decrement = -float(slope @ change)
        if decrement < DECREMENT_FLOOR and decrement > before / 4:
            break
        step = directions @ change
        length = min(1.0, BACK_OFF * _longest(point, step))
        lack = float(point @ np.log(point))
        while length > 1e-8:
            moved = point + length * step
            if float(moved @ np.log(moved)) <= lack + 1e-15:
                break
            length /= 2
        point = point + length * step
        before = decrement
        if decrement < DECREMENT_GOAL:
            break
    return point


def _bounded_maximum(
    point: FloatArray, directions: FloatArray, excess: FloatArray, tick: Tick
) -> tuple[FloatArray, FloatArray]:
    """Maximize entropy along directions where ``point @ excess`` stays positive.

    Returns the point and the multipliers of the inequalities, both positive.
    """
    barrier = FIRST_BARRIER
    state = _Bounded(point, barrier / (point @ excess), barrier)
    for _ in range(MOST_STEPS):
        tick()
        try:
            state, decrement = _bounded_step(state, directions, excess)
        except LinAlgError:
            break
        if decrement <= CENTERED * state.barrier:
            if state.barrier <= LAST_BARRIER:
                break
            state = replace(state, barrier=state.barrier * LOWERING)
    return state.point, state.charges


def _bounded_step(
    state: _Bounded, directions: FloatArray, excess: FloatArray
) -> tuple[_Bounded, float]:
    """Go along the Newton direction while the barrier function falls; return its decrement too."""
    from scipy.linalg import cho_factor, cho_solve  # noqa: PLC0415 loads scipy

    point, charges, barrier = state.point, state.charges, state.barrier
    slack = np.maximum(point @ excess, LEAST_SLACK)
    reach = excess.T @ directions
    slope = directions.T @ np.log(point) - (barrier / slack) @ reach
    curvature = (directions / point[:, None]).T @ directions
    curvature += (reach * (charges / slack)[:, None]).T @ reach
    change = cho_solve(cho_factor(curvature, overwrite_a=True, check_finite=False), -slope)
    step, rise = directions @ change, reach @ change
    more = (barrier - charges * rise) / slack - charges
    length = min(1.0, BACK_OFF * min(_longest(point, step), _longest(slack, rise)))
    decrement = -float(slope @ change)
    least = _barrier_function(point, slack, barrier)
    while length > LEAST_LENGTH:
        moved, left = point + length * step, slack + length * rise
        aim = least - SUFFICIENT * length * decrement + ROUNDING * abs(least)
        if _barrier_function(moved, left, barrier) <= aim:
            break
        length /= 2
    point = point + length * step
    charges = charges + min(1.0, BACK_OFF * _longest(charges, more)) * more
    central = barrier / np.maximum(point @ excess, LEAST_SLACK)
    charges = np.clip(charges, central / TRUST, central * TRUST)
    return _Bounded(point, charges, barrier), decrement


def _barrier_function(point: FloatArray, slack: FloatArray, barrier: float) -> float:
    return float(point @ np.log(point) - barrier * np.log(slack).sum())


def _prices(table: FloatArray, equations: FaceEquations, logarithms: FloatArray) -> FloatArray:
    """Write logarithms as a combination of tight columns that sums to 0, and a constant."""
    from scipy.linalg import solve_triangular  # noqa: PLC0415 loads scipy

    weights = np.zeros(len(equations.columns))
    weights[equations.pivots] = solve_triangular(
        equations.triangle, logarithms @ equations.range_basis, check_finite=False
    )
    prices = np.zeros(table.shape[1])
    prices[equations.columns[1:]] = weights[:-1]
    prices[equations.columns[0]] = -weights[:-1].sum()
    return prices


def _longest(values: FloatArray, change: FloatArray) -> float:
    """Return how far values stay positive along a change; may be infinite."""
    falling = change < 0
    return float((values[falling] / -change[falling]).min(initial=np.inf))
