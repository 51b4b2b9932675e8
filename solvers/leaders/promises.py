"""What commitments can give both players, by backward induction over polygons.

Notation of ``gametheory_core.leaders.deviation_prices``. Let ``U[t, s]`` hold what both get
from ``(t, s)`` on under commitments that may also announce things, with a follower who remembers,
best responds, and is held to its guarantee ``v`` after a deviation. If it is to answer ``b``,

    U[t, s] = conv  union over b of  {sum_a x(a) p(a) : x mixed, p(a) in P(a, b),
                                sum_a x(a) (p_F(a) - d(a, c)) >= 0 for all c},
    P(a, b) = r(s, a, b) + gamma E U[t + 1, s'].

More for the follower is never a problem before, so only the frontier matters: points of which none
is better for the leader without being worse for the follower. Its corners are found by linear
programs ``max u_L + price u_F`` in the directions of chords; the multipliers of the constraints are
rates that prove a bound. Corners with long denominators are rounded outwards.

The follower's guarantee is the value of a zero-sum game at each step and state: ``v[h, s] = 0`` and

    v[t, s] = max over y  min over a of  sum_b y(b) (r_F(s, a, b) + gamma E v[t + 1, s']),

by one exact linear program each, where no pure action is as good as the leader's best threat.
Mixed actions with long denominators are rounded, and what the rounded ones guarantee is taken.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from operator import mul
from typing import Any, NamedTuple

import numpy as np

from gametheory_core.arrays import ONE, ZERO, exact_array, scaled_integers
from gametheory_core.certificates.wording import rationals
from gametheory_core.leaders.deviation_prices import DeviationRate, GuaranteeLottery
from solvers._programs.exact import solve_exactly
from solvers.leaders.layers import LONG, Layers, Pair, rounded_up
from solvers.rounding import dyadic_distribution
from solvers.zero_sum.certified_program import dense_program


@dataclass(frozen=True)
class Guarantees:
    """The follower's security levels and how she secures them.

    Attributes:
        lotteries: The last step first.
    """

    values: dict[tuple[int, int], Fraction]
    lotteries: tuple[GuaranteeLottery, ...]


def follower_guarantees(layers: Layers, *, tick: Callable[[], None]) -> Guarantees:
    """Return what the follower can guarantee herself at each step in each state.

    Args:
        tick: Called before each stage game; may raise to stop.
    """
    view = layers.view
    values: dict[tuple[int, int], Fraction] = {}
    lotteries: list[GuaranteeLottery] = []
    for time in reversed(range(view.horizon)):
        for state in layers.states[time]:
            tick()
            payoffs = [
                [secured(layers, values, time, state, a, b) for b in layers.follower_actions[state]]
                for a in layers.leader_actions[state]
            ]
            value, weights = security_strategy(payoffs)
            lottery = [ZERO] * len(view.game.actions[view.follower])
            for b, weight in zip(layers.follower_actions[state], weights, strict=True):
                lottery[b] = weight
            values[time, state] = value
            lotteries.append(GuaranteeLottery(time, state, tuple(lottery)))
    return Guarantees(values, tuple(lotteries))


def secured(
    layers: Layers,
    values: dict[tuple[int, int], Fraction],
    time: int,
    state: int,
    mine: int,
    theirs: int,
) -> Fraction:
    """Return what the follower gets by a joint action and her guarantee afterwards."""
    step = layers.steps[state, mine, theirs]
    later = layers.mean(step.next, time + 1, lambda after: values[time + 1, after])
    return step.rewards[1] + layers.view.discount * later


def security_strategy(payoffs: list[list[Fraction]]) -> tuple[Fraction, tuple[Fraction, ...]]:
    """Return what a distribution over columns guarantees their player in a matrix game, and itself.

    The most possible, or almost so if the best mixed action has long denominators.

    >>> security_strategy([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]])
    (Fraction(1, 2), (Fraction(1, 2), Fraction(1, 2)))
    """
    columns = list(zip(*payoffs, strict=True))
    worst = [min(column) for column in columns]
    best = max(worst)
    if best == min(max(row) for row in payoffs):
        place = worst.index(best)
        return best, tuple(ONE if b == place else ZERO for b in range(len(columns)))
    scaled = scaled_integers(exact_array(payoffs))
    rows, size = scaled.numerators.shape
    matrix = np.zeros((rows + 1, size + 1), dtype=object)
    matrix[:rows, :size] = -scaled.numerators
    matrix[:rows, size] = 1
    matrix[rows, :size] = 1
    objective = np.zeros(size + 1, dtype=object)
    objective[size] = 1
    program = dense_program(
        matrix,
        objective,
        is_equation=np.arange(rows + 1) == rows,
        is_free=np.arange(size + 1) == size,
    )
    optimum = solve_exactly(program, None)
    lottery = rationals(optimum.primal[:size])
    if max(weight.denominator.bit_length() for weight in lottery) <= LONG:
        return optimum.value / scaled.denominator, lottery
    lottery = rationals(dyadic_distribution(optimum.primal[:size]))
    earned = (sum(map(mul, row, lottery), ZERO) for row in payoffs)
    return min(earned), lottery


MAX_CORNERS = 24


class Option(NamedTuple):
    """What both get by one of the leader's actions and a corner of what may follow.

    Attributes:
        slack: How much better off the follower is than by each of her actions and her guarantee
            then.
    """

    pair: Pair
    slack: tuple[Fraction, ...]


class Best(NamedTuple):
    """The most that both can get together at some weights.

    Attributes:
        rates: By answers: multipliers of the constraints, that prove it.
    """

    value: Fraction
    pair: Pair
    rates: dict[int, tuple[Fraction, ...]]


@dataclass(frozen=True)
class Frontiers:
    """Frontiers of what commitments can give, by step and state.

    Attributes:
        corners (time, state): From the best for the leader to the best for the follower.
    """

    layers: Layers
    guarantees: Guarantees
    tick: Callable[[], None]
    corners: dict[tuple[int, int], list[Pair]] = field(default_factory=dict[Any, list[Pair]])

    def options(self, time: int, state: int) -> dict[int, list[Option]]:
        """Return what may happen at a step in a state, by the follower's answers."""
        layers, values = self.layers, self.guarantees.values
        mine, theirs = layers.leader_actions[state], layers.follower_actions[state]
        instead = {a: [secured(layers, values, time, state, a, c) for c in theirs] for a in mine}
        return {
            b: [
                Option(pair, tuple(pair.follower - other for other in instead[a]))
                for a in mine
                for pair in self._following(time, state, a, b)
            ]
            for b in theirs
        }

    def _following(self, time: int, state: int, mine: int, theirs: int) -> list[Pair]:
        """Return the corners of what both may get by a joint action."""
        step = self.layers.steps[state, mine, theirs]
        discount, acting = self.layers.view.discount, self.layers.leader_actions
        last = time + 1 == self.layers.view.horizon
        parts = [
            (discount * weight, self.corners[time + 1, after])
            for after, weight in step.next
            if after in acting and not last
        ]
        return added(Pair(*step.rewards), parts)


def promise_frontiers(
    layers: Layers, guarantees: Guarantees, *, tick: Callable[[], None]
) -> Frontiers:
    """Return the frontiers of all steps and states.

    Args:
        tick: Called before each linear program; may raise to stop.

    Of frontiers with more than ``MAX_CORNERS`` corners some of these are left out. Rates found then
    still prove bounds, if not the best ones.
    """
    frontiers = Frontiers(layers, guarantees, tick)
    for time in reversed(range(layers.view.horizon)):
        for state in layers.states[time]:
            corners = _corners(frontiers.options(time, state), tick)
            frontiers.corners[time, state] = frontier(Pair(*map(rounded_up, c)) for c in corners)
    return frontiers


def best_at(options: dict[int, list[Option]], weights: Pair, tick: Callable[[], None]) -> Best:
    """Maximize ``weights.leader u_L + weights.follower u_F``, and prove it.

    The best single option that needs no other one beside it takes part in each program, so that
    all are feasible, and those that cannot beat it say so.
    """
    alone = [o.pair for own in options.values() for o in own if min(o.slack) >= 0]
    pair = max(alone, key=lambda pair: (_worth(pair, weights), pair.leader, pair.follower))
    floor = value = _worth(pair, weights)
    rates: dict[int, tuple[Fraction, ...]] = {}
    for answer, own in options.items():
        if all(_worth(option.pair, weights) <= floor for option in own):
            rates[answer] = (ZERO,) * len(own[0].slack)
            continue
        tick()
        found, shares, rates[answer] = _promised(own, weights, floor)
        if found > value:
            value = found
            used = [(x, o.pair) for x, o in zip(shares, own, strict=True) if x]
            pair = Pair(
                sum((x * p.leader for x, p in used), ZERO),
                sum((x * p.follower for x, p in used), ZERO),
            )
    return Best(value, pair, rates)


def _promised(
    options: list[Option], weights: Pair, floor: Fraction
) -> tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return the best mixture of options that the follower goes along with, and its multipliers."""
    worths = scaled_integers(exact_array([*(_worth(o.pair, weights) for o in options), floor]))
    slacks = scaled_integers(exact_array([option.slack for option in options]))
    count = slacks.numerators.shape[1]
    matrix = np.zeros((count + 1, len(options) + 1), dtype=object)
    matrix[:count, :-1] = -slacks.numerators.T
    matrix[count] = 1
    program = dense_program(
        matrix,
        worths.numerators,
        is_equation=np.arange(count + 1) == count,
        is_free=np.zeros(len(options) + 1, dtype=bool),
    )
    optimum = solve_exactly(program, None)
    unit = Fraction(slacks.denominator, worths.denominator)
    rates = tuple(rate * unit for rate in rationals(optimum.dual[:count]))
    return optimum.value / worths.denominator, rationals(optimum.primal[:-1]), rates


def _worth(pair: Pair, weights: Pair) -> Fraction:
    return weights.leader * pair.leader + weights.follower * pair.follower


def _corners(options: dict[int, list[Option]], tick: Callable[[], None]) -> list[Pair]:
    """Find corners from coarse to fine: a chord is an edge if nothing lies beyond it."""
    ends = [best_at(options, weights, tick).pair for weights in (Pair(ONE, ZERO), Pair(ZERO, ONE))]
    found, open_chords = set(ends), deque([(ends[0], ends[1])])
    while open_chords and len(found) < MAX_CORNERS:
        left, right = open_chords.popleft()
        weights = Pair(right.follower - left.follower, left.leader - right.leader)
        if weights.leader <= 0 or weights.follower < 0:
            continue
        best = best_at(options, weights, tick)
        if best.value > _worth(left, weights):
            found.add(best.pair)
            open_chords += [(left, best.pair), (best.pair, right)]
    return frontier(found)


def frontier(pairs: Iterable[Pair]) -> list[Pair]:
    """Return the corners that are best at some positive weights, the leader's best one first.

    >>> pairs = [Pair(*map(Fraction, p)) for p in ((0, 3), (2, 0), (1, 1), (2, 1), (0, 0))]
    >>> [(int(pair.leader), int(pair.follower)) for pair in frontier(pairs)]
    [(2, 1), (0, 3)]
    """
    corners: list[Pair] = []
    for pair in sorted(pairs, key=lambda p: (-p.leader, -p.follower)):
        if corners and pair.follower <= corners[-1].follower:
            continue
        while len(corners) > 1 and not _bends(corners[-2], corners[-1], pair):
            corners.pop()
        corners.append(pair)
    return corners


def _bends(first: Pair, middle: Pair, last: Pair) -> bool:
    """Tell whether the middle one lies strictly beyond the chord of the others."""
    rise, fall = last.follower - first.follower, first.leader - last.leader
    beyond = rise * (middle.leader - first.leader) + fall * (middle.follower - first.follower)
    return beyond > 0


def added(start: Pair, parts: list[tuple[Fraction, list[Pair]]]) -> list[Pair]:
    """Return the frontier of weighted sums of one point of each frontier, moved to a start.

    Edges follow each other by how little the leader loses for what the follower gains.
    """
    leader, follower = start
    edges: list[tuple[Fraction, Fraction]] = []
    for weight, corners in parts:
        leader += weight * corners[0].leader
        follower += weight * corners[0].follower
        edges += [
            (weight * (b.leader - a.leader), weight * (b.follower - a.follower))
            for a, b in pairwise(corners)
            if weight
        ]
    found = [Pair(leader, follower)]
    for loss, gain in sorted(edges, key=lambda edge: -edge[0] / edge[1]):
        leader, follower = leader + loss, follower + gain
        found.append(Pair(leader, follower))
    return found


def rates_of(best: Best, price: Fraction, order: tuple[int, ...]) -> tuple[DeviationRate, ...]:
    """Write multipliers down, for deviations in a given order; those of zero are left out.

    Where the price that an answer leads to has a long denominator, it is rounded up: the rate at
    which the answer itself is weighed against the guarantee after it makes up the difference.
    """
    rates: list[DeviationRate] = []
    for answer, own in best.rates.items():
        after = price + sum(own, ZERO)
        for deviation, rate in zip(order, own, strict=True):
            extra = rounded_up(after) - after if deviation == answer else ZERO
            if rate + extra:
                rates.append(DeviationRate(answer, deviation, rate + extra))
    return tuple(rates)
