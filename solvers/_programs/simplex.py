"""Exact simplex pivots from any basis, with Bland's rule (1977), which excludes cycling.

Feasibility comes first: under a *surrogate* objective, chosen so that the basis is dual feasible,
the dual simplex method walks to a feasible basis. From there the primal method walks to an optimum.
Each pivot solves its kernel systems afresh: pivots are meant to be few.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from gametheory_core.errors import InfeasibleProgram, UnboundedProgram
from solvers._programs.kernel import SparseMatrix, solve_kernel, transposed
from solvers._programs.linear import Basis, LinearProgram
from solvers._programs.vertex import (
    Multipliers,
    Vertex,
    dot,
    improving_variables,
    infeasible_variables,
    multipliers_of,
    vertex_of,
)

Tick = Callable[[], None]


@dataclass(frozen=True)
class Walk:
    """Where pivoting ended.

    Attributes:
        vertex: Feasible.
        multipliers: Feasible for the objective walked under.
        pivots: Exchanges made.
    """

    vertex: Vertex
    multipliers: Multipliers
    pivots: int


def feasible_walk(program: LinearProgram, matrix: SparseMatrix, start: Vertex, tick: Tick) -> Walk:
    """Walk by the dual simplex method to a feasible vertex.

    Raises:
        InfeasibleProgram: If there is none.
    """
    vertex, pivots = start, 0
    objective = _surrogate_objective(program, matrix, start.basis)
    while True:
        tick()
        multipliers = multipliers_of(matrix, vertex.kernel, objective)
        wrong = infeasible_variables(program, vertex)
        if not wrong:
            return Walk(vertex, multipliers, pivots)
        leaving = wrong[0]
        entering = _dual_ratio(program, matrix, vertex, multipliers, leaving)
        basis = _exchanged(program, vertex.basis, entering=entering, leaving=leaving)
        vertex = vertex_of(program, matrix, basis)
        pivots += 1


def optimal_walk(program: LinearProgram, matrix: SparseMatrix, start: Vertex, tick: Tick) -> Walk:
    """Walk by the primal simplex method from a feasible vertex to an optimal one.

    Raises:
        UnboundedProgram: If the objective has no maximum.
    """
    vertex, pivots = start, 0
    objective = cast("list[int]", program.objective.tolist())
    while True:
        tick()
        multipliers = multipliers_of(matrix, vertex.kernel, objective)
        improving = improving_variables(program, vertex.basis, multipliers)
        if not improving:
            return Walk(vertex, multipliers, pivots)
        entering = improving[0]
        leaving = _primal_ratio(program, matrix, vertex, multipliers, entering)
        basis = _exchanged(program, vertex.basis, entering=entering, leaving=leaving)
        vertex = vertex_of(program, matrix, basis)
        pivots += 1


def _surrogate_objective(program: LinearProgram, matrix: SparseMatrix, basis: Basis) -> list[int]:
    """Return an objective under which the basis is dual feasible, and not degenerate.

    Tight inequalities charge 1; basic and free columns cost what is charged, others 1 less.
    """
    charges = [0] * program.num_rows
    for i in basis.rows:
        charges[i] = 0 if program.is_equation[i] else 1
    basic = set(basis.columns)
    return [
        dot(entries, charges) - (0 if j in basic or program.is_free[j] else 1)
        for j, entries in enumerate(matrix.by_column)
    ]


def _dual_ratio(
    program: LinearProgram,
    matrix: SparseMatrix,
    vertex: Vertex,
    multipliers: Multipliers,
    leaving: int,
) -> int:
    """Choose the nonbasic variable that moves ``leaving`` to its bound and keeps dual feasibility.

    With ``w`` solving ``K^T w =`` (unit vector, or the row of the slack), nonbasic variables change
    the leaving one at known rates.
    """
    count = program.num_columns
    if leaving < count:
        right = [int(j == leaving) for j in range(count)]
        sign, own_row = 1, None
        value = vertex.columns.numerators[leaving]
    else:
        row = dict(matrix.by_row[leaving - count])
        right = [row.get(j, 0) for j in range(count)]
        sign, own_row = -1, row
        value = vertex.slacks[leaving - count]
    solved = solve_kernel(transposed(vertex.kernel), right)
    weights = solved.numerators
    basic = set(vertex.basis.columns)
    wanted = 1 if value < 0 else -1  # the direction in which the leaving variable must move
    candidates: list[tuple[int, int, int]] = []  # (variable, cost, rate), both at least 0
    for j, entries in enumerate(matrix.by_column):
        if j in basic:
            continue
        rate = -sign * dot(entries, weights)
        if own_row is not None:
            rate -= own_row.get(j, 0) * solved.denominator
        rate *= wanted
        if rate > 0 or (rate and program.is_free[j]):
            candidates.append((j, abs(multipliers.reduced_costs[j]), abs(rate)))
    for i in sorted(vertex.basis.rows):
        rate = -sign * weights[i] * wanted
        if rate > 0 and not program.is_equation[i]:
            candidates.append((count + i, multipliers.rows.numerators[i], rate))
    if not candidates:
        raise InfeasibleProgram(
            "linear program: needs a point that satisfies the constraints, but variable "
            f"{leaving} (slacks after columns) cannot reach its bound. Check the constraints."
        )
    return _least_ratio(candidates)


def _primal_ratio(
    program: LinearProgram,
    matrix: SparseMatrix,
    vertex: Vertex,
    multipliers: Multipliers,
    entering: int,
) -> int:
    """Choose the basic variable that first meets its bound as ``entering`` moves."""
    count = program.num_columns
    tight = set(vertex.basis.rows)
    if entering < count:
        column = dict(matrix.by_column[entering])
        forward = 1 if multipliers.reduced_costs[entering] > 0 else -1
    else:
        column = {entering - count: 1}
        forward = 1
    solved = solve_kernel(
        vertex.kernel, [-forward * column.get(i, 0) for i in range(program.num_rows)]
    )
    change = solved.numerators
    candidates = [  # (variable, distance, speed towards the bound)
        (j, vertex.columns.numerators[j], -change[j])
        for j in sorted(vertex.basis.columns)
        if change[j] < 0 and not program.is_free[j]
    ]
    own = forward * solved.denominator if entering < count else 0
    for i, entries in enumerate(matrix.by_row):
        if i in tight:
            continue
        rate = -dot(entries, change) - own * column.get(i, 0)
        if rate < 0 or (rate and program.is_equation[i]):
            candidates.append((count + i, vertex.slacks[i], abs(rate)))
    if not candidates:
        raise UnboundedProgram(
            "linear program: needs a bounded objective, but it grows without bound along "
            f"variable {entering} (slacks after columns). Check the constraints."
        )
    return _least_ratio(candidates)


def _least_ratio(candidates: list[tuple[int, int, int]]) -> int:
    """Return the variable of least ``amount / rate``; the first one on ties (Bland)."""
    best, amount, rate = candidates[0]
    for variable, other_amount, other_rate in candidates[1:]:
        if other_amount * rate < amount * other_rate:
            best, amount, rate = variable, other_amount, other_rate
    return best


def _exchanged(program: LinearProgram, basis: Basis, *, entering: int, leaving: int) -> Basis:
    columns, rows = set(basis.columns), set(basis.rows)
    count = program.num_columns
    if leaving < count:
        columns.remove(leaving)
    else:
        rows.add(leaving - count)
    if entering < count:
        columns.add(entering)
    else:
        rows.remove(entering - count)
    return Basis(tuple(sorted(columns)), tuple(sorted(rows)))
