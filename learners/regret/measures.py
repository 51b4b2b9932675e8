"""What was regretted: sequences of strategies and utilities, measured after the fact.

Sequences have shape (T, ..., actions): steps first, then any batch. All results have the shape of
the batch; entries may be floats or exact.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer
from gametheory_core.errors import InvalidArgument


def instantaneous_regrets(strategies: NDArray[Any], utilities: NDArray[Any]) -> NDArray[Any]:
    """Return what each action earned beyond the strategy at each step, shape (T, ..., actions).

    >>> instantaneous_regrets(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0]])).tolist()
    [[0.5, -0.5]]
    """
    if np.shape(strategies) != np.shape(utilities):
        raise InvalidArgument(
            needs="a strategy for each step's utilities",
            found=f"the shapes are {np.shape(strategies)} and {np.shape(utilities)}",
        )
    return utilities - (strategies * utilities).sum(axis=-1)[..., None]


def sequence_external_regret(strategies: NDArray[Any], utilities: NDArray[Any]) -> NDArray[Any]:
    """Return what the best single action would have earned more over all steps.

    >>> played = np.array([[1.0, 0.0], [1.0, 0.0]])
    >>> float(sequence_external_regret(played, np.array([[0.0, 1.0], [1.0, 1.0]])))
    1.0
    """
    return instantaneous_regrets(strategies, utilities).sum(axis=0).max(axis=-1)


def sequence_swap_regret(strategies: NDArray[Any], utilities: NDArray[Any]) -> NDArray[Any]:
    """Return what the best map from played to better actions would have earned more.

    >>> played = np.eye(2)
    >>> float(sequence_swap_regret(played, 1 - played))
    2.0
    """
    instantaneous_regrets(strategies, utilities)  # checks shapes
    gains = (strategies[..., :, None] * (utilities[..., None, :] - utilities[..., :, None])).sum(
        axis=0
    )
    return gains.max(axis=-1).sum(axis=-1)


def sequence_interval_regret(strategies: NDArray[Any], utilities: NDArray[Any]) -> NDArray[Any]:
    """Return the largest external regret over all intervals of steps.

    >>> played = np.array([[1.0, 0.0]] * 3)
    >>> earned = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> float(sequence_interval_regret(played, earned))
    2.0
    """
    regrets = instantaneous_regrets(strategies, utilities)
    ending = best = regrets[0]
    for own in regrets[1:]:  # the largest sum that ends here, by action
        ending = own + np.maximum(ending, ending * 0)
        best = np.maximum(best, ending)
    return best.max(axis=-1)


def sequence_switching_regret(
    strategies: NDArray[Any], utilities: NDArray[Any], *, switches: int
) -> NDArray[Any]:
    """Return what the best sequence of actions with few switches would have earned more.

    Args:
        strategies, utilities (T, ..., actions)
        switches: How often the action may change, at most.

    >>> played = np.array([[0.5, 0.5]] * 2)
    >>> earned = np.eye(2)
    >>> [float(sequence_switching_regret(played, earned, switches=k)) for k in (0, 1)]
    [0.0, 1.0]
    """
    require_integer(switches, name="switches", low=0)
    regrets = instantaneous_regrets(strategies, utilities)
    worth = [regrets[0]] * (switches + 1)  # by switches made so far, and the current action
    for own in regrets[1:]:
        best = [after.max(axis=-1)[..., None] for after in worth]
        worth = [
            own + (np.maximum(worth[k], best[k - 1]) if k else worth[0])
            for k in range(switches + 1)
        ]
    return worth[-1].max(axis=-1)
