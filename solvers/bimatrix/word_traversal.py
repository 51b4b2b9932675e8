"""Visiting the vertices of a best-response polytope in machine words: room, budget, results.

The loop itself is ``solvers._kernels.edge_following``; here its arrays are laid out, enlarged, and
read back as exact integers.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.memory import memory_cap
from solvers._kernels import edge_following
from solvers._kernels.edge_following import DONE, LIMIT_REACHED, NEEDS_ROOM, TOO_LARGE, follow_edges
from solvers.bimatrix.best_response_polytopes import (
    LABELS_IN_A_WORD,
    BestResponsePolytope,
    Traversal,
    VertexTable,
    most_vertices,
)
from solvers.solution import Meter

LARGEST_ENTRY = 2**62
VECTOR = 8  # words a processor handles at once: short rows run far faster when padded
FIRST_ROOM = 4_096  # vertices; untouched memory costs nothing
BATCH = 2_048  # vertices between two looks at the budget


_STACKED = (
    "residues",
    "estimates",
    "determinant_residues",
    "determinant_estimates",
    "basic",
    "nonbasic",
)
_FOUND = ("found_labels", "found_basic", "found_residues", "found_estimates")


class OutOfReach(Exception):
    """Numbers do not fit words, or vertices do not fit the memory."""


def traverse_in_words(polytope: BestResponsePolytope, meter: Meter) -> Traversal:
    """Visit all vertices, as far as the budget goes.

    Raises:
        OutOfReach: If numbers, labels or vertices do not fit; nothing is counted then.
    """
    if polytope.num_labels > LABELS_IN_A_WORD or polytope.matrix.max() >= LARGEST_ENTRY:
        raise OutOfReach("labels or payoffs do not fit words")
    arrays = _laid_out(polytope)
    before = meter.iterations
    room = memory_cap() // 2  # there are two polytopes
    status = LIMIT_REACHED
    while status in (LIMIT_REACHED, NEEDS_ROOM) and not meter.is_exhausted:
        if status == NEEDS_ROOM:
            arrays = _enlarged(arrays)
        found = int(arrays.counts[1])
        status = follow_edges(arrays, polytope.reply_labels.start, meter.at_most(BATCH))
        meter.step(int(arrays.counts[1]) - found)
        if status == TOO_LARGE or 2 * _bytes_used(arrays) > room:  # copies are made
            meter.iterations = before
            raise OutOfReach("numbers do not fit words, or vertices memory")
    return Traversal(_table(arrays, polytope), is_complete=status == DONE)


def _laid_out(polytope: BestResponsePolytope) -> edge_following.Traversal:
    """Put the tableau of the vertex 0 on the stack."""
    rows, columns = polytope.matrix.shape
    width = -(-(columns + 1) // VECTOR) * VECTOR
    expected = min(most_vertices(polytope), FIRST_ROOM)
    slots = expected + columns + 1
    places = 1 << (2 * (expected + columns)).bit_length()
    arrays = edge_following.Traversal(
        residues=np.empty((slots, rows, width), dtype=np.int64),
        estimates=np.empty((slots, rows, width)),
        determinant_residues=np.ones(slots, dtype=np.int64),
        determinant_estimates=np.ones(slots),
        basic=np.empty((slots, rows), dtype=np.int64),
        nonbasic=np.empty((slots, columns), dtype=np.int64),
        positions=np.empty(rows + columns, dtype=np.int64),
        ratios=np.empty((rows, width)),
        bounds=np.empty(width),
        num_candidates=np.empty(width, dtype=np.int64),
        candidates=np.zeros(width, dtype=np.int64),
        seen=np.zeros(places, dtype=np.int64),
        found_labels=np.empty(expected, dtype=np.int64),
        found_basic=np.empty((expected, rows), dtype=np.int64),
        found_residues=np.empty((expected, rows), dtype=np.int64),
        found_estimates=np.empty((expected, rows)),
        counts=np.array([1, 0, 1], dtype=np.int64),
    )
    arrays.residues[1] = 0
    arrays.residues[1, :, :columns] = polytope.matrix
    arrays.residues[1, :, columns] = 1
    arrays.estimates[1] = arrays.residues[1]
    arrays.basic[1] = polytope.reply_labels
    arrays.nonbasic[1] = polytope.own_labels
    edge_following.insert(arrays.seen, sum(1 << label for label in polytope.own_labels))
    return arrays


def _bytes_used(arrays: edge_following.Traversal) -> int:
    """Return the memory that has been written to; what was only set aside costs nothing."""
    num_stacked, num_found, _ = arrays.counts.tolist()
    tableau = sum(getattr(arrays, name)[0].nbytes for name in _STACKED)
    vertex = sum(getattr(arrays, name)[0].nbytes for name in _FOUND)
    return num_stacked * tableau + num_found * vertex + arrays.seen.nbytes


def _enlarged(arrays: edge_following.Traversal) -> edge_following.Traversal:
    """Double whichever arrays are half full or more."""
    num_stacked, num_found, num_seen = arrays.counts.tolist()
    full = _STACKED if 2 * num_stacked >= len(arrays.basic) else ()
    if 2 * num_found >= len(arrays.found_labels):
        full += _FOUND
    changes = {name: _doubled(getattr(arrays, name)) for name in full}
    if 4 * num_seen >= len(arrays.seen):
        changes["seen"] = np.zeros(4 * len(arrays.seen), dtype=np.int64)
        edge_following.insert_all(changes["seen"], arrays.seen)
    return arrays._replace(**changes)


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    larger = np.empty((2 * len(array), *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger


def _table(arrays: edge_following.Traversal, polytope: BestResponsePolytope) -> VertexTable:
    """Keep each vertex once, without the origin."""
    found = int(arrays.counts[1])
    labels, numbers = np.unique(arrays.found_labels[:found], return_index=True)
    kept = labels != sum(1 << label for label in polytope.own_labels)
    return VertexTable(labels[kept], _weight_reader(arrays, numbers[kept], polytope.own_labels))


def _weight_reader(
    arrays: edge_following.Traversal, numbers: NDArray[np.intp], own_labels: range
) -> Callable[[int], list[int]]:
    found_basic, found_residues = arrays.found_basic, arrays.found_residues
    found_estimates = arrays.found_estimates  # and no more, so that the tableaus can go

    def weights(vertex: int) -> list[int]:
        number = numbers[vertex]
        basic = found_basic[number].tolist()
        residues = found_residues[number].tolist()
        estimates = found_estimates[number].tolist()
        values = dict(zip(basic, map(_exact, residues, estimates), strict=True))
        return [values.get(label, 0) for label in own_labels]

    return weights


def _exact(residue: int, estimate: float) -> int:
    """Return the integer with this residue modulo 2**64 that is nearest to the estimate."""
    near = int(estimate)
    return near + (residue - near + 2**63) % 2**64 - 2**63
