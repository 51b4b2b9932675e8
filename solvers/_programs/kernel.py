"""Square integer systems solved in rationals: the door to python-flint.

A rational vector is kept as integers over one positive denominator, so that adding and comparing
entries needs no greatest common divisors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from gametheory_core.arrays import ExactArray, freeze
from solvers._programs.linear import Basis, LinearProgram

Entries = list[tuple[int, int]]  # (index, coefficient)


@dataclass(frozen=True)
class RationalVector:
    """Integers over one positive denominator.

    Attributes
    ----------
    numerators : list of int
    denominator : int
        Positive; entry i is ``numerators[i] / denominator``.
    """

    numerators: list[int]
    denominator: int

    def fractions(self) -> ExactArray:
        """Return the entries as a read-only exact array."""
        out = np.empty(len(self.numerators), dtype=object)
        out[:] = [Fraction(value, self.denominator) for value in self.numerators]
        return freeze(out)


@dataclass(frozen=True)
class SparseMatrix:
    """The coefficients of a program, by row and by column.

    Attributes
    ----------
    by_row, by_column : list of lists of (index, coefficient)
    """

    by_row: list[Entries]
    by_column: list[Entries]


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


def solve_kernel(
    matrix: SparseMatrix, basis: Basis, right: Sequence[int], *, transposed: bool = False
) -> RationalVector:
    """Solve ``K z = right``, or ``K^T z = right``, for the kernel of a basis.

    Raises
    ------
    ZeroDivisionError
        If the kernel is singular.
    """
    size = len(basis.columns)
    if not any(right):  # also the empty system
        return RationalVector([0] * size, 1)
    kernel = _kernel(matrix, basis, transposed=transposed)
    solution, denominator = kernel.solve(flint.fmpz_mat(size, 1, list(right))).numer_denom()
    return RationalVector([int(value) for value in solution.entries()], int(denominator))


def is_regular(matrix: SparseMatrix, basis: Basis) -> bool:
    """Tell whether the kernel of a basis has an inverse."""
    size = len(basis.columns)
    return size == 0 or _kernel(matrix, basis, transposed=False).rank() == size


def _kernel(matrix: SparseMatrix, basis: Basis, *, transposed: bool) -> Any:
    size = len(basis.columns)
    position = {column: k for k, column in enumerate(basis.columns)}
    entries = [0] * (size * size)
    for i, row in enumerate(basis.rows):
        for column, value in matrix.by_row[row]:
            j = position.get(column)
            if j is not None:
                entries[j * size + i if transposed else i * size + j] = value
    return flint.fmpz_mat(size, size, entries)
