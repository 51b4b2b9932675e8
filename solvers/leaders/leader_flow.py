"""Gradient flows of a stochastic memoryless leader: where learning by exact gradients leads.

Two problems, which differ in what the gradient sees. With *hidden queries* the follower plays a
best response to the current policy, and the gradient holds it fixed. With *queries in play* the
leader is first asked for an action at each observation; the follower's policy is an answer to what
was drawn, so that the gradient sees how answers change it. Steps are cut so that they follow the
flow.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import require_instance, require_integer, require_number
from gametheory_core.arrays import FloatArray, exact_from_floats, freeze
from gametheory_core.errors import InvalidStrategy, NotConverged, UnsupportedGame
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
)
from gametheory_core.leaders.gradients import MAX_PLANS
from gametheory_core.leaders.policies import (
    SimpleFollower,
    StochasticLeader,
    check_leader_policy,
    leader_policies,
    num_leader_policies,
)
from gametheory_core.leaders.view import LeaderView
from solvers.leaders.float_returns import (
    best_actions,
    float_game,
    follower_actions,
    hold,
    returns_and_partials,
    stationary_actions,
)
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, RunRecord
from solvers.solver import open_meter, solver

STEP_ERROR = 1e-3  # in probabilities: by how much Heun's step may differ from Euler's
RELATIVE_ERROR = 0.2  # and by how much of Euler's step
LEAST_STEP = 1e-4  # in probabilities: steps are not cut below, so that a flow crosses jumps
GROWTH = 4.0


class Parametrization(Enum):
    """What moves along the gradient."""

    DIRECT = "probabilities, projected onto lotteries"
    SOFTMAX = "logits, of which probabilities are the softmax"


class FlowEnd(Enum):
    """Why a flow was left."""

    REST = "the return would rise by less than the rest rate per unit of time"
    TIME = "the time was over"
    STEPS = "all steps were taken"


@dataclass(frozen=True, repr=False)
class LeaderFlow:
    """A trajectory of a leader's policy.

    Attributes:
        times (n,): From 0 on.
        lotteries (n, observations, actions): Zero where an action is illegal or the leader never
            acts.
        returns (n,): The leader's return at each point of the problem whose gradient is followed.
        last: The last point, in rationals.
        run: Iterations are steps.
    """

    times: FloatArray
    lotteries: FloatArray
    returns: FloatArray
    last: StochasticLeader
    end: FlowEnd
    run: RunRecord

    def __repr__(self) -> str:
        return (
            f"LeaderFlow(by {self.run.algorithm}: {len(self.times)} points, return "
            f"{self.returns[0]:.6g} to {self.returns[-1]:.6g}, {self.end.name})"
        )


class FieldPoint(NamedTuple):
    """What is followed at one point: the return, and its partials of shape (O, A)."""

    value: float
    partials: FloatArray


Field: TypeAlias = Callable[[FloatArray], FieldPoint]  # from lotteries


def flow_mover(
    view: LeaderView,
    start: StochasticLeader,
    parametrization: Parametrization,
    limits: tuple[int, float, float],
) -> "FlowMover":
    """Check the options that both flows share; ``limits`` are steps, time and rest rate.

    Raises:
        InvalidArgument: If an option has a value it cannot have.
        InvalidStrategy: If the start does not fit, or has a zero where logits move.
    """
    require_instance(view, LeaderView, name="view", remedy="Call leader_view(game).")
    require_instance(
        start,
        StochasticLeader,
        name="start",
        remedy="Write a pure policy as mixed actions of 0 and 1.",
    )
    steps, until, rest = limits
    require_integer(steps, name="steps", low=0)
    require_number(until, name="until", low=0)
    require_number(rest, name="rest", low=0)
    check_leader_policy(view, start)
    actions = len(view.game.actions[view.leader])
    legal = np.zeros((len(start.lotteries), actions), dtype=bool)
    first = np.zeros(legal.shape)
    for o, own in enumerate(start.lotteries):
        legal[o, list(view.leader_actions(o))] = True
        first[o, : len(own)] = [float(p) for p in own]
    if parametrization is Parametrization.SOFTMAX and not (first[legal] > 0).all():
        o = int(np.flatnonzero((legal & (first <= 0)).any(axis=1))[0])
        raise InvalidStrategy(
            needs="a positive probability for each legal action, because logits have no zero",
            found=f"{[str(p) for p in start.lotteries[o]]} at observation {o}, "
            f"{view.game.observations[view.leader][o]!r}, has one",
            remedy="Start inside, or take Parametrization.DIRECT.",
        )
    return FlowMover(legal, first, parametrization, steps, until, rest)


@dataclass(frozen=True, eq=False)
class FlowMover:
    """How mixed actions move along partials: by one table of free variables, as is parametrized.

    Attributes:
        legal (O, A)
        start (O, A): mixed actions, zero where an action is illegal.
        parametrization: Whether the free variables are probabilities or logits.
        steps: To take at most.
        until: Time at most.
        rest: Rate of the return below which the flow is at rest.
    """

    legal: Any
    start: FloatArray
    parametrization: Parametrization
    steps: int
    until: float
    rest: float

    def follow(self, field: Field, meter: Meter) -> LeaderFlow:
        """Follow a field from the start to rest, or to a limit.

        Raises:
            NotConverged: If the meter's budget ended; ``best`` is the flow so far.
        """
        free = self._free(self.start)
        now, time, step = field(self.start), 0.0, 1e-3
        trace = [(time, self.start, now.value)]
        end = FlowEnd.TIME
        while time < self.until:
            lotteries = trace[-1][1]
            slope = self._slope(lotteries, now.partials)  # of the free variables
            if self._rate(free, slope) <= self.rest:
                end = FlowEnd.REST
                break
            if meter.iterations >= self.steps:
                end = FlowEnd.STEPS
                break
            if meter.is_exhausted:
                flow = self._record(trace, FlowEnd.STEPS, meter.record())
                raise NotConverged(
                    needs="the flow to come to rest",
                    found=f"the budget ended at time {time:.6g} of {self.until:g}",
                    remedy="Allow more, or take error.best, the flow so far.",
                    best=flow,
                )
            # one step of Heun, as long as it stays near Euler's
            step = min(step, self.until - time)
            free, step, taken, now = self._heun(field, free, slope, step)
            time += taken
            trace.append((time, self._lotteries(free), now.value))
            meter.step()
        return self._record(trace, end, meter.record())

    def _heun(
        self, field: Field, free: FloatArray, slope: FloatArray, step: float
    ) -> tuple[FloatArray, float, float, FieldPoint]:
        """Return the new point, the step to try next, the step taken, and the field there."""
        before = self._lotteries(free)
        while True:
            euler = self._kept(free + step * slope)
            there = self._lotteries(euler)
            ahead = self._slope(there, field(there).partials)
            heun = self._kept(free + step * (slope + ahead) / 2)
            moved = self._lotteries(heun)
            error, size = float(abs(moved - there).max()), float(abs(there - before).max())
            excess = error / min(STEP_ERROR, RELATIVE_ERROR * size) if error else 0.0
            if excess <= 1 or size <= LEAST_STEP:
                grown = step * (min(GROWTH, 0.9 / excess) if excess else GROWTH)
                return heun, max(step, grown) if excess <= 1 else step, step, field(moved)
            step *= max(0.1, 0.9 / excess)

    def _free(self, lotteries: FloatArray) -> FloatArray:
        if self.parametrization is Parametrization.DIRECT:
            return lotteries
        return np.log(np.where(self.legal, lotteries, 1.0))

    def _lotteries(self, free: FloatArray) -> FloatArray:
        if self.parametrization is Parametrization.DIRECT:
            return free
        shifted = np.where(self.legal, free, -np.inf)
        top = shifted.max(axis=1, keepdims=True)
        powers = np.exp(shifted - np.where(np.isfinite(top), top, 0.0))
        return powers / np.maximum(powers.sum(axis=1, keepdims=True), 1e-300)

    def _slope(self, lotteries: FloatArray, partials: FloatArray) -> FloatArray:
        if self.parametrization is Parametrization.DIRECT:
            count = np.maximum(self.legal.sum(axis=1, keepdims=True), 1)
            mean = (partials * self.legal).sum(axis=1, keepdims=True) / count
            return np.where(self.legal, partials - mean, 0.0)
        mean = (partials * lotteries).sum(axis=1, keepdims=True)
        return lotteries * (partials - mean)

    def _kept(self, free: FloatArray) -> FloatArray:
        """Return free variables, projected if they are probabilities."""
        if self.parametrization is Parametrization.DIRECT:
            return nearest_lotteries(free, self.legal)
        return free

    def _rate(self, free: FloatArray, slope: FloatArray) -> float:
        """Return how fast the return rises: the squared speed, at borders that of what is left."""
        if self.parametrization is Parametrization.SOFTMAX:
            return float((slope**2).sum())
        small = 1e-7 / max(1e-300, float(abs(slope).max()))
        velocity = (nearest_lotteries(free + small * slope, self.legal) - free) / small
        return float((velocity**2).sum())

    def _record(
        self, trace: list[tuple[float, FloatArray, float]], end: FlowEnd, run: RunRecord
    ) -> LeaderFlow:
        last = exact_from_floats(trace[-1][1])
        rows: list[tuple[Any, ...]] = []
        for own, legal in zip(last, self.legal, strict=True):
            rows.append(tuple((own / own.sum()).tolist()) if legal.any() else ())
        return LeaderFlow(
            freeze(np.array([time for time, _, _ in trace])),
            freeze(np.array([lotteries for _, lotteries, _ in trace])),
            freeze(np.array([value for _, _, value in trace])),
            StochasticLeader(tuple(rows)),
            end,
            run,
        )


def nearest_lotteries(points: FloatArray, legal: Any) -> FloatArray:
    """Return the nearest distribution over legal actions to each row, zeros where none is.

    >>> nearest_lotteries(np.array([[0.9, 0.5]]), np.array([[True, True]])).round(6).tolist()
    [[0.7, 0.3]]
    """
    spread = np.where(legal, points, -np.inf)
    ordered = -np.sort(-spread, axis=1)
    finite = np.isfinite(ordered)
    sums = np.cumsum(np.where(finite, ordered, 0.0), axis=1) - 1.0
    ranks = np.arange(1, points.shape[1] + 1)
    inside = finite & (ordered * ranks > sums)
    count = np.maximum(inside.sum(axis=1), 1)
    level = sums[np.arange(len(points)), count - 1] / count
    return np.where(legal, np.maximum(points - level[:, None], 0.0), 0.0)


@solver(unit="steps", page="query-oracles")
def hidden_query_flow(
    view: LeaderView,
    start: StochasticLeader,
    *,
    parametrization: Parametrization = Parametrization.DIRECT,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
    steps: int = 2_000,
    until: float = 1e6,
    rest: float = 1e-6,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> LeaderFlow:
    """Follow the gradient of the return against a follower who responds at once and unseen.

    Args:
        start: Every legal action needs a positive probability if logits move.
        parametrization: What moves: probabilities, or logits.
        follower_class, ties: Which best response the follower plays to the current policy.
        steps: Steps to take at most.
        until: Time to follow the flow at most.
        rest: Stop where the return, the follower held fixed, would rise by less than this per unit
            of time.
        budget: Iterations are steps.
        on_iteration: Called at each step.

    Raises:
        InvalidStrategy: If the start does not fit.
        UnsupportedGame: If the game is too large for dense tables in floats.
        NotConverged: If the budget ended; ``best`` is the flow so far.

    Steps are Heun's, cut until they differ little from Euler's, but not below a ten-thousandth of
    a probability. Returns may fall: the follower's policy jumps where the best response changes,
    which the gradient does not see. Where such jumps push from both sides, the flow slides along
    them by the least steps, until all steps are taken.

    Source: :cite:`gerstgrasser2023oracles`, appendix D.

    >>> from fractions import Fraction
    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma"))
    >>> half = StochasticLeader(((Fraction(1, 2), Fraction(1, 2)), (), (), (), ()))
    >>> [str(p) for p in hidden_query_flow(view, half).last.lotteries[0]]
    ['0', '1']
    """
    mover = flow_mover(view, start, parametrization, (steps, until, rest))
    game = float_game(view)
    is_stationary = follower_class is FollowerClass.STATIONARY
    stationary = stationary_actions(view) if is_stationary else None

    def field(lotteries: FloatArray) -> FieldPoint:
        response = best_actions(
            game, lotteries, follower_class=follower_class, ties=ties, stationary=stationary
        )
        returns, partials = returns_and_partials(game, hold(game, response), lotteries)
        return FieldPoint(float(returns[0]), partials[0])

    return mover.follow(field, open_meter(budget, on_iteration))


@solver(unit="steps", page="query-oracles")
def queried_flow(
    view: LeaderView,
    start: StochasticLeader,
    *,
    parametrization: Parametrization = Parametrization.DIRECT,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
    steps: int = 2_000,
    until: float = 1e6,
    rest: float = 1e-6,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> LeaderFlow:
    """Follow the gradient of the return in the leader POMDP, where queries are part of play.

    Args:
        start: Every legal action needs a positive probability if logits move.
        parametrization: What moves: probabilities, or logits.
        follower_class, ties: Which best response the follower plays to the answers, a deterministic
            policy.
        steps, until, rest, budget, on_iteration: As for ``hidden_query_flow``.

    Returns:
        Returns rise along it, up to the error of steps.

    Raises:
        InvalidStrategy: If the start does not fit.
        UnsupportedGame: If there are more than ``MAX_PLANS`` answers, or the game is too large for
            dense tables.
        NotConverged: If the budget ended; ``best`` is the flow so far.

    The gradient is that of ``evaluation.leader_gradients.queried_gradient``, whose largest value
    may exceed what any commitment is worth. A flow may rest at a local optimum.

    Source: :cite:`gerstgrasser2023oracles`, theorem 1.

    >>> from fractions import Fraction
    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> half = StochasticLeader(((Fraction(1, 2), Fraction(1, 2)), (), (), (), ()))
    >>> flow = queried_flow(view, half)
    >>> bool((np.diff(flow.returns) > -1e-9).all())
    True
    """
    mover = flow_mover(view, start, parametrization, (steps, until, rest))
    if num_leader_policies(view) > MAX_PLANS:
        raise UnsupportedGame(
            needs=f"at most {MAX_PLANS} answers to all queries together",
            found=f"{view.game!r} has {num_leader_policies(view):,}",
            remedy="Follow hidden_query_flow, or restrict the leader's actions.",
        )
    game = float_game(view)
    plans = list(leader_policies(view))
    responses = [
        cast(
            "SimpleFollower",
            follower_response(view, plan, follower_class=follower_class, ties=ties).policy,
        )
        for plan in plans
    ]
    followers = list(dict.fromkeys(responses))
    held = hold(game, follower_actions(view, followers))
    code = np.array([followers.index(response) for response in responses])
    answers = np.array([plan.actions for plan in plans])  # (P, O)
    asked = np.flatnonzero((answers >= 0).any(axis=0))

    def field(lotteries: FloatArray) -> FieldPoint:
        chance = lotteries[asked, answers[:, asked]]  # of each answer of each plan, (P, asked)
        returns, partials = returns_and_partials(game, held, lotteries)
        weight = np.bincount(code, chance.prod(axis=1), minlength=len(followers))
        total = np.tensordot(weight, partials, axes=1)
        for k, o in enumerate(asked.tolist()):
            others = np.delete(chance, k, axis=1).prod(axis=1) * returns[code]
            total[o] += np.bincount(answers[:, o], others, minlength=lotteries.shape[1])
        return FieldPoint(float(weight @ returns), total)

    return mover.follow(field, open_meter(budget, on_iteration))
