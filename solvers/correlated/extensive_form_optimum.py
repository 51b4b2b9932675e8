"""Exact optima of the programs over correlation plans: floats first, then proof.

Their coefficients are payoffs, and ones that exact elimination feeds on. In floats they are divided
by the largest payoff, and values with them. Where payoffs are short integers, floats that are
magnified then correct the basis; with long ones, as those of floats are, exact pivots do.

In *triangle-free* trees every consistent correlation plan is a lottery over pure plans. A triangle
is two information sets ``I, I'`` of one player that follow the same own sequence, and two such ``J,
J'`` of the other, with ``I, J`` on one path, ``I', J'`` on one, and ``I, J'`` on one. Without
chance moves there are none; nor where all see each move of chance (Farina and Sandholm 2020).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from gametheory_core.arrays import ExactArray, IntArray
from gametheory_core.certificates.extensive_correlated import MOST_PROFILES
from gametheory_core.conversions.extensive_normal import count_plans
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.correlation_plans import SequencePairs
from solvers._programs.exact import ExactOptimum, solve_exactly
from solvers._programs.linear import FloatOutcome, LinearProgram, solve_float
from solvers._programs.rational_systems import Entries, RationalVector
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
    meter.require_more()
    left = meter.left
    floats = _in_floats(program, row_spans, column_spans)
    estimate = solve_float(floats, time_limit=left.seconds, pivot_limit=left.iterations)
    meter.step(estimate.pivots)
    if estimate.outcome is FloatOutcome.LIMIT_REACHED:
        raise BudgetOver

    largest = max(map(abs, cast("list[int]", program.values.tolist())), default=0)
    if estimate.basis is None or largest > LARGEST_COEFFICIENT:
        return solve_exactly(program, estimate.basis, tick=meter.tick)
    return refine(
        _twofold(program), estimate.basis, time_limit=lambda: meter.seconds_left, tick=meter.tick
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


@dataclass(frozen=True)
class Triangle:
    """Four information sets, as indices into the game's, in the order ``I', J', I, J``."""

    infosets: tuple[int, int, int, int]


def find_triangle(pairs: SequencePairs) -> Triangle | None:
    """Return a triangle of a game, or None if it is triangle-free."""
    one, other = pairs.form.players
    rows, columns = pairs.connected.T
    classes = one.parent_sequence[rows].astype(np.int64) * other.num_sequences
    classes += other.parent_sequence[columns]
    row_codes = classes * len(one.infosets) + rows
    column_codes = classes * len(other.infosets) + columns
    crowded = np.flatnonzero(_copies(row_codes) & _copies(column_codes))
    if not crowded.size:
        return None
    edge = int(crowded[0])  # I and J', each with another one on a path
    far_j = np.flatnonzero((row_codes == row_codes[edge]) & (columns != columns[edge]))[0]
    far_i = np.flatnonzero((column_codes == column_codes[edge]) & (rows != rows[edge]))[0]
    starts = one.infosets.start, other.infosets.start
    return Triangle(
        (
            int(rows[far_i]) + starts[0],
            int(columns[edge]) + starts[1],
            int(rows[edge]) + starts[0],
            int(columns[far_j]) + starts[1],
        )
    )


def needs_profiles(pairs: SequencePairs) -> bool:
    """Tell whether a game has a triangle, so that its few pure profiles have to be listed.

    Raises:
        UnsupportedGame: If they are many; names the four information sets.
    """
    found = find_triangle(pairs)
    if found is None:
        return False
    game = pairs.form.game
    count = count_plans(game, 0) * count_plans(game, 1)
    if count <= MOST_PROFILES:
        return True
    first, second, third, fourth = (describe_infoset(game.infosets[s]) for s in found.infosets)
    raise UnsupportedGame(
        needs=f"a tree without chance moves, or a triangle-free one, or at most {MOST_PROFILES} "
        "pure profiles",
        found=f"there are {count}, and paths join {first} with {second}, {third} with {second}, "
        "and "
        f"{third} with {fourth}: what players learn apart from chance may not fit any lottery",
        remedy="Try counterfactual_regret.",
    )


def _copies(codes: np.ndarray) -> np.ndarray:
    """Tell which entries occur more than once."""
    _, which, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return counts[which.ravel()] > 1
