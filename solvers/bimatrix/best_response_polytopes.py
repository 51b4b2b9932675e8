"""Best-response polytopes: where a player's mixed strategy meets the opponent's best replies.

For the strategy ``z`` of one player, with ``M[reply, action]`` what the opponent's replies earn,

    { z >= 0 : M z <= 1 },

an inequality for each label: label ``a`` of an own action is tight where the action is unplayed,
label ``b`` of a reply where the reply is best. Equilibria are the pairs of points that have all
labels between them, (0, 0) excluded. The row player's actions are labels ``0 .. m-1``, the column
player's ``m .. m+n-1``.

Adding a constant to what all replies earn against one action, and scaling all payoffs, moves no
equilibrium. So ``M`` is integral, its columns have least entry 0, and no column is zero: the
polytope is bounded and has an interior.

Vertices are visited by exact pivoting, with a lexicographic rule that breaks every tie. A tableau
writes the inequalities ``M z <= 1`` with slack variables, solved for the *basic* ones:

    determinant * basic[i] + sum_j rows[i][j] * nonbasic[j] = rows[i][-1].

A variable is named by the label that is tight where it is zero. All numbers are Python integers:
pivoting multiplies across and divides by the last determinant, which leaves no remainder (Edmonds
1967). Degenerate vertices are told apart as if the right-hand sides were ``1 + e^1, 1 + e^2, ...``
with ``e`` infinitesimal (Charnes 1952); the polytope so shifted is simple, its graph is connected,
and each vertex of the polytope is the limit of at least one of its vertices.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ExactArray, freeze
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame

LABELS_IN_A_WORD = 62


@dataclass(frozen=True)
class BestResponsePolytope:
    """The polytope ``{z >= 0 : matrix @ z <= 1}`` of one player's strategies.

    Attributes:
        matrix (num_replies, num_actions): Entries at least 0, every column has a positive one.
        own_labels, reply_labels: Labels of the columns and of the rows.
    """

    matrix: ExactArray
    own_labels: range
    reply_labels: range

    @property
    def num_labels(self) -> int:
        """Number of inequalities."""
        return len(self.own_labels) + len(self.reply_labels)


@dataclass(frozen=True)
class VertexTable:
    """Different vertices of a best-response polytope, the origin left out.

    Attributes:
        labels (num_vertices,): Bit ``k`` is set where label ``k`` is tight; int64, or Python
            integers if there are many labels.
        weights: Vertex number -> integers, one for each own action, whose quotients by their sum
            are the mixed strategy. A function, since few of many vertices are ever asked for.
    """

    labels: NDArray[Any]
    weights: Callable[[int], list[int]]


@dataclass(frozen=True)
class Traversal:
    """The vertices visited.

    Attributes:
        table: Different vertices, without the origin.
        is_complete: Whether every edge was followed: then these are all vertices.
    """

    table: VertexTable
    is_complete: bool


def best_response_polytopes(
    game: NormalFormGame,
) -> tuple[BestResponsePolytope, BestResponsePolytope]:
    """Return the polytopes of the row and of the column player of a two-player game."""
    rows, columns = game.num_actions
    own, others = range(rows), range(rows, rows + columns)
    first = np.array(_reduced(scaled_payoffs(game, 1).numerators.T), dtype=object)
    second = np.array(_reduced(scaled_payoffs(game, 0).numerators), dtype=object)
    return (
        BestResponsePolytope(freeze(first), own, others),
        BestResponsePolytope(freeze(second), others, own),
    )


def _reduced(payoffs: ExactArray) -> list[list[int]]:
    """Subtract column minima, divide by the common divisor, lift constant columns to 1."""
    table: list[list[int]] = payoffs.tolist()  # quicker than arrays of objects
    columns: list[list[int]] = []
    for column in zip(*table, strict=True):
        low = min(column)
        columns.append([entry - low for entry in column])
    divisor = math.gcd(*chain.from_iterable(columns))
    for j, column in enumerate(columns):
        if not any(column):
            columns[j] = [1] * len(column)
        elif divisor > 1:
            columns[j] = [entry // divisor for entry in column]
    return list(map(list, zip(*columns, strict=True)))


def most_vertices(polytope: BestResponsePolytope) -> int:
    """Bound the number of vertices (McMullen 1970: cyclic polytopes have most)."""
    dimension, facets = len(polytope.own_labels), polytope.num_labels
    return comb(facets - (dimension + 1) // 2, facets - dimension) + comb(
        facets - (dimension + 2) // 2, facets - dimension
    )


def vertex_table(
    weights_by_labels: dict[int, list[int]], polytope: BestResponsePolytope
) -> VertexTable:
    """Tabulate vertices given as tight labels -> weights, leaving out the origin."""
    found = {labels: weights for labels, weights in weights_by_labels.items() if any(weights)}
    word = np.int64 if polytope.num_labels <= LABELS_IN_A_WORD else object
    return VertexTable(np.array(list(found), dtype=word), list(found.values()).__getitem__)


def strategy_of(weights: list[int]) -> ExactArray:
    """Divide weights by their sum: the mixed strategy that a point of the polytope stands for."""
    total = sum(weights)
    strategy = np.empty(len(weights), dtype=object)
    strategy[:] = [Fraction(weight, total) for weight in weights]
    return freeze(strategy)


class Tableau(NamedTuple):
    """A basis of the inequalities.

    Attributes:
        rows: Coefficients of the nonbasic variables, and the right-hand side last. Never modified.
        determinant: Positive.
        basic, nonbasic: The label of each row's, and of each column's, variable.
        slacks: Labels of the slack variables, in the order of their infinitesimals.
    """

    rows: list[list[int]]
    determinant: int
    basic: tuple[int, ...]
    nonbasic: tuple[int, ...]
    slacks: range


def origin(polytope: BestResponsePolytope) -> Tableau:
    """Return the tableau of the vertex 0, where all own labels are tight."""
    rows = [[*row, 1] for row in polytope.matrix.tolist()]
    labels = polytope.reply_labels
    return Tableau(rows, 1, tuple(labels), tuple(polytope.own_labels), labels)


def origins(game: NormalFormGame) -> tuple[Tableau, Tableau]:
    """Return the tableaus of the vertices 0 of both polytopes, which need not be built for it."""
    num_rows, num_columns = game.num_actions
    own, others = range(num_rows), range(num_rows, num_rows + num_columns)
    first = [[*row, 1] for row in _reduced(scaled_payoffs(game, 1).numerators.T)]
    second = [[*row, 1] for row in _reduced(scaled_payoffs(game, 0).numerators)]
    return (
        Tableau(first, 1, tuple(others), tuple(own), others),
        Tableau(second, 1, tuple(own), tuple(others), own),
    )


def pivot(tableau: Tableau, *, row: int, column: int) -> Tableau:
    """Exchange the basic variable of a row with the nonbasic one of a column.

    The entry at (row, column) must be positive.
    """
    determinant = tableau.determinant
    pivot_row = tableau.rows[row]
    element = pivot_row[column]
    rows: list[list[int]] = []
    for i, old in enumerate(tableau.rows):
        factor = old[column]
        if i == row:
            new = old.copy()
            new[column] = determinant
        else:
            pairs = zip(old, pivot_row, strict=True)
            if determinant == 1:  # at every start; division takes as long as all else
                new = [element * a - factor * b for a, b in pairs]
            else:
                new = [(element * a - factor * b) // determinant for a, b in pairs]
            new[column] = -factor
        rows.append(new)
    basic, nonbasic = list(tableau.basic), list(tableau.nonbasic)
    basic[row], nonbasic[column] = nonbasic[column], basic[row]
    return Tableau(rows, element, tuple(basic), tuple(nonbasic), tableau.slacks)


def leaving_row(tableau: Tableau, *, column: int) -> int:
    """Return the one row whose variable first falls to zero as the column's variable grows.

    The least ratio of right-hand side to coefficient; ties go to the least ratio of the
    infinitesimals' coefficients, which the slack columns hold. Rows of a nonsingular matrix are
    never proportional, so exactly one row is left in the end.
    """
    rows = tableau.rows
    tied = [i for i, row in enumerate(rows) if row[column] > 0]
    tied = _least_ratio([rows[i][-1] for i in tied], tied, rows, column)
    for label in tableau.slacks:
        if len(tied) == 1:
            break
        tied = _least_ratio(_coefficients(tableau, label, tied), tied, rows, column)
    return tied[0]


def _coefficients(tableau: Tableau, label: int, tied: list[int]) -> list[int]:
    if label in tableau.nonbasic:
        position = tableau.nonbasic.index(label)
        return [tableau.rows[i][position] for i in tied]
    return [tableau.determinant if tableau.basic[i] == label else 0 for i in tied]


def _least_ratio(
    numerators: list[int], tied: list[int], rows: list[list[int]], column: int
) -> list[int]:
    """Keep the rows whose numerators have the least ratio to their entries in a column."""
    least, entry = numerators[0], rows[tied[0]][column]
    best: list[int] = []
    for numerator, i in zip(numerators, tied, strict=True):
        own = rows[i][column]
        difference = numerator * entry - least * own
        if difference < 0:
            best, least, entry = [i], numerator, own
        elif not difference:
            best.append(i)
    return best


def tight_labels(tableau: Tableau) -> int:
    """Return the bit set of labels whose variables are zero, basic or not."""
    labels = sum(1 << label for label in tableau.nonbasic)
    for label, row in zip(tableau.basic, tableau.rows, strict=True):
        if not row[-1]:
            labels |= 1 << label
    return labels


def basic_weights(tableau: Tableau, labels: range) -> list[int]:
    """Return ``determinant`` times the value of each of the variables."""
    values = {label: row[-1] for label, row in zip(tableau.basic, tableau.rows, strict=True)}
    return [values.get(label, 0) for label in labels]
