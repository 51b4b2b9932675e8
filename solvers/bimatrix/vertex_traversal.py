"""Visiting all vertices of a best-response polytope, along its edges, each basis once.

Three ways to the same answer. Python integers take numbers of any size. Machine words are some
forty times faster, but give up on numbers of more than about 95 bits. Floats, with bounds on their
errors that prove the answer, take numbers of any size, such as payoffs that were given as floats,
but give up where more labels are tight than a vertex needs. Both kernels take half a second to
load. They are loaded once Python integers have been at work for about as long, so that a single
small game never waits for them.
"""

import sys
from dataclasses import dataclass

from solvers.bimatrix.best_response_polytopes import (
    BestResponsePolytope,
    Traversal,
    most_vertices,
    vertex_table,
)
from solvers.bimatrix.lexicographic_pivoting import (
    basic_weights,
    leaving_row,
    origin,
    pivot,
    tight_labels,
)
from solvers.solution import Meter

KERNEL = "solvers.bimatrix.word_traversal"
WORTH_LOADING = 6_000  # vertices in Python integers, about half a second
WORTH_CALLING = 10  # vertices, once the kernel is loaded
EXPECTED_SHARE = 4  # a random polytope of 10 x 10 actions has a quarter of the most vertices


@dataclass
class _Ledger:
    """Vertices visited in Python integers in this process; affects speed, never an answer."""

    visited: int = 0


_LEDGER = _Ledger()


def traverse(polytope: BestResponsePolytope, meter: Meter) -> Traversal:
    """Visit all vertices, as far as the budget goes."""
    if _kernels_are_worth_it(polytope):
        from solvers.bimatrix.float_traversal import traverse_in_floats  # noqa: PLC0415 loads numba
        from solvers.bimatrix.word_traversal import traverse_in_words  # noqa: PLC0415 loads numba

        done = traverse_in_words(polytope, meter) or traverse_in_floats(polytope, meter)
        if done is not None:
            return done
    before = meter.iterations
    traversal = traverse_in_integers(polytope, meter)
    _LEDGER.visited += meter.iterations - before
    return traversal


def _kernels_are_worth_it(polytope: BestResponsePolytope) -> bool:
    expected = most_vertices(polytope) // EXPECTED_SHARE
    if KERNEL in sys.modules:
        return expected > WORTH_CALLING
    return _LEDGER.visited + expected > WORTH_LOADING


def traverse_in_integers(polytope: BestResponsePolytope, meter: Meter) -> Traversal:
    """Visit all vertices in Python integers of any size, as far as the budget goes."""
    start = origin(polytope)
    seen = {frozenset(start.nonbasic)}
    pending = [start]
    weights: dict[int, list[int]] = {}
    is_cut = False
    while pending and not is_cut and not meter.is_exhausted:
        tableau = pending.pop()
        weights[tight_labels(tableau)] = basic_weights(tableau, polytope.own_labels)
        meter.step()
        tight = frozenset(tableau.nonbasic)
        for column, label in enumerate(tableau.nonbasic):
            is_cut = meter.seconds_left == 0.0  # a single vertex of a large polytope takes minutes
            if is_cut:
                break
            row = leaving_row(tableau, column=column)
            neighbor = tight - {label} | {tableau.basic[row]}
            if neighbor not in seen:
                seen.add(neighbor)
                pending.append(pivot(tableau, row=row, column=column))
    return Traversal(vertex_table(weights, polytope), is_complete=not pending and not is_cut)
