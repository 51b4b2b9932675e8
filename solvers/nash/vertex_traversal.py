"""Visiting all vertices of a best-response polytope, along its edges, each basis once.

Two ways to the same answer. Python integers take numbers of any size. Machine words are some fifty
times faster a vertex, but their kernel takes half a second to load and gives up on numbers of more
than about 95 bits; then Python integers start again.
"""

import sys
from math import comb

from solvers.nash.best_response_polytopes import BestResponsePolytope, Traversal, vertex_table
from solvers.nash.lexicographic_pivoting import (
    basic_weights,
    leaving_row,
    origin,
    pivot,
    tight_labels,
)
from solvers.solution import Meter

KERNEL = "solvers.nash.word_traversal"
WORTH_LOADING = 1_500  # vertices: then the kernel's half second is won back
WORTH_CALLING = 30


def traverse(polytope: BestResponsePolytope, meter: Meter) -> Traversal:
    """Visit all vertices, as far as the budget goes."""
    worth = WORTH_CALLING if KERNEL in sys.modules else WORTH_LOADING
    if most_vertices(polytope) > worth:
        from solvers.nash.word_traversal import traverse_in_words  # noqa: PLC0415 loads numba

        done = traverse_in_words(polytope, meter)
        if done is not None:
            return done
    return traverse_in_integers(polytope, meter)


def most_vertices(polytope: BestResponsePolytope) -> int:
    """Bound the number of vertices (McMullen 1970: cyclic polytopes have most)."""
    dimension, facets = len(polytope.own_labels), polytope.num_labels
    return comb(facets - (dimension + 1) // 2, facets - dimension) + comb(
        facets - (dimension + 2) // 2, facets - dimension
    )


def traverse_in_integers(polytope: BestResponsePolytope, meter: Meter) -> Traversal:
    """Visit all vertices in Python integers of any size, as far as the budget goes."""
    start = origin(polytope)
    seen = {frozenset(start.nonbasic)}
    pending = [start]
    weights: dict[int, list[int]] = {}
    while pending and not meter.is_exhausted:
        tableau = pending.pop()
        weights[tight_labels(tableau)] = basic_weights(tableau, polytope.own_labels)
        meter.step()
        tight = frozenset(tableau.nonbasic)
        for column, label in enumerate(tableau.nonbasic):
            row = leaving_row(tableau, column=column)
            neighbor = tight - {label} | {tableau.basic[row]}
            if neighbor not in seen:
                seen.add(neighbor)
                pending.append(pivot(tableau, row=row, column=column))
    return Traversal(vertex_table(weights, polytope), is_complete=not pending)
