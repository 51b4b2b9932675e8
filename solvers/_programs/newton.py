"""Newton steps towards the central path of a matrix game.

In the letters of ``solvers._programs.interior_point``, a change must satisfy

    A'dx - dv - ds = p,   dw - A dy - dt = q,   sum dx = sum dy = 0,
    x dt + t dx = c,      y ds + s dy = d.

With ``D = x / t``, ``a = A'D / sum D`` and ``B = A - a``, whose rows average to zero under ``D``,
one positive definite system for the change of ``y`` is left:

    (B'D B + diag(s / y) + r ee') dy = h + e dv,    sum dy = 0.

Any ``r >= 0`` is allowed; ``r > 0`` keeps the matrix regular where optimal strategies do not.
"""

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
