"""Complementary pivoting in floats: Lemke-Howson paths in games, Lemke's path in trees.

The loops of ``solvers.bimatrix.pivoting`` and ``solvers.trees.lemke_path`` on float64 tableaus.
Floats only propose where a path ends: what they find is solved again exactly, and a certificate
decides. A tableau writes each *basic* variable with a linear form in the others:

    basic[i] + sum_j t[i, j] * nonbasic[j] = t[i, -1].

On two best-response polytopes, ``M z <= 1``, columns of ``M`` have least entry 0 and largest entry
1, so that all variables lie in [0, 1] at each vertex and one absolute tolerance fits them all. Ties
go to the lexicographically least ratio of the slack columns, as if right-hand sides were ``1 + e^1,
1 + e^2, ...`` with ``e`` infinitesimal.

In a tree variable ``k < n`` and variable ``n + k`` are complements; ``2 n`` is the auxiliary one.
Constants count as if infinitesimals of given sizes were added to them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

DONE, LIMIT_REACHED, LOST = 0, 1, 2

_SAME_VALUE = 1e-10  # right-hand sides that differ less are tied
_SAME_RATIO = 1e-8  # of infinitesimals' coefficients, relative
_LEAST_PIVOT = 1e-9  # relative to the largest entry of the column


class Path(NamedTuple):
    """Arrays of one path through an m x n game, all modified in place.

    Labels ``0 .. m-1`` are the row player's actions, ``m .. m+n-1`` the column player's. The first
    tableau holds the row player's strategies: n rows, one for each reply, and m columns. The second
    has m rows and n columns. The right-hand side stands in the last column; columns between are
    zero, so that rows fill whole vectors.
    """

    first: NDArray[np.float64]  # (n, at least m + 1)
    second: NDArray[np.float64]  # (m, at least n + 1)
    scales: NDArray[np.float64]  # (m + n,), what each column of a matrix was divided by
    basic: NDArray[np.int64]  # (n + m,), label of each row's variable, of the first, of the second
    positions: NDArray[np.int64]  # (2, m + n), label -> column, or -1 - row, in each tableau
    held: NDArray[np.float64]  # (width of the wider tableau,), work space
    state: NDArray[np.int64]  # (3,): label to drop next, tableau on which, pivots made


@compiled
def start_path(payoffs: NDArray[np.float64], path: Path, initial_label: int, limit: int) -> int:
    """Lay out both tableaus at the vertices 0 and follow the path of a label.

    Args:
        payoffs: Finite, with finite differences.
        path: Need not be filled in; modified in place.
        initial_label, limit: As in ``follow_path``.
    """
    num_rows, num_columns = payoffs.shape[1], payoffs.shape[2]
    num_labels = num_rows + num_columns
    _lay_out(payoffs[1].T, path.first, path.scales[:num_rows])
    _lay_out(payoffs[0], path.second, path.scales[num_rows:])
    for label in range(num_labels):
        is_row = label < num_rows
        path.positions[0, label] = label if is_row else num_rows - 1 - label
        path.positions[1, label] = -1 - label if is_row else label - num_rows
        path.basic[label] = num_rows + label if label < num_columns else label - num_columns
    path.state[0] = initial_label
    path.state[1] = 0 if initial_label < num_rows else 1
    path.state[2] = 0
    return follow_path(path, initial_label, limit)


@compiled
def follow_path(path: Path, initial_label: int, limit: int) -> int:
    """Make up to ``limit`` pivots towards the end of the path.

    Args:
        path: Modified in place.
        initial_label: The path ends where it is picked up again.
        limit: Most pivots to make.

    Returns:
        ``DONE`` at the end of the path; ``LIMIT_REACHED``; ``LOST`` if no row can leave, which only
        rounding can bring about.
    """
    num_columns, num_rows = path.first.shape[0], path.second.shape[0]
    for _ in range(limit):
        label, side = path.state[0], path.state[1]
        tableau = path.first if side == 0 else path.second
        basic = path.basic[:num_columns] if side == 0 else path.basic[num_columns:]
        positions = path.positions[side]
        first_slack = num_rows if side == 0 else 0
        column = positions[label]
        row = _leaving_row(tableau, column, positions, first_slack)
        if row < 0:
            return LOST
        leaving = basic[row]
        _pivot(tableau, row, column, path.held)
        basic[row] = label
        positions[label] = -1 - row
        positions[leaving] = column
        path.state[0] = leaving
        path.state[1] = 1 - side
        path.state[2] += 1
        if leaving == initial_label:
            return DONE
    return LIMIT_REACHED


@compiled
def _lay_out(
    payoffs: NDArray[np.float64], tableau: NDArray[np.float64], scales: NDArray[np.float64]
) -> None:
    """Write replies x actions payoffs, each column from 0 to 1, and right-hand sides 1."""
    num_replies, num_actions = payoffs.shape
    last = tableau.shape[1] - 1
    for j in range(num_actions):
        least = largest = payoffs[0, j]
        for i in range(1, num_replies):
            least = min(least, payoffs[i, j])
            largest = max(largest, payoffs[i, j])
        scale = largest - least
        scales[j] = scale if scale > 0.0 else 1.0
        for i in range(num_replies):
            tableau[i, j] = (payoffs[i, j] - least) / scale if scale > 0.0 else 1.0
    for i in range(num_replies):
        for j in range(num_actions, last):
            tableau[i, j] = 0.0
        tableau[i, last] = 1.0


@compiled
def _leaving_row(
    tableau: NDArray[np.float64], column: int, positions: NDArray[np.int64], first_slack: int
) -> int:
    """Return the row whose variable first falls to zero as the column's grows; -1 for none."""
    num_rows = tableau.shape[0]
    last = tableau.shape[1] - 1
    largest = 0.0
    for i in range(num_rows):
        largest = max(largest, tableau[i, column])
    least_pivot = largest * _LEAST_PIVOT
    bound = np.inf
    for i in range(num_rows):
        entry = tableau[i, column]
        if entry > least_pivot:
            bound = min(bound, (tableau[i, last] + _SAME_VALUE) / entry)
    best = -1
    for i in range(num_rows):
        entry = tableau[i, column]
        if (
            entry > least_pivot
            and tableau[i, last] <= bound * entry
            and (best < 0 or _is_less(tableau, i, best, column, positions, first_slack))
        ):
            best = i
    return best


@compiled
def _is_less(
    tableau: NDArray[np.float64],
    row: int,
    other: int,
    column: int,
    positions: NDArray[np.int64],
    first_slack: int,
) -> bool:
    """Tell whether a row's infinitesimals have a lexicographically smaller ratio than another's."""
    entry, other_entry = tableau[row, column], tableau[other, column]
    for label in range(first_slack, first_slack + tableau.shape[0]):
        place = positions[label]
        if place < 0:  # basic: the column is a unit vector
            if place == -1 - row:
                return False
            if place == -1 - other:
                return True
            continue
        ratio, other_ratio = tableau[row, place] / entry, tableau[other, place] / other_entry
        difference = ratio - other_ratio
        if abs(difference) > _SAME_RATIO * (1.0 + abs(ratio) + abs(other_ratio)):
            return difference < 0.0
    return entry > other_entry


@compiled
def _pivot(
    tableau: NDArray[np.float64], pivot_row: int, pivot_column: int, held: NDArray[np.float64]
) -> None:
    """Exchange the variables of a row and a column; ``tableau`` is modified in place.

    The pivot row is held apart, which lets the inner loop run in vectors.
    """
    num_rows, width = tableau.shape
    reciprocal = 1.0 / tableau[pivot_row, pivot_column]
    tableau[pivot_row, pivot_column] = 1.0
    for j in range(width):
        held[j] = tableau[pivot_row, j] * reciprocal
        tableau[pivot_row, j] = held[j]
    for i in range(num_rows):
        if i != pivot_row:
            factor = tableau[i, pivot_column]
            tableau[i, pivot_column] = 0.0
            for j in range(width):
                tableau[i, j] -= factor * held[j]


_SAME_CONSTANT = 1e-11  # constants that differ less are tied
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
        row = _row_of_least_ratio(tableau, column)
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
def _row_of_least_ratio(tableau: Tableau, column: int) -> int:
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
            bound = min(bound, (entries[i, -1] + _SAME_CONSTANT) / entry)
    best = -1
    for i in range(size):
        entry = entries[i, column]
        if entry > least_pivot and entries[i, -1] <= bound * entry:
            if tableau.basic[i] == 2 * size:
                return i
            if best < 0 or _has_lesser_ratio(tableau, i, best, column):
                best = i
    return best


@compiled
def _has_lesser_ratio(tableau: Tableau, row: int, other: int, column: int) -> bool:
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
