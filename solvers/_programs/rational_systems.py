"""Linear systems solved in rationals: sparse unit pivots, then python-flint.

The kernel of a basis is mostly sparse, with many coefficients 1 and -1. Eliminating on those keeps
integers integers; it goes on while it creates little fill (Markowitz 1957). What is left, the
*core*, is solved by python-flint, p-adically for large ones.

A rational vector is kept as integers over one positive denominator, so that adding and comparing
entries needs no greatest common divisors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, freeze
from gametheory_core.memory import require_memory
from solvers._programs.linear import Basis, LinearProgram

Entries = list[tuple[int, int]]  # (index, coefficient)

BYTES_PER_CORE_ENTRY = 40  # as a list, as a matrix, and in its solution
FILL_LIMITS = (0, 4, 16, 64)  # cheap pivots first; a pivot may touch this many entries


@dataclass(frozen=True)
class RationalVector:
    """Integers over one positive denominator.

    Attributes:
        denominator: Positive; entry i is ``numerators[i] / denominator``.
    """

    numerators: list[int]
    denominator: int

    def fractions(self) -> ExactArray:
        """Return the entries as a read-only exact array."""
        known = {value: Fraction(value, self.denominator) for value in set(self.numerators)}
        out = np.empty(len(self.numerators), dtype=object)
        out[:] = [known[value] for value in self.numerators]
        return freeze(out)


@dataclass(frozen=True)
class SparseMatrix:
    """The coefficients of a program, by row and by column.

    Attributes:
        by_row, by_column (index, coefficient)
    """

    by_row: list[Entries]
    by_column: list[Entries]


@dataclass(frozen=True)
class _UnitPivot:
    """One step of the elimination.

    Attributes:
        row, column: Where the pivot stands.
        unit: Its coefficient, 1 or -1.
        row_rest, column_rest: The other entries in its row (by column) and in its column (by row).
    """

    row: int
    column: int
    unit: int
    row_rest: Entries
    column_rest: Entries


@dataclass(frozen=True)
class Kernel:
    """A factorised kernel.

    Attributes:
        shape: Of the whole coefficient matrix: systems are written over all its rows and columns.
        pivots: In the order of elimination.
        core_rows, core_columns: What is left.
        core (flint.fmpz_mat): Square.
    """

    shape: tuple[int, int]
    pivots: tuple[_UnitPivot, ...]
    core_rows: tuple[int, ...]
    core_columns: tuple[int, ...]
    core: Any


def sparse_matrix(program: LinearProgram) -> SparseMatrix:
    """Sort the coefficients of a program by row and by column."""
    by_row: list[Entries] = [[] for _ in range(program.num_rows)]
    by_column: list[Entries] = [[] for _ in range(program.num_columns)]
    triples = zip(
        program.rows.tolist(), program.columns.tolist(), program.values.tolist(), strict=True
    )
    for i, j, value in triples:
        by_row[i].append((j, value))
        by_column[j].append((i, value))
    return SparseMatrix(by_row, by_column)


def factorized(matrix: SparseMatrix, basis: Basis) -> Kernel:
    """Eliminate the kernel of a basis on its unit entries; the core may be singular."""
    inside = set(basis.columns)
    rows = {i: {j: v for j, v in matrix.by_row[i] if j in inside} for i in basis.rows}
    rows_of: dict[int, set[int]] = {j: set() for j in basis.columns}
    for i, entries in rows.items():
        for j in entries:
            rows_of[j].add(i)
    pivots: list[_UnitPivot] = []
    for limit in FILL_LIMITS:
        before = -1
        while before < len(pivots):
            before = len(pivots)
            for row in sorted(rows, key=lambda i: len(rows[i])):
                column = _unit_column(rows[row], rows_of, limit)
                if column is not None:
                    pivots.append(_eliminated(rows, rows_of, row, column))
    core_rows, core_columns = tuple(rows), tuple(rows_of)
    require_memory(
        BYTES_PER_CORE_ENTRY * len(core_rows) * len(core_columns),
        what=f"an exact system of {len(core_rows):,} equations",
        remedy="Give a tolerance, which floats may meet.",
    )
    table = [rows[i].get(j, 0) for i in core_rows for j in core_columns]
    core = flint.fmpz_mat(len(core_rows), len(core_columns), table)
    shape = (len(matrix.by_row), len(matrix.by_column))
    return Kernel(shape, tuple(pivots), core_rows, core_columns, core)


def transposed(kernel: Kernel) -> Kernel:
    """Return the factorised transpose."""
    swapped = tuple(
        _UnitPivot(p.column, p.row, p.unit, row_rest=p.column_rest, column_rest=p.row_rest)
        for p in kernel.pivots
    )
    num_rows, num_columns = kernel.shape
    return Kernel(
        (num_columns, num_rows),
        swapped,
        kernel.core_columns,
        kernel.core_rows,
        kernel.core.transpose(),
    )


def solve_kernel(kernel: Kernel, right: Sequence[int]) -> RationalVector:
    """Solve ``K z = right``, written over all rows and columns of the coefficient matrix.

    Args:
        right (shape[0],): Entries outside the kernel's rows are not looked at.

    Returns:
        (shape[1],): Zero outside the kernel's columns.

    Raises:
        ZeroDivisionError: If the kernel is singular.
    """
    left = list(right)
    for pivot in kernel.pivots:
        scale = pivot.unit * left[pivot.row]
        if scale:
            for i, value in pivot.column_rest:
                left[i] -= value * scale
    core = _solved_core(kernel.core, [left[i] for i in kernel.core_rows])
    solution = [0] * kernel.shape[1]
    for column, value in zip(kernel.core_columns, core.numerators, strict=True):
        solution[column] = value
    for pivot in reversed(kernel.pivots):
        others = sum(value * solution[j] for j, value in pivot.row_rest)
        solution[pivot.column] = pivot.unit * (left[pivot.row] * core.denominator - others)
    return RationalVector(solution, core.denominator)


def solve_dense(rows: Sequence[Sequence[int]], right: list[int]) -> RationalVector:
    """Solve a dense square system of integers.

    Raises:
        ZeroDivisionError: If the matrix is singular.
    """
    return _solved_core(flint.fmpz_mat([list(row) for row in rows]), right)


def _solved_core(core: Any, right: list[int]) -> RationalVector:
    if not any(right):
        return RationalVector([0] * len(right), 1)
    solution, denominator = core.solve(flint.fmpz_mat(len(right), 1, right)).numer_denom()
    return RationalVector([int(value) for value in solution.entries()], int(denominator))


def _unit_column(entries: dict[int, int], rows_of: dict[int, set[int]], limit: int) -> int | None:
    """Return the unit entry of a row whose elimination touches least, within the limit."""
    least, best = limit + 1, None
    for j, value in entries.items():
        if value in {1, -1}:
            touched = (len(entries) - 1) * (len(rows_of[j]) - 1)
            if touched < least:
                least, best = touched, j
    return best


def _eliminated(
    rows: dict[int, dict[int, int]], rows_of: dict[int, set[int]], row: int, column: int
) -> _UnitPivot:
    """Clear a column by its unit entry, in place, and take row and column out."""
    rest = rows.pop(row)
    unit = rest.pop(column)
    for j in rest:
        rows_of[j].remove(row)
    column_rest: Entries = []
    for i in sorted(rows_of.pop(column) - {row}):
        entries = rows[i]
        value = entries.pop(column)
        column_rest.append((i, value))
        for j, other in rest.items():
            updated = entries.get(j, 0) - unit * value * other
            if updated:
                entries[j] = updated
                rows_of[j].add(i)
            elif j in entries:
                del entries[j]
                rows_of[j].remove(i)
    return _UnitPivot(row, column, unit, list(rest.items()), column_rest)


def solve_square(table: list[list[int]], right: list[int]) -> ExactArray | None:
    """Return the rational solution of ``table @ z = right``; None if the table is singular.

    >>> solve_square([[2, 1], [1, -1]], [1, 0]).tolist()
    [Fraction(1, 3), Fraction(1, 3)]
    """
    size = len(table)
    if not size:
        return RationalVector([], 1).fractions()
    try:
        solved: Any = flint.fmpz_mat(table).solve(flint.fmpz_mat(size, 1, right))
    except ZeroDivisionError:
        return None
    numerators, denominator = solved.numer_denom()
    return RationalVector([int(v) for v in numerators.entries()], int(denominator)).fractions()


@dataclass(frozen=True)
class RationalSolutions:
    """What solves a system.

    Attributes:
        is_consistent: Whether there is any solution.
        only: The solution, if there is exactly one.
        some: A solution, if there are any: the one in which unknowns that are free are 0.
    """

    is_consistent: bool
    only: list[Fraction] | None
    some: list[Fraction] | None


def solve_rational(matrix: ExactArray, right: Sequence[Fraction]) -> RationalSolutions:
    """Solve ``matrix @ x = right`` in rationals.

    Args:
        matrix (rows, columns)
        right: As many as rows.
    """
    augmented = flint.fmpq_mat(
        [
            [flint.fmpq(entry.numerator, entry.denominator) for entry in (*row, value)]
            for row, value in zip(matrix.tolist(), right, strict=True)
        ]
    )
    reduced, rank = augmented.rref()
    columns = matrix.shape[1]
    if rank and all(reduced[rank - 1, column] == 0 for column in range(columns)):
        return RationalSolutions(is_consistent=False, only=None, some=None)
    some = [ZERO] * columns
    for row in range(rank):
        pivot = next(column for column in range(columns) if reduced[row, column] != 0)
        value = reduced[row, columns]
        some[pivot] = Fraction(int(value.p), int(value.q))
    only = some if rank == columns else None
    return RationalSolutions(is_consistent=True, only=only, some=some)
