"""Visiting the vertices of a best-response polytope in floats, with a proof that they are all.

The loop itself is ``solvers._kernels.float_edge_following``. It returns *bases*, sets of as many
tight labels as the polytope has dimensions, and each edge from one of them leads to another. If all
of them are vertices at which no further label is tight, they are all vertices: a neighbor that
shares all labels but one is the other end of that edge, and the graph of a polytope is connected.

That a basis is such a vertex means that some numbers are positive, the solution of a linear system
and slacks. They are computed in floats with bounds on their errors (Rump 2010, section 10): with
``R`` an approximate inverse of ``K``, and ``|I - R K| <= a < 1`` in the row-sum norm, ``K`` is
nonsingular and the solution of ``K z = 1`` is within ``|R| |1 - K w| / (1 - a)`` of any ``w``. A
number that is positive by more than its error is positive. Where this fails, as it does at every
degenerate vertex, nothing is known, and exact pivoting takes over.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from solvers._kernels import float_edge_following
from solvers._kernels.edge_following import DONE, LIMIT_REACHED, NEEDS_ROOM, insert
from solvers._kernels.float_edge_following import FloatTraversal
from solvers._programs.rational_systems import solve_dense
from solvers.bimatrix.best_response_polytopes import (
    LABELS_IN_A_WORD,
    BestResponsePolytope,
    Traversal,
    VertexTable,
    most_vertices,
)
from solvers.bimatrix.word_traversal import FIRST_ROOM, VECTOR, followed
from solvers.solution import Meter

CHUNK = 4_096  # bases checked at once
UNIT = 2.0**-52  # twice the rounding unit of a float operation
SAFE = 1.0 + 1e-9  # covers the rounding of the error bounds themselves
LARGEST_INVERSE = 1e100  # keeps the bounds away from overflow
_STACKED, _FOUND = ("tableaus", "basic", "nonbasic"), ("found",)
UNDERFLOW = 1e-200  # more than all products too small for floats can add up to


def traverse_in_floats(polytope: BestResponsePolytope, meter: Meter) -> Traversal | None:
    """Visit all vertices, as far as budget and memory go; None if floats prove nothing."""
    if polytope.num_labels > LABELS_IN_A_WORD:
        return None
    matrix = _scaled(polytope)
    arrays = _laid_out(polytope, matrix)
    before = meter.iterations
    arrays, status, is_full = followed(
        arrays, float_edge_following.follow_edges, stacked=_STACKED, found=_FOUND, meter=meter
    )
    bases = arrays.found[: int(arrays.counts[1])]
    is_known = status in (DONE, LIMIT_REACHED, NEEDS_ROOM)
    if not is_known or not _are_simple_vertices(bases, matrix, polytope):
        meter.iterations = before
        return None
    origin = sum(1 << label for label in polytope.own_labels)
    labels = np.sort(bases[bases != origin])
    table = VertexTable(labels, _weight_reader(polytope, labels))
    return Traversal(table, is_complete=status == DONE, is_full=is_full)


def _scaled(polytope: BestResponsePolytope) -> FloatArray:
    """Round the matrix to floats, each column divided by its largest entry, which moves no basis.

    Each entry is off by at most half a rounding unit.
    """
    matrix = polytope.matrix
    largest = matrix.max(axis=0).tolist()
    rows = [
        [value / most for value, most in zip(row, largest, strict=True)] for row in matrix.tolist()
    ]
    return np.array(rows, dtype=np.float64)


def _laid_out(polytope: BestResponsePolytope, matrix: FloatArray) -> FloatTraversal:
    """Put the tableau of the vertex 0 on the stack."""
    rows, columns = matrix.shape
    width = -(-(columns + 1) // VECTOR) * VECTOR
    expected = min(most_vertices(polytope), FIRST_ROOM)
    slots = expected + columns + 1
    arrays = FloatTraversal(
        tableaus=np.empty((slots, rows, width)),
        basic=np.empty((slots, rows), dtype=np.int64),
        nonbasic=np.empty((slots, columns), dtype=np.int64),
        bounds=np.empty(width),
        leaving=np.empty(width, dtype=np.int64),
        held=np.empty(width),
        seen=np.zeros(1 << (2 * (expected + columns)).bit_length(), dtype=np.int64),
        found=np.empty(expected, dtype=np.int64),
        counts=np.array([1, 0, 1], dtype=np.int64),
    )
    arrays.tableaus[1] = 0.0
    arrays.tableaus[1, :, :columns] = matrix
    arrays.tableaus[1, :, -1] = 1.0
    arrays.basic[1] = polytope.reply_labels
    arrays.nonbasic[1] = polytope.own_labels
    insert(arrays.seen, sum(1 << label for label in polytope.own_labels))
    return arrays


def _are_simple_vertices(
    bases: NDArray[np.int64], matrix: FloatArray, polytope: BestResponsePolytope
) -> bool:
    """Prove that each basis is a vertex with no other tight label."""
    own, replies = (
        (bases[:, None] >> np.array(labels)) & 1 == 1
        for labels in (polytope.own_labels, polytope.reply_labels)
    )
    played, tight = ~own, replies
    sizes = played.sum(axis=1)
    if (tight.sum(axis=1) != sizes).any():
        return False
    for size in np.unique(sizes).tolist():
        if size == 0:  # the origin, with all slacks 1
            continue
        chosen = np.flatnonzero(sizes == size)
        for start in range(0, len(chosen), CHUNK):
            part = chosen[start : start + CHUNK]
            columns = np.nonzero(played[part])[1].reshape(-1, size)
            rows = np.nonzero(tight[part])[1].reshape(-1, size)
            found = enclosed(matrix, rows, columns)
            if found is None or not _are_positive(found, ~tight[part]):
                return False
    return True


@dataclass(frozen=True, eq=False)
class Enclosure:
    """Weights and slacks of bases of one size, each known up to an error.

    Attributes:
        weights (num_bases, size)
        weight_errors (num_bases,): Every weight of a basis is off by less.
        slacks, slack_errors (num_bases, num_replies)
    """

    weights: FloatArray
    weight_errors: FloatArray
    slacks: FloatArray
    slack_errors: FloatArray


def enclosed(
    matrix: FloatArray, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> Enclosure | None:
    """Solve the systems of bases with bounds on all errors; None if one may be singular.

    Args:
        matrix (num_replies, num_actions): Each entry, between 0 and 1, rounded once.
        rows, columns (num_bases, size): Tight replies and played actions of each basis.
    """
    size = rows.shape[1]
    rounding = (size + 8) * UNIT * SAFE  # of a sum of products, and of the matrix itself
    systems = matrix[rows[:, :, None], columns[:, None, :]]
    try:
        inverses = np.linalg.inv(systems)
    except np.linalg.LinAlgError:
        return None
    inverse_sizes = np.abs(inverses)
    if not (inverse_sizes < LARGEST_INVERSE).all():
        return None
    weights = inverses.sum(axis=2)
    magnitudes = np.abs(weights)
    identity = np.eye(size)
    departure = np.abs(inverses @ systems - identity)
    departure += rounding * (inverse_sizes @ systems + identity) + UNDERFLOW
    norms = departure.sum(axis=2).max(axis=1) * SAFE
    if not (norms < 0.5).all():
        return None
    residuals = np.abs(1.0 - _applied(systems, weights))
    residuals += rounding * (_applied(systems, magnitudes) + 1.0) + UNDERFLOW
    errors = _applied(inverse_sizes, residuals).max(axis=1) / (1.0 - norms) * SAFE
    full = matrix[:, columns].transpose(1, 0, 2)  # bases x replies x played actions
    slack_errors = full.sum(axis=2) * errors[:, None]
    slack_errors += rounding * (_applied(full, magnitudes) + 1.0) + UNDERFLOW
    return Enclosure(
        weights=weights,
        weight_errors=errors * SAFE,
        slacks=1.0 - _applied(full, weights),
        slack_errors=slack_errors * SAFE,
    )


def _are_positive(found: Enclosure, is_slack: NDArray[np.bool_]) -> bool:
    """Tell whether all weights, and the slacks that must be, are proved to be positive."""
    weights = found.weights > found.weight_errors[:, None]
    slacks = (found.slacks > found.slack_errors) | ~is_slack
    return bool(weights.all() and slacks.all())


def _applied(systems: FloatArray, vectors: FloatArray) -> FloatArray:
    return (systems @ vectors[:, :, None])[:, :, 0]


def _weight_reader(
    polytope: BestResponsePolytope, labels: NDArray[np.int64]
) -> Callable[[int], list[int]]:
    """Solve a vertex's system exactly when it is asked for."""
    matrix = polytope.matrix

    def weights(vertex: int) -> list[int]:
        tight = int(labels[vertex])
        columns = [k for k, label in enumerate(polytope.own_labels) if not tight >> label & 1]
        rows = [k for k, label in enumerate(polytope.reply_labels) if tight >> label & 1]
        solved = solve_dense(matrix[np.ix_(rows, columns)].tolist(), [1] * len(rows)).numerators
        values = [0] * len(polytope.own_labels)
        for column, value in zip(columns, solved, strict=True):
            values[column] = value
        return values

    return weights
