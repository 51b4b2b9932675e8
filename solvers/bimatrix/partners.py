"""Partners of a vertex: the vertices of the other polytope with the labels that it lacks."""

from operator import mul

from solvers._programs.rational_systems import solve_dense
from solvers.bimatrix.best_response_polytopes import BestResponsePolytope
from solvers.bimatrix.faces import NO_VERTICES, FaceVertices, face_vertices, largest_sum
from solvers.solution import Meter


def partners(polytope: BestResponsePolytope, missing: int, meter: Meter) -> FaceVertices:
    """Find the vertices at which labels are tight, exactly.

    Args:
        polytope: The other player's.
        missing: Bit set of labels; at least one is a reply's.
        meter: Its time limits the search where there are many.
    """
    played = [j for j, label in enumerate(polytope.own_labels) if not missing >> label & 1]
    held = [i for i, label in enumerate(polytope.reply_labels) if missing >> label & 1]
    table: list[list[int]] = polytope.matrix[:, played].tolist()
    found = _unique_solution(table, held)
    if found is None:
        found = _on_face(table, held, meter)
    size = len(polytope.own_labels)
    spread = [_spread(weights, played, size) for weights in found.weights]
    return FaceVertices(spread, found.is_complete)


def _spread(weights: list[int], places: list[int], size: int) -> list[int]:
    whole = [0] * size
    for place, weight in zip(places, weights, strict=True):
        whole[place] = weight
    return whole


def _unique_solution(table: list[list[int]], held: list[int]) -> FaceVertices | None:
    """Keep the one point at which rows are 1 if it is inside; None if there is not just one."""
    if len(held) != len(table[0]):
        return None
    try:
        solved = solve_dense([table[i] for i in held], [1] * len(held))
    except ZeroDivisionError:
        return None
    weights, unit = solved.numerators, solved.denominator
    is_inside = min(weights) >= 0 and all(sum(map(mul, row, weights)) <= unit for row in table)
    return FaceVertices([weights] if is_inside else [], is_complete=True)


def _on_face(table: list[list[int]], held: list[int], meter: Meter) -> FaceVertices:
    """List the vertices at which rows are 1: where their sum is as large as it can be."""
    if not table[0]:
        return FaceVertices([], is_complete=True)
    sums = [sum(column) for column in zip(*(table[i] for i in held), strict=True)]
    best = largest_sum(table, sums, meter)
    if best is None:
        return NO_VERTICES
    if best.rows[-1][-1] < len(held) * best.determinant:
        return FaceVertices([], is_complete=True)
    return face_vertices(best, len(table[0]), meter)
