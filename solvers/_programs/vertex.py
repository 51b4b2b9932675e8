"""What a basis determines: the point, its multipliers, and what is wrong with either.

*Variables* are numbered in one row: column j is variable j, the slack ``b_i - A_i x`` of row i is
variable ``num_columns + i``. Nonbasic variables are zero.
"""

from dataclasses import dataclass
from typing import cast

from solvers._programs.kernel import (
    Entries,
    Kernel,
    RationalVector,
    SparseMatrix,
    factorized,
    solve_kernel,
    transposed,
)
from solvers._programs.linear import Basis, LinearProgram


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
