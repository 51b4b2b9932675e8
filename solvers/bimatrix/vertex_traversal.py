"""Visiting all vertices of a best-response polytope, along its edges, each basis once.

Three ways to the same answer. Python integers take numbers of any size. Machine words are some
forty times faster, but give up on numbers of more than about 95 bits. Floats, with bounds on their
errors that prove the answer, take numbers of any size, such as payoffs that were given as floats,
but give up where more labels are tight than a vertex needs. Both kernels take half a second to
load, so that small polytopes are left to Python integers.
"""

from typing import TypeAlias

from solvers.bimatrix.best_response_polytopes import (
    BestResponsePolytope,
    Traversal,
    most_vertices,
    room_for_vertices,
    vertex_table,
)
from solvers.bimatrix.lexicographic_pivoting import (
    Tableau,
    basic_weights,
    leaving_row,
    origin,
    pivot,
    tight_labels,
)
from solvers.solution import Meter

WORTH_LOADING = 1_000  # vertices, about a tenth of a second in Python integers
EXPECTED_SHARE = 4  # a random polytope of 10 x 10 actions has a quarter of the most vertices
BYTES_OF_A_NUMBER = 40  # a Python integer and the place that refers to it
BYTES_OF_A_BASIS = 160  # noted as seen, and its edge while it waits

Edge: TypeAlias = tuple[int, int]  # row and column


def traverse(polytope: BestResponsePolytope, meter: Meter) -> Traversal:
    """Visit all vertices, as far as the budget goes."""
    if most_vertices(polytope) // EXPECTED_SHARE >= WORTH_LOADING:
        from solvers.bimatrix.float_traversal import traverse_in_floats  # noqa: PLC0415 loads numba
        from solvers.bimatrix.word_traversal import traverse_in_words  # noqa: PLC0415 loads numba

        done = traverse_in_words(polytope, meter) or traverse_in_floats(polytope, meter)
        if done is not None:
            return done
    return traverse_in_integers(polytope, meter)


def traverse_in_integers(polytope: BestResponsePolytope, meter: Meter) -> Traversal:
    """Visit all vertices in Python integers of any size, as far as budget and memory go.

    An edge is followed only when its other end is visited, so that vertices wait without tableaus
    of their own.
    """
    tableau = origin(polytope)
    seen = {_bits(tableau.nonbasic)}
    waiting: list[tuple[Tableau, list[Edge]]] = []
    weights: dict[int, list[int]] = {}
    room, held = room_for_vertices(), 0
    is_complete = False
    while not (meter.is_exhausted or held > room):
        weights[tight_labels(tableau)] = basic_weights(tableau, polytope.own_labels)
        meter.step()
        edges = _new_edges(tableau, seen, meter)
        if edges is None:
            break
        held += (len(edges) + 1) * BYTES_OF_A_BASIS + BYTES_OF_A_NUMBER * len(polytope.own_labels)
        if edges:
            waiting.append((tableau, edges))
            held += _bytes_of(tableau)
        is_complete = not waiting
        if is_complete:
            break
        start, left = waiting[-1]
        row, column = left.pop()
        if not left:
            waiting.pop()
            held -= _bytes_of(start)
        tableau = pivot(start, row=row, column=column)
    table = vertex_table(weights, polytope)
    return Traversal(table, is_complete=is_complete, is_full=held > room)


def _new_edges(tableau: Tableau, seen: set[int], meter: Meter) -> list[Edge] | None:
    """List the edges to bases not seen before, and note those; None if time is over."""
    tight = _bits(tableau.nonbasic)
    edges: list[Edge] = []
    for column, label in enumerate(tableau.nonbasic):
        if meter.seconds_left == 0.0:  # a single vertex of a large polytope takes minutes
            return None
        row = leaving_row(tableau, column=column)
        neighbor = tight ^ (1 << label) ^ (1 << tableau.basic[row])
        if neighbor not in seen:
            seen.add(neighbor)
            edges.append((row, column))
    return edges


def _bits(labels: tuple[int, ...]) -> int:
    return sum(1 << label for label in labels)


def _bytes_of(tableau: Tableau) -> int:
    """Estimate a tableau's memory: its entries are about as long as its determinant."""
    entries = len(tableau.rows) * len(tableau.rows[0])
    return entries * (BYTES_OF_A_NUMBER + tableau.determinant.bit_length() // 8)
