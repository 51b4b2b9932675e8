"""Double Q-learning: one table says which action is best, the other what it is worth."""

import numpy as np
from numpy.typing import NDArray

from learners._kernels.moves import MoveArrays, best_action, correct
from solvers._kernels.compile import compiled


@compiled
def learn_doubly(
    values: NDArray[np.float64],
    visits: NDArray[np.int64],
    legal: NDArray[np.bool_],
    coins: NDArray[np.int64],
    moves: MoveArrays,
    rate: float,
    power: float,
) -> float:
    """Update one of two tables by each move, in order; return the sum of absolute errors.

    ``values`` and ``visits`` (2, O, A) are modified in place; ``coins`` (E,) of 0 and 1 say which
    table; ``legal`` (O, A) is read.
    """
    total = 0.0
    for episode in range(len(moves.is_made)):
        if not moves.is_made[episode]:
            continue
        own = coins[episode]
        ahead = 0.0
        after = moves.next_observation[episode]
        if moves.bootstraps[episode] and after >= 0:
            best = best_action(values[own, after], legal[after])
            ahead = values[1 - own, after, best] if best >= 0 else 0.0
        target = moves.reward[episode] + moves.factor[episode] * ahead
        observation, action = moves.observation[episode], moves.action[episode]
        total += correct(values[own], visits[own], observation, action, target, rate, power)
    return total
