"""Complementary pivoting with one auxiliary variable in floats: the pivots of a Lemke path.

A tableau writes each *basic* variable with a linear form in the others:

    basic[i] + sum_j t[i, j] * nonbasic[j] = t[i, -1].

Variable ``k < n`` and variable ``n + k`` are complements; ``2 n`` is the auxiliary one. Constants
count as if infinitesimals of given sizes were added to them. Floats only propose where the path
ends: the basis found is solved again exactly, and a certificate decides.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

DONE, LIMIT_REACHED, LOST = 0, 1, 2

_SAME_VALUE = 1e-11  # constants that differ less are tied
_SAME_RATIO = 1e-8  # of infinitesimals' coefficients, relative
_LEAST_PIVOT = 1e-9  # relative to the largest entry of the column
_CANCELLED = 1e-12  # what is left of a difference, relative to what was subtracted


class Tableau(NamedTuple):
    """Arrays of a path with ``n`` rows, modified in place but for ``order`` and ``keys``."""

    entries: NDArray[np.float64]  # (n, n + 2): coefficients of nonbasic variables; constants last
    basic: NDArray[np.int64]  # (n,), variable of each row
    places: NDArray[np.int64]  # (2 n + 1,), variable -> column, or -1 - row
    order: NDArray[np.int64]  # (n,), variables by falling size of their infinitesimals
    live: NDArray[np.int64]  # (n + 2,), work space: columns that are not zero in the pivot row
    keys: NDArray[np.int64]  # (2 n + 1,), random, one a variable; a basis has the xor of its keys
    state: NDArray[np.int64]  # (5,): variable to enter next, pivots made, the basis' key, the key
    # of an earlier basis, and the pivot after which the next one is noted


@compiled
def follow(tableau: Tableau, limit: int) -> int:
    """Make up to ``limit`` pivots, until the auxiliary variable leaves.

    Args:
        tableau: Modified in place.
        limit: Most pivots to make.

    Returns:
        ``DONE`` when the auxiliary variable has left; ``LIMIT_REACHED``; ``LOST`` if no row can
        leave or a basis comes again, which only rounding can bring about.
    """
    size = tableau.entries.shape[0]
    keys, state = tableau.keys, tableau.state
    for _ in range(limit):
        entering = state[0]
        column = int(tableau.places[entering])
        row = _leaving_row(tableau, column)
        if row < 0:
            return LOST
        leaving = tableau.basic[row]
        exchange(tableau, row, column)
        tableau.basic[row] = entering
        tableau.places[entering] = -1 - row
        tableau.places[leaving] = column
        state[0] = leaving - size if leaving >= size else leaving + size
        state[1] += 1
        if leaving == 2 * size:
            return DONE
        state[2] ^= keys[entering] ^ keys[leaving]
        if state[2] == state[3]:
            return LOST
        if state[1] >= state[4]:  # every cycle is found, soon after its length is reached (Brent)
            state[3] = state[2]
            state[4] = 2 * state[1]
    return LIMIT_REACHED


@compiled
def _leaving_row(tableau: Tableau, column: int) -> int:
    """Return the row whose variable first falls to zero as the column's grows; -1 for none."""
    entries = tableau.entries
    size = entries.shape[0]
    largest = 0.0
    for i in range(size):
        largest = max(largest, entries[i, column])
    least_pivot = largest * _LEAST_PIVOT
    bound = np.inf
    for i in range(size):
        entry = entries[i, column]
        if entry > least_pivot:
            bound = min(bound, (entries[i, -1] + _SAME_VALUE) / entry)
    best = -1
    for i in range(size):
        entry = entries[i, column]
        if entry > least_pivot and entries[i, -1] <= bound * entry:
            if tableau.basic[i] == 2 * size:
                return i
            if best < 0 or _is_less(tableau, i, best, column):
                best = i
    return best


@compiled
def _is_less(tableau: Tableau, row: int, other: int, column: int) -> bool:
    """Tell whether a row's infinitesimals have a lexicographically smaller ratio than another's."""
    entries = tableau.entries
    entry, other_entry = entries[row, column], entries[other, column]
    for variable in tableau.order:
        place = tableau.places[variable]
        if place < 0:  # basic: the column is a unit vector
            if place == -1 - row:
                return False
            if place == -1 - other:
                return True
            continue
        ratio, other_ratio = entries[row, place] / entry, entries[other, place] / other_entry
        difference = ratio - other_ratio
        if abs(difference) > _SAME_RATIO * (abs(ratio) + abs(other_ratio)):
            return difference < 0.0
    return entry > other_entry


@compiled
def exchange(tableau: Tableau, pivot_row: int, pivot_column: int) -> None:
    """Exchange the variables of a row and a column in the entries, modified in place.

    Zeros of the pivot row and of the pivot column are skipped: trees have many.
    """
    entries, live = tableau.entries, tableau.live
    size, width = entries.shape
    reciprocal = 1.0 / entries[pivot_row, pivot_column]
    entries[pivot_row, pivot_column] = 1.0
    count = 0
    for j in range(width):
        if entries[pivot_row, j] != 0.0:
            entries[pivot_row, j] *= reciprocal
            live[count] = j
            count += 1
    for i in range(size):
        factor = entries[i, pivot_column]
        if i == pivot_row or factor == 0.0:
            continue
        entries[i, pivot_column] = 0.0
        for k in range(count):
            j = live[k]
            change = factor * entries[pivot_row, j]
            left = entries[i, j] - change
            entries[i, j] = left if abs(left) > _CANCELLED * abs(change) else 0.0
