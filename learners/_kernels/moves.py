"""Transitions of one player in a batch of episodes, and what all value updates share.

Updates are made in the order of the episodes, each on the table as those before left it: several
episodes that meet one cell in one step act as if they had met it one after the other.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled


class MoveArrays(NamedTuple):
    """At most one transition an episode, from an own turn to the next; read-only.

    Attributes:
        is_made (E,): Whether the episode has one; the other entries are ignored elsewhere.
        observation, action (E,): What was seen and done.
        reward (E,): What was received up to the next own turn, discounted to the time of the
            action.
        factor (E,): The discount on what comes after.
        next_observation (E,): What is seen then; below 0 where nothing is.
        bootstraps (E,): Whether what comes after counts.
    """

    is_made: NDArray[np.bool_]
    observation: NDArray[np.int64]
    action: NDArray[np.int64]
    reward: NDArray[np.float64]
    factor: NDArray[np.float64]
    next_observation: NDArray[np.int64]
    bootstraps: NDArray[np.bool_]


@compiled
def best_action(values: NDArray[np.float64], legal: NDArray[np.bool_]) -> int:
    """Return the first legal action of largest value among ``values`` (A,); -1 if none is legal."""
    best = -1
    for action in range(len(values)):
        if legal[action] and (best < 0 or values[action] > values[best]):
            best = action
    return best


@compiled
def step_size(rate: float, power: float, visits: int) -> float:
    """Return ``rate / visits**power``."""
    return rate if power == 0.0 else rate / visits**power


@compiled
def correct(
    values: NDArray[np.float64],
    visits: NDArray[np.int64],
    observation: int,
    action: int,
    target: float,
    rate: float,
    power: float,
) -> float:
    """Move a cell of ``values`` (O, A) towards a target; return how far it was.

    ``values`` and ``visits`` (O, A) are modified in place.
    """
    visits[observation, action] += 1
    error = target - values[observation, action]
    values[observation, action] += step_size(rate, power, visits[observation, action]) * error
    return abs(error)
