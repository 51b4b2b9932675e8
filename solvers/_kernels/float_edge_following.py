"""Following the edges of a best-response polytope from vertex to vertex, in floats.

The loop of ``solvers.bimatrix.vertices`` on float64 tableaus. Nothing is decided here:
whether the bases found are those of all vertices is proved afterwards, by ``float_traversal``.

A tableau writes ``M z <= 1`` with slack variables, solved for the basic ones:

    basic[i] + sum_j t[i, j] * nonbasic[j] = t[i, -1].
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled
from solvers._kernels.edge_following import DONE, LIMIT_REACHED, NEEDS_ROOM, insert

LOST = 3


class FloatTraversal(NamedTuple):
    """Arrays of one traversal, all modified in place.

    Tableaus have R rows and C nonbasic columns; the right-hand side stands in the last column, and
    columns between are zero, so that rows fill whole vectors. Slot 0 holds the tableau in hand,
    slots from 1 on a stack of tableaus whose edges are still to be followed.
    """

    tableaus: NDArray[np.float64]  # (slots, R, at least C + 1)
    basic: NDArray[np.int64]  # (slots, R), label of each row's variable
    nonbasic: NDArray[np.int64]  # (slots, C), label of each column's variable
    bounds: NDArray[np.float64]  # (width,), work space
    leaving: NDArray[np.int64]  # (width,), work space
    held: NDArray[np.float64]  # (width,), work space
    seen: NDArray[np.int64]  # (power of two,), open-addressing set of nonbasic bit sets; 0 is empty
    found: NDArray[np.int64]  # (vertices,), bit sets of nonbasic labels
    counts: NDArray[np.int64]  # (3,): tableaus on the stack, vertices found, bases seen


@compiled
def follow_edges(arrays: FloatTraversal, limit: int) -> int:
    """Visit up to ``limit`` vertices from the stack and stack their unseen neighbors.

    Args:
        arrays: Modified in place.
        limit: Most vertices to visit.

    Returns:
        ``DONE`` if the stack is empty; ``LIMIT_REACHED``; ``NEEDS_ROOM`` if an array may overflow
        at the next vertex; ``LOST`` if an edge has no other end, which only rounding can bring
        about.
    """
    counts = arrays.counts
    num_columns = arrays.nonbasic.shape[1]
    for _ in range(limit):
        if counts[0] == 0:
            return DONE
        if (
            counts[0] + num_columns >= arrays.basic.shape[0]
            or counts[1] >= arrays.found.shape[0]
            or 2 * (counts[2] + num_columns) > arrays.seen.shape[0]
        ):
            return NEEDS_ROOM
        tight = _take_from_stack(arrays)
        arrays.found[counts[1]] = tight
        counts[1] += 1
        _find_leaving(arrays)
        for column in range(num_columns):
            row = arrays.leaving[column]
            if row < 0:
                return LOST
            neighbor = tight ^ (1 << arrays.nonbasic[0, column]) ^ (1 << arrays.basic[0, row])
            if insert(arrays.seen, neighbor):
                counts[0] += 1
                counts[2] += 1
                _pivot(arrays, counts[0], row, column)
    return LIMIT_REACHED if counts[0] else DONE


@compiled
def _take_from_stack(arrays: FloatTraversal) -> int:
    """Move the top of the stack to slot 0; return its nonbasic bit set."""
    slot = arrays.counts[0]
    arrays.counts[0] = slot - 1
    for row in range(arrays.tableaus.shape[1]):
        arrays.basic[0, row] = arrays.basic[slot, row]
        for column in range(arrays.tableaus.shape[2]):
            arrays.tableaus[0, row, column] = arrays.tableaus[slot, row, column]
    tight = 0
    for column in range(arrays.nonbasic.shape[1]):
        label = arrays.nonbasic[slot, column]
        arrays.nonbasic[0, column] = label
        tight |= 1 << label
    return tight


@compiled
def _find_leaving(arrays: FloatTraversal) -> None:
    """Find, for each column, the row of least ratio; -1 where no entry is positive.

    Straight-line code over whole rows, so that it runs in vectors.
    """
    tableaus, bounds, leaving = arrays.tableaus, arrays.bounds, arrays.leaving
    width = tableaus.shape[2]
    for column in range(width):
        bounds[column] = np.inf
        leaving[column] = -1
    for row in range(tableaus.shape[1]):
        height = tableaus[0, row, width - 1]
        for column in range(width):
            entry = tableaus[0, row, column]
            ratio = height / entry if entry > 0.0 else np.inf
            is_less = ratio < bounds[column]
            bounds[column] = ratio if is_less else bounds[column]
            leaving[column] = row if is_less else leaving[column]


@compiled
def _pivot(arrays: FloatTraversal, slot: int, pivot_row: int, pivot_column: int) -> None:
    """Write the tableau in hand, pivoted, to a slot."""
    tableaus, held = arrays.tableaus, arrays.held
    width = tableaus.shape[2]
    reciprocal = 1.0 / tableaus[0, pivot_row, pivot_column]
    for j in range(width):
        held[j] = tableaus[0, pivot_row, j] * reciprocal
    held[pivot_column] = reciprocal
    for i in range(tableaus.shape[1]):
        factor = tableaus[0, i, pivot_column]
        for j in range(width):
            tableaus[slot, i, j] = tableaus[0, i, j] - factor * held[j]
        tableaus[slot, i, pivot_column] = -factor * reciprocal
        arrays.basic[slot, i] = arrays.basic[0, i]
    for j in range(width):
        tableaus[slot, pivot_row, j] = held[j]
    for j in range(arrays.nonbasic.shape[1]):
        arrays.nonbasic[slot, j] = arrays.nonbasic[0, j]
    arrays.basic[slot, pivot_row] = arrays.nonbasic[0, pivot_column]
    arrays.nonbasic[slot, pivot_column] = arrays.basic[0, pivot_row]
