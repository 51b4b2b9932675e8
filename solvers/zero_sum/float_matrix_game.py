"""Dense matrix games in floats, by the road that is quickest at their size.

A compiled simplex method wins up to some 400 x 400, an interior point method beyond. Both take a
third of a second to load what they need, so that HiGHS, which is there already, solves single small
games; what it has cost in this process decides when loading pays.
"""

import math
import sys
import time
from dataclasses import dataclass, replace

import numpy as np

from gametheory_core.arrays import FloatArray, freeze
from solvers._programs.linear import BoolArray, FloatOutcome, LinearProgram, solve_float
from solvers._programs.matrix_vertex import equalizing, guarantee_gap

KERNEL = "solvers._kernels.matrix_game_simplex"
LINEAR_ALGEBRA = "scipy.linalg"
MOST_KERNEL_CELLS = 160_000  # 400 x 400: beyond, the interior point is quicker
LOADING_SECONDS = 0.4
HIGHS_SECONDS = 2.5  # of a game of a million cells; grows with the power:
HIGHS_POWER = 1.4
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


@dataclass
class _Ledger:
    """Seconds that HiGHS took for matrix games in this process; affects speed, never an answer."""

    seconds: float = 0.0


_LEDGER = _Ledger()


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
    if payoffs.size <= MOST_KERNEL_CELLS:
        if KERNEL in sys.modules or _loading_pays(payoffs.size):
            return _by_kernel(payoffs, iteration_limit)
    elif LINEAR_ALGEBRA in sys.modules or _loading_pays(payoffs.size):
        return _by_interior_point(payoffs, iteration_limit, time_limit)
    start = time.process_time()
    optimum = _by_highs(payoffs, iteration_limit, time_limit)
    _LEDGER.seconds += time.process_time() - start
    return optimum


def _loading_pays(cells: int) -> bool:
    expected = HIGHS_SECONDS * (cells / 1e6) ** HIGHS_POWER
    return _LEDGER.seconds + expected > LOADING_SECONDS


def _by_kernel(payoffs: FloatArray, iteration_limit: int | None) -> MatrixOptimum | None:
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


def _by_interior_point(
    payoffs: FloatArray, iteration_limit: int | None, time_limit: float | None
) -> MatrixOptimum | None:
    from solvers._programs.interior_point import (  # noqa: PLC0415 loads scipy
        ITERATION_LIMIT,
        solve_matrix_game,
    )

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


def _by_highs(
    payoffs: FloatArray, iteration_limit: int | None, time_limit: float | None
) -> MatrixOptimum | None:
    program = covering_program(payoffs)
    solution = solve_float(program, time_limit=time_limit, pivot_limit=iteration_limit)
    if solution.outcome is not FloatOutcome.OPTIMAL or solution.basis is None:
        return None
    x, y = np.maximum(solution.primal, 0.0), np.maximum(solution.dual, 0.0)
    return _at_vertex(
        payoffs,
        MatrixOptimum(
            row_strategy=freeze(x / x.sum()),
            column_strategy=freeze(y / y.sum()),
            in_row_support=_flags(solution.basis.columns, payoffs.shape[0]),
            in_column_support=_flags(solution.basis.rows, payoffs.shape[1]),
            iterations=solution.pivots,
        ),
    )


def _flags(chosen: tuple[int, ...], count: int) -> BoolArray:
    flags = np.zeros(count, dtype=np.bool_)
    flags[list(chosen)] = True
    return freeze(flags)


def covering_program(payoffs: FloatArray) -> LinearProgram:
    """Write the row player's program for ``B``, the payoffs scaled to entries between 1 and 2.

    Weights ``x``, divided by their sum, come from ``min sum x`` subject to ``B'x >= 1``, with half
    the pivots that ``max v`` subject to ``A'x >= v`` takes.
    """
    largest = max(-float(payoffs.min()), float(payoffs.max()))
    shares = np.ldexp(payoffs, -math.frexp(largest)[1])  # so that differences cannot overflow
    above = shares - shares.min()
    positive = above / (above.max() or 1.0) + 1.0
    num_rows, num_columns = positive.shape
    return LinearProgram(
        objective=np.full(num_rows, -1.0),
        rows=np.repeat(np.arange(num_columns, dtype=np.int32), num_rows),
        columns=np.tile(np.arange(num_rows, dtype=np.int32), num_columns),
        values=-positive.T.ravel(),
        bounds=np.full(num_columns, -1.0),
        is_equation=np.zeros(num_columns, dtype=bool),
        is_free=np.zeros(num_rows, dtype=bool),
    )


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
