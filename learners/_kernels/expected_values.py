"""SARSA and its kin: values move towards rewards and the mean value of a lottery that follows."""

import numpy as np
from numpy.typing import NDArray

from learners._kernels.moves import MoveArrays, correct
from solvers._kernels.compile import compiled


@compiled
def learn_expected(
    values: NDArray[np.float64],
    visits: NDArray[np.int64],
    lotteries: NDArray[np.float64],
    moves: MoveArrays,
    rate: float,
    power: float,
) -> float:
    """Update a table by each move, in order; return the sum of absolute errors.

    ``values`` and ``visits`` (O, A) are modified in place; ``lotteries`` (E, A) are over actions
    after ``moves.next_observation``, sure ones for SARSA.
    """
    total = 0.0
    for episode in range(len(moves.is_made)):
        if not moves.is_made[episode]:
            continue
        ahead = 0.0
        after = moves.next_observation[episode]
        if moves.bootstraps[episode] and after >= 0:
            for following in range(values.shape[1]):
                if lotteries[episode, following] > 0.0:
                    ahead += lotteries[episode, following] * values[after, following]
        target = moves.reward[episode] + moves.factor[episode] * ahead
        observation, action = moves.observation[episode], moves.action[episode]
        total += correct(values, visits, observation, action, target, rate, power)
    return total
