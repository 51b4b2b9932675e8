"""Dense matrix games by an interior point method (Mehrotra 1992; Gondzio 1996).

With ``A`` of shape (m, n), weights ``x`` of the rows and ``y`` of the columns, and slacks ``s, t``,

    A'x - v = s,    w - A y = t,    sum x = sum y = 1,    x_i t_i = y_j s_j = mu,    all positive,

is followed as ``mu`` goes to zero. In the limit ``x_i`` or ``t_i`` stays positive, never both, so
that the largest supports of optimal strategies can be read off.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from gametheory_core.arrays import FloatArray, freeze
from solvers._programs.central_paths import (
    DOUBLE,
    SINGLE,
    Iterate,
    NewtonSystem,
    Targets,
    direction,
    factorized,
    missing,
    moved,
    rooms_for,
    step_lengths,
)

Tick = Callable[[], None]

ACCURACY = 1e-11
ITERATION_LIMIT = 60
LEAST_MARGIN = 1e-3  # of the starting slacks
WORTH_SINGLE = 200  # columns; factors in single precision are twice as quick, and as good ...
ROUGH_GAP = 1e-3  # ... above this gap ...
GOOD_PROGRESS = 0.7  # ... while a step shrinks it to this share
PATIENCE = 3  # steps in a row that do not shrink the gap
STEP_SHARE = 0.995  # of the way to the boundary
LONG_STEP = 0.3
MOST_CORRECTIONS = 3
LENGTHENING = 1.1  # of the steps that corrections aim at
LEAST_GAIN = 0.02  # in step lengths, that another correction is worth
CENTRAL = 0.1  # products within this factor of the center are left alone


@dataclass(frozen=True, eq=False)
class InteriorPoint:
    """Optimal strategies of both sides, near the center of all optimal ones.

    Attributes:
        row_strategy (num_rows,): Positive; sums to one up to rounding.
        column_strategy (num_columns,)
        row_slacks (num_rows,): What each row pays less than the value, against ``column_strategy``;
            payoff units.
        column_slacks (num_columns,): What each column pays more than the value, against
            ``row_strategy``.
        row_support, column_support: The largest supports of optimal strategies: where weights, and
            not slacks, stay positive.
        value: Of the game, payoff units.
        gap: What the two strategies guarantee apart from each other, payoff units.
        iterations: Newton steps.
    """

    row_strategy: FloatArray
    column_strategy: FloatArray
    row_slacks: FloatArray
    column_slacks: FloatArray
    row_support: tuple[int, ...]
    column_support: tuple[int, ...]
    value: float
    gap: float
    iterations: int


def solve_matrix_game(
    payoffs: FloatArray,
    *,
    accuracy: float = ACCURACY,
    iteration_limit: int = ITERATION_LIMIT,
    time_limit: float | None = None,
    tick: Tick | None = None,
) -> InteriorPoint:
    """Find optimal strategies of both sides, away from the boundary of the optimal ones.

    Args:
        payoffs (num_rows, num_columns): What the row player gets; finite.
        accuracy: Wanted gap, as a share of the payoff span. It may be missed: look at ``gap``.
        iteration_limit: Most Newton steps.
        time_limit: Seconds; looked at before each step.
        tick: Called before each step; may raise to stop.

    A step takes ``max * min**2 + min**3 / 3`` multiplications for sides of ``max`` and ``min``
    actions; 10 to 20 steps are usual at any size. Results do not depend on the unit of payoffs.
    """
    if payoffs.shape[1] > payoffs.shape[0]:
        return _mirrored(
            solve_matrix_game(
                np.ascontiguousarray(-payoffs.T),
                accuracy=accuracy,
                iteration_limit=iteration_limit,
                time_limit=time_limit,
                tick=tick,
            )
        )
    low, high = float(payoffs.min()), float(payoffs.max())
    if low == high:
        return _everything_is_optimal(payoffs)
    exponent = math.frexp(max(-low, high))[1]  # powers of two change no digits
    shares = np.ldexp(payoffs, -exponent)
    low, high = float(shares.min()), float(shares.max())
    center, unit = (low + high) / 2, (high - low) / 2
    scaled = (shares - center) / unit  # in [-1, 1]
    deadline = None if time_limit is None else time.perf_counter() + time_limit

    def may_go_on(iteration: int) -> bool:
        if iteration >= iteration_limit or (deadline and time.perf_counter() >= deadline):
            return False
        if tick is not None:
            tick()
        return True

    point, iterations = _follow_path(scaled, 2 * accuracy, may_go_on)
    x, y = point.x / point.x.sum(), point.y / point.y.sum()
    guaranteed, conceded = float((x @ scaled).min()), float((scaled @ y).max())
    value = center + unit * (guaranteed + conceded) / 2
    with np.errstate(over="ignore"):
        return InteriorPoint(
            row_strategy=freeze(x),
            column_strategy=freeze(y),
            row_slacks=freeze(np.ldexp(point.t * unit, exponent)),
            column_slacks=freeze(np.ldexp(point.s * unit, exponent)),
            row_support=_support(x, point.t),
            column_support=_support(y, point.s),
            value=float(np.ldexp(value, exponent)),
            gap=float(np.ldexp((conceded - guaranteed) * unit, exponent)),
            iterations=iterations,
        )


def _mirrored(point: InteriorPoint) -> InteriorPoint:
    return replace(
        point,
        row_strategy=point.column_strategy,
        column_strategy=point.row_strategy,
        row_slacks=point.column_slacks,
        column_slacks=point.row_slacks,
        row_support=point.column_support,
        column_support=point.row_support,
        value=-point.value,
    )


def _everything_is_optimal(payoffs: FloatArray) -> InteriorPoint:
    rows, columns = payoffs.shape
    return InteriorPoint(
        row_strategy=freeze(np.full(rows, 1 / rows)),
        column_strategy=freeze(np.full(columns, 1 / columns)),
        row_slacks=freeze(np.zeros(rows)),
        column_slacks=freeze(np.zeros(columns)),
        row_support=tuple(range(rows)),
        column_support=tuple(range(columns)),
        value=float(payoffs[0, 0]),
        gap=0.0,
        iterations=0,
    )


def _support(weights: FloatArray, slacks: FloatArray) -> tuple[int, ...]:
    return tuple(np.flatnonzero(weights * len(weights) > slacks).tolist())


def _follow_path(
    scaled: FloatArray, accuracy: float, may_go_on: Callable[[int], bool]
) -> tuple[Iterate, int]:
    """Take Newton steps until the gap is small, or no longer shrinks; return the best point."""
    rooms = rooms_for(scaled)
    point = best = _start(scaled)
    patience, iteration = PATIENCE, 0
    precision = SINGLE if scaled.shape[1] >= WORTH_SINGLE else DOUBLE
    while best.gap > accuracy and patience and may_go_on(iteration):
        system = factorized(scaled, point, rooms, first_precision=precision)
        if system is None:
            break
        before, point = point, _step(system)
        iteration += 1
        if point.gap < ROUGH_GAP or point.gap > GOOD_PROGRESS * before.gap:
            precision = DOUBLE
        patience = PATIENCE if point.gap < best.gap else patience - 1
        if point.gap < best.gap:
            best = point
    return best, iteration


def _start(scaled: FloatArray) -> Iterate:
    """Return uniform strategies, with slacks of at least half their gap."""
    rows, columns = scaled.shape
    x, y = np.full(rows, 1 / rows), np.full(columns, 1 / columns)
    earned, paid = x @ scaled, scaled @ y
    v, w = float(earned.min()), float(paid.max())
    margin = max(w - v, LEAST_MARGIN) / 2
    v, w = v - margin, w + margin
    return Iterate(x=x, y=y, s=earned - v, t=w - paid, v=v, w=w)


def _step(system: NewtonSystem) -> Iterate:
    """Predict where the equations lead, correct for their curvature, and move."""
    point = system.point
    mu = point.gap / (len(point.x) + len(point.y))
    start = Targets(-point.x * point.t, -point.y * point.s, *missing(system))
    affine = direction(system, start)
    lengths = step_lengths(point, affine)
    ahead = moved(point, affine, lengths)
    # short steps see little of the curvature (Colombo and Gondzio 2008)
    curvature = 1.0 if lengths.min() > LONG_STEP else float(lengths.prod())
    center = mu * (ahead.gap / point.gap) ** 3
    targets = replace(
        start,
        rows=start.rows + center - curvature * affine.x * affine.t,
        columns=start.columns + center - curvature * affine.y * affine.s,
    )
    change = _corrected(system, targets, center)
    return moved(point, change, step_lengths(point, change) * STEP_SHARE)


def _corrected(system: NewtonSystem, targets: Targets, center: float) -> Iterate:
    """Pull products that would stray from the center back, as long as steps get longer (Gondzio).

    Each correction costs a solve with the factor at hand, far less than another step.
    """
    point = system.point
    change = direction(system, targets)
    lengths = step_lengths(point, change)
    for _ in range(MOST_CORRECTIONS):
        trial = moved(point, change, np.minimum(1.0, LENGTHENING * lengths + 0.1))
        targets = replace(
            targets,
            rows=targets.rows + _pull(trial.x * trial.t, center),
            columns=targets.columns + _pull(trial.y * trial.s, center),
        )
        other = direction(system, targets)
        longer = step_lengths(point, other)
        if longer.sum() < lengths.sum() + LEAST_GAIN:
            break
        change, lengths = other, longer
    return change


def _pull(products: FloatArray, center: float) -> FloatArray:
    """Return what brings products back within a factor of the center, large ones only partly."""
    low, high = CENTRAL * center, center / CENTRAL
    return np.where(
        products < low,
        low - products,
        np.where(products > high, np.maximum(high - products, -high), 0.0),
    )
