"""Advantages: how much better an action turned out than was expected, from own turn to own turn."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Advantages:
    """What each own decision was worth.

    Attributes:
        advantages (T, R): Of meaning where ``is_known``.
        is_known (T, R): Where the lane acts, and what follows is known.
    """

    advantages: Floats
    is_known: Truths


def generalized_advantages(
    *,
    rewards: Floats,
    values: Floats,
    beyond: Floats,
    acts: Truths,
    is_over: Truths,
    discount: float,
    trace: float,
) -> Advantages:
    r"""Return generalized advantage estimates, counted from own decision to own decision.

    With ``k`` over the own decisions of an episode, ``r_k`` all that was paid from one to the next,
    discounted, and ``g_k`` the discount of the steps in between,

    ``delta_k = r_k + g_k V_{k+1} - V_k`` and ``A_k = delta_k + trace g_k A_{k+1}``.

    Args:
        rewards (T, R): What each step paid.
        values (T + 1, R): What was expected, where the lane acts.
        beyond (T, R): What was expected to follow a step that ended an episode.
        acts (T + 1, R)
        is_over (T, R)
        discount: Factor for each step.
        trace: From 0, only the next own decision counts, to 1, all that was paid counts.

    Where somebody's next own turn lies behind the last step, what follows is not known. Leaving out
    only such decisions would prefer those that ended episodes, so all decisions of all lanes from
    the first such step on are left out. Where everybody acts at every step, none is.

    Source: :cite:`schulman2016gae`, equation (16).
    """
    steps, lanes = rewards.shape
    advantages = np.zeros((steps, lanes))
    # Seen from the step after: what is paid until the next own decision plus its value, its
    # advantage, and whether it is in sight.
    ahead = np.where(acts[-1], values[-1], 0.0)
    gained = np.zeros(lanes)
    sighted = acts[-1].copy()
    is_known = np.zeros((steps, lanes), dtype=np.bool_)
    for t in reversed(range(steps)):
        over = is_over[t]
        ahead = rewards[t] + discount * np.where(over, beyond[t], ahead)
        gained = discount * np.where(over, 0.0, gained)
        sighted |= over
        own = acts[t]
        advantages[t] = np.where(own, ahead - values[t] + trace * gained, 0.0)
        is_known[t] = own & sighted
        gained = np.where(own, np.where(sighted, advantages[t], 0.0), gained)
        ahead = np.where(own, values[t], ahead)
        sighted |= own
    unknown = (acts[:-1] & ~is_known).any(axis=1)
    if unknown.any():
        is_known[int(np.argmax(unknown)) :] = False
    return Advantages(advantages=advantages, is_known=is_known)


def rewards_to_go(*, rewards: Floats, is_over: Truths, discount: float) -> Floats:
    """Return what is paid from each step to the end of its episode, discounted, (T, R)."""
    total = np.zeros(rewards.shape)
    ahead = np.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        ahead = rewards[t] + discount * np.where(is_over[t], 0.0, ahead)
        total[t] = ahead
    return total
