"""Dense matrix games in floats, by the road that is quickest at their size.

A compiled simplex method wins up to some 400 x 400, an interior point method beyond. The simplex
method in plain Python, which needs nothing loaded or compiled, solves small games. The number of
cells alone picks the road, so that a game has one answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gametheory_core.arrays import FloatArray, freeze
from solvers._programs.linear import BoolArray
from solvers.zero_sum.matrix_vertex import equalizing, guarantee_gap, solve_packing

MOST_PLAIN_CELLS = 64  # 8 x 8: beyond, calls soon repay the loading of the loop
MOST_KERNEL_CELLS = 160_000  # 400 x 400: beyond, the interior point is quicker
LARGEST = 2.0**900  # that differences are taken of as they are
PIVOTS_PER_ACTION = 50  # as a limit; 2 to 5 are usual
CLEAR_GAP = 1e-7  # of the payoff span: beyond, supports are guesses
WORTH_POLISHING = 10_000  # cells; rounding errors of small tableaus are small


@dataclass(frozen=True, eq=False)
class MatrixOptimum:
    """Optimal strategies of both sides, up to rounding.

    Attributes:
        row_strategy (num_rows,)
        column_strategy (num_columns,)
        in_row_support (num_rows,): All False where supports have not become clear.
        in_column_support (num_columns,)
        iterations: Pivots, or steps of the interior point method.
    """

    row_strategy: FloatArray
    column_strategy: FloatArray
    in_row_support: BoolArray
    in_column_support: BoolArray
    iterations: int

    @property
    def rows(self) -> tuple[int, ...]:
        """The support of the row strategy, in increasing order."""
        return tuple(np.flatnonzero(self.in_row_support).tolist())

    @property
    def columns(self) -> tuple[int, ...]:
        """The support of the column strategy, in increasing order."""
        return tuple(np.flatnonzero(self.in_column_support).tolist())

    @property
    def is_vertex(self) -> bool:
        """Whether the supports are a square, so that they determine the strategies."""
        return 0 < self.in_row_support.sum() == self.in_column_support.sum()


def solve_matrix_in_floats(
    payoffs: FloatArray, *, iteration_limit: int | None = None, time_limit: float | None = None
) -> MatrixOptimum | None:
    """Find optimal strategies of both sides; None if the limits come first, or numbers break down.

    Args:
        payoffs (num_rows, num_columns): What the row player gets; finite.
        iteration_limit: Pivots, or steps of the interior point method.
        time_limit: Seconds. The compiled simplex method does not look at it, for it takes some 30
            milliseconds.
    """
    if payoffs.size <= MOST_PLAIN_CELLS:
        return by_plain_pivots(payoffs, iteration_limit)
    if payoffs.size <= MOST_KERNEL_CELLS:
        return by_kernel(payoffs, iteration_limit)
    return by_interior_point(payoffs, iteration_limit, time_limit)


def by_kernel(payoffs: FloatArray, iteration_limit: int | None) -> MatrixOptimum | None:
    """Pivot in compiled code."""
    from solvers._kernels import matrix_game_simplex as kernel  # noqa: PLC0415 loads numba

    rows, columns = payoffs.shape
    most = PIVOTS_PER_ACTION * (rows + columns)
    x, y = np.empty(rows), np.empty(columns)
    in_rows, in_columns = np.empty(rows, dtype=np.bool_), np.empty(columns, dtype=np.bool_)
    pivots = kernel.solve_matrix_game(
        np.ascontiguousarray(payoffs),
        np.empty((rows + 1, columns + 1)),
        np.empty(rows + columns, dtype=np.int64),
        x,
        y,
        in_rows,
        in_columns,
        most if iteration_limit is None else min(most, iteration_limit),
        rows + columns,
    )
    if pivots == kernel.NO_OPTIMUM:
        return None
    for array in (x, y, in_rows, in_columns):
        freeze(array)
    return _at_vertex(payoffs, MatrixOptimum(x, y, in_rows, in_columns, pivots))


def by_interior_point(
    payoffs: FloatArray, iteration_limit: int | None, time_limit: float | None
) -> MatrixOptimum | None:
    """Step through the interior; supports are told where they have become clear."""
    from solvers._programs.interior_point import ITERATION_LIMIT, solve_matrix_game  # noqa: PLC0415 loads scipy

    most = ITERATION_LIMIT if iteration_limit is None else min(ITERATION_LIMIT, iteration_limit)
    point = solve_matrix_game(payoffs, iteration_limit=most, time_limit=time_limit)
    half_span = float(payoffs.max()) / 2 - float(payoffs.min()) / 2
    is_clear = point.gap <= CLEAR_GAP * half_span
    return _at_vertex(
        payoffs,
        MatrixOptimum(
            row_strategy=point.row_strategy,
            column_strategy=point.column_strategy,
            in_row_support=_flags(point.row_support if is_clear else (), payoffs.shape[0]),
            in_column_support=_flags(point.column_support if is_clear else (), payoffs.shape[1]),
            iterations=point.iterations,
        ),
    )


def by_plain_pivots(payoffs: FloatArray, iteration_limit: int | None) -> MatrixOptimum | None:
    """Pivot in plain Python."""
    most = PIVOTS_PER_ACTION * sum(payoffs.shape)
    low, high = float(payoffs.min()), float(payoffs.max())
    factor = 1.0 if max(-low, high) < LARGEST else 1 / LARGEST  # differences must not overflow
    span = high * factor - low * factor
    positive = (payoffs * factor - low * factor) / (span or 1.0) + 1.0
    found = solve_packing(
        positive.tolist(), limit=most if iteration_limit is None else min(most, iteration_limit)
    )
    if found is None:
        return None
    x, y = np.array(found.row_weights, dtype=float), np.array(found.column_weights, dtype=float)
    return MatrixOptimum(
        row_strategy=freeze(x / x.sum()),
        column_strategy=freeze(y / y.sum()),
        in_row_support=_flags(found.rows, payoffs.shape[0]),
        in_column_support=_flags(found.columns, payoffs.shape[1]),
        iterations=found.pivots,
    )


def _flags(chosen: Sequence[int], count: int) -> BoolArray:
    flags = np.zeros(count, dtype=np.bool_)
    flags[list(chosen)] = True
    return freeze(flags)


def _at_vertex(payoffs: FloatArray, optimum: MatrixOptimum) -> MatrixOptimum:
    """Solve for the strategies of a basis afresh, where rounding errors may have added up."""
    if payoffs.size < WORTH_POLISHING or not optimum.is_vertex:
        return optimum
    strategies = equalizing(payoffs, optimum.rows, optimum.columns)
    if strategies is None:
        return optimum
    x, y = strategies
    before = guarantee_gap(payoffs, optimum.row_strategy, optimum.column_strategy)
    if guarantee_gap(payoffs, x, y) >= before:
        return optimum
    return replace(optimum, row_strategy=freeze(x), column_strategy=freeze(y))
