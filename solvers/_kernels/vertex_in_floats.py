"""A vertex of a best-response polytope in floats: its tableau, and bounds on all its errors.

With ``Y`` the rows of played actions, and ``X`` those of their columns that stand for tight
replies, ``Y`` solves ``K Y = B`` up to the residual ``D = K Y - B``, and
``|K^-1| <= |X| / (1 - |K X - 1|)``, so that ``Y`` is off by less than ``|K^-1| |D|`` (Rump 2010).
All other rows follow from ``Y``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

UNIT = 2.0**-52  # twice the rounding unit of a float operation
SAFE = 1.0 + 1e-9  # covers the rounding of the error bounds themselves
TINY = 1e-200  # more than all products too small for floats can add up to
_WORTH_IMPROVING = 1e-13
_LARGEST_INVERSE = 1e100  # keeps the bounds away from overflow


class Search(NamedTuple):
    """Arrays of one search, all but the first two modified in place.

    Tableaus have a row for each reply, then one for the cost; a column for each own action, then
    the right-hand side, then padding. Level 0 holds the vertex where the search began, each next
    level a child of the one before.
    """

    matrix: NDArray[np.float64]  # (R + 1, C), between 0 and 1, 1 in each column; last, the cost
    other: NDArray[np.float64]  # (C, R), the same for the other polytope, without a cost
    tableaus: NDArray[np.float64]  # (levels, R + 1, width)
    basic: NDArray[np.int64]  # (levels, R), label of each row's variable
    nonbasic: NDArray[np.int64]  # (levels, C), label of each column's variable
    leaving: NDArray[np.int64]  # (levels, C), row through which a child is reached, or -1
    cursors: NDArray[np.int64]  # (levels,), the next column to look at
    residual: NDArray[np.float64]  # (C, width), work space
    system: NDArray[np.float64]  # (C, C), work space
    rows: NDArray[np.float64]  # (3, R + C), work space
    columns: NDArray[np.float64]  # (4, width): bounds on errors, sums of sizes, work space
    places: NDArray[np.int64]  # (7, R + C): see ``_sort_out``, and work space
    found: NDArray[np.int64]  # (capacity, C), tight labels of vertices that may have a partner
    postponed: NDArray[np.int64]  # (capacity, C), tight labels of vertices at the deepest level
    counts: NDArray[np.int64]  # (5,): level, vertices visited, found, postponed, a vertex is new


@compiled
def sort_out(search: Search, level: int, own_first: int, reply_first: int) -> int:
    """Return how many actions are played, as many as replies are tight.

    Writes ``places``: rows [0] and numbers [1] of actions played, columns [2] and numbers [3] of
    tight replies, and each column's action [4], or -1.
    """
    places = search.places
    num_columns, num_rows = search.nonbasic.shape[1], search.basic.shape[1]
    size = 0
    for i in range(num_rows):
        action = search.basic[level, i] - own_first
        if 0 <= action < num_columns:
            places[0, size] = i
            places[1, size] = action
            size += 1
    count = 0
    for j in range(num_columns):
        reply = search.nonbasic[level, j] - reply_first
        if 0 <= reply < num_rows:
            places[2, count] = j
            places[3, count] = reply
            places[4, j] = -1
            count += 1
        else:
            places[4, j] = search.nonbasic[level, j] - own_first
    return size


@compiled
def bound_errors(search: Search, level: int, size: int) -> bool:
    """Bound the errors of each column of the rows of played actions; make them small if need be.

    Writes ``columns``: bounds [0], and sums of sizes [1].
    """
    norm = _residuals(search, level, size)
    if norm > _WORTH_IMPROVING:
        if not norm < 0.5:
            return False
        _improve(search, level, size)
        norm = _residuals(search, level, size)
    tableaus, places, columns = search.tableaus, search.places, search.columns
    inverse_size = 0.0
    for a in range(size):
        total = 0.0
        for b in range(size):
            total += abs(tableaus[level, places[0, a], places[2, b]])
        inverse_size = max(inverse_size, total)
    rounding = (size + 8) * UNIT
    norm = (norm + rounding * size * (size * inverse_size + 1.0)) * SAFE
    if not (norm < 0.5 and inverse_size < _LARGEST_INVERSE):
        return False
    factor = inverse_size / (1.0 - norm) * SAFE
    for j in range(tableaus.shape[2]):
        columns[0, j] = factor * (columns[2, j] + rounding * (columns[1, j] + 1.0) + TINY) * SAFE
    return True


@compiled
def _residuals(search: Search, level: int, size: int) -> float:
    """Write ``K Y - B`` to ``residual``, its columns' sizes to ``columns[2]``; return |K X - 1|."""
    tableaus, places = search.tableaus, search.places
    residual, columns = search.residual, search.columns
    num_columns, width = search.nonbasic.shape[1], tableaus.shape[2]
    for j in range(width):
        columns[1, j] = 0.0
        columns[2, j] = 0.0
    for b in range(size):
        for j in range(width):
            columns[1, j] += abs(tableaus[level, places[0, b], j])
    norm = 0.0
    for a in range(size):
        reply = places[3, a]
        for j in range(width):
            residual[a, j] = 0.0
        for j in range(num_columns):
            if places[4, j] >= 0:
                residual[a, j] = -search.matrix[reply, places[4, j]]
        residual[a, places[2, a]] = -1.0
        residual[a, num_columns] = -1.0
        for b in range(size):
            entry = search.matrix[reply, places[1, b]]
            row = places[0, b]
            for j in range(width):
                residual[a, j] += entry * tableaus[level, row, j]
        total = 0.0
        for b in range(size):
            total += abs(residual[a, places[2, b]])
        norm = max(norm, total)
        for j in range(width):
            columns[2, j] = max(columns[2, j], abs(residual[a, j]))
    return norm


@compiled
def _improve(search: Search, level: int, size: int) -> None:
    """Subtract ``X D`` from ``Y``: a step of Newton's."""
    tableaus, places, system = search.tableaus, search.places, search.system
    for a in range(size):
        for b in range(size):
            system[a, b] = tableaus[level, places[0, a], places[2, b]]
    for a in range(size):
        row = places[0, a]
        for b in range(size):
            factor = system[a, b]
            for j in range(tableaus.shape[2]):
                tableaus[level, row, j] -= factor * search.residual[b, j]


@compiled
def fill_rows(search: Search, level: int, size: int, reply_first: int) -> None:
    """Work out the rows of slacks and of the cost from those of played actions.

    ``columns[0]`` then bounds the errors of all rows.
    """
    tableaus, places, columns = search.tableaus, search.places, search.columns
    num_columns, num_rows = search.nonbasic.shape[1], search.basic.shape[1]
    for i in range(num_rows + 1):
        reply = num_rows if i == num_rows else search.basic[level, i] - reply_first
        if i < num_rows and (reply < 0 or reply >= num_rows):
            continue
        for j in range(num_columns):
            action = places[4, j]
            tableaus[level, i, j] = search.matrix[reply, action] if action >= 0 else 0.0
        for j in range(num_columns, tableaus.shape[2]):
            tableaus[level, i, j] = 0.0
        tableaus[level, i, num_columns] = 1.0 if i < num_rows else 0.0
        for b in range(size):
            entry = search.matrix[reply, places[1, b]]
            row = places[0, b]
            for j in range(tableaus.shape[2]):
                tableaus[level, i, j] -= entry * tableaus[level, row, j]
    rounding = (size + 8) * UNIT
    for j in range(tableaus.shape[2]):
        if size == 0:
            columns[0, j] = rounding
        else:
            columns[0, j] = size * columns[0, j] + rounding * (columns[1, j] + 1.0)
