"""Central paths of matrix games: Newton steps towards them, and the end of a symmetric one.

In the letters of ``solvers._programs.interior_point``, a change must satisfy

    A'dx - dv - ds = p,   dw - A dy - dt = q,   sum dx = sum dy = 0,
    x dt + t dx = c,      y ds + s dy = d.

With ``D = x / t``, ``a = A'D / sum D`` and ``B = A - a``, whose rows average to zero under ``D``,
one positive definite system for the change of ``y`` is left:

    (B'D B + diag(s / y) + r ee') dy = h + e dv,    sum dy = 0.

Any ``r >= 0`` is allowed; ``r > 0`` keeps the matrix regular where optimal strategies do not.

For a symmetric game, let ``A`` be skew, so that both players' optimal strategies are the same and
the value is 0. With ``K = A'``, a level ``h >= 0`` and

    s = K p + h,    sum p = 1,    p_i s_i = mu,    so that h = p's = n mu,

the path followed as ``mu`` goes to 0 ends in an optimal strategy that plays every action which
some optimal strategy plays; the shortfall ``s_i`` of every other action is positive (Goldman and
Tucker 1956). The system is its own dual, half the size of that of any matrix game. Steps are
predicted and corrected as Mehrotra does (1992).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import get_blas_funcs, get_lapack_funcs

from gametheory_core.arrays import FloatArray

SINGLE, DOUBLE = np.float32, np.float64

_SQUARE: Any = {kind: get_blas_funcs("syrk", dtype=kind) for kind in (SINGLE, DOUBLE)}
_CHOLESKY: Any = {kind: get_lapack_funcs("potrf", dtype=kind) for kind in (SINGLE, DOUBLE)}
_SOLVE: Any = {kind: get_lapack_funcs("potrs", dtype=kind) for kind in (SINGLE, DOUBLE)}

ATTEMPTS = (  # at a factor: precision, and share of the largest diagonal entry that is added to all
    (SINGLE, 0.0),
    (DOUBLE, 0.0),
    (DOUBLE, 1e-14),
    (DOUBLE, 1e-12),
)


@dataclass(frozen=True, eq=False)
class Iterate:
    """A point inside, or a change of one: letters as in the equations.

    Attributes:
        x, t (num_rows,)
        y, s (num_columns,)
    """

    x: FloatArray
    y: FloatArray
    s: FloatArray
    t: FloatArray
    v: float
    w: float

    @property
    def gap(self) -> float:
        """Sum of all products; what the strategies guarantee apart from each other."""
        return float(self.x @ self.t + self.y @ self.s)


@dataclass(frozen=True, eq=False)
class Targets:
    """Right-hand sides ``c, d, p, q``."""

    rows: FloatArray
    columns: FloatArray
    column_residual: FloatArray
    row_residual: FloatArray


@dataclass(frozen=True, eq=False)
class NewtonSystem:
    """The system at a point, factorized once and solved several times.

    Attributes:
        payoffs (num_rows, num_columns): A.
        centered (num_rows, num_columns): B.
        averages (num_columns,): a.
        ratios (num_rows,): D.
        factor (num_columns, num_columns): Lower Cholesky factor.
        ones_solved (num_columns,): The solution for the right-hand side e.
    """

    payoffs: FloatArray
    point: Iterate
    centered: FloatArray
    averages: FloatArray
    ratios: FloatArray
    factor: NDArray[Any]
    ones_solved: FloatArray


@dataclass(frozen=True, eq=False)
class Rooms:
    """Work space for products, allocated once.

    Attributes:
        single, double (num_rows + 1, num_columns)
    """

    single: NDArray[np.float32]
    double: FloatArray


def rooms_for(payoffs: FloatArray) -> Rooms:
    """Allocate work space."""
    shape = (len(payoffs) + 1, payoffs.shape[1])
    return Rooms(np.empty(shape, dtype=SINGLE), np.empty(shape))


def factorized(
    payoffs: FloatArray, point: Iterate, rooms: Rooms, *, first_precision: type
) -> NewtonSystem | None:
    """Set up the system at a point; None if rounding leaves it indefinite.

    ``rooms`` are modified in place. ``first_precision`` is SINGLE or DOUBLE.
    """
    num_columns = payoffs.shape[1]
    ratios = point.x / point.t
    total = float(ratios.sum())
    averages = (ratios @ payoffs) / total
    centered = payoffs - averages
    for kind, regularity in ATTEMPTS[0 if first_precision is SINGLE else 1 :]:
        room: Any = rooms.single if kind is SINGLE else rooms.double
        np.multiply(centered, np.sqrt(ratios)[:, None], out=room[:-1], casting="same_kind")
        room[-1] = np.sqrt(total / num_columns)  # adds r ee'
        matrix = _SQUARE[kind](1.0, room.T, lower=1)
        diagonal = np.einsum("ii->i", matrix)  # a view
        diagonal += point.s / point.y + regularity * float(diagonal.max())
        factor, failure = _CHOLESKY[kind](matrix, lower=1, overwrite_a=1, clean=0)
        if not failure:
            ones_solved = _factor_solved(factor, np.ones(num_columns))
            return NewtonSystem(payoffs, point, centered, averages, ratios, factor, ones_solved)
    return None


def _factor_solved(factor: NDArray[Any], right: FloatArray) -> FloatArray:
    kind = factor.dtype.type
    unit = float(np.abs(right).max()) or 1.0  # in the range of single precision too
    solved = _SOLVE[kind](factor, (right / unit).astype(kind), lower=1)[0]
    return np.multiply(solved, unit, dtype=DOUBLE)


def missing(system: NewtonSystem) -> tuple[FloatArray, FloatArray]:
    """Return ``p`` and ``q``, by which the point misses the equations: rounding errors."""
    point = system.point
    return (
        point.s - (point.x @ system.payoffs - point.v),
        point.t - (point.w - system.payoffs @ point.y),
    )


def direction(system: NewtonSystem, targets: Targets) -> Iterate:
    """Solve for the change that meets the targets; the next step sees to its rounding errors."""
    point = system.point
    wanted = targets.rows / point.t + system.ratios * targets.row_residual
    right = targets.columns / point.y + targets.column_residual - wanted @ system.centered
    solved = _factor_solved(system.factor, right)
    dv = -float(solved.sum()) / float(system.ones_solved.sum())
    dy = solved + dv * system.ones_solved
    earned = system.centered @ dy
    shift = float(wanted.sum()) / float(system.ratios.sum())
    return Iterate(
        x=wanted + system.ratios * (earned - shift),
        y=dy,
        s=(targets.columns - point.s * dy) / point.y,
        t=shift - earned - targets.row_residual,
        v=dv,
        w=shift + float(system.averages @ dy),
    )


def moved(point: Iterate, change: Iterate, lengths: FloatArray) -> Iterate:
    """Add a change, ``x, s, v`` by the first length and ``y, t, w`` by the second."""
    first, second = lengths.tolist()
    return Iterate(
        x=point.x + first * change.x,
        y=point.y + second * change.y,
        s=point.s + first * change.s,
        t=point.t + second * change.t,
        v=point.v + first * change.v,
        w=point.w + second * change.w,
    )


def step_lengths(point: Iterate, change: Iterate) -> FloatArray:
    """Return the longest steps of both kinds that keep all positive, at most 1."""
    first = max(_fastest(change.x, point.x), _fastest(change.s, point.s))
    second = max(_fastest(change.y, point.y), _fastest(change.t, point.t))
    return 1 / np.maximum(1.0, np.array([first, second]))


def _fastest(change: FloatArray, value: FloatArray) -> float:
    return float((-change / value).max())


Tick = Callable[[], None]
Direction = Callable[[FloatArray], tuple[FloatArray, float]]

GOAL = 1e-18  # level at which to stop, where entries are at most 1; rounding mostly stops before
MOST_STEPS = 80
LEAST_LEVEL = 1e-3  # at the start
BACK_OFF = 0.9999  # part of the way to the boundary

_LU_FUNCTIONS: Any = get_lapack_funcs(("getrf", "getrs"), dtype=np.float64)
_LU_FACTORIZE, _LU_SOLVE = _LU_FUNCTIONS


@dataclass(frozen=True)
class SkewPoint:
    """Where the path was left, next to its end.

    Attributes:
        strategy (num_actions,): Positive.
        shortfalls (num_actions,): What each action earns less than the level; positive. An action
            is in the support of some optimal strategy, in the limit, if its probability exceeds its
            shortfall.
    """

    strategy: FloatArray
    shortfalls: FloatArray


def solve_skew_game(matrix: FloatArray, *, tick: Tick) -> SkewPoint:
    """Follow the central path of a skew matrix to its numerical end.

    Args:
        matrix (num_actions, num_actions): Skew, with entries of at most 1 in absolute value.
        tick: Called before each step; may raise to stop.

    A step costs one LU factorization; 7 to 16 steps are usual at any size.
    """
    p = np.full(len(matrix), 1.0 / len(matrix))
    conceded = p @ matrix
    level = max(LEAST_LEVEL, 2.0 * float(np.abs(conceded).max()))
    s = conceded + level
    for _ in range(MOST_STEPS):
        gap = float(p @ s)
        if gap <= GOAL:
            break
        tick()
        direction = _direction(matrix, p, s)
        if direction is None:
            break
        step, rise = direction(-p * s)
        slope = step @ matrix + rise
        length = min(_longest(p, step), _longest(s, slope))
        left = max(0.0, float((p + length * step) @ (s + length * slope))) / gap
        step, rise = direction(left**3 * gap / len(p) - p * s - step * slope)
        length = BACK_OFF * min(_longest(p, step), _longest(s, step @ matrix + rise))
        moved = p + length * step
        shortfalls = moved @ matrix + (level + length * rise)
        if not (moved.min() > 0 and shortfalls.min() > 0 and float(moved @ shortfalls) < gap):
            break  # rounding allows no better
        p, s, level = moved, shortfalls, level + length * rise
    return SkewPoint(p / p.sum(), s)


def _direction(matrix: FloatArray, p: FloatArray, s: FloatArray) -> Direction | None:
    """Prepare to solve ``s dp + p (K dp + dh) = right`` where ``dp`` sums to 0.

    Divided by ``p``, the matrix is ``K`` plus a positive diagonal: its symmetric part is positive
    definite, so that it is singular by rounding only. Then there is no direction.
    """
    table = matrix.T.copy()
    table[np.diag_indices(len(p))] += s / p
    factors, pivots, failed = _LU_FACTORIZE(
        table.T, overwrite_a=True
    )  # by columns, as LAPACK has it
    if failed:
        return None

    def solved(right: FloatArray) -> FloatArray:
        return _LU_SOLVE(factors, pivots, right, trans=1)[0]

    lifted = solved(np.ones(len(p)))

    def direction(right: FloatArray) -> tuple[FloatArray, float]:
        free = solved(right / p)
        rise = float(free.sum() / lifted.sum())
        return free - rise * lifted, rise

    return direction


def _longest(values: FloatArray, change: FloatArray) -> float:
    """Return how far values stay positive along a change, at most 1."""
    falling = change < 0
    return min(1.0, float((values[falling] / -change[falling]).min(initial=1.0)))
