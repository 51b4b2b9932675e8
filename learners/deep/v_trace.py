"""V-trace: values of one policy from the play of another, with cut importance ratios.

Over the own decisions ``k`` of an episode, with ``r_k`` all that was paid from one to the next,
discounted, and ``g_k`` the discount of the steps in between; ``rho_k = min(rho, pi/mu)`` and
``c_k = decay * min(c, pi/mu)``: the target of ``V_k`` is

    v_k = V_k + sum_{m >= k} (prod_{k <= i < m} g_i c_i) rho_m (r_m + g_m V_{m+1} - V_m),

the sum ending with the episode or the rollout. Where the policies agree and nothing is cut, it is
the return of the rest of the rollout. In the mean over play, its fixed point is the value of the
policy in proportion to ``min(rho mu, pi)``, and not of ``pi``.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Truths = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class VTrace:
    """What values and policies learn from; of meaning where a decision is known.

    Attributes:
        targets (T, R): For the values.
        advantages (T, R): ``rho_k (r_k + g_k v_{k+1} - V_k)``: weights of the score of the action
            taken.
    """

    targets: NDArray[Any]
    advantages: NDArray[Any]


def v_trace(
    *,
    rewards: NDArray[Any],
    values: NDArray[Any],
    beyond: NDArray[Any],
    acts: Truths,
    is_over: Truths,
    ratios: NDArray[Any],
    discount: Any,
    largest_ratio: Any = 1,
    largest_trace: Any = 1,
    trace_decay: Any = 1,
) -> VTrace:
    """Return V-trace targets and advantages for ``T`` steps of ``R`` lanes.

    Args:
        rewards (T, R): What each step paid.
        values (T + 1, R): What is expected, where the lane acts.
        beyond (T, R): What is expected to follow a step that ended an episode.
        acts (T + 1, R)
        is_over (T, R): Whether each step ended the episode.
        ratios (T, R): Probability of the action under the policy judged over that under the policy
            that played; read where the lane acts.
        discount (number): Factor for each step.
        largest_ratio, largest_trace (number): Where ratios are cut, ``rho`` and ``c``.
        trace_decay (number): Factor on traces, in [0, 1].

    Arrays of ``Fraction`` give exact targets. ``known_decisions`` tells which decisions have one.

    Source: :cite:`espeholt2018impala`, equation (1) and section 4.2.

    >>> one, zero = np.ones((3, 1)), np.zeros((3, 1))
    >>> never = np.zeros((3, 1), dtype=bool)
    >>> played = {"beyond": zero, "acts": np.ones((4, 1), dtype=bool), "is_over": never}
    >>> found = v_trace(rewards=one, values=np.zeros((4, 1)), ratios=one, discount=0.5, **played)
    >>> found.targets[:, 0].tolist()
    [1.75, 1.5, 1.0]
    """
    targets, advantages = np.zeros_like(rewards), np.zeros_like(rewards)
    # Seen from the step after: what is paid until the next own decision plus its value; how far
    # that decision's target lies above its value; and whether it is in sight.
    ahead = np.where(acts[-1], values[-1], 0 * values[-1])
    gained = 0 * values[-1]
    sighted = acts[-1].copy()
    for t in reversed(range(len(rewards))):
        over, own = is_over[t], acts[t]
        ahead = rewards[t] + discount * np.where(over, beyond[t], ahead)
        gained = discount * np.where(over, 0 * gained, gained)
        sighted |= over
        weight = np.minimum(ratios[t], largest_ratio)
        trace = trace_decay * np.minimum(ratios[t], largest_trace)
        above = weight * (ahead - values[t]) + trace * gained
        targets[t] = np.where(own, values[t] + above, 0 * above)
        advantages[t] = np.where(own, weight * (ahead + gained - values[t]), 0 * above)
        gained = np.where(own, np.where(sighted, above, 0 * above), gained)
        ahead = np.where(own, values[t], ahead)
        sighted |= own
    return VTrace(targets=targets, advantages=advantages)


def known_decisions(*, acts: Truths, is_over: Truths) -> Truths:
    """Tell which decisions are followed by another of the lane, or by the end of its episode.

    Args:
        acts (T + 1, R)
        is_over (T, R)

    Returns:
        (T, R): Decisions from the first step on at which some lane's is not known are left out in
        all
            lanes: without those alone, decisions that end episodes would count too often.
    """
    known = np.zeros_like(is_over)
    sighted = acts[-1].copy()
    for t in reversed(range(len(is_over))):
        sighted |= is_over[t]
        known[t] = acts[t] & sighted
        sighted |= acts[t]
    unknown = (acts[:-1] & ~known).any(axis=1)
    if unknown.any():
        known[int(np.argmax(unknown)) :] = False
    return known
