"""Square rational systems of linear equations, solved exactly by python-flint."""

from collections.abc import Sequence
from fractions import Fraction

import flint

from gametheory_core.arrays import ExactArray


def solve_square(matrix: ExactArray, right: Sequence[Fraction]) -> list[Fraction] | None:
    """Solve ``matrix @ x = right`` in rationals.

    Parameters
    ----------
    matrix : exact array (size, size)
    right : sequence of Fraction

    Returns
    -------
    list of Fraction or None
        None if the matrix is singular.
    """
    left = flint.fmpq_mat([[_rational(entry) for entry in row] for row in matrix.tolist()])
    column = flint.fmpq_mat([[_rational(entry)] for entry in right])
    try:
        solution = left.solve(column)
    except ZeroDivisionError:
        return None
    return [Fraction(int(entry.p), int(entry.q)) for entry in solution.entries()]


def _rational(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)
