"""From a follower's table to what she plays: lotteries, and policies the core can judge."""

import numpy as np
from numpy.typing import NDArray

from gametheory_core.leaders.follower_responses import FollowerClass
from gametheory_core.leaders.policies import (
    SimpleFollower,
    StationaryFollower,
    TimedFollower,
)
from learners.stackelberg.offers import Floats, Ints
from learners.stackelberg.stage import Situations, Stage


def greedy_actions(values: Floats, legal: NDArray[np.bool_]) -> Ints:
    """Return the first of the best legal actions in each situation; (..., Z, B) to (..., Z)."""
    best: Ints = np.where(legal, values, -np.inf).argmax(axis=-1)
    return best


def greedy_lotteries(values: Floats, legal: NDArray[np.bool_]) -> Floats:
    """Return lotteries that surely draw the first of the best legal actions; (..., Z, B)."""
    return (greedy_actions(values, legal)[..., None] == np.arange(legal.shape[-1])) * 1.0


def follower_of(
    stage: Stage, situations: Situations, follower_class: FollowerClass, actions: Ints
) -> SimpleFollower:
    """Return actions by situation as a follower's policy, -1 where nobody acts."""
    view = stage.view
    if follower_class is FollowerClass.STATIONARY:
        acts = stage.follower_legal.any(axis=-1)
        return StationaryFollower(tuple(np.where(acts, actions, -1).tolist()))
    numbers = situations.numbers[: view.horizon]
    by_state = np.where(numbers >= 0, actions[numbers], -1)
    return TimedFollower(tuple(map(tuple, by_state.tolist())))
