"""The most even distribution under linear inequalities, in floats, by an interior-point method.

minimise f(x)   subject to   G x <= 0,   sum x == 1,   x >= 0,

with ``f`` the sum of ``x ln x`` (most entropy) or of ``x**2`` (most Gini impurity). Newton's method
follows the central path of the optimality conditions

    f'(x) + G'y + v - z == 0,   G x + s == 0,   s y == mu,   x z == mu   as mu falls to 0,

where entropy needs no ``z``: its slope keeps ``x`` positive. Each step solves one positive definite
system over the columns.

Which columns are used at all is told by one linear program. The points ``w >= 0`` with ``G w <= 0``
form a cone. With ``w = t + u`` and ``r + p`` the slacks,

    maximise sum t + sum r   subject to   G (t + u) + r + p == 0,   t, r <= 1,   all at least 0,

makes as many columns and slacks positive as any point does, since sums of points are points. Its
multipliers ``y >= 0`` prove the rest unusable: ``G'y`` is 0 at usable columns, and at least 1 at
the others (Goldman and Tucker 1956).
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, IntArray
from gametheory_core.certificates.incentives import Evenness

ENOUGH = 1e-13  # complementarity and residuals at which to stop
MOST_STEPS = 200
STALLED = 6  # steps without progress
SLACK = 1e-12  # rows may be missed by this, so that their multipliers stay bounded
LEAST = 1e-200  # of entropy's weights, so that logarithms stay finite
HEAVY = 1e5  # weights of rows that are nearly equations
KEEP = 0.01  # the part of a positive variable that a step leaves at least


@dataclass(frozen=True, eq=False)
class EvenPoint:
    """Where the method ended.

    Attributes:
        weights (num_columns,): The distribution ``x``.
        slacks, multipliers (num_rows,): ``s`` and ``y``, both positive.
        reduced (num_columns,): ``z``; zeros for entropy.
        error: Largest residual or product left.
    """

    weights: FloatArray
    slacks: FloatArray
    multipliers: FloatArray
    reduced: FloatArray
    error: float
    steps: int


@dataclass(frozen=True, eq=False)
class _State:
    """An iterate; letters as in the module's text."""

    x: FloatArray
    s: FloatArray
    y: FloatArray
    z: FloatArray
    v: float


@dataclass(frozen=True, eq=False)
class _Residuals:
    """How far an iterate is from optimality, without complementarity."""

    slope: FloatArray
    rows: FloatArray
    total: float


def float_matrix(
    rows: IntArray, columns: IntArray, values: FloatArray, *, shape: tuple[int, int]
) -> Any:
    """Return a matrix by its nonzero entries: sparse, or dense if a third of it is full."""
    from scipy.sparse import csr_array  # noqa: PLC0415 loads scipy

    matrix = csr_array((values, (rows, columns)), shape=shape)
    return matrix.toarray() if 3 * matrix.nnz > shape[0] * shape[1] else matrix


def most_even(
    gains: Any, evenness: Evenness, *, proceed: Callable[[], bool], tick: Callable[[], None]
) -> EvenPoint:
    """Follow the central path.

    Args:
        gains (num_rows, num_columns): ``G``, with entries near 1.
        proceed: Asked before each step whether there is budget for it.
        tick: Called after each step.

    Returns:
        The best iterate; its ``error`` says how good it is.
    """
    columns = gains.shape[1]
    start = np.full(columns, 1.0 / columns)
    linear = evenness is Evenness.ENTROPY
    state = _State(
        x=start,
        s=np.maximum(-(gains @ start), 0.1),
        y=np.full(gains.shape[0], 0.1),
        z=np.zeros(columns) if linear else start.copy(),
        v=0.0,
    )
    best, error, steps, since = state, np.inf, 0, 0
    with np.errstate(all="ignore"):  # what is not finite is dropped
        while steps < MOST_STEPS and since < STALLED:
            residuals = _residuals(gains, evenness, state)
            now = _error(state, residuals)
            since = 0 if now < 0.9 * error else since + 1
            if now < error:
                best, error = state, now
            if error <= ENOUGH or not np.isfinite(now) or not proceed():
                break
            stepped = _step(gains, evenness, state, residuals)
            if stepped is None:
                break
            state = stepped
            steps += 1
            tick()
    return EvenPoint(best.x, best.s, best.y, best.z, float(error), steps)


def _residuals(gains: Any, evenness: Evenness, state: _State) -> _Residuals:
    return _Residuals(
        slope=(np.log(state.x) + 1.0 if evenness is Evenness.ENTROPY else 2.0 * state.x)
        + gains.T @ state.y
        + state.v
        - state.z,
        rows=gains @ state.x + state.s - SLACK,
        total=float(state.x.sum()) - 1.0,
    )


def _error(state: _State, residuals: _Residuals) -> float:
    """Return the largest violation; slopes count where there is weight."""
    weighted = state.x * residuals.slope
    return float(
        max(
            np.abs(weighted).sum(),
            np.abs(residuals.rows).max(initial=0.0),
            abs(residuals.total),
            float(state.s @ state.y + state.x @ state.z),
        )
    )


def _step(gains: Any, evenness: Evenness, state: _State, residuals: _Residuals) -> _State | None:
    """Predict, then correct; None if the system cannot be solved."""
    entropy = evenness is Evenness.ENTROPY
    curvature = 1.0 / state.x if entropy else 2.0 + state.z / state.x
    solve = _system(gains, curvature, state.y / state.s)
    if solve is None:
        return None
    x, s, y, z = state.x, state.s, state.y, state.z
    mass = max(1, len(s) + (0 if entropy else len(x)))
    mu = float(s @ y + x @ z) / mass
    none = np.zeros(len(x))

    def direction(products: FloatArray, others: FloatArray) -> _State:
        """Solve for a step after which ``s y`` changes by products, ``x z`` by others."""
        pull = products / s + (y / s) * residuals.rows
        right = -residuals.slope - gains.T @ pull + (none if entropy else others / x)
        both = solve(np.column_stack([right, np.ones(len(x))]))
        dv = (both[:, 0].sum() + residuals.total) / both[:, 1].sum()
        dx = both[:, 0] - dv * both[:, 1]
        ds = -residuals.rows - gains @ dx
        dy = (products - y * ds) / s
        dz = none if entropy else (others - z * dx) / x
        return _State(dx, ds, dy, dz, float(dv))

    predicted = direction(-s * y, -x * z)
    length = _length(state, predicted, entropy=entropy)
    after = (s + length * predicted.s) @ (y + length * predicted.y)
    after += (x + length * predicted.x) @ (z + length * predicted.z)
    center = mu * min(1.0, max(1e-3, after / mass / mu) ** 3) if mu else 0.0
    step = direction(
        center - s * y - predicted.s * predicted.y, center - x * z - predicted.x * predicted.z
    )
    if not all(np.isfinite(part).all() for part in (step.x, step.s, step.y, step.z)):
        return None
    length = _length(state, step, entropy=entropy)
    return _State(
        _shrunk(x, length * step.x) if entropy else x + length * step.x,
        s + length * step.s,
        y + length * step.y,
        z + length * step.z,
        state.v + length * step.v,
    )


def _shrunk(x: FloatArray, change: FloatArray) -> FloatArray:
    """Add a change; what falls, falls as its logarithm does, so that it stays positive."""
    return np.maximum(
        LEAST, np.where(change < 0, x * np.exp(np.minimum(change, 0.0) / x), x + change)
    )


def _length(state: _State, step: _State, *, entropy: bool) -> float:
    """Return the longest step up to 1 that keeps everything positive that is not ``_shrunk``."""
    pairs = [(state.s, step.s), (state.y, step.y)]
    if not entropy:
        pairs += [(state.x, step.x), (state.z, step.z)]
    longest = 1.0
    for value, change in pairs:
        falling = change < 0
        if falling.any():
            longest = min(longest, float(((KEEP - 1.0) * value[falling] / change[falling]).min()))
    return longest


def _system(
    gains: Any, curvature: FloatArray, weights: FloatArray
) -> Callable[[FloatArray], FloatArray] | None:
    """Factorize ``diag(curvature) + G' diag(weights) G``; None if that fails.

    By Cholesky; where weights are so large that the matrix is not positive definite in floats,
    heavy rows keep variables of their own.
    """
    inverse = _cholesky(gains, curvature, weights)
    if inverse is None:
        inverse = _augmented(gains, curvature, weights)
    if inverse is None:
        return None
    found = inverse

    def solve(right: FloatArray) -> FloatArray:
        first = found(right)
        applied = curvature[:, None] * first + gains.T @ (weights[:, None] * (gains @ first))
        second = first + found(right - applied)  # one round of refinement
        return second if np.isfinite(second).all() else first

    return solve


def _normal_matrix(gains: Any, curvature: FloatArray, weights: FloatArray) -> FloatArray:
    from scipy.sparse import diags_array, issparse  # noqa: PLC0415 loads scipy

    if issparse(gains):
        matrix = (gains.T @ diags_array(weights) @ gains).toarray()
    else:
        matrix = (gains.T * weights) @ gains
    matrix[np.diag_indices_from(matrix)] += curvature
    return matrix


def _cholesky(
    gains: Any, curvature: FloatArray, weights: FloatArray
) -> Callable[[FloatArray], FloatArray] | None:
    from scipy import linalg  # noqa: PLC0415 loads scipy

    matrix = _normal_matrix(gains, curvature, weights)
    scale = 1.0 / np.sqrt(np.diagonal(matrix))
    matrix *= scale[:, None]
    matrix *= scale
    try:
        factor = linalg.cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
    except (linalg.LinAlgError, ValueError):
        return None

    def solve(right: FloatArray) -> FloatArray:
        inner = linalg.cho_solve(factor, scale[:, None] * right, check_finite=False)
        return scale[:, None] * inner

    return solve


def _augmented(
    gains: Any, curvature: FloatArray, weights: FloatArray
) -> Callable[[FloatArray], FloatArray] | None:
    """Solve ``(diag(curvature) + L) u + H'w = right, H u = w / weights`` for heavy rows ``H``."""
    from scipy import linalg  # noqa: PLC0415 loads scipy

    heavy = weights > HEAVY
    columns, extra = gains.shape[1], int(heavy.sum())
    matrix = np.zeros((columns + extra, columns + extra))
    matrix[:columns, :columns] = _normal_matrix(gains[~heavy], curvature, weights[~heavy])
    rows = gains[heavy]
    rows = rows.toarray() if hasattr(rows, "toarray") else rows
    scale = 1.0 / np.sqrt(np.diagonal(matrix)[:columns])
    matrix[:columns, :columns] *= scale[:, None] * scale
    rows = rows * scale
    matrix[columns:, :columns] = rows
    matrix[:columns, columns:] = rows.T
    matrix[range(columns, columns + extra), range(columns, columns + extra)] = -1 / weights[heavy]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", linalg.LinAlgWarning)
        try:
            factor = linalg.lu_factor(matrix, overwrite_a=True, check_finite=False)
        except (linalg.LinAlgError, ValueError):
            return None
    zeros = np.zeros((extra, 2))

    def solve(right: FloatArray) -> FloatArray:
        stacked = np.vstack([scale[:, None] * right, zeros])
        return scale[:, None] * linalg.lu_solve(factor, stacked, check_finite=False)[:columns]

    return solve


@dataclass(frozen=True, eq=False)
class WidestSupport:
    """Usable columns and the proof that the others are not.

    Attributes:
        columns: The usable ones, in order.
        witness (num_rows,): The multipliers ``y``.
    """

    columns: NDArray[np.intp]
    witness: FloatArray


def widest_support(gains: Any, *, time_limit: float | None = None) -> WidestSupport | None:
    """Find the usable columns; None if the float solver finds no optimum, for lack of time too."""
    from scipy.optimize import linprog  # noqa: PLC0415 loads scipy
    from scipy.sparse import csr_array, eye_array, hstack  # noqa: PLC0415

    matrix = csr_array(gains)
    rows, columns = gains.shape
    unit = eye_array(rows, format="csr")
    options = {} if time_limit is None else {"time_limit": time_limit}
    found = linprog(
        np.concatenate([-np.ones(columns), np.zeros(columns), -np.ones(rows), np.zeros(rows)]),
        A_eq=hstack([matrix, matrix, unit, unit], format="csr"),
        b_eq=np.zeros(rows),
        bounds=[(0, 1)] * columns + [(0, None)] * columns + [(0, 1)] * rows + [(0, None)] * rows,
        method="highs",
        options=options,
    )
    if found.status != 0:
        return None
    usable = np.flatnonzero(found.x[:columns] > 0.5)
    witness = np.maximum(0.0, -found.eqlin.marginals)
    return WidestSupport(usable, witness)
