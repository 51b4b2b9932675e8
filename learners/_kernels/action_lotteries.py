"""Lotteries over actions, one an episode, and draws from them.

All functions write ``lotteries`` (E, A) float64 from ``values`` (E, A) float64, one row of a table
for each episode, and ``legal`` (E, A) bool; rows without a legal action become zero.
"""

import numpy as np
from numpy.typing import NDArray

from learners._kernels.moves import best_action
from solvers._kernels.compile import compiled


@compiled
def mostly_greedy(
    values: NDArray[np.float64],
    legal: NDArray[np.bool_],
    epsilon: float,
    lotteries: NDArray[np.float64],
) -> None:
    """With chance ``epsilon`` any legal action, else the first best; modifies ``lotteries``."""
    for episode in range(len(values)):
        best = best_action(values[episode], legal[episode])
        share = epsilon / max(1, legal[episode].sum())
        for action in range(values.shape[1]):
            lotteries[episode, action] = share if legal[episode, action] else 0.0
        if best >= 0:
            lotteries[episode, best] += 1.0 - epsilon


@compiled
def softmax(
    values: NDArray[np.float64],
    legal: NDArray[np.bool_],
    temperature: float,
    lotteries: NDArray[np.float64],
) -> None:
    """Weigh legal actions by ``exp(value / temperature)``; modifies ``lotteries``."""
    for episode in range(len(values)):
        best = best_action(values[episode], legal[episode])
        total = 0.0
        for action in range(values.shape[1]):
            weight = 0.0
            if legal[episode, action]:
                weight = np.exp((values[episode, action] - values[episode, best]) / temperature)
            lotteries[episode, action] = weight
            total += weight
        if best >= 0:
            for action in range(values.shape[1]):
                lotteries[episode, action] /= total


@compiled
def draw(
    lotteries: NDArray[np.float64], numbers: NDArray[np.float64], actions: NDArray[np.int64]
) -> None:
    """Draw an action an episode, the first whose cumulative probability exceeds ``numbers`` (E,).

    ``actions`` (E,) is modified in place; 0 where a lottery is all zero.
    """
    for episode in range(len(lotteries)):
        total = 0.0
        chosen = 0
        for action in range(lotteries.shape[1]):
            if lotteries[episode, action] > 0.0:
                total += lotteries[episode, action]
                chosen = action
                if numbers[episode] < total:
                    break
        actions[episode] = chosen


@compiled
def noisy_policies(
    values: NDArray[np.float64],
    legal: NDArray[np.bool_],
    chance: float,
    numbers: NDArray[np.float64],
    policies: NDArray[np.int64],
) -> None:
    """Draw pure policies around the greedy one of ``values`` (O, A), ``legal`` (O, A).

    At each observation, with probability ``chance``, one of the other legal actions, all equally
    likely, takes the place of the first best. ``numbers`` (E, O) are uniform; ``policies`` (E, O)
    is modified in place.
    """
    for seen in range(len(values)):
        best = best_action(values[seen], legal[seen])
        others = legal[seen].sum() - 1
        for episode in range(len(policies)):
            policies[episode, seen] = max(0, best)
            number = numbers[episode, seen]
            if others < 1 or number >= chance:
                continue
            left = min(others - 1, int(number / chance * others))
            for action in range(values.shape[1]):
                if legal[seen, action] and action != best:
                    if left == 0:
                        policies[episode, seen] = action
                        break
                    left -= 1
