"""What best responses gain against plans and against mixtures of behaviors, in plain array code.

Nothing here knows numba: the functions run as they are, and ``treeplex_compiled`` compiles them.
"""

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.treeplex import best_response_sweep, own_treeplex, plan_of_behavior
from solvers._kernels.treeplex_regret import find_gradient
from solvers._kernels.treeplex_tables import Forest, Tree


def write_plans(forest: Forest, behavior: NDArray[np.float64], plans: NDArray[np.float64]) -> None:
    """Multiply probabilities along all players' sequences; ``plans`` is modified in place."""
    offsets = forest.first_entry
    for player in range(len(offsets) - 1):
        start, stop = offsets[player], offsets[player + 1]
        plan_of_behavior(own_treeplex(forest, player), behavior[start:stop], plans[start:stop])


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
