"""What a follower faces once leaders have committed: decision problems in integers, many at once.

With rewards over a denominator ``D``, probabilities over ``W`` and the discount ``n/d``, the value
``V_t`` with ``h - t`` steps to go is ``U_t / (D (W d)^(h - 1 - t))`` for the integers

    U_t = (W d)^(h - 1 - t) r + n sum_s' w(s') U_{t+1}(s').

``|U_t| <= h (W d)^(h - 1) max|r|``, which says whether 64 bits are enough.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import counted
from gametheory_core.arrays import ZERO, exact_array, scaled_integers
from gametheory_core.certificates.wording import at_most_roughly
from gametheory_core.errors import UnsupportedGame
from gametheory_core.leaders.policies import StochasticLeader
from gametheory_core.leaders.view import SAFE_BITS, LeaderView

Values: TypeAlias = Any  # integer array (P, S, B, 2): the leader's, the follower's
Choose: TypeAlias = Callable[[int, Values], Any]  # step and values -> actions (P, S)

MOST_WORK = 100_000_000  # cells times words of 64 bits, over all steps: some ten seconds
WORK_A_STEP = 1_000  # cells that cost as much as the calls of a step
WORD = 64
MOST_STEPS_SUMMED = 10_000  # up to which discounts are summed exactly


@dataclass(frozen=True, eq=False)
class FollowerProblems:
    """The problems of ``P`` committed leaders.

    Attributes:
        rewards (P, S, B, 2): The leader's and the follower's, over ``reward_denominator``.
        successor, weight (P, S, B, K): Next states with their probabilities over
            ``weight_denominator``.
    """

    rewards: Any
    successor: Any
    weight: Any
    reward_denominator: int
    weight_denominator: int


@dataclass(frozen=True, eq=False)
class ScaledReturns:
    """ScaledReturns of both players for many pairs of policies.

    Attributes:
        numerators (P, 2): The leader's, the follower's.
        denominator: Positive, common to all.
    """

    numerators: Any
    denominator: int

    def pair(self, index: int) -> tuple[Fraction, Fraction]:
        """Return one pair of returns, the leader's first."""
        own, other = self.numerators[index].tolist()
        return Fraction(own, self.denominator), Fraction(other, self.denominator)


def require_short_work(view: LeaderView, *, cells: int, denominator: int | None = None) -> None:
    """Refuse to work backwards over so many steps, or with such long numbers, that it never ends.

    Args:
        cells: Of the table that is gone through at each step.
        denominator: Of the probabilities. Default: that of the game.

    Raises:
        UnsupportedGame: Says how many steps, cells and bits there are, and what any leader earns at
            most.
    """
    scale = (denominator or view.tables.weight_denominator) * view.discount.denominator
    bits = view.horizon * (scale - 1).bit_length()
    work = view.horizon * (WORK_A_STEP + cells * (1 + bits // (2 * WORD)))  # half of it on average
    if work > MOST_WORK:
        largest = max(map(abs, view.tables.rewards.ravel().tolist()), default=0)
        bits += (int(largest) * view.horizon).bit_length()
        raise UnsupportedGame(
            needs=f"at most {MOST_WORK:,} operations on words",
            found=f"{counted(view.horizon)} steps over {cells:,} cells of state, action and next "
            f"state, with numbers of up to {counted(bits)} bits, take about {counted(work)}",
            remedy=f"{most_in_words(view)} Shorten the horizon, or take discounts and "
            "probabilities with smaller denominators.",
        )


def most_in_words(view: LeaderView) -> str:
    """Say, where nothing sharper can be computed, what no leader exceeds."""
    most = at_most_roughly(highest_return(view))
    return f"No leader gets more than {most}, the largest reward in every step."


def highest_return(view: LeaderView) -> Fraction:
    """Return what the leader would get if every step paid the largest reward, or 0 after the end.

    After very many steps, what endless ones would pay is returned, which is hardly more.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> highest_return(leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3)))
    Fraction(15, 1)
    """
    rewards = view.tables.rewards[..., 0]
    largest = Fraction(int(np.max(rewards, initial=0)), view.tables.reward_denominator)
    if view.discount == 1:
        return largest * view.horizon
    steps = view.horizon
    left = view.discount**steps if steps <= MOST_STEPS_SUMMED else ZERO
    total = (1 - left) / (1 - view.discount)
    return max(largest * total, ZERO)


def problems_of_deterministic(view: LeaderView, actions: Any) -> FollowerProblems:
    """Return the problems that deterministic leaders pose.

    Args:
        actions (P, number of leader observations): Legal; anything where the leader never acts.
    """
    tables = view.tables
    chosen = np.asarray(actions)[:, view.leader_observation]
    chosen = np.where(view.leader_observation >= 0, chosen, 0)
    states = np.arange(view.num_states)
    return FollowerProblems(
        tables.rewards[states, chosen],
        tables.successor[states, chosen],
        tables.weight[states, chosen],
        tables.reward_denominator,
        tables.weight_denominator,
    )


def problem_of_stochastic(view: LeaderView, policy: StochasticLeader) -> FollowerProblems:
    """Return the problem that a leader who draws afresh poses, alone in its batch."""
    tables = view.tables
    count = len(view.game.actions[view.leader])
    rows = [lottery or (Fraction(0),) * count for lottery in policy.lotteries]
    rows.append((Fraction(0),) * count)  # stands at index -1: nobody acts
    lotteries = scaled_integers(exact_array(rows))
    mix = lotteries.numerators[view.leader_observation]  # (S, A)
    rewards = (mix[:, :, None, None] * tables.rewards).sum(axis=1)
    weight = np.moveaxis(mix[:, :, None, None] * tables.weight, 1, 2)
    successor = np.moveaxis(tables.successor, 1, 2)
    shape = (*successor.shape[:2], -1)
    return FollowerProblems(
        rewards[None],
        successor.reshape(shape)[None],
        weight.reshape(shape)[None],
        tables.reward_denominator * lotteries.denominator,
        tables.weight_denominator * lotteries.denominator,
    )


def played(problems: FollowerProblems, actions: Any) -> FollowerProblems:
    """Leave the follower one action in each state; ``actions`` (P, S), 0 where nobody acts."""
    problem = np.arange(len(problems.rewards))[:, None]
    state = np.arange(problems.rewards.shape[1])
    return FollowerProblems(
        problems.rewards[problem, state, actions][:, :, None],
        problems.successor[problem, state, actions][:, :, None],
        problems.weight[problem, state, actions][:, :, None],
        problems.reward_denominator,
        problems.weight_denominator,
    )


def fold_back(view: LeaderView, problems: FollowerProblems, choose: Choose) -> ScaledReturns:
    """Work backwards from the horizon, the follower acting by ``choose``, and return the returns.

    ``choose(step, values)`` is called for the last step first.

    Raises:
        UnsupportedGame: If the steps, or the digits of what is summed, are too many.
    """
    require_short_work(
        view, cells=problems.weight[:1].size, denominator=problems.weight_denominator
    )
    scale = problems.weight_denominator * view.discount.denominator
    numerator = view.discount.numerator
    horizon = view.horizon
    count, states = problems.rewards.shape[:2]
    first = view.tables.initial_weight
    largest = max(1, int(np.abs(problems.rewards).max(initial=0)))
    bits = (largest * max(horizon, 1)).bit_length() + scale.bit_length() * max(horizon - 1, 0)
    bits += view.tables.initial_denominator.bit_length()
    kind = np.int64 if bits <= SAFE_BITS else object
    rewards = problems.rewards.astype(kind)
    weight = problems.weight.astype(kind)[..., None]
    which = np.arange(count)[:, None, None, None]
    problem, state = np.arange(count)[:, None], np.arange(states)
    values = np.zeros((count, states, 2), dtype=kind)
    factor = 1
    for step in reversed(range(horizon)):
        later = (weight * values[which, problems.successor]).sum(axis=-2)
        options = rewards * factor + numerator * later
        values = options[problem, state, choose(step, options)]
        factor *= scale
    total = (values * first.astype(kind)[:, None]).sum(axis=1)
    denominator = problems.reward_denominator * view.tables.initial_denominator
    return ScaledReturns(total, denominator * scale ** max(horizon - 1, 0))


def lexicographic(values: Any, legal: Any, *, sign: int) -> Any:
    """Return the follower's best legal actions, ties by ``sign`` times the leader's value.

    Args:
        values (..., B, 2)
        legal (..., B): Where nothing is legal all values are zero, and the answer is 0.
        sign: 1 in the leader's favor, -1 against.
    """
    own, other = values[..., 1], sign * values[..., 0]
    own = np.where(legal, own, own.min(initial=0) - 1)
    best = own == own.max(axis=-1, keepdims=True)
    return np.where(best, other, other.min(initial=0) - 1).argmax(axis=-1)
