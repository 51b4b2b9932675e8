"""Which actions are best responses to which beliefs, from the vertices of a polytope.

An oracle for dominance that solves no linear program. The beliefs about what the others do jointly
to which an action is a best response form a face of the player's best-response polytope, the hull
of the vertices where the action's label is tight. So an action is strictly dominated if there is no
such vertex, and weakly dominated if the vertices leave out some joint action together.
"""

import numpy as np

from gametheory_core import NormalFormGame
from solvers import UNLIMITED
from solvers.bimatrix.best_response_polytopes import best_response_polytopes
from solvers.bimatrix.vertices import traverse_in_integers
from solvers.solution import Meter


def undominated(payoffs, *, weakly):
    """Return the rows of a payoff matrix that no mixture dominates, by their numbers."""
    game = NormalFormGame.bimatrix(payoffs, np.zeros(payoffs.shape, dtype=int))
    polytope = best_response_polytopes(game)[1]  # of beliefs about columns
    meter = Meter(UNLIMITED, "vertices")
    vertices = traverse_in_integers(polytope, meter).table.labels.tolist()
    stay = []
    for row, label in enumerate(polytope.reply_labels):
        to_these = [labels for labels in vertices if labels >> label & 1]
        excluded = [
            all(labels >> column & 1 for labels in to_these) for column in polytope.own_labels
        ]
        if to_these and not (weakly and any(excluded)):
            stay.append(row)
    return stay


def undominated_by_pure(payoffs, *, weakly):
    """Return the rows that no other row dominates, by comparing all pairs entry by entry."""
    stay = []
    for row, mine in enumerate(payoffs.tolist()):
        others = [other for k, other in enumerate(payoffs.tolist()) if k != row]
        pairs = [list(zip(other, mine, strict=True)) for other in others]
        if weakly:
            beaten = any(all(a >= b for a, b in p) and any(a > b for a, b in p) for p in pairs)
        else:
            beaten = any(all(a > b for a, b in p) for p in pairs)
        if not beaten:
            stay.append(row)
    return stay


def matrix_of(game, left, player):
    """Return a player's exact payoffs, own remaining actions by the others' joint actions."""
    table = game.exact_payoffs[player][np.ix_(*left)]
    return np.moveaxis(table, player, 0).reshape(len(left[player]), -1)


def reduced_by_hand(game, *, weakly, stay=undominated):
    """Eliminate all that is dominated at once, round by round; return what is left."""
    left = [tuple(range(count)) for count in game.num_actions]
    while True:
        after = [
            tuple(left[i][row] for row in stay(matrix_of(game, left, i), weakly=weakly))
            for i in range(game.num_players)
        ]
        if after == left:
            return tuple(left)
        left = after
