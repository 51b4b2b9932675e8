"""Exact optima of the programs over correlation plans: floats first, then proof.

Their coefficients are payoffs, and ones that exact elimination feeds on. In floats they are divided
by the largest payoff, and values with them. Where payoffs are short integers, floats that are
magnified then correct the basis; with long ones, as those of floats are, exact pivots do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from gametheory_core.arrays import ExactArray, IntArray
from solvers._programs.exact import ExactOptimum, solve_exactly
from solvers._programs.kernel import Entries, RationalVector
from solvers._programs.linear import FloatOutcome, LinearProgram, solve_float
from solvers._programs.refinement import TwofoldProgram, refine
from solvers.solution import BudgetOver, Meter

LARGEST_COEFFICIENT = 10**6  # of a program in floats that is not scaled


def optimum_of(
    program: LinearProgram, *, row_spans: list[int], column_spans: list[int], meter: Meter
) -> ExactOptimum:
    """Solve an integer program without free variables exactly, within the budget.

    Args:
        row_spans, column_spans: In floats, rows are divided by theirs, and columns multiplied.

    Raises:
        BudgetOver: If it does not suffice.
    """
    if meter.is_exhausted:
        raise BudgetOver
    left = meter.left
    floats = _in_floats(program, row_spans, column_spans)
    estimate = solve_float(floats, time_limit=left.seconds, pivot_limit=left.iterations)
    meter.step(estimate.pivots)
    if estimate.outcome is FloatOutcome.LIMIT_REACHED:
        raise BudgetOver

    def tick() -> None:
        if meter.is_exhausted:
            raise BudgetOver
        meter.step()

    largest = max(map(abs, cast("list[int]", program.values.tolist())), default=0)
    if estimate.basis is None or largest > LARGEST_COEFFICIENT:
        return solve_exactly(program, estimate.basis, tick=tick)
    return refine(
        _twofold(program), estimate.basis, time_limit=lambda: meter.seconds_left, tick=tick
    )


def _twofold(program: LinearProgram) -> TwofoldProgram:
    """Give a program of short integers in floats, as it stands, and in integers."""
    ones = [1] * program.num_rows, [1] * program.num_columns
    costs = cast("list[int]", program.objective.tolist())
    bounds = cast("list[int]", program.bounds.tolist())
    exact = _ExactRows(program.rows, program.columns, program.values, bounds)
    span = max(map(abs, costs)) or 1
    floats = _in_floats(program, *ones)
    return TwofoldProgram(floats, ones[0], costs, span, bounds, exact.entries, exact.slacks)


def _in_floats(
    program: LinearProgram, row_spans: list[int], column_spans: list[int]
) -> LinearProgram:
    costs = cast("list[int]", program.objective.tolist())
    span = max(map(abs, costs)) or 1
    factors = _integers(column_spans)[program.columns]
    return LinearProgram(
        objective=np.array([cost / span for cost in costs]),
        rows=program.rows,
        columns=program.columns,
        values=(program.values * factors / _integers(row_spans)[program.rows]).astype(np.float64),
        bounds=program.bounds.astype(np.float64),
        is_equation=program.is_equation,
        is_free=program.is_free,
    )


def _integers(values: list[int]) -> ExactArray:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


@dataclass(frozen=True, eq=False)
class _ExactRows:
    """The integers of a program, sorted by row."""

    rows: IntArray
    columns: IntArray
    values: ExactArray
    bounds: list[int]

    def entries(self, indices: Sequence[int]) -> list[Entries]:
        """Return the rows of some indices."""
        starts = np.searchsorted(self.rows, indices)
        stops = np.searchsorted(self.rows, indices, side="right")
        return [
            list(zip(self.columns[i:j].tolist(), self.values[i:j].tolist(), strict=True))
            for i, j in zip(starts.tolist(), stops.tolist(), strict=True)
        ]

    def slacks(self, columns: RationalVector) -> list[int]:
        """Return what is left of every bound, over the denominator of the columns."""
        weights = np.array(columns.numerators, dtype=object)
        sums = np.zeros(len(self.bounds), dtype=object)
        used = np.flatnonzero(weights[self.columns])
        np.add.at(sums, self.rows[used], self.values[used] * weights[self.columns[used]])
        one = columns.denominator
        return [b * one - s for b, s in zip(self.bounds, sums.tolist(), strict=True)]
