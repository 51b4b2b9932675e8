"""What many stochastic leaders earn, in floats, the follower best responding to each.

With ``N`` leaders, ``O`` leader observations, ``S`` states, ``A`` and ``B`` actions, and ``K`` the
largest number of next states. Floats propose leaders; nothing here proves anything.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.follower_responses import FollowerClass, FollowerTies
from gametheory_core.games.leader_view import LeaderView
from solvers.float_units import float_exponent, float_ratios, power_of_two

TIE = 1e-11  # of the span of returns: what counts as a tie of the follower
CELLS_AT_ONCE = 4_000_000
MAX_FOLLOWERS = 10_000


@dataclass(frozen=True, eq=False)
class FloatLeaders:
    """A leader view in floats, for one kind of follower, payoffs in units of a power of two.

    Attributes:
        sign: 1 if ties break for the leader, -1 if against him.
        followers (M, S): Actions of all stationary followers, 0 where nobody acts; None if she is
            time-aware.
        unit: The leader's, in payoff units; the follower has her own.
        rewards (S, A, B, 2): The leader's, and the follower's; in units.
        successor (S, A, B, K)
        weight (S, A, B, K)
        first (S,)
        span: How much returns may differ, in units.
    """

    view: LeaderView
    sign: float
    followers: Any
    unit: Fraction
    rewards: FloatArray
    successor: Any
    weight: FloatArray
    first: FloatArray
    span: float


def float_leaders(
    view: LeaderView, *, follower_class: FollowerClass, ties: FollowerTies
) -> FloatLeaders:
    """Lay a view out in floats.

    Raises:
        UnsupportedGame: If there are more than ``MAX_FOLLOWERS`` stationary followers.
    """
    tables = view.tables
    paid = [tables.rewards[..., i] for i in range(2)]
    exponents = [float_exponent(own, tables.reward_denominator) for own in paid]
    rewards = np.stack(
        [
            float_ratios(own, tables.reward_denominator, exponent)
            for own, exponent in zip(paid, exponents, strict=True)
        ],
        axis=-1,
    )
    span = float(np.ptp(rewards, axis=(0, 1, 2)).max())
    weights = sum(float(view.discount) ** t for t in range(view.horizon))
    stationary = follower_class is FollowerClass.STATIONARY
    return FloatLeaders(
        view=view,
        sign=1.0 if ties is FollowerTies.STRONG else -1.0,
        followers=_stationary_actions(view) if stationary else None,
        unit=power_of_two(exponents[0]),
        rewards=rewards,
        successor=tables.successor,
        weight=float_ratios(tables.weight, tables.weight_denominator),
        first=float_ratios(tables.initial_weight, tables.initial_denominator),
        span=max(span * weights, 1e-300),
    )


def leader_values(game: FloatLeaders, lotteries: FloatArray) -> FloatArray:
    """Return what leaders earn in units, shape (N,).

    Args:
        lotteries (N, O, A)
    """
    states, mine, theirs, most = game.weight.shape
    cells = states * mine * theirs * (most + 2)
    if game.followers is not None:
        cells += len(game.followers) * states * (most + 2)
    size = max(1, CELLS_AT_ONCE // cells)
    parts = [_values(game, lotteries[k : k + size]) for k in range(0, len(lotteries), size)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _values(game: FloatLeaders, lotteries: FloatArray) -> FloatArray:
    seen = game.view.leader_observation
    chances = np.where(seen[:, None] >= 0, lotteries[:, seen], 0.0)  # (N, S, A)
    count, states, theirs = len(chances), chances.shape[1], game.rewards.shape[2]
    rewards = np.einsum("nsa,sabi->nsbi", chances, game.rewards)
    weight = chances[:, :, :, None, None] * game.weight  # (N, S, A, B, K)
    weight = np.moveaxis(weight, 2, 3).reshape(count, states, theirs, -1)
    after = np.moveaxis(game.successor, 1, 2).reshape(states, theirs, -1)
    if game.followers is not None:
        return _against_stationary(game, rewards, weight, after)
    legal = game.view.tables.follower_legal
    values = np.zeros((count, states, 2))
    for _ in range(game.view.horizon):
        later = np.einsum("nsbk,nsbki->nsbi", weight, values[:, after])
        total = rewards + float(game.view.discount) * later
        own, other = total[..., 0], np.where(legal, total[..., 1], -np.inf)
        is_best = other >= other.max(axis=-1, keepdims=True) - TIE * game.span
        choice = np.where(is_best, game.sign * own, -np.inf).argmax(axis=-1)
        values = np.take_along_axis(total, choice[..., None, None], axis=2)[:, :, 0]
        values[:, seen < 0] = 0.0
    return values[..., 0] @ game.first


def _against_stationary(
    game: FloatLeaders, rewards: FloatArray, weight: FloatArray, after: Any
) -> FloatArray:
    """Try all stationary followers against each leader, and let the follower choose."""
    actions, state = game.followers, np.arange(rewards.shape[1])
    paid, shares, following = (
        rewards[:, state, actions],
        weight[:, state, actions],
        after[state, actions],
    )
    values = np.zeros_like(paid)  # (N, M, S, 2)
    follower = np.arange(len(actions))[:, None, None]
    for _ in range(game.view.horizon):
        later = np.einsum("nmsk,nmski->nmsi", shares, values[:, follower, following])
        values = paid + float(game.view.discount) * later
    own, other = np.moveaxis(np.einsum("nmsi,s->nmi", values, game.first), -1, 0)
    is_best = other >= other.max(axis=-1, keepdims=True) - TIE * game.span
    return game.sign * np.where(is_best, game.sign * own, -np.inf).max(axis=-1)


def _stationary_actions(view: LeaderView) -> Any:
    seen = range(len(view.game.observations[view.follower]))
    choices = [view.follower_actions(o) or (0,) for o in seen]
    if (count := prod(map(len, choices))) > MAX_FOLLOWERS:
        raise UnsupportedGame(
            f"stochastic_markov_commitment: needs at most {MAX_FOLLOWERS:,} stationary followers, "
            f"but {view.game!r} has {count:,}. Use FollowerClass.TIME_AWARE."
        )
    by_observation = np.array([[*actions, 0] for actions in product(*choices)])
    return by_observation[:, view.follower_observation]
