"""Players' sequences as arrays, in plain array code: plans, gradients, best responses, gains.

Vectors of one player are over *sequences*, as ``gametheory_core.strategies.sequences`` numbers
them: entry 0 is the empty sequence's, then come the actions of the player's information sets. A
*behavior* gives each sequence the probability of its last action (entry 0 is 1), a *plan* the
product along it. A *gradient* holds what terminal histories pay under each sequence, weighted by
everybody else's reach (chance included). Sweeping up adds to a sequence what the information sets
below it are worth.

Indices are int32, or uint32 where compiled loops read them: an unsigned index is never looked at
twice, whether it counts from the end. Nothing here knows numba: the functions run as they are, and
``compiled_twins`` compiles them.
"""

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Indices: TypeAlias = NDArray[np.int32] | NDArray[np.uint32]


class Treeplex(NamedTuple):
    """How one player's sequences hang together; indices, read-only.

    ``first_sequence`` (own information sets + 1,): where the actions of each start, the number of
    sequences at the end. ``parent_sequence`` (own information sets,): the sequence that leads to
    each; it is below the first sequence of the set, so that a loop forward goes down the tree.
    """

    first_sequence: Indices
    parent_sequence: Indices


class SparseRows(NamedTuple):
    """A sparse matrix by rows, read-only.

    ``first_entry`` (rows + 1,) and ``columns`` (entries,) indices, ``values`` (entries,) float64.
    """

    first_entry: Indices
    columns: Indices
    values: NDArray[np.float64]


class Ends(NamedTuple):
    """The ends of play that differ in some player's sequence, read-only.

    ``sequences`` (players, ends) indices; ``payoffs`` (players, ends) float64: payoffs times the
    probability of chance's moves, added up over ends with the same sequences.
    """

    sequences: Indices
    payoffs: NDArray[np.float64]


class Forest(NamedTuple):
    """All players' treeplexes end to end, read-only; sequences keep their own numbers.

    ``first_sequence`` (information sets + players,) and ``parent_sequence`` (information sets,)
    indices: player after player; ``first_infoset`` (players + 1,) int64: where each player's
    information sets start; ``first_entry`` (players + 1,) int64: where each player's sequences
    start in a vector over all players' sequences.
    """

    first_sequence: Indices
    parent_sequence: Indices
    first_infoset: NDArray[np.int64]
    first_entry: NDArray[np.int64]


class Tree(NamedTuple):
    """A whole tree as the loops read it.

    ``forest`` and ``ends`` as above. With two players, ``first_payoffs`` and ``second_payoffs``
    hold each one's payoffs over (own sequence, opponent's sequence); else they are without entries.
    """

    forest: Forest
    ends: Ends
    first_payoffs: SparseRows
    second_payoffs: SparseRows


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


def write_plans(forest: Forest, behavior: NDArray[np.float64], plans: NDArray[np.float64]) -> None:
    """Multiply probabilities along all players' sequences; ``plans`` is modified in place."""
    offsets = forest.first_entry
    for player in range(len(offsets) - 1):
        start, stop = offsets[player], offsets[player + 1]
        plan_of_behavior(own_treeplex(forest, player), behavior[start:stop], plans[start:stop])


def find_gradient(
    tree: Tree, plans: NDArray[np.float64], gradient: NDArray[np.float64], player: int
) -> None:
    """Write a player's part of ``gradient``, a vector over all players' sequences, in place."""
    offsets = tree.forest.first_entry
    own = gradient[offsets[player] : offsets[player + 1]]
    if len(offsets) != 3:
        gradient_against(tree.ends, player, plans, offsets, own)
    elif player == 0:
        sparse_product(tree.first_payoffs, plans[offsets[1] :], own)
    else:
        sparse_product(tree.second_payoffs, plans, own)


def best_responses(
    tree: Tree,
    plans: NDArray[np.float64],
    gradient: NDArray[np.float64],
    values: NDArray[np.float64],
) -> None:
    """Write what a best response of each player earns against the others' ``plans``.

    ``values`` (players,) and ``gradient``, a vector over all players' sequences for work, are
    modified in place.
    """
    offsets = tree.forest.first_entry
    for player in range(len(values)):
        find_gradient(tree, plans, gradient, player)
        own = gradient[offsets[player] : offsets[player + 1]]
        values[player] = best_response_sweep(own_treeplex(tree.forest, player), own)


def mixture_gains(
    tree: Tree,
    behaviors: NDArray[np.float64],
    weights: NDArray[np.float64],
    room: NDArray[np.float64],
    gains: NDArray[np.float64],
) -> None:
    """Write what each player gains by one plan for all against a mixture of behaviors.

    ``behaviors`` (mixed, sequences of all players) and ``weights`` (mixed,), which sum to one, are
    read; ``room`` (3, sequences of all players) and ``gains`` (players,) are modified in place.
    """
    offsets = tree.forest.first_entry
    plans, gradient, expected = room[0], room[1], room[2]
    expected[:] = 0.0
    gains[:] = 0.0
    for drawn in range(len(weights)):
        write_plans(tree.forest, behaviors[drawn], plans)
        for player in range(len(gains)):
            find_gradient(tree, plans, gradient, player)
            for sequence in range(offsets[player], offsets[player + 1]):
                paid = weights[drawn] * gradient[sequence]
                expected[sequence] += paid
                gains[player] -= plans[sequence] * paid
    for player in range(len(gains)):
        own = expected[offsets[player] : offsets[player + 1]]
        gains[player] += best_response_sweep(own_treeplex(tree.forest, player), own)
