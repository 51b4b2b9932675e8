"""Reverse search over the vertices of a best-response polytope, in floats, with bounds on errors.

The simplex method, told to make ``cost @ z`` small by the steepest of the columns, goes from every
vertex of ``{z >= 0 : M z <= 1}`` to the vertex 0. Its steps are the edges of a tree; walked
backwards from 0, the tree visits every vertex once, and no vertex need be remembered (Avis and
Fukuda 1992).

Three kinds of decisions are made at a vertex: that it is simple, which label each edge leaves to,
and which edges are steps of the simplex method turned round. Each is made on numbers whose errors
are bounded, or not at all: then the kernel stops, and whoever called it decides exactly.
"""

from functools import partial

import numpy as np

from solvers._kernels.compile import compiled
from solvers._kernels.partner_test import may_have_partner
from solvers._kernels.vertex_in_floats import (
    SAFE,
    TINY,
    UNIT,
    Search,
    bound_errors,
    fill_rows,
    sort_out,
)

DONE, LIMIT_REACHED, NEEDS_ROOM, IN_DOUBT = 0, 1, 2, 3
LEVEL, VISITED, FOUND, POSTPONED, IS_NEW = 0, 1, 2, 3, 4


@partial(compiled, nogil=True)
def search_on(
    search: Search, own_first: int, reply_first: int, most_levels: int, limit: int
) -> int:
    """Visit up to ``limit`` vertices.

    Args:
        search: Modified in place.
        own_first, reply_first: First labels of the columns and of the rows.
        most_levels: Vertices at this level are postponed.
        limit: Most vertices to visit.

    Returns:
        ``DONE`` if the tree is searched; ``LIMIT_REACHED``; ``NEEDS_ROOM`` if an array may overflow
        at the next vertex; ``IN_DOUBT`` if the vertex at hand must be judged exactly: whoever does
        fills its row of ``leaving``, puts the cursor of its level to 0, counts it, and sets
        ``counts[IS_NEW]`` to 0.
    """
    counts = search.counts
    num_columns = search.nonbasic.shape[1]
    while True:
        level = counts[LEVEL]
        if (
            level + 1 >= search.basic.shape[0]
            or counts[FOUND] >= search.found.shape[0]
            or counts[POSTPONED] >= search.postponed.shape[0]
        ):
            return NEEDS_ROOM
        if counts[IS_NEW]:
            if limit <= 0:
                return LIMIT_REACHED
            limit -= 1
            if not _judge(search, level, own_first, reply_first):
                return IN_DOUBT
            counts[IS_NEW] = 0
            counts[VISITED] += 1
            search.cursors[level] = 0
        column = search.cursors[level]
        while column < num_columns and search.leaving[level, column] < 0:
            column += 1
        if column == num_columns:
            if level == 0:
                return DONE
            counts[LEVEL] = level - 1
            continue
        search.cursors[level] = column + 1
        if level + 1 >= most_levels:
            for j in range(num_columns):
                search.postponed[counts[POSTPONED], j] = search.nonbasic[level, j]
            row = search.leaving[level, column]
            search.postponed[counts[POSTPONED], column] = search.basic[level, row]
            counts[POSTPONED] += 1
            continue
        _pivot(search, level, search.leaving[level, column], column, own_first)
        counts[LEVEL] = level + 1
        counts[IS_NEW] = 1


@partial(compiled, nogil=True)
def probe(search: Search, own_first: int, reply_first: int, draw: int) -> float:
    """Estimate the size of the tree by following one child after the other, drawn at random.

    The numbers of children on the way, multiplied, are on average the size of a level (Knuth 1975).

    Args:
        search: At level 0; modified in place, and to be used for no other search.
        own_first, reply_first: As for ``search_on``.
        draw: Odd; what is drawn follows from it.

    Returns:
        The sum over levels, 0 if a vertex must be judged exactly.
    """
    total, size = 0.0, 1.0
    search.counts[LEVEL] = 0
    while size > 0.0:
        level = search.counts[LEVEL]
        total += size
        if level + 1 >= search.basic.shape[0] or not _judge(search, level, own_first, reply_first):
            return 0.0
        search.counts[FOUND] = 0
        children = 0
        for column in range(search.nonbasic.shape[1]):
            children += search.leaving[level, column] >= 0
        size *= children
        draw = (draw * 25_214_903_917 + 11) & 0xFFFFFFFFFFFF
        chosen = (draw >> 16) % max(children, 1)
        for column in range(search.nonbasic.shape[1]):
            if search.leaving[level, column] < 0:
                continue
            if chosen == 0:
                _pivot(search, level, search.leaving[level, column], column, own_first)
                search.counts[LEVEL] = level + 1
            chosen -= 1
    return total


@compiled
def _pivot(search: Search, level: int, pivot_row: int, pivot_column: int, own_first: int) -> None:
    """Write the vertex at the other end of an edge to the next level: rows of own actions only."""
    tableaus, basic, nonbasic = search.tableaus, search.basic, search.nonbasic
    num_rows, num_columns, width = basic.shape[1], nonbasic.shape[1], tableaus.shape[2]
    for i in range(num_rows):
        basic[level + 1, i] = basic[level, i]
    for j in range(num_columns):
        nonbasic[level + 1, j] = nonbasic[level, j]
    basic[level + 1, pivot_row] = nonbasic[level, pivot_column]
    nonbasic[level + 1, pivot_column] = basic[level, pivot_row]
    inverse = 1.0 / tableaus[level, pivot_row, pivot_column]
    for i in range(num_rows):
        label = basic[level + 1, i] - own_first
        if label < 0 or label >= num_columns:
            continue
        if i == pivot_row:
            for j in range(width):
                tableaus[level + 1, i, j] = tableaus[level, i, j] * inverse
            tableaus[level + 1, i, pivot_column] = inverse
        else:
            factor = tableaus[level, i, pivot_column] * inverse
            for j in range(width):
                tableaus[level + 1, i, j] = (
                    tableaus[level, i, j] - factor * tableaus[level, pivot_row, j]
                )
            tableaus[level + 1, i, pivot_column] = -factor


@compiled
def _judge(search: Search, level: int, own_first: int, reply_first: int) -> bool:
    """Decide all there is to decide about a vertex; tell whether floats were good enough."""
    size = sort_out(search, level, own_first, reply_first)
    if size > 0 and not bound_errors(search, level, size):
        return False
    fill_rows(search, level, size, reply_first)
    if not (_is_simple(search, level) and _find_leaving_rows(search, level)):
        return False
    if not _keep_children(search, level):
        return False
    if size > 0 and may_have_partner(search, size):
        for j in range(search.nonbasic.shape[1]):
            search.found[search.counts[FOUND], j] = search.nonbasic[level, j]
        search.counts[FOUND] += 1
    return True


@compiled
def _is_simple(search: Search, level: int) -> bool:
    """Tell whether all weights and slacks that are not zero by choice are proved to be positive."""
    last = search.nonbasic.shape[1]
    for i in range(search.basic.shape[1]):
        if not search.tableaus[level, i, last] > search.columns[0, last]:
            return False
    return True


@compiled
def _find_leaving_rows(search: Search, level: int) -> bool:
    """Find where the edges lead along which the cost rises; tell whether all is certain."""
    tableaus, columns, leaving = search.tableaus, search.columns, search.leaving
    num_rows, last = search.basic.shape[1], search.nonbasic.shape[1]
    error = columns[0, last]
    for j in range(last):
        columns[1, j] = np.inf
        columns[2, j] = 0.0
    for i in range(num_rows):
        height = tableaus[level, i, last] + error
        for j in range(last):
            entry = tableaus[level, i, j] - columns[0, j]
            ratio = height / entry if entry > 0.0 else np.inf
            columns[1, j] = min(columns[1, j], ratio)
    for j in range(last):
        columns[1, j] *= SAFE
    for i in range(num_rows):
        height = tableaus[level, i, last] - error
        for j in range(last):
            entry = tableaus[level, i, j] + columns[0, j]
            may_leave = entry > 0.0 and height <= columns[1, j] * entry
            columns[2, j] += 1.0 if may_leave else 0.0
            columns[3, j] = i if may_leave else columns[3, j]
    for j in range(last):
        rise = tableaus[level, num_rows, j]
        if not abs(rise) > columns[0, j]:
            return False
        leaving[level, j] = -1
        if rise > 0.0:
            if columns[2, j] != 1.0:
                return False
            leaving[level, j] = int(columns[3, j])
    return True


@compiled
def _keep_children(search: Search, level: int) -> bool:
    """Drop the edges that the simplex method would not come back by; tell whether all is certain.

    At the other end, the cost must fall along this edge faster than along any other.
    """
    tableaus, columns, leaving = search.tableaus, search.columns, search.leaving
    num_rows, last = search.basic.shape[1], search.nonbasic.shape[1]
    for j in range(last):
        row = leaving[level, j]
        if row < 0:
            continue
        rise, element = tableaus[level, num_rows, j], tableaus[level, row, j]
        is_certain = True
        for k in range(last):
            if k == j:
                continue
            other_rise, other_element = tableaus[level, num_rows, k], tableaus[level, row, k]
            left, right = other_rise * element, rise * (1.0 - other_element)
            doubt = (abs(other_rise) + abs(1.0 - other_element)) * columns[0, j]
            doubt += (abs(rise) + abs(element) + 2.0 * columns[0, j]) * columns[0, k]
            doubt = (doubt + 4.0 * UNIT * (abs(left) + abs(right) + abs(rise)) + TINY) * SAFE
            if left + right < -doubt:
                leaving[level, j] = -1
                is_certain = True
                break
            if left + right <= doubt:
                is_certain = False
        if not is_certain:
            return False
    return True
