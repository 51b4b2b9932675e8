"""Sweeps over players' sequences, in plain array code: plans, gradients, best responses.

A *gradient* holds what ends of play pay under each own sequence, weighted by everybody else's reach
(chance included). Sweeping up adds to a sequence what the information sets below it are worth.

Nothing here knows numba: the functions run as they are, and ``treeplex_compiled`` compiles them.
"""

import math

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.treeplex_tables import Ends, Forest, SparseRows, Treeplex


def own_treeplex(forest: Forest, player: int) -> Treeplex:
    """Return views of one player's part of a forest."""
    start, stop = forest.first_infoset[player], forest.first_infoset[player + 1]
    return Treeplex(
        forest.first_sequence[start + player : stop + player + 1],
        forest.parent_sequence[start:stop],
    )


def plan_of_behavior(
    treeplex: Treeplex, behavior: NDArray[np.float64], plan: NDArray[np.float64]
) -> None:
    """Multiply probabilities along each sequence; ``plan`` (sequences,) is modified in place."""
    first, parent = treeplex.first_sequence, treeplex.parent_sequence
    plan[0] = 1.0
    for infoset in range(len(parent)):
        above = plan[parent[infoset]]
        for sequence in range(first[infoset], first[infoset + 1]):
            plan[sequence] = above * behavior[sequence]


def sparse_product(
    rows: SparseRows, vector: NDArray[np.float64], product: NDArray[np.float64]
) -> None:
    """Multiply a sparse matrix by a vector; ``product`` (rows,) is modified in place.

    With the payoffs of a player and the opponent's plan, the product is the player's gradient.
    """
    first, columns, values = rows.first_entry, rows.columns, rows.values
    for row in range(len(first) - 1):
        total = 0.0
        for entry in range(first[row], first[row + 1]):
            total += values[entry] * vector[columns[entry]]
        product[row] = total


def gradient_against(
    ends: Ends,
    player: int,
    plans: NDArray[np.float64],
    offsets: NDArray[np.int64],
    gradient: NDArray[np.float64],
) -> None:
    """Add up a player's payoffs under each own sequence, against any number of other players.

    ``plans`` holds all players' plans end to end, player ``i``'s from ``offsets[i]`` on;
    ``gradient`` (sequences of the player,) is modified in place.
    """
    gradient[:] = 0.0
    sequences, payoffs = ends.sequences, ends.payoffs
    for end in range(sequences.shape[1]):
        weight = payoffs[player, end]
        for other in range(sequences.shape[0]):
            if other != player:
                weight *= plans[offsets[other] + sequences[other, end]]
        gradient[sequences[player, end]] += weight


def best_response_sweep(treeplex: Treeplex, gradient: NDArray[np.float64]) -> float:
    """Return the most that a player can get, given the gradient.

    ``gradient`` (sequences,) becomes what each sequence is worth, the information sets below it
    included; it is modified in place.
    """
    first, parent = treeplex.first_sequence, treeplex.parent_sequence
    for infoset in range(len(parent) - 1, -1, -1):
        best = -math.inf
        for sequence in range(first[infoset], first[infoset + 1]):
            best = max(best, gradient[sequence])
        gradient[parent[infoset]] += best
    return gradient[0]
