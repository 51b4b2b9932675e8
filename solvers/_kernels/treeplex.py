"""Sweeps over one player's sequences in compiled code: plans, gradients, best responses.

A *gradient* holds what ends of play pay under each own sequence, weighted by everybody else's reach
(chance included). Sweeping up adds to a sequence what the information sets below it are worth.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers._kernels.treeplex_tables import Ends, SparseRows, Treeplex


@njit(cache=True)
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


@njit(cache=True)
def behavior_of_plan(
    treeplex: Treeplex, plan: NDArray[np.float64], behavior: NDArray[np.float64]
) -> None:
    """Divide weights by their sum in each information set, uniformly where all are zero.

    ``plan`` may be any sum of plans with weights; ``behavior`` (sequences,) is modified in place.
    """
    first = treeplex.first_sequence
    behavior[0] = 1.0
    for infoset in range(len(treeplex.parent_sequence)):
        start, stop = first[infoset], first[infoset + 1]
        total = 0.0
        for sequence in range(start, stop):
            total += plan[sequence]
        for sequence in range(start, stop):
            behavior[sequence] = plan[sequence] / total if total > 0.0 else 1.0 / (stop - start)


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
def best_response_sweep(
    treeplex: Treeplex, gradient: NDArray[np.float64], actions: NDArray[np.int32]
) -> float:
    """Return the most that a player can get, given its gradient.

    ``actions`` (own information sets,) becomes a best action at each, the first of several;
    ``gradient`` becomes what each sequence is worth, the sets below it included. Both are modified
    in place.
    """
    first, parent = treeplex.first_sequence, treeplex.parent_sequence
    for infoset in range(len(parent) - 1, -1, -1):
        start = first[infoset]
        best = start
        for sequence in range(start + 1, first[infoset + 1]):
            if gradient[sequence] > gradient[best]:
                best = sequence
        actions[infoset] = best - start
        gradient[parent[infoset]] += gradient[best]
    return gradient[0]


@njit(cache=True)
def value_sweep(
    treeplex: Treeplex, behavior: NDArray[np.float64], gradient: NDArray[np.float64]
) -> float:
    """Return what a behavior gets, given the player's gradient.

    ``gradient`` becomes what each sequence is worth, the sets below it included: the counterfactual
    values of actions. It is modified in place.
    """
    first, parent = treeplex.first_sequence, treeplex.parent_sequence
    for infoset in range(len(parent) - 1, -1, -1):
        value = 0.0
        for sequence in range(first[infoset], first[infoset + 1]):
            value += behavior[sequence] * gradient[sequence]
        gradient[parent[infoset]] += value
    return gradient[0]
