"""Exact simplex pivots from any basis, with Bland's rule (1977), which excludes cycling.

Feasibility comes first: under a *surrogate* objective, chosen so that the basis is dual feasible,
the dual simplex method walks to a feasible basis. From there the primal method walks to an optimum.
Each pivot solves its kernel systems afresh: pivots are meant to be few.

A basis determines a point and its multipliers, which may be infeasible. *Variables* are numbered in
one row: column j is variable j, the slack ``b_i - A_i x`` of row i is variable ``num_columns + i``.
Nonbasic variables are zero.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from gametheory_core.errors import InfeasibleProgram, UnboundedProgram
from solvers._programs.linear import Basis, LinearProgram
from solvers._programs.rational_systems import (
    Entries,
    Kernel,
    RationalVector,
    SparseMatrix,
    factorized,
    solve_kernel,
    transposed,
)


@dataclass(frozen=True)
class Vertex:
    """A basis and its point.

    Attributes:
        kernel: Of the basis, factorised.
        slacks (num_rows,): Over the same denominator; zero on tight rows.
    """

    basis: Basis
    kernel: Kernel
    columns: RationalVector
    slacks: list[int]


@dataclass(frozen=True)
class Multipliers:
    """The dual side of a basis under some objective.

    Attributes:
        reduced_costs (num_columns,): Over the same denominator: objective minus what the rows
            charge; zero on basic columns.
    """

    rows: RationalVector
    reduced_costs: list[int]


def vertex_of(program: LinearProgram, matrix: SparseMatrix, basis: Basis) -> Vertex:
    """Factorise the kernel, solve for the basic columns, and compute all slacks.

    Raises:
        ZeroDivisionError: If the kernel is singular.
    """
    kernel = factorized(matrix, basis)
    bounds = cast("list[int]", program.bounds.tolist())
    columns = solve_kernel(kernel, bounds)
    slacks = [
        bounds[i] * columns.denominator - dot(entries, columns.numerators)
        for i, entries in enumerate(matrix.by_row)
    ]
    return Vertex(basis, kernel, columns, slacks)


def multipliers_of(matrix: SparseMatrix, kernel: Kernel, objective: list[int]) -> Multipliers:
    """Solve for the multipliers of the tight rows, and compute all reduced costs."""
    rows = solve_kernel(transposed(kernel), objective)
    reduced = [
        objective[j] * rows.denominator - dot(entries, rows.numerators)
        for j, entries in enumerate(matrix.by_column)
    ]
    return Multipliers(rows, reduced)


def infeasible_variables(program: LinearProgram, vertex: Vertex) -> list[int]:
    """Return the basic variables out of bounds, in order."""
    values = vertex.columns.numerators
    columns = [j for j in sorted(vertex.basis.columns) if values[j] < 0 and not program.is_free[j]]
    equations = program.is_equation.tolist()
    rows = [
        program.num_columns + i
        for i, slack in enumerate(vertex.slacks)
        if slack < 0 or (slack and equations[i])
    ]
    return columns + rows


def improving_variables(
    program: LinearProgram, basis: Basis, multipliers: Multipliers
) -> list[int]:
    """Return the nonbasic variables whose change raises the objective, in order."""
    free = program.is_free.tolist()
    columns = [
        j for j, cost in enumerate(multipliers.reduced_costs) if cost > 0 or (cost and free[j])
    ]
    charges = multipliers.rows.numerators
    rows = [
        program.num_columns + i
        for i in sorted(basis.rows)
        if charges[i] < 0 and not program.is_equation[i]
    ]
    return columns + rows


def dot(entries: Entries, vector: list[int]) -> int:
    """Multiply a sparse row with a dense vector."""
    return sum(value * vector[j] for j, value in entries if vector[j])


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
            needs="a point that satisfies the constraints",
            found=f"variable {leaving} (slacks after columns) cannot reach its bound",
            remedy="Check the constraints.",
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
            needs="a bounded objective",
            found=f"it grows without bound along variable {entering} (slacks after columns)",
            remedy="Check the constraints.",
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
