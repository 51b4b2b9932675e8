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
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ExactArray, freeze
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.tree_layout import free_memory

LABELS_IN_A_WORD = 62
MOST_BYTES = 1_000_000_000  # for the vertices of one polytope


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
        is_full: Whether the vertices visited and those that wait have filled the memory allowed.
    """

    table: VertexTable
    is_complete: bool
    is_full: bool = False


def best_response_polytopes(
    game: NormalFormGame,
) -> tuple[BestResponsePolytope, BestResponsePolytope]:
    """Return the polytopes of the row and of the column player of a two-player game."""
    rows, columns = game.num_actions
    row_labels, column_labels = range(rows), range(rows, rows + columns)
    return (
        BestResponsePolytope(
            _reduced(scaled_payoffs(game, 1).numerators.T), row_labels, column_labels
        ),
        BestResponsePolytope(
            _reduced(scaled_payoffs(game, 0).numerators), column_labels, row_labels
        ),
    )


def _reduced(payoffs: ExactArray) -> ExactArray:
    """Subtract column minima, divide by the common divisor, lift constant columns to 1."""
    matrix = payoffs - payoffs.min(axis=0)
    divisor = math.gcd(*matrix.ravel().tolist())
    matrix = matrix // max(divisor, 1)
    constant = np.array([not any(column) for column in matrix.T.tolist()])
    matrix[:, constant] = 1
    return freeze(matrix)


def most_vertices(polytope: BestResponsePolytope) -> int:
    """Bound the number of vertices (McMullen 1970: cyclic polytopes have most)."""
    dimension, facets = len(polytope.own_labels), polytope.num_labels
    return comb(facets - (dimension + 1) // 2, facets - dimension) + comb(
        facets - (dimension + 2) // 2, facets - dimension
    )


def room_for_vertices() -> int:
    """Return the bytes that visiting one polytope may take: 1 GB, or half of what is free."""
    return min(MOST_BYTES, free_memory() // 2)


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
