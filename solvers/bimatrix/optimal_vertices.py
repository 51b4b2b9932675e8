"""Equilibria of games that are zero-sum but for scale and terms that nobody's own choice changes.

A bimatrix game is *strategically zero-sum* if, for some positive alpha and beta,

    alpha A[i, j] + beta B[i, j] = r[i] + s[j].

Then ``Z[i, j] = alpha A[i, j] - s[j]`` differs from ``alpha A`` by what the row player cannot
change, and ``-Z`` from ``beta B`` by what the column player cannot: best replies are those of the
zero-sum game Z. Its equilibria are all pairs of optimal strategies, and its extreme equilibria all
pairs of vertices of the two sets of optimal strategies.

Each set is the face of a polytope ``{z >= 0 : M z <= 1}`` with positive M on which ``sum z`` is
largest. The simplex method goes to it. What is zero on all of the face is found by making one
variable after the other as large as the face allows; without these the face is a polytope with an
interior, of few dimensions, whose vertices are visited along its edges.

Source: H. Moulin and J.-P. Vial, "Strategically zero-sum games: the class of games whose completely
    mixed equilibria cannot be improved upon", International Journal of Game Theory 7 (1978).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd
from operator import mul
from typing import TypeAlias

from gametheory_core.arrays import ExactArray
from gametheory_core.games.normal_form import NormalFormGame
from solvers.bimatrix.best_response_polytopes import Tableau, basic_weights, leaving_row, pivot
from solvers.solution import Meter

Matrix: TypeAlias = list[list[int]]

OBJECTIVE = -1  # in place of a label


def zero_sum_payoffs(game: NormalFormGame) -> ExactArray | None:
    """Return the row player's payoffs in a zero-sum game with the same best replies, as integers.

    None if there is no such game.

    >>> game = NormalFormGame.bimatrix([[1, 0], [0, 1]], [[5, 9], [7, 3]])
    >>> zero_sum_payoffs(game).tolist()
    [[-10, -18], [-18, -10]]
    >>> zero_sum_payoffs(NormalFormGame.symmetric([[1, 0], [0, 1]])) is None
    True
    """
    first, second = (scaled.numerators for scaled in game.scaled_payoffs)
    ratio = _ratio(first.tolist(), second.tolist())
    if ratio is None:
        return None
    alpha, beta = ratio
    column_terms = alpha * first[0] + beta * second[0]
    return alpha * first - column_terms


def _ratio(first: Matrix, second: Matrix) -> tuple[int, int] | None:
    """Return alpha and beta for which no interaction is left in ``alpha A + beta B``."""
    alpha = beta = 0
    for mine, others in zip(first[1:], second[1:], strict=True):
        for j in range(1, len(mine)):
            a = mine[j] - mine[0] - first[0][j] + first[0][0]
            b = others[j] - others[0] - second[0][j] + second[0][0]
            if not alpha and a * b < 0:
                alpha, beta = abs(b), abs(a)
            if alpha * a + beta * b or (not alpha and (a or b)):
                return None
    return (alpha, beta) if alpha else (1, 1)


@dataclass(frozen=True, eq=False)
class OptimalVertices:
    """Vertices of a player's optimal strategies.

    Attributes:
        weights: Whose quotients by their sum are the strategies.
        is_complete: Whether these are all.
    """

    weights: list[list[int]]
    is_complete: bool


def optimal_vertices(payoffs: ExactArray, player: int, meter: Meter) -> OptimalVertices:
    """Visit all vertices of a player's optimal strategies, as far as the budget goes.

    Args:
        payoffs (num_rows, num_columns): Of the row player in a zero-sum game, as integers.
        player: 0 for the row player.
        meter: Counts vertices.
    """
    table = payoffs.max() + 1 - payoffs.T if player == 0 else payoffs - payoffs.min() + 1
    best = _best(table.tolist(), meter)
    if best is None:
        return OptimalVertices([], is_complete=False)
    inside = _without_zeros(*_zeros(best))
    size = len(inside.nonbasic)
    found: dict[tuple[int, ...], None] = {}
    rows = list(_inequalities(inside))
    labels = range(size, size + len(rows))
    start = Tableau(rows, 1, tuple(labels), tuple(range(size)), labels)
    seen = {start.nonbasic}
    waiting = [start]
    while waiting:
        if meter.is_exhausted:
            return OptimalVertices(list(map(list, found)), is_complete=False)
        tableau = waiting.pop()
        meter.step()
        point = basic_weights(tableau, range(size))
        found[_whole(inside, point, tableau.determinant, table.shape[1])] = None
        for column in range(size):
            edge = pivot(tableau, row=leaving_row(tableau, column=column), column=column)
            basis = tuple(sorted(edge.nonbasic))
            if basis not in seen:
                seen.add(basis)
                waiting.append(edge)
    return OptimalVertices(list(map(list, found)), is_complete=True)


def _best(table: Matrix, meter: Meter) -> Tableau | None:
    """Make the sum as large as it can be; the last row says what columns cost. None in time."""
    size = len(table[0])
    labels = range(size, size + len(table))
    rows = [*([*row, 1] for row in table), [-1] * size + [0]]
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
    """Leave out variables that are zero, and the objective."""
    tableau = _columns_left(tableau, zeros)
    while True:
        place = next(
            (
                (i, j)
                for i, label in enumerate(tableau.basic)
                if label in zeros
                for j, value in enumerate(tableau.rows[i][:-1])
                if value
            ),
            None,
        )
        if place is None:
            break
        tableau = pivot(tableau, row=place[0], column=place[1])
        if tableau.determinant < 0:
            rows = [[-value for value in row] for row in tableau.rows]
            tableau = tableau._replace(rows=rows, determinant=-tableau.determinant)
        tableau = _columns_left(tableau, zeros)
    kept = [i for i, label in enumerate(tableau.basic) if label not in zeros and label != OBJECTIVE]
    return tableau._replace(
        rows=[tableau.rows[i] for i in kept], basic=tuple(tableau.basic[i] for i in kept)
    )


def _columns_left(tableau: Tableau, zeros: set[int]) -> Tableau:
    kept = [j for j, label in enumerate(tableau.nonbasic) if label not in zeros]
    rows = [[*(row[j] for j in kept), row[-1]] for row in tableau.rows]
    return tableau._replace(rows=rows, nonbasic=tuple(tableau.nonbasic[j] for j in kept))


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
