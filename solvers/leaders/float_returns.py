"""A leader's return and its gradient in floats, for several held follower policies at once.

With ``S`` states, ``A`` and ``B`` actions, ``h`` steps and ``N`` follower policies; states in which
nobody acts have no rewards and lead nowhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.errors import UnsupportedGame
from gametheory_core.leaders.follower_responses import FollowerClass, FollowerTies
from gametheory_core.leaders.policies import SimpleFollower, TimedFollower
from gametheory_core.leaders.view import LeaderView
from solvers.rounding import float_exponent, float_ratios

MAX_CELLS = 20_000_000
MAX_EXPONENT = 400  # of two, of rewards: squares of returns are still floats
MAX_FOLLOWERS = 4096
TIE = 1e-11  # of the span of returns: what counts as a tie of the follower


@dataclass(frozen=True, eq=False)
class FloatGame:
    """A leader view in floats.

    Attributes:
        rewards (2, S, A, B): The leader's, and the follower's.
        transitions (S, A, B, S)
        first (S,): How likely play starts in each state.
        observation (S,): The leader's; -1 where nobody acts.
        follower_legal (S, B)
        scale: The most that returns of one player can differ by, at least 1e-300.
    """

    rewards: FloatArray
    transitions: FloatArray
    first: FloatArray
    observation: Any
    follower_legal: Any
    horizon: int
    discount: float
    scale: float


@dataclass(frozen=True, eq=False)
class HeldFollowers:
    """What the leader faces when follower policies are held fixed.

    Attributes:
        rewards (h, N, S, A): The leader's.
        transitions (h, N, S, A, S)
    """

    rewards: FloatArray
    transitions: FloatArray


def float_game(view: LeaderView) -> FloatGame:
    """Lay a view out in floats.

    Raises:
        UnsupportedGame: If dense transitions would have more than ``MAX_CELLS`` entries, or a
            reward is about ``2**MAX_EXPONENT`` or more.
    """
    tables, size = view.tables, view.num_states
    shape = tables.successor.shape[:3]
    if (cells := size * prod(shape) * view.horizon) > MAX_CELLS:
        raise UnsupportedGame(
            needs=f"at most {MAX_CELLS:,} cells of step, state, joint action and next state",
            found=f"{view.game!r} has {cells:,}",
            remedy="Take fewer steps, or step by leader_gradient, which keeps transitions sparse.",
        )
    exponent = float_exponent(tables.rewards, tables.reward_denominator)
    if exponent > MAX_EXPONENT:
        raise UnsupportedGame(
            needs=f"rewards below 2^{MAX_EXPONENT}, as gradients in floats are in payoff units",
            found=f"{view.game!r} has one near 2^{exponent}",
            remedy="Rescale the rewards.",
        )
    rewards = np.moveaxis(float_ratios(tables.rewards, tables.reward_denominator), -1, 0)
    transitions = np.zeros((*shape, size))
    weights = float_ratios(tables.weight, tables.weight_denominator)
    np.add.at(transitions, (*np.indices(shape)[..., None], tables.successor), weights)
    spans = rewards.max(axis=(1, 2, 3)) - rewards.min(axis=(1, 2, 3))
    weights_of_steps = sum(float(view.discount) ** t for t in range(view.horizon))
    return FloatGame(
        rewards=np.ascontiguousarray(rewards),
        transitions=transitions,
        first=float_ratios(tables.initial_weight, tables.initial_denominator),
        observation=view.leader_observation,
        follower_legal=tables.follower_legal,
        horizon=view.horizon,
        discount=float(view.discount),
        scale=max(1e-300, float(spans.max()) * weights_of_steps),
    )


def follower_actions(view: LeaderView, followers: Sequence[SimpleFollower]) -> Any:
    """Return the actions of follower policies, shape (h, N, S); -1 where nobody acts."""
    rows: list[Any] = []
    for follower in followers:
        if isinstance(follower, TimedFollower):
            rows.append(np.array(follower.actions))
        else:
            own = np.array([*follower.actions, -1])[view.follower_observation]
            rows.append(np.broadcast_to(own, (view.horizon, view.num_states)))
    return np.stack(rows, axis=1)


def stationary_actions(view: LeaderView) -> Any:
    """Return the actions of all stationary follower policies, shape (h, N, S).

    Raises:
        UnsupportedGame: If there are more than ``MAX_FOLLOWERS``.
    """
    seen = range(len(view.game.observations[view.follower]))
    choices = [view.follower_actions(o) or (-1,) for o in seen]
    if (count := prod(map(len, choices))) > MAX_FOLLOWERS:
        raise UnsupportedGame(
            needs=f"at most {MAX_FOLLOWERS} stationary follower policies",
            found=f"{view.game!r} has {count:,}",
            remedy="Use FollowerClass.TIME_AWARE.",
        )
    table = np.array([[*actions, -1] for actions in product(*choices)])
    by_state = table[:, view.follower_observation]
    return np.broadcast_to(by_state, (view.horizon, *by_state.shape))


def hold(game: FloatGame, actions: Any, *, player: int = 0) -> HeldFollowers:
    """Return what is left of a game when the follower's actions, shape (h, N, S), are held.

    ``player`` is 0 for the leader's rewards, 1 for the follower's.
    """
    states = np.arange(len(game.first))
    return HeldFollowers(
        game.rewards[player][states, :, actions], game.transitions[states, :, actions]
    )


def returns_and_partials(
    game: FloatGame, held: HeldFollowers, lotteries: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the leader's returns, shape (N,), and their partials, shape (N, O, A).

    ``lotteries`` has shape (O, A). Partials are as in ``evaluation.leader_gradients``.
    """
    chances = _by_state(game, lotteries)
    chain = np.matmul(chances[:, None, :], held.transitions)[..., 0, :]
    earned = (chances * held.rewards).sum(axis=-1)
    values = np.zeros((game.horizon + 1, *earned.shape[1:]))
    for t in reversed(range(game.horizon)):
        after = np.matmul(chain[t], values[t + 1][:, :, None])[:, :, 0]
        values[t] = earned[t] + game.discount * after
    reach = np.empty_like(earned)
    reach[0] = game.first
    for t in range(1, game.horizon):
        moved = np.matmul(reach[t - 1][:, None, :], chain[t - 1])[:, 0, :]
        reach[t] = game.discount * moved
    following = np.matmul(held.transitions, values[1:, :, None, :, None])[..., 0]
    weighted = (reach[..., None] * (held.rewards + game.discount * following)).sum(axis=0)
    seen = np.arange(len(lotteries))[:, None] == game.observation
    return values[0] @ game.first, np.matmul(seen.astype(np.float64), weighted)


def _by_state(game: FloatGame, lotteries: FloatArray) -> FloatArray:
    """Return the mixed action in each state, shape (S, A); zeros where nobody acts."""
    return np.where(game.observation[:, None] >= 0, lotteries[game.observation], 0.0)


def best_actions(
    game: FloatGame,
    lotteries: FloatArray,
    *,
    follower_class: FollowerClass,
    ties: FollowerTies,
    stationary: Any = None,
) -> Any:
    """Return the actions of a best response, shape (h, 1, S); 0 where nobody acts.

    What differs by less than ``TIE`` of the span of returns is a tie. ``stationary`` are the
    actions of all stationary policies, if that is the class.
    """
    sign = 1.0 if ties is FollowerTies.STRONG else -1.0
    chances = _by_state(game, lotteries)
    near = TIE * game.scale
    if follower_class is FollowerClass.STATIONARY:
        returns: list[FloatArray] = []
        for player in (1, 0):
            held = hold(game, stationary, player=player)
            returns.append(returns_and_partials(game, held, lotteries)[0])
        choice = int(_prefer(returns[0], sign * returns[1], near))
        return stationary[:, choice : choice + 1]
    rewards = np.einsum("sa,psab->psb", chances, game.rewards)
    moves = np.einsum("sa,sabn->sbn", chances, game.transitions)
    values = np.zeros((2, len(game.first)))
    chosen = np.empty((game.horizon, 1, len(game.first)), dtype=np.int64)
    states = np.arange(len(game.first))
    for t in reversed(range(game.horizon)):
        leader, follower = rewards + game.discount * np.moveaxis(moves @ values.T, -1, 0)
        allowed = np.where(game.follower_legal, follower, -np.inf)
        chosen[t, 0] = _prefer(allowed, sign * leader, near)
        values = np.stack([leader, follower])[:, states, chosen[t, 0]]
    return chosen


def _prefer(first: FloatArray, second: FloatArray, near: float) -> Any:
    """Return, along the last axis, where the first is largest, then the second, then the index."""
    is_best = first >= first.max(axis=-1, keepdims=True) - near
    kept = np.where(is_best, second, -np.inf)
    return (kept >= kept.max(axis=-1, keepdims=True) - near).argmax(axis=-1)
