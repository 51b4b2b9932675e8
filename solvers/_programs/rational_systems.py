"""Systems of linear equations of any shape, solved exactly by python-flint."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint

from gametheory_core.arrays import ExactArray


@dataclass(frozen=True)
class RationalSolutions:
    """What solves a system.

    Attributes:
        is_consistent: Whether there is any solution.
        only: The solution, if there is exactly one.
    """

    is_consistent: bool
    only: list[Fraction] | None


def solve_rational(matrix: ExactArray, right: Sequence[Fraction]) -> RationalSolutions:
    """Solve ``matrix @ x = right`` in rationals.

    Args:
        matrix (rows, columns)
        right: As many as rows.
    """
    augmented = flint.fmpq_mat(
        [
            [_rational(entry) for entry in (*row, value)]
            for row, value in zip(matrix.tolist(), right, strict=True)
        ]
    )
    reduced, rank = augmented.rref()
    columns = matrix.shape[1]
    last = [reduced[row, columns] for row in range(rank)]
    if rank and all(reduced[rank - 1, column] == 0 for column in range(columns)):
        return RationalSolutions(is_consistent=False, only=None)
    if rank < columns:
        return RationalSolutions(is_consistent=True, only=None)
    return RationalSolutions(
        is_consistent=True, only=[Fraction(int(value.p), int(value.q)) for value in last]
    )


def _rational(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)
