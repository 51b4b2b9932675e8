"""Best responses of a follower who knows what the leader has committed to, exact.

A *time-aware* follower sees time and state. Dynamic programming on (t, s) that maximizes the
follower's value, and among its best the leader's (or minimizes it), gives the exact value: the
follower's optimal policies are exactly those that choose a best action at every (t, s) that play
reaches, so that ties can be broken one by one. A *stationary* follower chooses by its own
observation alone, the same at all times; all deterministic ones are tried. Mixing may do better
than all of these, so the stationary answer is not a best response in general.
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import require_instance, require_integer, require_member
from gametheory_core.arrays import ZERO
from gametheory_core.errors import InvalidStrategy, UnsupportedGame
from gametheory_core.leaders.follower_problems import (
    FollowerProblems,
    ScaledReturns,
    fold_back,
    lexicographic,
    played,
    problem_of_stochastic,
    problems_of_deterministic,
    require_short_work,
)
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    FollowerPolicy,
    LeaderPolicy,
    MemoizedLeader,
    PlannedFollower,
    SimpleFollower,
    StationaryFollower,
    StochasticLeader,
    TimedFollower,
    check_follower_policy,
    check_leader_policy,
)
from gametheory_core.leaders.view import LeaderView

CELLS_AT_ONCE = 2_000_000


def num_stationary_followers(view: LeaderView) -> int:
    """Return the number of deterministic stationary follower policies.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> num_stationary_followers(leader_view(RepeatedGame.of("chicken", rounds=10)))
    32
    """
    return prod(len(own) for own in _choices(view) if own)


def _choices(view: LeaderView) -> list[tuple[int, ...]]:
    seen = view.game.observations[view.follower]
    return [view.follower_actions(o) for o in range(len(seen))]


def stationary_maps(view: LeaderView, max_policies: int) -> Any:
    """Return all stationary policies, one a row, -1 where the follower never acts."""
    count = num_stationary_followers(view)
    if count > max_policies:
        raise UnsupportedGame(
            needs=f"at most max_policies = {max_policies:,} stationary policies",
            found=f"{view.game.players[view.follower]!r} has {count:,} in {view.game!r}",
            remedy="Take FollowerClass.TIME_AWARE, whose response takes time linear in the table, "
            "or "
            "raise max_policies.",
        )
    return np.array(list(product(*(own or (-1,) for own in _choices(view)))))


def best_stationary(
    view: LeaderView, problems: FollowerProblems, maps: Any, sign: int
) -> tuple[ScaledReturns, Any]:
    """Return the best stationary returns for each problem, and the rows of ``maps``."""
    count = len(problems.rewards)
    by_state = actions_by_state(view, maps)
    size = max(1, problems_at_once(view) // count)
    parts: list[ScaledReturns] = []
    for k in range(0, len(maps), size):
        some = by_state[k : k + size]
        each = FollowerProblems(
            np.repeat(problems.rewards, len(some), axis=0),
            np.repeat(problems.successor, len(some), axis=0),
            np.repeat(problems.weight, len(some), axis=0),
            problems.reward_denominator,
            problems.weight_denominator,
        )
        parts.append(fold_back(view, played(each, np.tile(some, (count, 1))), only_action))
    values = np.concatenate([p.numerators.reshape(count, -1, 2) for p in parts], axis=1)
    best = lexicographic(values, np.ones(values.shape[:2], dtype=bool), sign=sign)
    return ScaledReturns(values[np.arange(count), best], parts[0].denominator), best


def actions_by_state(view: LeaderView, maps: Any) -> Any:
    """Turn actions by follower observation into actions by state; 0 where nobody acts."""
    seen = view.follower_observation
    return np.where(seen >= 0, maps[:, seen], 0)


def only_action(_: int, values: Any) -> Any:
    """Choose the first action everywhere."""
    return np.zeros(values.shape[:2], dtype=np.int64)


def problems_at_once(view: LeaderView) -> int:
    """Return how many problems fit into memory together."""
    shape = view.tables.successor.shape
    return max(1, CELLS_AT_ONCE // max(1, shape[0] * shape[2] * shape[3]))


MAX_STATIONARY = 100_000


class FollowerClass(Enum):
    """What a follower's action may depend on."""

    TIME_AWARE = "time-aware"
    STATIONARY = "stationary"


class FollowerTies(Enum):
    """How a follower who is indifferent chooses: in the leader's favor, or against him."""

    STRONG = "strong"
    WEAK = "weak"


@dataclass(frozen=True)
class FollowerResponse:
    """A best response to a leader's policy.

    Attributes:
        policy: Planned if the leader draws a plan before play.
        returns: The leader's and the follower's.
    """

    policy: FollowerPolicy
    returns: tuple[Fraction, Fraction]


def leader_returns(
    view: LeaderView, leader_policy: LeaderPolicy, follower_policy: FollowerPolicy
) -> tuple[Fraction, Fraction]:
    """Return what a pair of policies pays, the leader first.

    Raises:
        InvalidStrategy: If a policy does not fit, or a ``PlannedFollower`` has not one policy for
            each plan.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3))
    >>> tit_for_tat = DeterministicLeader((0, 0, 1, 0, 1))
    >>> leader_returns(view, tit_for_tat, StationaryFollower((1, 1, 1, 1, 1)))
    (Fraction(2, 1), Fraction(7, 1))
    """
    check_leader_policy(view, leader_policy)
    check_follower_policy(view, follower_policy)
    if isinstance(leader_policy, MemoizedLeader):
        plans = leader_policy.plans
        own = (
            follower_policy.policies
            if isinstance(follower_policy, PlannedFollower)
            else (follower_policy,) * len(plans)
        )
        if len(own) != len(plans):
            raise InvalidStrategy(
                needs=f"one follower policy for each of {len(plans)} plans", found=f"got {len(own)}"
            )
        parts = [_pair(view, plan, policy) for plan, policy in zip(plans, own, strict=True)]
        return _mean(leader_policy.weights, parts)
    if isinstance(follower_policy, PlannedFollower):
        raise InvalidStrategy(
            needs="a MemoizedLeader beside a PlannedFollower",
            found=f"got a {type(leader_policy).__name__}",
            remedy="Choose one of the follower's policies.",
        )
    return _pair(view, leader_policy, follower_policy)


def follower_response(
    view: LeaderView,
    leader_policy: LeaderPolicy,
    *,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
    max_policies: int = MAX_STATIONARY,
) -> FollowerResponse:
    """Find an exact best response to a leader's policy, and what it pays both.

    Against a ``MemoizedLeader`` the follower knows which plan was drawn.

    Args:
        ties: Among best responses the best or the worst for the leader; of several, the first.
        max_policies: The largest number of stationary policies to try.

    Raises:
        InvalidStrategy: If the policy does not fit.
        UnsupportedGame: If there are more than ``max_policies`` stationary policies, or steps, or
            the digits of what is summed over them, are too many.

    Time-aware: time and memory linear in the horizon times the table.

    Source: :cite:`gerstgrasser2023oracles`, section 3.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3))
    >>> follower_response(view, DeterministicLeader((0, 0, 1, 0, 1))).returns
    (Fraction(6, 1), Fraction(11, 1))
    """
    require_instance(view, LeaderView, name="view", remedy="Call leader_view(game).")
    require_member(follower_class, FollowerClass, name="follower_class")
    require_member(ties, FollowerTies, name="ties")
    require_integer(max_policies, name="max_policies", low=1)
    check_leader_policy(view, leader_policy)
    respond = _timed if follower_class is FollowerClass.TIME_AWARE else _stationary
    sign = _sign(ties)
    if isinstance(leader_policy, MemoizedLeader):
        own = [respond(view, plan, sign, max_policies) for plan in leader_policy.plans]
        policies = tuple(cast("SimpleFollower", response.policy) for response in own)
        returns = _mean(leader_policy.weights, [response.returns for response in own])
        return FollowerResponse(PlannedFollower(policies), returns)
    return respond(view, leader_policy, sign, max_policies)


def response_returns(
    view: LeaderView,
    leaders: Any,
    *,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
    max_policies: int = MAX_STATIONARY,
) -> ScaledReturns:
    """Return what many deterministic leaders and the follower get when she responds to each.

    Args:
        leaders (P, number of leader observations): As ``DeterministicLeader.actions``, one leader a
            row.
        follower_class, ties, max_policies: As for ``follower_response``.

    Returns:
        Integers over one denominator, in the order of the rows.

    Raises:
        InvalidStrategy: If an action is not legal; names the row and the observation.
        UnsupportedGame: If there are more than ``max_policies`` stationary policies.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3))
    >>> response_returns(view, [[0, 0, 1, 0, 1], [1, 1, 1, 1, 1]]).numerators.tolist()
    [[6, 11], [3, 3]]
    """
    require_instance(view, LeaderView, name="view", remedy="Call leader_view(game).")
    require_member(follower_class, FollowerClass, name="follower_class")
    require_member(ties, FollowerTies, name="ties")
    require_integer(max_policies, name="max_policies", low=1)
    rows = _checked_leaders(view, leaders)
    sign = _sign(ties)
    if follower_class is FollowerClass.STATIONARY:
        maps = stationary_maps(view, max_policies)
        size = max(1, problems_at_once(view) // len(maps))
        parts = [
            best_stationary(view, problems_of_deterministic(view, rows[k : k + size]), maps, sign)
            for k in range(0, len(rows), size)
        ]
        parts = [returns for returns, _ in parts]
    else:
        size = problems_at_once(view)
        legal = view.tables.follower_legal
        parts = [
            fold_back(
                view,
                problems_of_deterministic(view, rows[k : k + size]),
                lambda _, values: lexicographic(values, legal, sign=sign),
            )
            for k in range(0, len(rows), size)
        ]
    if not parts:
        return ScaledReturns(np.zeros((0, 2), dtype=np.int64), 1)
    numerators = np.concatenate([part.numerators for part in parts])
    return ScaledReturns(numerators, parts[0].denominator)


def _sign(ties: FollowerTies) -> int:
    return 1 if ties is FollowerTies.STRONG else -1


def _mean(
    weights: tuple[Fraction, ...], parts: list[tuple[Fraction, Fraction]]
) -> tuple[Fraction, Fraction]:
    own, other = (
        sum((w * pair[i] for w, pair in zip(weights, parts, strict=True)), ZERO) for i in (0, 1)
    )
    return own, other


def _problem(
    view: LeaderView, leader_policy: DeterministicLeader | StochasticLeader
) -> FollowerProblems:
    if isinstance(leader_policy, DeterministicLeader):
        return problems_of_deterministic(view, np.array([leader_policy.actions]))
    return problem_of_stochastic(view, leader_policy)


def _pair(
    view: LeaderView, leader: DeterministicLeader | StochasticLeader, follower: SimpleFollower
) -> tuple[Fraction, Fraction]:
    """Evaluate one pair of policies without plans."""
    problem = _problem(view, leader)
    if isinstance(follower, StationaryFollower):
        actions = np.maximum(actions_by_state(view, np.array([follower.actions])), 0)
        return fold_back(view, played(problem, actions), only_action).pair(0)
    by_step = [np.maximum(np.array([own]), 0) for own in follower.actions]
    return fold_back(view, problem, lambda step, _: by_step[step]).pair(0)


def _timed(
    view: LeaderView, leader: DeterministicLeader | StochasticLeader, sign: int, _max_policies: int
) -> FollowerResponse:
    legal = view.tables.follower_legal
    acting = view.follower_observation >= 0
    by_step: list[tuple[int, ...]] = []

    def choose(_: int, values: Any) -> Any:
        actions = lexicographic(values, legal, sign=sign)
        by_step.append(tuple(np.where(acting, actions[0], -1).tolist()))
        return actions

    returns = fold_back(view, _problem(view, leader), choose)
    return FollowerResponse(TimedFollower(tuple(reversed(by_step))), returns.pair(0))


def _stationary(
    view: LeaderView, leader: DeterministicLeader | StochasticLeader, sign: int, max_policies: int
) -> FollowerResponse:
    maps = stationary_maps(view, max_policies)
    problem = _problem(view, leader)
    cells = len(maps) * problem.weight[:, :, 0].size
    require_short_work(view, cells=cells)
    returns, best = best_stationary(view, problem, maps, sign)
    return FollowerResponse(StationaryFollower(tuple(maps[best[0]].tolist())), returns.pair(0))


def _checked_leaders(view: LeaderView, leaders: Any) -> Any:
    """Return leaders as an integer array, after checking that every action is legal."""
    rows = np.asarray(leaders)
    count = len(view.game.observations[view.leader])
    if rows.size and (
        rows.dtype.kind not in "iu" or rows.ndim != 2 or rows.shape[1] != count
    ):  # rows
        raise InvalidStrategy(
            needs=f"an integer array with {count} columns, one for each leader observation",
            found=f"its shape is {rows.shape} and its type {rows.dtype}",
        )
    rows = rows.reshape(-1, count)
    for o in range(count):
        legal = view.leader_actions(o) or (-1,)
        bad = np.flatnonzero(~np.isin(rows[:, o], legal))
        if bad.size:
            raise InvalidStrategy(
                needs=f"one of the actions {list(legal)} at observation {o}",
                found=f"row {bad[0]} has {rows[bad[0], o]}",
                remedy="Actions are numbers; -1 stands where the leader never acts.",
            )
    return rows
