"""What actions were worth: returns to go, generalized advantages, and V-trace.

Arrays are (T, R): steps first, then lanes, each one player's view of one episode at a time; rewards
after an episode's end are zero. With ``r_t`` the rewards and ``g`` the discount, the *return to go*
is ``G_t = sum over u >= t of g^(u - t) r_u``. With ``V`` what observations are believed to be
worth, the *generalized advantage* mixes, by a trace ``l`` in [0, 1], estimates that trust ``V``
after one decision, two, and so on: ``l = 1`` is ``G_t - V``, ``l = 0`` the one-step error.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


def returns_to_go(rewards: Floats, *, discount: float, is_over: Truths | None = None) -> Floats:
    """Return what was received from each step on, in units of that step, (T, ...).

    Args:
        rewards (T, ...)
        is_over: Whether each step ended an episode, after which nothing of it follows; by default
            none does.

    >>> returns_to_go(np.array([[1.0], [2.0], [4.0]]), discount=0.5).ravel().tolist()
    [3.0, 4.0, 4.0]
    """
    found = np.zeros_like(rewards)
    after = np.zeros(rewards.shape[1:])
    for step in reversed(range(len(rewards))):
        if is_over is not None:
            after = np.where(is_over[step], 0.0, after)
        after = found[step] = rewards[step] + discount * after
    return found


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
    for t in reversed(range(steps)):
        over = is_over[t]
        ahead = rewards[t] + discount * np.where(over, beyond[t], ahead)
        gained = discount * np.where(over, 0.0, gained)
        sighted |= over
        own = acts[t]
        advantages[t] = np.where(own, ahead - values[t] + trace * gained, 0.0)
        gained = np.where(own, np.where(sighted, advantages[t], 0.0), gained)
        ahead = np.where(own, values[t], ahead)
        sighted |= own
    known = known_decisions(acts=acts, is_over=is_over)
    return Advantages(advantages=advantages, is_known=known)


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
    """Return V-trace targets and advantages: of one policy from the play of another.

    Over the own decisions ``k`` of an episode, with ``r_k`` all that was paid from one to the next,
    discounted, and ``g_k`` the discount of the steps in between; ``rho_k = min(rho, pi/mu)`` and
    ``c_k = decay * min(c, pi/mu)``: the target of ``V_k`` is

        v_k = V_k + sum_{m >= k} (prod_{k <= i < m} g_i c_i) rho_m (r_m + g_m V_{m+1} - V_m),

    the sum ending with the episode or the rollout. Where policies agree and nothing is cut, it is
    the return of the rest of the rollout. In the mean over play, its fixed point is the value of
    the policy in proportion to ``min(rho mu, pi)``, and not of ``pi``.

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
