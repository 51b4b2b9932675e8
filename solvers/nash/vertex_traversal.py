"""Visiting all vertices of a best-response polytope, along its edges, each once."""

from dataclasses import dataclass

from solvers.nash.best_response_polytopes import BestResponsePolytope, VertexTable
from solvers.nash.extreme_equilibria import vertex_table
from solvers.nash.lexicographic_pivoting import (
    basic_weights,
    leaving_row,
    origin,
    pivot,
    tight_labels,
)
from solvers.solution import Meter


@dataclass(frozen=True)
class Traversal:
    """The vertices visited.

    Attributes
    ----------
    table : VertexTable
        Different vertices, without the origin.
    is_complete : bool
        Whether every edge was followed: then these are all vertices.
    """

    table: VertexTable
    is_complete: bool


def traverse(polytope: BestResponsePolytope, meter: Meter) -> Traversal:
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
