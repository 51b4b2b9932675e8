"""Square integer systems solved in rationals by python-flint."""

from typing import Any

import flint

from gametheory_core.arrays import ExactArray
from solvers._programs.kernel import RationalVector


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
