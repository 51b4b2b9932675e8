"""Linear programs solved exactly by zooming: floats find a basis, rationals say what is wrong.

maximise c'x   subject to   A_i x <= b_i  or  A_i x == b_i,   x_j >= 0  or  x_j free.

The basis that floats end with may be off by less than they can see. Its vertex ``x`` and its
multipliers ``y`` are computed exactly, and what is left to do is solved in floats again, magnified
(Gleixner, Steffy and Wolter 2016): with ``d = c - A'y`` and large factors ``P`` and ``D``,

    maximise D (d'z - y's)   subject to   A_i z + s_i == 0 on tight rows,   A_i z <= P slack_i on
    others,   z_j >= -P x_j unless free,   s >= 0,

whose solution corrects ``x`` by ``z / P``. A few rounds give a basis that is right; the exact
simplex method does the rest, if any.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import highspy
import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ZERO, FloatArray
from solvers._programs.exact import ExactOptimum, solve_exactly
from solvers._programs.linear import Basis, FloatOutcome, FloatSolution, LinearProgram
from solvers._programs.rational_systems import (
    Entries,
    RationalVector,
    SparseMatrix,
    factorized,
    solve_kernel,
)
from solvers._programs.simplex import Multipliers, multipliers_of
from solvers._programs.warm_models import (
    basic_masks,
    basis_of,
    float_model,
    plain_highs,
    start_basis,
    with_slacks,
)

MOST_ROUNDS = 12
LARGEST_FACTOR = 2.0**60
FAR = 1e7  # magnified bounds beyond this are left out

Tick = Callable[[], None]


@dataclass(frozen=True, eq=False)
class TwofoldProgram:
    """A program in floats, and its exact data where they are asked for.

    Attributes:
        floats: With entries near 1.
        row_spans (num_rows,): What exact rows are divided by in floats.
        objective (num_columns,): Exact.
        objective_span: What the exact objective is divided by in floats.
        bounds (num_rows,): Exact.
        entries: Gives the exact rows of some indices, each as a list of (column, coefficient).
        slacks: Gives ``b - A x`` for all rows over the denominator of ``x``.
        column_spans (num_columns,): What exact variables are divided by in floats; empty if by
            nothing.
    """

    floats: LinearProgram
    row_spans: list[int]
    objective: list[int]
    objective_span: int
    bounds: list[int]
    entries: Callable[[Sequence[int]], list[Entries]]
    slacks: Callable[[RationalVector], list[int]]
    column_spans: Sequence[int] = ()


def paired_program(
    exact: LinearProgram, row_spans: list[int], column_spans: list[int]
) -> TwofoldProgram:
    """Pair an integer program with floats: rows divided by spans, and columns multiplied."""
    rows, columns, values = exact.rows, exact.columns, exact.values
    costs, bounds = exact.objective.tolist(), exact.bounds.tolist()
    products = [cost * span for cost, span in zip(costs, column_spans, strict=True)]
    objective_span = max(map(abs, products)) or 1
    up = np.array(column_spans, dtype=object)[columns]
    down = np.array(row_spans, dtype=object)[rows]
    is_scaled = up != down
    near_one = np.empty(len(values))
    near_one[~is_scaled] = values[~is_scaled].astype(np.float64)
    near_one[is_scaled] = values[is_scaled] * up[is_scaled] / down[is_scaled]

    def entries(indices: Sequence[int]) -> list[Entries]:
        ends = np.searchsorted(rows, indices), np.searchsorted(rows, indices, side="right")
        return [
            list(zip(columns[i:j].tolist(), values[i:j].tolist(), strict=True))
            for i, j in np.stack(ends, axis=1).tolist()
        ]

    def slacks(point: RationalVector) -> list[int]:
        weights = np.array(point.numerators, dtype=object)
        used = np.flatnonzero(weights[columns])
        sums = np.zeros(len(bounds), dtype=object)
        np.add.at(sums, rows[used], values[used] * weights[columns[used]])
        return [b * point.denominator - s for b, s in zip(bounds, sums.tolist(), strict=True)]

    floats = LinearProgram(
        objective=np.array([product / objective_span for product in products]),
        rows=rows,
        columns=columns,
        values=near_one,
        bounds=exact.bounds.astype(np.float64),
        is_equation=exact.is_equation,
        is_free=exact.is_free,
    )
    return TwofoldProgram(
        floats, row_spans, costs, objective_span, bounds, entries, slacks, column_spans
    )


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A basis with its exact vertex, slacks and multipliers."""

    basis: Basis
    columns: RationalVector
    slacks: list[int]
    multipliers: Multipliers


def solve_model(
    program: TwofoldProgram,
    *,
    basis: Basis | None = None,
    time_limit: float | None = None,
    pivot_limit: int | None = None,
) -> FloatSolution:
    """Solve in floats, from a basis if one is given.

    Args:
        basis: Where to start.
        time_limit: Seconds.
        pivot_limit: Simplex iterations.

    Returns:
        Multipliers belong to float rows and the float objective.
    """
    floats = program.floats
    highs = plain_highs(time_limit, pivot_limit)
    lower = np.where(floats.is_free, -np.inf, 0.0)
    model = float_model(floats, floats.objective, lower, floats.bounds)
    if highs.passModel(model) == highspy.HighsStatus.kError:
        return _without_solution(floats, FloatOutcome.FAILED)
    if basis is not None:
        highs.setBasis(start_basis(floats, basis))
    highs.run()
    outcome = _OUTCOMES.get(highs.getModelStatus(), FloatOutcome.FAILED)
    pivots = int(highs.getInfo().simplex_iteration_count)
    if outcome is not FloatOutcome.OPTIMAL:
        return _without_solution(floats, outcome, pivots)
    solution = highs.getSolution()
    return FloatSolution(
        outcome=outcome,
        primal=np.array(solution.col_value),
        dual=np.array(solution.row_dual),
        basis=basis_of(*basic_masks(highs)),
        pivots=pivots,
    )


def refine(
    program: TwofoldProgram, basis: Basis, *, time_limit: Callable[[], float | None], tick: Tick
) -> ExactOptimum:
    """Find a rational optimum from a basis that floats hold for optimal.

    Args:
        basis: Of a float solution.
        time_limit: Returns the seconds left, or None.
        tick: Called before each round and each exact pivot, and where time is up; may raise to
            stop.

    Returns:
        Checked: primal and dual are feasible; ``pivots`` counts rounds and exact pivots.

    Raises:
        InfeasibleProgram, UnboundedProgram: Proved by exact pivoting.
    """

    def stop_in_time() -> None:
        if time_limit() == 0.0:
            tick()

    rounds = 0
    while rounds < MOST_ROUNDS:
        tick()
        try:
            candidate = _candidate(program, basis, stop_in_time)
        except ZeroDivisionError:  # exactly singular
            break
        if not _wrong(program, candidate):
            return _optimum(program, candidate, rounds)
        rounds += 1
        better = _zoomed(program, candidate, time_limit())
        if better is None or better == basis:
            break
        basis = better
    stop_in_time()
    found = solve_exactly(_exact_program(program), basis, tick=tick)
    return ExactOptimum(found.value, found.primal, found.dual, found.basis, found.pivots + rounds)


def _candidate(program: TwofoldProgram, basis: Basis, stop_in_time: Tick) -> _Candidate:
    """Solve for vertex and multipliers with the tight rows alone."""
    num_rows, num_columns = program.floats.num_rows, program.floats.num_columns
    by_row: list[Entries] = [[] for _ in range(num_rows)]
    by_column: list[Entries] = [[] for _ in range(num_columns)]
    for i, entries in zip(basis.rows, program.entries(basis.rows), strict=True):
        by_row[i] = entries
        for j, value in entries:
            by_column[j].append((i, value))
    matrix = SparseMatrix(by_row, by_column)
    kernel = factorized(matrix, basis)
    columns = solve_kernel(kernel, program.bounds)
    stop_in_time()  # each solution may take seconds
    multipliers = multipliers_of(matrix, kernel, program.objective)
    return _Candidate(basis, columns, program.slacks(columns), multipliers)


def _wrong(program: TwofoldProgram, candidate: _Candidate) -> bool:
    equations, free = program.floats.is_equation.tolist(), program.floats.is_free.tolist()
    charges = candidate.multipliers.rows.numerators
    columns = zip(
        candidate.columns.numerators, candidate.multipliers.reduced_costs, free, strict=True
    )
    return (
        any(cost != 0 if own else value < 0 or cost > 0 for value, cost, own in columns)
        or any(
            slack < 0 or (slack and equation)
            for slack, equation in zip(candidate.slacks, equations, strict=True)
        )
        or any(charges[i] < 0 and not equations[i] for i in candidate.basis.rows)
    )


def _optimum(program: TwofoldProgram, candidate: _Candidate, rounds: int) -> ExactOptimum:
    columns = candidate.columns
    pairs = zip(program.objective, columns.numerators, strict=True)
    return ExactOptimum(
        value=Fraction(sum(c * x for c, x in pairs if x), columns.denominator) + ZERO,
        primal=columns.fractions(),
        dual=candidate.multipliers.rows.fractions(),
        basis=candidate.basis,
        pivots=rounds,
    )


@dataclass(frozen=True, eq=False)
class _Rest:
    """What a candidate leaves to do, in floats.

    Attributes:
        columns, slacks, costs, charges: The vertex, its slacks, the reduced costs and the
            multipliers of rows.
        tight: Tight inequalities.
    """

    columns: FloatArray
    slacks: FloatArray
    costs: FloatArray
    charges: FloatArray
    tight: NDArray[np.int32]


def _zoomed(
    program: TwofoldProgram, candidate: _Candidate, time_limit: float | None
) -> Basis | None:
    """Solve what is left in magnified floats; None if the float solver finds no optimum.

    Where better costs lead far away from the vertex, bounds that were left out would stop them:
    then costs alone are magnified.
    """
    rest = _rest(program, candidate)
    floats = program.floats
    free, equations = floats.is_free, floats.is_equation
    missing = np.where(equations, abs(rest.slacks), -rest.slacks)
    primal = _factor(max(-rest.columns[~free].min(initial=0.0), missing.max(initial=0.0)))
    charged = np.where(free, abs(rest.costs), rest.costs)
    dual = _factor(max(charged.max(initial=0.0), -rest.charges[rest.tight].min(initial=0.0)))
    for factor in dict.fromkeys((primal, 1.0)):
        found = _magnified(program, candidate.basis, rest, factor, dual, time_limit)
        if found is not None:
            return found
    return None


def _rest(program: TwofoldProgram, candidate: _Candidate) -> _Rest:
    floats = program.floats
    one = candidate.columns.denominator
    spans = program.column_spans or [1] * floats.num_columns
    whole = candidate.multipliers.rows.denominator * program.objective_span
    costs = zip(candidate.multipliers.reduced_costs, spans, strict=True)
    charges = zip(candidate.multipliers.rows.numerators, program.row_spans, strict=True)
    tight = np.array(candidate.basis.rows, dtype=np.int32)
    return _Rest(
        columns=_quotients(candidate.columns.numerators, [one * span for span in spans]),
        slacks=_quotients(candidate.slacks, [one * span for span in program.row_spans]),
        costs=_quotients([cost * span for cost, span in costs], [whole] * floats.num_columns),
        charges=_quotients([price * span for price, span in charges], [whole] * floats.num_rows),
        tight=tight[~floats.is_equation[tight]],
    )


def _magnified(
    program: TwofoldProgram,
    basis: Basis,
    rest: _Rest,
    primal: float,
    dual: float,
    time_limit: float | None,
) -> Basis | None:
    """Solve with bounds and costs multiplied by factors; None if there is no optimum."""
    floats = program.floats
    upper = primal * rest.slacks
    upper[(upper > FAR) & ~floats.is_equation] = np.inf
    lower = -primal * rest.columns
    lower[(lower < -FAR) | floats.is_free] = -np.inf
    highs = plain_highs(time_limit, None)
    extended = with_slacks(floats, rest.tight)
    model = float_model(
        extended,
        np.concatenate([dual * rest.costs, -dual * rest.charges[rest.tight]]),
        np.concatenate([lower, np.zeros(len(rest.tight))]),
        upper,
    )
    if highs.passModel(model) == highspy.HighsStatus.kError:
        return None
    highs.setBasis(start_basis(extended, basis))
    highs.run()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    basic_columns, basic_rows = basic_masks(highs)
    loose = rest.tight[basic_columns[floats.num_columns :]]
    basic_rows[loose] = True
    return basis_of(basic_columns[: floats.num_columns], basic_rows)


def _factor(largest: float) -> float:
    """Return a power of two that brings the largest error near 1; 1 if there is none."""
    if not largest > 0:
        return 1.0
    return float(np.exp2(np.clip(-np.ceil(np.log2(largest)), 0.0, np.log2(LARGEST_FACTOR))))


def _quotients(numerators: list[int], denominators: list[int]) -> FloatArray:
    """Divide, correctly rounded; too large ones become infinite."""
    return np.array(list(map(_quotient, numerators, denominators)), dtype=np.float64)


def _quotient(value: int, denominator: int) -> float:
    if not value:
        return 0.0
    try:
        return value / denominator
    except OverflowError:
        return np.inf if value > 0 else -np.inf


def _exact_program(program: TwofoldProgram) -> LinearProgram:
    floats = program.floats
    triples = [
        (i, j, value)
        for i, entries in enumerate(program.entries(range(floats.num_rows)))
        for j, value in entries
    ]
    return LinearProgram(
        objective=_integers(program.objective),
        rows=np.array([i for i, _, _ in triples], dtype=np.int32),
        columns=np.array([j for _, j, _ in triples], dtype=np.int32),
        values=_integers([value for _, _, value in triples]),
        bounds=_integers(program.bounds),
        is_equation=floats.is_equation,
        is_free=floats.is_free,
    )


def _integers(values: list[int]) -> NDArray[np.object_]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


_OUTCOMES = {
    highspy.HighsModelStatus.kOptimal: FloatOutcome.OPTIMAL,
    highspy.HighsModelStatus.kInfeasible: FloatOutcome.INFEASIBLE,
    highspy.HighsModelStatus.kUnbounded: FloatOutcome.UNBOUNDED,
    highspy.HighsModelStatus.kTimeLimit: FloatOutcome.LIMIT_REACHED,
    highspy.HighsModelStatus.kIterationLimit: FloatOutcome.LIMIT_REACHED,
}


def _without_solution(
    floats: LinearProgram, outcome: FloatOutcome, pivots: int = 0
) -> FloatSolution:
    nothing = np.zeros(floats.num_columns), np.zeros(floats.num_rows)
    return FloatSolution(outcome, *nothing, basis=None, pivots=pivots)
