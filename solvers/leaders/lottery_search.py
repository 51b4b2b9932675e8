"""Local search over a leader's mixed actions: floats propose, exact evaluation decides.

What a leader earns is a polynomial in their probabilities as long as the follower's response stays
the same, and jumps where it is indifferent. So the best ones often lie there, at rationals of small
denominators: the search tries these along lines that move weight between two actions after one
observation, looks closer around the best of them, and takes the simplest rational near what it
finds that is really better. Where no line helps, it moves weight after two observations at once.

Floats propose leaders and prove nothing. With ``N`` leaders, ``O`` leader observations, ``S``
states, ``A`` and ``B`` actions, and ``K`` the largest number of next states.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.errors import UnsupportedGame
from gametheory_core.leaders.follower_responses import FollowerClass, FollowerTies
from gametheory_core.leaders.policies import StochasticLeader
from gametheory_core.leaders.view import LeaderView
from solvers.rounding import float_exponent, float_ratios, power_of_two

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
        unit, follower_unit: The leader's and the follower's, in payoff units.
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
    follower_unit: Fraction
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
        follower_unit=power_of_two(exponents[1]),
        rewards=rewards,
        successor=tables.successor,
        weight=float_ratios(tables.weight, tables.weight_denominator),
        first=float_ratios(tables.initial_weight, tables.initial_denominator),
        span=max(span * weights, 1e-300),
    )


def leader_values(game: FloatLeaders, lotteries: FloatArray) -> FloatArray:
    """Return what leaders earn in units, shape (N,).

    Args:
        mixed actions (N, O, A)
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
            needs=f"at most {MAX_FOLLOWERS:,} stationary followers",
            found=f"{view.game!r} has {count:,}",
            remedy="Use FollowerClass.TIME_AWARE.",
        )
    by_observation = np.array([[*actions, 0] for actions in product(*choices)])
    return by_observation[:, view.follower_observation]


Shares: TypeAlias = list[Fraction]

COARSE_DENOMINATOR = 12  # of shares that are tried along each line
JOINT_DENOMINATOR = 4  # of those along two lines at once
MOST_PAIRS = 300
ZOOMS = 4
ZOOM_POINTS = 33
DENOMINATORS = (8, 32, 256, 4096, 2**16)  # of shares near the best float
EXACT_TRIALS = 3  # of candidates on a line
RESOLUTION = 2.0**-20  # of the span of returns: less is no improvement


class Line(NamedTuple):
    """Where weight may move: between two actions after one observation."""

    observation: int
    gains: int
    loses: int


@dataclass(frozen=True)
class Search:
    """What a local search needs.

    Attributes:
        evaluate: What a leader earns, exactly.
        spend: Called with the number of leaders that are about to be tried; False if there is no
            budget.
        enough: No leader earns more, so that the search may stop.
    """

    game: FloatLeaders
    evaluate: Callable[[StochasticLeader], Fraction]
    spend: Callable[[int], bool]
    enough: Fraction


class Found(NamedTuple):
    """A leader and what it earns, exactly."""

    policy: StochasticLeader
    value: Fraction


def climb(search: Search, start: Found) -> Found:
    """Improve a leader until nothing near it is better, or the budget ends."""
    best = start
    while best.value < search.enough:
        better = _along_a_line(search, best) or _along_two_lines(search, best)
        if better is None:
            return best
        best = better
    return best


def _along_a_line(search: Search, best: Found) -> Found | None:
    """Return the first leader on a line through the best one that is better."""
    shares = fractions_up_to(COARSE_DENOMINATOR)
    for line in _lines(search, best.policy):
        if not search.spend(len(shares) + ZOOMS * ZOOM_POINTS):
            return None
        coarse = leader_values(search.game, _on_line(best.policy, line, shares))
        place = int(coarse.argmax())
        near = _zoomed(search, best.policy, line, shares, place)
        candidates = sorted({shares[place], *_simple(near)}, key=lambda share: share.denominator)
        values = leader_values(search.game, _on_line(best.policy, line, candidates))
        better = _first_better(
            search, best, [moved(best.policy, line, share) for share in candidates], values
        )
        if better is not None:
            return better
    return None


def _along_two_lines(search: Search, best: Found) -> Found | None:
    shares = fractions_up_to(JOINT_DENOMINATOR)
    pairs = [
        pair for pair in combinations(_lines(search, best.policy), 2) if pair[0][0] != pair[1][0]
    ]
    for first, second in pairs[:MOST_PAIRS]:
        if not search.spend(len(shares) ** 2):
            return None
        policies = [
            moved(moved(best.policy, first, one), second, other)
            for one, other in product(shares, repeat=2)
        ]
        values = leader_values(search.game, np.stack([_floats(p) for p in policies]))
        better = _first_better(search, best, policies, values)
        if better is not None:
            return better
    return None


def _first_better(
    search: Search, best: Found, policies: list[StochasticLeader], values: FloatArray
) -> Found | None:
    """Return the first of the most promising leaders, simple ones first, if it is better."""
    unit, fine = search.game.unit, RESOLUTION * search.game.span
    least = float(best.value / unit) + fine
    promising = [k for k in range(len(policies)) if values[k] > least]
    top = float(values.max()) - fine
    order = sorted(promising, key=lambda k: (values[k] < top, k))[:EXACT_TRIALS]
    tried = [Found(policies[k], search.evaluate(policies[k])) for k in order]
    most = max((found.value for found in tried), default=best.value)
    close = (f for f in tried if f.value >= most - Fraction(fine) * unit and f.value > best.value)
    return next(close, None)


def _zoomed(
    search: Search, policy: StochasticLeader, line: Line, shares: Shares, place: int
) -> float:
    """Look closer and closer around the best share."""
    low, high = float(shares[max(0, place - 1)]), float(shares[min(len(shares) - 1, place + 1)])
    best = float(shares[place])
    for _ in range(ZOOMS):
        points = np.append(np.linspace(low, high, ZOOM_POINTS - 1), best)
        values = leader_values(search.game, _on_line(policy, line, points.tolist()))
        best = float(points[int(values.argmax())])
        step = (high - low) / (ZOOM_POINTS - 2)
        low, high = max(0.0, best - step), min(1.0, best + step)
    return best


def _simple(share: float) -> set[Fraction]:
    """Return simple rationals near a float."""
    exact = Fraction(share)
    return {min(Fraction(1), max(Fraction(0), exact.limit_denominator(d))) for d in DENOMINATORS}


def _lines(search: Search, policy: StochasticLeader) -> Iterator[Line]:
    for observation, lottery in enumerate(policy.lotteries):
        for gains, loses in combinations(search.game.view.leader_actions(observation), 2):
            if lottery[gains] + lottery[loses]:
                yield Line(observation, gains, loses)


def moved(policy: StochasticLeader, line: Line, share: Fraction) -> StochasticLeader:
    """Give one action a share of the weight of two, and the other one the rest."""
    lottery = list(policy.lotteries[line.observation])
    weight = lottery[line.gains] + lottery[line.loses]
    lottery[line.gains], lottery[line.loses] = weight * share, weight * (1 - share)
    lotteries = list(policy.lotteries)
    lotteries[line.observation] = tuple(lottery)
    return StochasticLeader(tuple(lotteries))


def _on_line(policy: StochasticLeader, line: Line, shares: Shares | list[float]) -> FloatArray:
    """Return leaders on a line in floats, shape (N, O, A)."""
    base = _floats(policy)
    found = np.repeat(base[None], len(shares), axis=0)
    weight = base[line.observation, line.gains] + base[line.observation, line.loses]
    part = np.array([float(share) for share in shares])
    found[:, line.observation, line.gains] = weight * part
    found[:, line.observation, line.loses] = weight * (1 - part)
    return found


def _floats(policy: StochasticLeader) -> FloatArray:
    width = max(map(len, policy.lotteries))
    return np.array([[*map(float, own)] or [0.0] * width for own in policy.lotteries])


def fractions_up_to(denominator: int) -> Shares:
    """Return all fractions from 0 to 1 of denominators up to a number, ascending.

    >>> [str(share) for share in fractions_up_to(3)]
    ['0', '1/3', '1/2', '2/3', '1']
    """
    found = {Fraction(k, d) for d in range(1, denominator + 1) for k in range(d + 1)}
    return sorted(found)
