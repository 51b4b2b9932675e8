"""What mixed actions in a cell can earn: polynomials in Bernstein form, backwards from the end.

A memoryless leader who draws afresh at each use has one mixed action ``x_o`` for each observation
``o``, a point of a simplex over the legal actions. A *cell* has a smaller simplex for each, given
by its corners, and may say which answer the follower gives at some steps and states. In it

    V_F[t, s](x) = max over b of Q_F[t, s, b](x),  V_L[t, s](x) = Q_L[t, s, b](x) for her answer,
    Q_i[t, s, b](x) = sum_a x_o(a) (r_i(s, a, b) + gamma E V_i[t + 1, s'](x)),  o what he sees.

*Coefficients.* In barycentric coordinates all of these are homogeneous polynomials in each ``x_o``,
multiplied by ``x_o(a)`` at a step where ``o`` may be seen and by ``sum_a x_o(a) = 1`` where it is
not. The coordinates and the entries of corners are at least 0. So if the coefficients of ``f`` are
at least those of ``g``, then ``f >= g`` in the cell, also after such steps; and because the
multinomial expansion of ``1`` has the multinomial numbers as coefficients, ``f`` is at most the
largest quotient of a coefficient and its multinomial number. Smaller cells make these bounds
better, by the square of the diameter.

*Answers.* Let ``U`` and ``D`` be polynomials above and below ``V_F``. How much more ``b`` brings
the follower than ``c`` is at most

    G[t, s, b, c] = sum_a x_o(a) (r_F(b) - r_F(c) + gamma ((p_b - p_c)^+ U - (p_b - p_c)^- D)),

with ``p_b`` the chances of next states. If all its coefficients are negative, she never answers
``b`` in the cell. If she answers ``b``, then ``G[t, s, b, c] >= 0``, and with any rates ``m >= 0``

    V_L <= Q_L[t, s, b] + sum_c m(b, c) G[t, s, b, c].

Over the answers that are left, the largest coefficients are above each of them. Below ``V_F`` is
``Q_F`` of any one answer. At the start, the largest quotient bounds what the leader earns by mixed
actions in the cell, however ties are broken.

Source: :cite:`garloff1993bernstein`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import factorial, lcm, prod
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import counted
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.errors import UnsupportedGame
from gametheory_core.leaders.view import LeaderView

MOST_COEFFICIENTS = 20_000  # of one polynomial
MOST_STEPS = 20_000
Place: TypeAlias = tuple[int, int]  # step and state
Simplex: TypeAlias = tuple[tuple[Fraction, ...], ...]  # corners, each over the legal actions


@dataclass(frozen=True)
class AnswerRate:
    """How much it weighs that the follower answers ``answer``, not ``deviation``, at a place.

    Attributes:
        rate: At least 0; the leader's payoff units per unit of the follower's.
    """

    time: int
    state: int
    answer: int
    deviation: int
    rate: Fraction


@dataclass(frozen=True)
class Cell:
    """Mixed actions in a product of simplices, and answers of the follower.

    Attributes:
        simplices: For each observation that the leader may act on, in ascending order.
        answers: What she answers at some steps and states.
    """

    simplices: tuple[Simplex, ...]
    answers: dict[Place, int]


@cache
def exponents(corners: int, degree: int) -> tuple[tuple[int, ...], ...]:
    """Return the exponents of monomials of a degree, one power for each corner.

    >>> exponents(2, 2)
    ((2, 0), (1, 1), (0, 2))
    """
    if corners == 1:
        return ((degree,),)
    return tuple(
        (own, *others)
        for own in range(degree, -1, -1)
        for others in exponents(corners - 1, degree - own)
    )


@cache
def _raised(corners: int, degree: int) -> tuple[Any, ...]:
    """Return, for each corner, where monomials stand after a product with its coordinate."""
    place = {e: k for k, e in enumerate(exponents(corners, degree + 1))}
    return tuple(
        np.array([place[*e[:j], e[j] + 1, *e[j + 1 :]] for e in exponents(corners, degree)])
        for j in range(corners)
    )


@cache
def _multinomials(corners: int, degree: int) -> Any:
    numbers = [factorial(degree) // prod(map(factorial, e)) for e in exponents(corners, degree)]
    return np.array(numbers, dtype=object)


def times_form(polynomials: Any, axis: int, form: list[int], degree: int) -> Any:
    """Multiply polynomials by a linear form in the coordinates of one observation.

    Args:
        polynomials (n, ...): Coefficients, an axis for each observation; of this one from 0 on.
        form: A coefficient for each corner.
        degree: Of the polynomials, in these coordinates.
    """
    before = np.moveaxis(polynomials, axis + 1, 0)
    size = len(exponents(len(form), degree + 1))
    after = np.zeros((size, *before.shape[1:]), dtype=object)
    for weight, places in zip(form, _raised(len(form), degree), strict=True):
        if weight:
            after[places] += weight * before
    return np.moveaxis(after, 0, axis + 1)


@dataclass(frozen=True)
class CellGame:
    """A Markov game with a leader, laid out for bounds on cells.

    Raises:
        UnsupportedGame: If polynomials would have more than ``MOST_COEFFICIENTS`` coefficients, or
            there are more than ``MOST_STEPS`` steps.
    """

    view: LeaderView

    def __post_init__(self) -> None:
        if self.view.horizon > MOST_STEPS:
            raise UnsupportedGame(
                needs=f"at most {MOST_STEPS:,} steps, which are followed one by one",
                found=f"{self.view!r} has {counted(self.view.horizon)}",
                remedy="commitment_upper_bound bounds its leaders by prices; or stop it earlier.",
            )
        if (size := prod(self.shape(0))) > MOST_COEFFICIENTS:
            raise UnsupportedGame(
                needs=f"polynomials of at most {MOST_COEFFICIENTS:,} coefficients",
                found=f"{self.view!r} has some of {size:,}, for {len(self.observations)} "
                f"observations of the leader and {self.view.horizon} steps",
                remedy="commitment_upper_bound bounds its leaders by prices; or stop it earlier.",
            )

    @cached_property
    def states(self) -> tuple[tuple[int, ...], ...]:
        """Where somebody may act at each step, ascending; nowhere after the last one."""
        reachable = map(self.view.reachable, range(self.view.horizon))
        return (*(tuple(np.flatnonzero(own).tolist()) for own in reachable), ())

    @cached_property
    def observations(self) -> tuple[int, ...]:
        """On which the leader may act, ascending."""
        return tuple(sorted({self.seen(s) for states in self.states for s in states}))

    def seen(self, state: int) -> int:
        """Return what the leader sees."""
        return int(self.view.leader_observation[state])

    def answers(self, state: int) -> tuple[int, ...]:
        """Return what the follower may do."""
        return self.view.follower_actions(int(self.view.follower_observation[state]))

    @cached_property
    def degrees(self) -> tuple[tuple[int, ...], ...]:
        """How often each observation may still be acted on, from each step on."""
        level = tuple(0 for _ in self.observations)
        levels = [level]
        for states in reversed(self.states[:-1]):
            seen = {self.seen(s) for s in states}
            level = tuple(d + (o in seen) for o, d in zip(self.observations, level, strict=True))
            levels.append(level)
        return tuple(reversed(levels))

    def shape(self, time: int) -> tuple[int, ...]:
        """Return how many monomials there are in each observation's coordinates from a step on."""
        return tuple(
            len(exponents(len(self.view.leader_actions(o)), d))
            for o, d in zip(self.observations, self.degrees[time], strict=True)
        )

    def multinomials(self, time: int) -> Any:
        """Return the coefficients of 1."""
        numbers = np.ones((), dtype=object)
        for o, d in zip(self.observations, self.degrees[time], strict=True):
            numbers = np.multiply.outer(numbers, _multinomials(len(self.view.leader_actions(o)), d))
        return numbers

    @property
    def whole(self) -> Cell:
        """The cell of all mixed actions."""
        corners = (self.view.leader_actions(o) for o in self.observations)
        return Cell(
            tuple(
                tuple(tuple(ONE if a == b else ZERO for b in own) for a in own) for own in corners
            ),
            {},
        )


def cell_bound(game: CellGame, cell: Cell, rates: tuple[AnswerRate, ...]) -> Fraction | None:
    """Return what mixed actions in a cell earn at most, as rates prove; None if there are none.

    There are none if the follower never gives an answer that the cell says she gives.

    Args:
        rates: Of answers and deviations that are legal at reachable places, each at least 0.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> game = CellGame(leader_view(RepeatedGame.of("prisoners_dilemma", rounds=2)))
    >>> cell_bound(game, game.whole, ())
    Fraction(6, 1)
    """
    return _Bound(game, cell, rates).found()


class _Bound:
    """One backward pass, in integers over denominators that grow with the steps left."""

    def __init__(self, game: CellGame, cell: Cell, rates: tuple[AnswerRate, ...]) -> None:
        view, tables = game.view, game.view.tables
        corners = [w for simplex in cell.simplices for corner in simplex for w in corner]
        self.game, self.cell, self.tables = game, cell, tables
        self.share = lcm(*(w.denominator for w in corners))
        self.scale = lcm(*(rate.rate.denominator for rate in rates))
        self.step = self.share * tables.weight_denominator * view.discount.denominator
        self.rates: dict[Place, list[AnswerRate]] = {}
        for rate in rates:
            self.rates.setdefault((rate.time, rate.state), []).append(rate)

    def found(self) -> Fraction | None:
        game, view = self.game, self.game.view
        after: dict[int, _Values] = {}
        for time in reversed(range(view.horizon)):
            now: dict[int, _Values] = {}
            products = _Products(self, time, after)
            for state in game.states[time]:
                values = self._at(time, state, products)
                if values is None:
                    return None
                now[state] = values
            after = now
        weights = self.tables.initial_weight
        total = sum(
            (int(weights[state]) * values.leader for state, values in after.items()),
            np.zeros(game.shape(0), dtype=object),
        )
        numbers = game.multinomials(0).ravel()
        most = max(map(Fraction, total.ravel().tolist(), numbers.tolist()))
        units = self.tables.reward_denominator * self.tables.initial_denominator
        return most / (units * (self.step * self.scale) ** view.horizon)

    def _at(self, time: int, state: int, products: "_Products") -> "_Values | None":
        """Bound both players' values at a place; None if its answer is never given."""
        legal = self.game.answers(state)
        low = {b: products.mean(state, b, 1, products.low) for b in legal}
        order = sorted(legal, key=lambda b: -low[b].sum())  # likely to beat others, first
        rivals = [
            b for b in legal if all(products.gain(state, b, c).max() >= 0 for c in order if b != c)
        ]
        left, main = rivals, order[0]
        fixed = self.cell.answers.get((time, state))
        if fixed is not None:
            if fixed not in rivals:
                return None
            left, main = [fixed], fixed
        leader = [self._priced(products, (time, state), b, rivals) for b in left]
        high = [products.mean(state, b, 1, products.high) for b in left]
        return _Values(np.maximum.reduce(leader), np.maximum.reduce(high), low[main])

    def _priced(self, products: "_Products", place: Place, answer: int, rivals: list[int]) -> Any:
        """Return what bounds the leader's value after an answer; others need no price."""
        (time, state), steps = place, self.game.view.horizon - place[0]
        total = products.mean(state, answer, 0, products.leader)
        for rate in self.rates.get((time, state), ()):
            if rate.answer == answer and rate.deviation in rivals and rate.rate:
                weight = int(rate.rate * self.scale) * self.scale ** (steps - 1)
                total = total + weight * products.gain(state, answer, rate.deviation)
        return total


@dataclass(frozen=True)
class _Values:
    """Polynomials above the leader's value, and above and below the follower's."""

    leader: Any
    high: Any
    low: Any


class _Products:
    """Values after a step, multiplied by the chance of each action of the leader."""

    def __init__(self, bound: _Bound, time: int, after: dict[int, _Values]) -> None:
        game = bound.game
        self.bound, self.after = bound, list(after)
        stack = [game.multinomials(time + 1)]
        for kind in ("leader", "high", "low"):
            stack += [getattr(values, kind) for values in after.values()]
        rows = np.stack(stack)
        self.chances: dict[int, list[Any]] = {}
        seen = {game.seen(s) for s in game.states[time]}
        for o in seen:
            own = rows
            for axis, other in enumerate(game.observations):
                degree = game.degrees[time + 1][axis]
                if other != o and other in seen:
                    ones = [1] * len(bound.cell.simplices[axis])
                    own = times_form(own, axis, ones, degree)
            axis = game.observations.index(o)
            self.chances[o] = [
                times_form(own, axis, form, game.degrees[time + 1][axis])
                for form in _forms(bound.cell.simplices[axis], bound.share)
            ]
        steps = game.view.horizon - time
        self.reward_unit = bound.step**steps // bound.share
        self.leader, self.high, self.low = (
            {s: 1 + k * len(self.after) + j for j, s in enumerate(self.after)} for k in range(3)
        )
        self.steps = steps

    def mean(self, state: int, answer: int, player: int, rows: dict[int, int]) -> Any:
        """Return what an answer brings a player, whose values afterwards stand in some rows."""
        scale = self.bound.scale if rows is self.leader else 1
        reward = self.reward_unit * scale**self.steps
        terms: list[tuple[int, int, int]] = []
        for k, a in enumerate(self._actions(state)):
            paid = int(self.bound.tables.rewards[state, a, answer, player])
            terms.append((k, 0, paid * reward))
            for after, weight in self._next(state, a, answer).items():
                terms.append((k, rows[after], weight * scale))
        return self._sum(state, terms)

    def gain(self, state: int, answer: int, deviation: int) -> Any:
        """Return what is above the follower's gain from one answer over another."""
        rewards = self.bound.tables.rewards
        terms: list[tuple[int, int, int]] = []
        for k, a in enumerate(self._actions(state)):
            more = int(rewards[state, a, answer, 1]) - int(rewards[state, a, deviation, 1])
            terms.append((k, 0, more * self.reward_unit))
            chances = self._next(state, a, answer)
            for after, weight in self._next(state, a, deviation).items():
                chances[after] = chances.get(after, 0) - weight
            for after, weight in chances.items():
                row = self.high[after] if weight > 0 else self.low[after]
                terms.append((k, row, weight))
        return self._sum(state, terms)

    def _actions(self, state: int) -> tuple[int, ...]:
        return self.bound.game.view.leader_actions(self.bound.game.seen(state))

    def _next(self, state: int, mine: int, theirs: int) -> dict[int, int]:
        """Return the discounted weights of the states in which somebody acts after a step."""
        tables, factor = self.bound.tables, self.bound.game.view.discount.numerator
        chances: dict[int, int] = {}
        for after, weight in zip(
            tables.successor[state, mine, theirs].tolist(),
            tables.weight[state, mine, theirs].tolist(),
            strict=True,
        ):
            if weight and after in self.leader:
                chances[after] = chances.get(after, 0) + factor * int(weight)
        return chances

    def _sum(self, state: int, terms: list[tuple[int, int, int]]) -> Any:
        chances = self.chances[self.bound.game.seen(state)]
        total = np.zeros(chances[0].shape[1:], dtype=object)
        for action, row, weight in terms:
            if weight:
                total = total + weight * chances[action][row]
        return total


def _forms(simplex: Simplex, share: int) -> Iterator[list[int]]:
    """Yield each action's chance as a linear form in barycentric coordinates, times ``share``."""
    for action in range(len(simplex[0])):
        yield [int(corner[action] * share) for corner in simplex]


def split_at(simplex: Simplex, weights: tuple[Fraction, ...]) -> list[Simplex]:
    """Split a simplex at a point with some barycentric coordinates into simplices that cover it.

    >>> half = Fraction(1, 2)
    >>> first, second = split_at(((ONE, ZERO), (ZERO, ONE)), (half, half))
    >>> first == ((half, half), (ZERO, ONE))
    True
    """
    point = tuple(
        sum((w * corner[a] for w, corner in zip(weights, simplex, strict=True)), ZERO)
        for a in range(len(simplex[0]))
    )
    return [
        (*simplex[:k], point, *simplex[k + 1 :]) for k, weight in enumerate(weights) if weight > 0
    ]
