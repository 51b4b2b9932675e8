"""Equilibria of games that are zero-sum but for scale and terms that nobody's own choice changes.

A bimatrix game is *strategically zero-sum* if, for some positive alpha and beta,

    alpha A[i, j] + beta B[i, j] = r[i] + s[j].

Then ``Z[i, j] = alpha A[i, j] - s[j]`` differs from ``alpha A`` by what the row player cannot
change, and ``-Z`` from ``beta B`` by what the column player cannot: best replies are those of the
zero-sum game Z. Its equilibria are all pairs of optimal strategies, and its extreme equilibria all
pairs of vertices of the two sets of optimal strategies.

Each set is the face of a polytope ``{z >= 0 : M z <= 1}`` with positive M on which ``sum z`` is
largest.

Source: H. Moulin and J.-P. Vial, "Strategically zero-sum games: the class of games whose completely
    mixed equilibria cannot be improved upon", International Journal of Game Theory 7 (1978).
"""

from gametheory_core.arrays import ExactArray
from gametheory_core.games.normal_form import NormalFormGame
from solvers.bimatrix.faces import NO_VERTICES, FaceVertices, Matrix, face_vertices, largest_sum
from solvers.solution import Meter


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


def optimal_vertices(payoffs: ExactArray, player: int, meter: Meter) -> FaceVertices:
    """Visit all vertices of a player's optimal strategies, as far as the budget goes.

    Args:
        payoffs (num_rows, num_columns): Of the row player in a zero-sum game, as integers.
        player: 0 for the row player.
        meter: Counts vertices.
    """
    table = payoffs.max() + 1 - payoffs.T if player == 0 else payoffs - payoffs.min() + 1
    best = largest_sum(table.tolist(), [1] * table.shape[1], meter)
    return NO_VERTICES if best is None else face_vertices(best, table.shape[1], meter)
