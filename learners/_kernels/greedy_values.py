"""Q-learning: values move towards rewards and the best value that follows."""

import numpy as np
from numpy.typing import NDArray

from learners._kernels.moves import MoveArrays, best_action, correct
from solvers._kernels.compile import compiled


@compiled
def learn_greedily(
    values: NDArray[np.float64],
    visits: NDArray[np.int64],
    legal: NDArray[np.bool_],
    moves: MoveArrays,
    rate: float,
    power: float,
) -> float:
    """Update a table by each move, in order; return the sum of absolute errors.

    ``values`` and ``visits`` (O, A) are modified in place; ``legal`` (O, A) is read.
    """
    total = 0.0
    for episode in range(len(moves.is_made)):
        if not moves.is_made[episode]:
            continue
        ahead = 0.0
        after = moves.next_observation[episode]
        if moves.bootstraps[episode] and after >= 0:
            best = best_action(values[after], legal[after])
            ahead = values[after, best] if best >= 0 else 0.0
        target = moves.reward[episode] + moves.factor[episode] * ahead
        observation, action = moves.observation[episode], moves.action[episode]
        total += correct(values, visits, observation, action, target, rate, power)
    return total
