"""Vertices of a face of a polytope ``{z >= 0 : M z <= 1}``: where a sum with weights is largest.

The simplex method goes to the face. What is zero on all of it is found by making one variable after
the other as large as the face allows; without these the face is a polytope with an interior, of few
dimensions, whose vertices are visited along its edges.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd
from operator import mul
from typing import TypeAlias

from solvers.bimatrix.best_response_polytopes import Tableau, basic_weights, leaving_row, pivot
from solvers.solution import Meter

Matrix: TypeAlias = list[list[int]]

OBJECTIVE = -1  # in place of a label


@dataclass(frozen=True, eq=False)
class FaceVertices:
    """Vertices of a face.

    Attributes:
        weights: Integers without common factors, each vertex times a positive number.
        is_complete: Whether these are all.
    """

    weights: list[list[int]]
    is_complete: bool


NO_VERTICES = FaceVertices([], is_complete=False)


def face_vertices(best: Tableau, size: int, meter: Meter) -> FaceVertices:
    """Visit all vertices of the face where a sum is largest, as far as the budget goes.

    Args:
        best: Of ``largest_sum``.
        size: Number of variables.
        meter: Counts vertices.
    """
    inside = _without_zeros(*_zeros(best))
    dimension = len(inside.nonbasic)
    found: dict[tuple[int, ...], None] = {}
    rows = list(_inequalities(inside))
    labels = range(dimension, dimension + len(rows))
    start = Tableau(rows, 1, tuple(labels), tuple(range(dimension)), labels)
    seen = {start.nonbasic}
    waiting = [start]
    while waiting:
        if meter.is_exhausted:
            return FaceVertices(list(map(list, found)), is_complete=False)
        tableau = waiting.pop()
        meter.step()
        point = basic_weights(tableau, range(dimension))
        found[_whole(inside, point, tableau.determinant, size)] = None
        for column in range(dimension):
            edge = pivot(tableau, row=leaving_row(tableau, column=column), column=column)
            basis = tuple(sorted(edge.nonbasic))
            if basis not in seen:
                seen.add(basis)
                waiting.append(edge)
    return FaceVertices(list(map(list, found)), is_complete=True)


def largest_sum(table: Matrix, weights: list[int], meter: Meter) -> Tableau | None:
    """Make a sum with weights as large as it can be; the last row says what columns cost.

    Its last entry is the largest sum, times the determinant. None if the budget ends first.
    """
    size = len(weights)
    labels = range(size, size + len(table))
    rows = [*([*row, 1] for row in table), [-weight for weight in weights] + [0]]
    tableau = Tableau(rows, 1, (*labels, OBJECTIVE), tuple(range(size)), labels)
    while min(costs := tableau.rows[-1][:-1]) < 0:
        if meter.is_exhausted:
            return None
        column = costs.index(min(costs))
        tableau = pivot(tableau, row=leaving_row(tableau, column=column), column=column)
    return tableau


def _zeros(tableau: Tableau) -> tuple[Tableau, set[int]]:
    """Return the labels of variables that are zero wherever the objective is best."""
    costs = tableau.rows[-1][:-1]
    zeros = {label for label, cost in zip(tableau.nonbasic, costs, strict=True) if cost}
    positive: set[int] = set()
    for label in sorted({*tableau.basic, *tableau.nonbasic} - zeros - {OBJECTIVE}):
        if label in positive:
            continue
        tableau = _largest(tableau, label, zeros)
        positive.update(b for b, row in zip(tableau.basic, tableau.rows, strict=True) if row[-1])
        if label not in positive:
            zeros.add(label)
    return tableau, zeros


def _largest(tableau: Tableau, label: int, zeros: set[int]) -> Tableau:
    """Make a variable as large as it can be while others stay zero."""
    if label in tableau.nonbasic:
        column = tableau.nonbasic.index(label)
        tableau = pivot(tableau, row=leaving_row(tableau, column=column), column=column)
    while True:
        own = tableau.rows[tableau.basic.index(label)]
        column = next(
            (j for j, n in enumerate(tableau.nonbasic) if own[j] < 0 and n not in zeros), -1
        )
        if column < 0 or own[-1]:
            return tableau
        tableau = pivot(tableau, row=leaving_row(tableau, column=column), column=column)


def _without_zeros(tableau: Tableau, zeros: set[int]) -> Tableau:
    """Leave out variables that are zero, and the objective.

    When a variable was found to be zero, its row had nonnegative entries but for known zeros, so it
    says of what is left only that variables are zero; and known zeros do not enter a basis again.
    """
    columns = [j for j, label in enumerate(tableau.nonbasic) if label not in zeros]
    kept = [i for i, label in enumerate(tableau.basic) if label not in zeros and label != OBJECTIVE]
    return tableau._replace(
        rows=[[*(tableau.rows[i][j] for j in columns), tableau.rows[i][-1]] for i in kept],
        basic=tuple(tableau.basic[i] for i in kept),
        nonbasic=tuple(tableau.nonbasic[j] for j in columns),
    )


def _inequalities(tableau: Tableau) -> Iterator[list[int]]:
    """Yield each row that can bind, once, without common factors."""
    seen: set[tuple[int, ...]] = set()
    for row in tableau.rows:
        divisor = gcd(*row)
        reduced = tuple(value // divisor for value in row)
        if max(row[:-1], default=0) > 0 and reduced not in seen:
            seen.add(reduced)
            yield list(reduced)


def _whole(inside: Tableau, point: list[int], unit: int, size: int) -> tuple[int, ...]:
    """Return all of a player's weights, without common factors, at a point in units of 1 / unit."""
    weights = [0] * size
    for label, value in zip(inside.nonbasic, point, strict=True):
        if label < size:
            weights[label] = inside.determinant * value
    for label, row in zip(inside.basic, inside.rows, strict=True):
        if label < size:
            weights[label] = row[-1] * unit - sum(map(mul, row[:-1], point))
    divisor = gcd(*weights)
    return tuple(weight // divisor for weight in weights)
