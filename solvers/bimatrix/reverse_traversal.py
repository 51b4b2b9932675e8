"""Reverse search of one best-response polytope: every vertex visited, none of them remembered.

The loop itself is ``solvers._kernels.reverse_search``. It stops at vertices about which floats
prove too little, all degenerate ones among them; these are judged here, in integers. The tree that
it searches can be cut anywhere: what is left to do is a list of vertices, each standing for its
subtree. So a search can be interrupted and taken up again, and split over threads.

A degenerate vertex has several bases. One of them stands for it: the one that takes, of the tight
labels, first own actions and then replies of late infinitesimals, which exists for each vertex and
is a basis of the polytope shifted by the infinitesimals (see ``best_response_polytopes``).
"""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from gametheory_core.arrays import FloatArray
from solvers._kernels import reverse_search
from solvers._kernels.reverse_search import (
    DONE,
    FOUND,
    IN_DOUBT,
    IS_NEW,
    LEVEL,
    LIMIT_REACHED,
    NEEDS_ROOM,
    POSTPONED,
    VISITED,
    Search,
)
from solvers.bimatrix.best_response_polytopes import (
    BestResponsePolytope,
    Tableau,
    leaving_row,
    pivot,
)

VECTOR = 8  # words a processor handles at once
FIRST_LEVELS = 64
PROBES = 1_024
ROOM = 1_024  # candidates, and vertices postponed
COST = -1  # in place of a label
COST_UNIT = 2**20
SPREAD = 2_654_435_769  # 2**32 / golden ratio: costs that look drawn make no ties


@dataclass(eq=False)
class ReverseSearch:
    """A search in progress; several threads may work on it.

    Attributes:
        polytope, other: The one whose vertices are visited, and its partner.
        left: Bases of vertices whose subtrees are still to be searched, but for those that a thread
            is at. A basis is the bit set of its tight labels.
        found: Bases of vertices that may have a partner.
        visited: Vertices so far.
        judged_exactly: How many of them floats could not judge.
    """

    polytope: BestResponsePolytope
    other: BestResponsePolytope
    left: list[int] = field(default_factory=list[int])
    found: list[int] = field(default_factory=list[int])
    visited: int = 0
    judged_exactly: int = 0

    def __post_init__(self) -> None:
        size = len(self.polytope.own_labels)
        cost = np.array([COST_UNIT // 2 + k * SPREAD % (COST_UNIT // 2) for k in range(size)])
        self.matrix = np.vstack([_scaled(self.polytope), cost / COST_UNIT])
        self.partner_matrix = _scaled(self.other)
        rows = [[*row, 1] for row in self.polytope.matrix.tolist()]
        largest = self.polytope.matrix.max(axis=0)
        rows.append([*(cost * largest).tolist(), 0])
        labels, own = self.polytope.reply_labels, self.polytope.own_labels
        self.scale: dict[int, int] = dict(zip(own, largest.tolist(), strict=True))
        self.origin = Tableau(rows, 1, (*labels, COST), tuple(own), labels)
        self.root = bit_set(own)
        self.lock = Lock()


def bit_set(labels: Iterable[int]) -> int:
    """Return the bit set of labels."""
    return sum(1 << label for label in labels)


def _scaled(polytope: BestResponsePolytope) -> FloatArray:
    """Divide columns by their largest entries; each entry is then rounded once."""
    largest = polytope.matrix.max(axis=0).tolist()
    rows = [
        [value / most for value, most in zip(row, largest, strict=True)]
        for row in polytope.matrix.tolist()
    ]
    return np.array(rows, dtype=np.float64)


def search_subtree(
    search: ReverseSearch, basis: int, *, limit: int, most_levels: int
) -> Generator[int]:
    """Search the subtree of a vertex; what is not done when this is closed goes to ``left``.

    Args:
        search: Modified in place.
        basis: Taken from ``left``.
        limit: Most vertices between two yields.
        most_levels: How deep to go; what is below is left.

    Yields:
        How many vertices were visited since the last time.
    """
    arrays = _laid_out(search, basis)
    first, second = search.polytope.own_labels.start, search.polytope.reply_labels.start
    status = LIMIT_REACHED
    try:
        while status != DONE:
            status = reverse_search.search_on(arrays, first, second, most_levels, limit)
            if status == IN_DOUBT:
                _judge_exactly(search, arrays)
            yield _collect(search, arrays)
            if status == NEEDS_ROOM:
                arrays = _with_room(arrays)
    finally:
        _collect(search, arrays)
        if status != DONE:
            rest = list(_rest(arrays))
            with search.lock:
                search.left.extend(rest)


def estimated_size(search: ReverseSearch) -> int | None:
    """Estimate how many vertices there are; None if floats cannot judge most of them."""
    first, second = search.polytope.own_labels.start, search.polytope.reply_labels.start
    arrays = _laid_out(search, search.root)
    sizes = [reverse_search.probe(arrays, first, second, 2 * k + 1) for k in range(PROBES)]
    known = [size for size in sizes if size]
    return round(sum(known) / len(known)) if 2 * len(known) > PROBES else None


def _laid_out(search: ReverseSearch, basis: int) -> Search:
    """Put a vertex at level 0."""
    columns, rows = search.partner_matrix.shape
    width = -(-(columns + 1) // VECTOR) * VECTOR
    arrays = Search(
        matrix=search.matrix,
        other=search.partner_matrix,
        tableaus=np.zeros((FIRST_LEVELS, rows + 1, width)),
        basic=np.empty((FIRST_LEVELS, rows), dtype=np.int64),
        nonbasic=np.empty((FIRST_LEVELS, columns), dtype=np.int64),
        leaving=np.empty((FIRST_LEVELS, columns), dtype=np.int64),
        cursors=np.zeros(FIRST_LEVELS, dtype=np.int64),
        residual=np.empty((columns, width)),
        system=np.empty((columns, columns)),
        rows=np.empty((3, rows + columns)),
        columns=np.empty((4, width)),
        places=np.empty((6, rows + columns), dtype=np.int64),
        found=np.empty((ROOM, columns), dtype=np.int64),
        postponed=np.empty((ROOM, columns), dtype=np.int64),
        counts=np.array([0, 0, 0, 0, 1], dtype=np.int64),
    )
    _write(arrays, 0, tableau_at(search, basis), search)
    return arrays


def tableau_at(search: ReverseSearch, basis: int) -> Tableau:
    """Return the tableau of a basis, with the cost in the last row."""
    tableau = search.origin
    for label in search.polytope.own_labels:
        if basis >> label & 1:
            continue
        column = tableau.nonbasic.index(label)
        row = next(
            i
            for i, other in enumerate(tableau.basic)
            if other in search.polytope.reply_labels
            and basis >> other & 1
            and tableau.rows[i][column]
        )
        tableau = pivot(tableau, row=row, column=column)
        if tableau.determinant < 0:
            rows = [[-value for value in row] for row in tableau.rows]
            tableau = tableau._replace(rows=rows, determinant=-tableau.determinant)
    return tableau


def _write(arrays: Search, level: int, tableau: Tableau, search: ReverseSearch) -> None:
    """Write a tableau as floats, columns and rows of own actions scaled as the matrix is."""
    arrays.basic[level] = tableau.basic[:-1]
    arrays.nonbasic[level] = tableau.nonbasic
    units = [tableau.determinant * search.scale.get(label, 1) for label in tableau.nonbasic]
    units.append(tableau.determinant)
    for i, (label, row) in enumerate(zip(tableau.basic, tableau.rows, strict=True)):
        factor, unit = search.scale.get(label, 1), COST_UNIT if label == COST else 1
        arrays.tableaus[level, i, : len(units)] = [
            value * factor / (by * unit) for value, by in zip(row, units, strict=True)
        ]


def _judge_exactly(search: ReverseSearch, arrays: Search) -> None:
    """Decide all there is to decide about the vertex in hand, in integers."""
    level = int(arrays.counts[LEVEL])
    basis = bit_set(arrays.nonbasic[level].tolist())
    tableau = tableau_at(search, basis)
    _write(arrays, level, tableau, search)
    plain = without_cost(tableau)
    for column, rise in enumerate(tableau.rows[-1][:-1]):
        row = leaving_row(plain, column=column) if rise > 0 else -1
        is_child = row >= 0 and _comes_back(search, tableau, row, column)
        arrays.leaving[level, column] = row if is_child else -1
    with search.lock:
        if basis != search.root and _stands_for_vertex(plain, search.polytope):
            search.found.append(basis)
        search.judged_exactly += 1
    arrays.cursors[level] = arrays.counts[IS_NEW] = 0
    arrays.counts[VISITED] += 1


def without_cost(tableau: Tableau) -> Tableau:
    """Leave out the row of the cost."""
    return tableau._replace(rows=tableau.rows[:-1], basic=tableau.basic[:-1])


def _comes_back(search: ReverseSearch, tableau: Tableau, row: int, column: int) -> bool:
    """Tell whether no edge from the other end is steeper than this one; first labels break ties.

    Steepness is in units of the floats, in which own actions are scaled.
    """
    leaves = tableau.basic[row]
    entries, costs = tableau.rows[row], tableau.rows[-1]
    element, rise, factor = entries[column], costs[column], search.scale.get(leaves, 1)
    for k, label in enumerate(tableau.nonbasic):
        unit = tableau.determinant * search.scale.get(label, 1)
        less_steep = factor * (costs[k] * element - rise * entries[k]) + rise * unit
        if k != column and (less_steep < 0 or (less_steep == 0 and label < leaves)):
            return False
    return True


def _stands_for_vertex(plain: Tableau, polytope: BestResponsePolytope) -> bool:
    """Tell whether no other basis of the vertex comes before this one."""

    def order(label: int) -> tuple[bool, int]:
        return label in polytope.own_labels, label

    return all(
        order(nonbasic) > order(basic)
        for basic, row in zip(plain.basic, plain.rows, strict=True)
        if not row[-1]
        for nonbasic, value in zip(plain.nonbasic, row, strict=False)
        if value
    )


def _with_room(arrays: Search) -> Search:
    """Double the levels if the tree is that deep."""
    if int(arrays.counts[LEVEL]) + 1 < len(arrays.basic):
        return arrays
    names = ("tableaus", "basic", "nonbasic", "leaving", "cursors")
    return arrays._replace(**{name: np.concatenate([getattr(arrays, name)] * 2) for name in names})


def _collect(search: ReverseSearch, arrays: Search) -> int:
    """Move what was found since the last time from the arrays; return how many were visited."""
    visited, num_found, num_left = (int(arrays.counts[k]) for k in (VISITED, FOUND, POSTPONED))
    found = map(bit_set, arrays.found[:num_found].tolist())
    bases = map(bit_set, arrays.postponed[:num_left].tolist())
    with search.lock:
        search.found.extend(found)
        search.left.extend(bases)
        search.visited += visited
    arrays.counts[[VISITED, FOUND, POSTPONED]] = 0
    return visited


def _rest(arrays: Search) -> Iterator[int]:
    """List what the search has not come to: the vertex in hand, and later children of all above."""
    level = int(arrays.counts[LEVEL])
    bases = list(map(bit_set, arrays.nonbasic[: level + 1].tolist()))
    if arrays.counts[IS_NEW]:
        yield bases[level]
        level -= 1
    for k in range(level + 1):
        for column in range(int(arrays.cursors[k]), arrays.nonbasic.shape[1]):
            row = int(arrays.leaving[k, column])
            if row >= 0:
                leaves, enters = int(arrays.nonbasic[k, column]), int(arrays.basic[k, row])
                yield bases[k] ^ (1 << leaves) ^ (1 << enters)
