"""Exponentials, sums and linear systems in one fixed order of operations.

Compiled or not, on whatever machine, these round in the same places. Libraries for linear algebra
do not promise that, and a path through a degenerate game may turn on a last bit.

Nothing here knows numba: the functions run as they are, and ``compiled_logit_path`` compiles them.
"""

import math

import numpy as np
from numpy.typing import NDArray


def exponentials(exponents: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the exponentials of a (K,) array, one by one."""
    powers = np.empty(exponents.shape[0])
    for a in range(exponents.shape[0]):
        powers[a] = math.exp(exponents[a])
    return powers


def total(terms: NDArray[np.float64]) -> float:
    """Return the sum of a (K,) array, K > 0, added from the left."""
    return np.cumsum(terms)[-1]


def solve(
    matrix: NDArray[np.float64], right: NDArray[np.float64], solution: NDArray[np.float64]
) -> float:
    """Solve ``matrix @ solution = right`` by elimination with the largest pivot of each column.

    Args:
        matrix (K, K)
        right (K,)
        solution (K,): Modified in place; meaningless if the answer is 0.

    Returns:
        The sign of the determinant; 0 if it vanishes or a number is no number.
    """
    size = matrix.shape[0]
    work = np.empty((size, size + 1))
    work[:, :size] = matrix
    work[:, size] = right
    sign = 1.0
    for k in range(size):
        largest = k + np.argmax(np.abs(work[k:, k]))
        if not abs(work[largest, k]) > 0.0:
            return 0.0
        if largest != k:
            row = work[k].copy()
            work[k] = work[largest]
            work[largest] = row
            sign = -sign
        if work[k, k] < 0.0:
            sign = -sign
        work[k + 1 :, k:] -= np.outer(work[k + 1 :, k] / work[k, k], work[k, k:])
    for k in range(size - 1, -1, -1):
        solution[k] = work[k, size] / work[k, k]
        work[:k, size] -= work[:k, k] * solution[k]
    return sign
