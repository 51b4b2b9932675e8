"""Relaxations of a leader's problem in floats, for many partial policies at once.

A *pattern* is a row that fixes the action at some observations of the leader and, for a stationary
follower, of the follower, who stands after the leader; others are ``OPEN``. Its bound lets play
answer an open observation anew at every step and state. The certificate proves the same bounds
exactly, by its own code; these only guide the search.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.leaders.follower_responses import FollowerClass, FollowerTies
from gametheory_core.leaders.view import LeaderView
from solvers.rounding import float_exponent, float_ratios, power_of_two

OPEN = -2
NEVER = -1
ROUNDING = 1e-10  # of the sum of all absolute numbers that a bound adds up
MOST_CELLS = 1 << 20  # of arrays that are worked on at once


@dataclass(frozen=True)
class SearchProblem:
    """A leader's problem as floats, each player's payoffs in units of a power of two.

    Attributes:
        is_negated: Bound minus the leader's return; ties still break as ``ties`` says about the
            true one.
        unit: The leader's, in payoff units.
        own, other (S, A, B): Rewards: what is bounded, and the follower's; in units.
        successor, weight (S, A, B, next): Next states, and probabilities times the discount.
        start (S,)
        multipliers (K,): Ascending from 0; of the follower's rewards in her units.
        legal: Actions at each observation, the leader's first.
        tolerance: Differences below this are rounding; in units.
    """

    view: LeaderView
    follower_class: FollowerClass
    ties: FollowerTies
    is_negated: bool
    unit: Fraction
    own: Any
    other: Any
    successor: Any
    weight: Any
    start: Any
    multipliers: Any
    legal: tuple[tuple[int, ...], ...]
    tolerance: float

    @property
    def num_leader(self) -> int:
        """Number of the leader's observations."""
        return len(self.view.game.observations[self.view.leader])

    @property
    def is_stationary(self) -> bool:
        """Whether the follower's policy is stationary."""
        return self.follower_class is FollowerClass.STATIONARY

    @property
    def is_adverse(self) -> bool:
        """Whether ties break against what is bounded."""
        return (self.ties is FollowerTies.WEAK) != self.is_negated

    def in_units(self, payoff: Fraction) -> float:
        """Return a payoff of the leader as floats here have it."""
        return float(payoff / self.unit)


@dataclass(frozen=True)
class PatternBounds:
    """Bounds on patterns, shape (N,) each; minus infinity where a pattern holds no response."""

    upper: Any
    follower_upper: Any


def search_problem(
    view: LeaderView, follower_class: FollowerClass, ties: FollowerTies, multipliers: Any
) -> SearchProblem:
    """Read a view into floats; multipliers are in payoff units."""
    tables = view.tables
    exponents = [
        float_exponent(tables.rewards[..., i], tables.reward_denominator) for i in range(2)
    ]
    rewards = [
        float_ratios(tables.rewards[..., i], tables.reward_denominator, exponents[i])
        for i in range(2)
    ]
    used = 1 + max(np.flatnonzero((tables.weight != 0).any(axis=(0, 1, 2))), default=0)
    weight = float_ratios(tables.weight[..., :used], tables.weight_denominator)
    relative = power_of_two(exponents[1] - exponents[0])
    factors = np.array([float(x * relative) for x in multipliers])
    largest = float(np.abs(rewards).max(initial=0)) * (1 + factors[-1]) * max(1, view.horizon)
    players = (view.leader, view.follower)
    actions = (view.leader_actions, view.follower_actions)
    return SearchProblem(
        view,
        follower_class,
        ties,
        False,
        power_of_two(exponents[0]),
        rewards[0],
        rewards[1],
        tables.successor[..., :used],
        weight * float(view.discount),
        float_ratios(tables.initial_weight, tables.initial_denominator),
        factors,
        tuple(
            legal(o)
            for player, legal in zip(players, actions, strict=True)
            for o in range(len(view.game.observations[player]))
        ),
        ROUNDING * largest,
    )


def negated(problem: SearchProblem) -> SearchProblem:
    """Return the problem of bounding minus the leader's return."""
    return replace(problem, own=-problem.own, is_negated=not problem.is_negated)


def open_pattern(problem: SearchProblem) -> Any:
    """Return the pattern of which only what is forced is fixed."""
    forced = [own[0] if len(own) == 1 else OPEN if own else NEVER for own in problem.legal]
    return np.array(forced, dtype=np.int32)


def pattern_bounds(problem: SearchProblem, patterns: Any, witnesses: Any) -> PatternBounds:
    """Bound all patterns; ``witnesses`` are stationary follower policies, one a row."""
    cells = problem.weight.size * (len(problem.multipliers) + len(witnesses) + 2)
    size = max(1, MOST_CELLS // cells)
    bound = _stationary if problem.is_stationary else _time_aware
    parts = [
        bound(problem, patterns[k : k + size], witnesses) for k in range(0, len(patterns), size)
    ]
    return PatternBounds(
        np.concatenate([p.upper for p in parts]), np.concatenate([p.follower_upper for p in parts])
    )


def pair_returns(problem: SearchProblem, leaders: Any, followers: Any) -> tuple[Any, Any]:
    """Return what pairs of full policies pay, (N, W) for the leader and for the follower."""
    view = problem.view
    states = np.arange(view.num_states)
    a = np.maximum(leaders[:, view.leader_observation], 0)[:, None, :]
    b = np.maximum(followers[:, view.follower_observation], 0)[None, :, :]
    following, weight = problem.successor[states, a, b], problem.weight[states, a, b]
    rewards = np.stack([table[states, a, b] for table in (problem.own, problem.other)])
    acting = view.leader_observation >= 0
    values = np.zeros((2, len(leaders), len(followers), view.num_states))
    rows = np.arange(len(leaders))[:, None, None, None]
    columns = np.arange(len(followers))[None, :, None, None]
    for _ in range(view.horizon):
        after = (values[:, rows, columns, following] * weight).sum(axis=-1)
        values = np.where(acting, rewards + after, 0)
    own, other = values @ problem.start
    return own, other


def allowed_actions(problem: SearchProblem, patterns: Any) -> tuple[Any, Any]:
    """Return which actions patterns leave in each state, (N, S, A) and (N, S, B)."""
    view, count = problem.view, problem.num_leader
    found: list[Any] = []
    for own, seen, legal in (
        (patterns[:, :count], view.leader_observation, view.tables.leader_legal),
        (patterns[:, count:], view.follower_observation, view.tables.follower_legal),
    ):
        fixed = own[:, seen][:, :, None]
        found.append(legal & ((fixed == OPEN) | (fixed == np.arange(legal.shape[1]))))
    return found[0], found[1]


def ahead(problem: SearchProblem, values: Any) -> Any:
    """Return the discounted expectation after each pair of actions; (..., S) to (..., S, A, B)."""
    after = values[..., problem.successor]
    if after.shape[-1] == 1:
        return after[..., 0] * problem.weight[..., 0]
    return (after * problem.weight).sum(axis=-1)


def _time_aware(problem: SearchProblem, patterns: Any, _witnesses: Any) -> PatternBounds:
    may, answers = allowed_actions(problem, patterns)
    answers = answers[:, :, None, :]
    acting = may.any(axis=-1)
    factors = problem.multipliers[None, :, None, None]
    mixed = problem.own + problem.multipliers[:, None, None, None] * problem.other
    low, high = np.zeros(acting.shape), np.zeros(acting.shape)
    bound = np.zeros((len(patterns), len(problem.multipliers), acting.shape[1]))
    for _ in range(problem.view.horizon):
        # by answer: the least and the most that the follower may get from here on
        sure = np.where(answers, problem.other + ahead(problem, low), -np.inf)
        hoped = np.where(answers, problem.other + ahead(problem, high), -np.inf)
        forced = np.where(may, sure.max(axis=-1), 0)
        # answers that may be best; with adverse ties a sure one counts by the leader's worst
        best = hoped >= forced[..., None] - problem.tolerance
        value = mixed + ahead(problem, bound)
        top = np.where(best[:, None], value, -np.inf).max(axis=-1)
        if problem.is_adverse:
            surely = _surely_best(sure, hoped, problem.tolerance)
            worst = np.where(surely[:, None], value, np.inf).min(axis=-1)
            top = np.where(surely.any(axis=-1)[:, None], worst, top)
        # a larger multiplier bounds too, less the difference times what the follower surely gets
        kept = factors * forced[:, None]
        top = np.minimum.accumulate((top - kept)[:, ::-1], axis=1)[:, ::-1] + kept
        top = np.where(may[:, None], top, -np.inf).max(axis=-1)
        bound = np.where(acting[:, None], top, 0)
        low = np.where(acting, np.where(may, forced, np.inf).min(axis=-1), 0)
        high = np.where(may, hoped.max(axis=-1), -np.inf).max(axis=-1)
        high = np.where(acting, high, 0)
    return PatternBounds(bound[:, 0] @ problem.start, high @ problem.start)


def _surely_best(sure: Any, hoped: Any, tolerance: float) -> Any:
    """Return which answers are best whatever the completion; (N, S, A, B)."""
    if hoped.shape[-1] == 1:
        return np.isfinite(sure)
    two = np.partition(hoped, -2, axis=-1)[..., -2:]
    is_top = hoped == two[..., 1:]
    others = np.where(is_top, two[..., :1], two[..., 1:])
    return np.isfinite(sure) & (sure >= others - tolerance)


def _stationary(problem: SearchProblem, patterns: Any, witnesses: Any) -> PatternBounds:
    may, answers = allowed_actions(problem, patterns)
    pairs = (may[..., None] & answers[:, :, None, :])[:, None]
    mixed = problem.own + problem.multipliers[:, None, None, None] * problem.other
    rewards = np.concatenate([mixed, problem.other[None]])[None]
    acting = pairs.any(axis=(-1, -2))
    value = np.zeros((len(patterns), rewards.shape[1], acting.shape[-1]))
    for _ in range(problem.view.horizon):
        value = np.where(pairs, rewards + ahead(problem, value), -np.inf).max(axis=(-1, -2))
        value = np.where(acting, value, 0)
    tops = value @ problem.start
    upper, follower_upper = tops[:, 0], tops[:, -1]
    if len(witnesses):
        sure, most = witness_returns(problem, may, witnesses)
        least = sure.max(axis=1)
        upper = (tops[:, :-1] - problem.multipliers * least[:, None]).min(axis=1)
        if problem.is_adverse:
            as_good = sure >= follower_upper[:, None] - problem.tolerance
            upper = np.minimum(upper, np.where(as_good, most, np.inf).min(axis=1))
        upper = np.where(follower_upper < least - problem.tolerance, -np.inf, upper)
    return PatternBounds(upper, follower_upper)


def witness_returns(problem: SearchProblem, may: Any, witnesses: Any) -> tuple[Any, Any]:
    """Return the least each witness gives the follower and the most it gives the leader, (N, W)."""
    view = problem.view
    states = np.arange(view.num_states)[None, :, None]
    actions = np.arange(may.shape[-1])[None, None, :]
    chosen = np.maximum(witnesses[:, view.follower_observation], 0)[:, :, None]
    place = (states, actions, chosen)
    following, weight = problem.successor[place], problem.weight[place]
    own, other = problem.own[place], problem.other[place]
    each = np.arange(len(witnesses))[:, None, None, None]
    may = may[:, None]
    acting = may.any(axis=-1)
    least, most = (np.zeros((len(may), len(witnesses), may.shape[2])) for _ in range(2))
    for _ in range(view.horizon):
        value = other + (least[:, each, following] * weight).sum(axis=-1)
        least = np.where(acting, np.where(may, value, np.inf).min(axis=-1), 0)
        if problem.is_adverse:
            value = own + (most[:, each, following] * weight).sum(axis=-1)
            most = np.where(acting, np.where(may, value, -np.inf).max(axis=-1), 0)
    return least @ problem.start, most @ problem.start
