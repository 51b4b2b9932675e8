"""What actions were worth: returns to go, and generalized advantages.

Arrays are (T, E): steps first, then episodes; rewards after an episode's end are zero. With ``r_t``
the rewards and ``g`` the discount, the *return to go* is ``G_t = sum over u >= t of g^(u - t)
r_u``. With ``V`` what observations are believed to be worth, the *generalized advantage* mixes, by
a trace ``l`` in [0, 1], estimates that trust ``V`` after one decision, two, and so on: ``l = 1`` is
``G_t - V``, ``l = 0`` the one-step error.
"""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from learners.advantages import generalized_advantages, returns_to_go


class Credit(Enum):
    """Which rewards an action is held to have earned; the value says it in words."""

    TO_GO = "those from its own step on: no action changes the past"
    WHOLE = "all of the episode: unbiased as well, and noisier"


class StepWeights(Enum):
    """How steps of a discounted game count; the value says it in words."""

    DISCOUNTED = "by the discount to the power of the step, as in the gradient of the return"
    EQUAL = "all alike: customary, and no gradient of the discounted return"


def step_weights(steps: int, *, discount: float, kind: StepWeights) -> NDArray[np.float64]:
    """Return how each step counts, shape (T, 1)."""
    factor = discount if kind is StepWeights.DISCOUNTED else 1.0
    powers: NDArray[np.float64] = np.power(factor, np.arange(steps, dtype=np.float64))
    return powers[:, None]


def credited_returns(
    rewards: NDArray[np.float64], *, discount: float, credit: Credit, weights: StepWeights
) -> NDArray[np.float64]:
    """Return what multiplies the score of an action at each step, before any baseline.

    Args:
        rewards (T, E)
        weights: ``Credit.WHOLE`` is of the return as it was at step 0, and needs no weights.

    >>> options = {"discount": 0.5, "weights": StepWeights.DISCOUNTED}
    >>> rewards = np.array([[1.0], [2.0]])
    >>> credited_returns(rewards, credit=Credit.TO_GO, **options).ravel().tolist()
    [2.0, 1.0]
    >>> credited_returns(rewards, credit=Credit.WHOLE, **options).ravel().tolist()
    [2.0, 2.0]
    """
    found = returns_to_go(rewards, discount=discount)
    if credit is Credit.WHOLE:
        return np.broadcast_to(found[:1], found.shape)
    return found * step_weights(len(rewards), discount=discount, kind=weights)


def episode_advantages(
    rewards: NDArray[np.float64],
    values: NDArray[np.float64],
    acts: NDArray[np.bool_],
    *,
    discount: float,
    trace: float,
) -> NDArray[np.float64]:
    """Return the advantages of a player's decisions; zero where the player did not act.

    Rewards between two own decisions belong to the earlier one, discounted by the steps between.

    Args:
        rewards (T, E): The player's.
        values (T, E): What the player's observations are believed to be worth.
        acts (T, E)

    Source: :cite:`schulman2016gae`, equation (16).

    >>> ones = np.ones((3, 1))
    >>> acts = np.array([[True], [False], [True]])
    >>> episode_advantages(ones, 0 * ones, acts, discount=1.0, trace=1.0).ravel().tolist()
    [3.0, 0.0, 1.0]
    >>> episode_advantages(ones, 0 * ones, acts, discount=1.0, trace=0.0).ravel().tolist()
    [2.0, 0.0, 1.0]
    """
    nothing = np.zeros((1, rewards.shape[1]))
    ends = np.zeros(acts.shape, dtype=np.bool_)
    ends[-1:] = True  # rewards after an episode's end are zero
    return generalized_advantages(
        rewards=rewards,
        values=np.concatenate([values, nothing]),
        beyond=np.zeros_like(rewards),
        acts=np.concatenate([acts, nothing > 0]),
        is_over=ends,
        discount=discount,
        trace=trace,
    ).advantages
