"""Exact gradients of a leader's return in the probabilities of a stochastic memoryless policy.

With ``x`` the leader's mixed actions and the follower's policy held fixed, the return ``J(x)`` is a
polynomial. Its partial derivative in the probability ``x(o, a)``, all probabilities taken as
independent variables, is

    sum over t, and over states s of observation o, of  gamma^t Pr(s_t = s) Q_t(s, a),

with ``Q_t(s, a)`` what the leader receives from step ``t`` on, in units of that step, after acting
``a`` there and by ``x`` from then on. Along the mixed actions only differences of partials count.
All of it is computed in integers over one common denominator.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import require_instance, shown
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.errors import InvalidArgument, InvalidStrategy, UnsupportedGame
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    FollowerPolicy,
    PlannedFollower,
    StochasticLeader,
    TimedFollower,
    check_follower_policy,
    check_leader_policy,
    leader_policies,
    num_leader_policies,
)
from gametheory_core.leaders.view import LeaderView

MAX_PLANS = 4096  # answers to all queries together

Oracle: TypeAlias = Callable[[DeterministicLeader], FollowerPolicy]  # refused: who sees plans


@dataclass(frozen=True)
class LeaderGradient:
    """How the leader's return changes with the probabilities of a policy.

    Attributes:
        leader: At which policy.
        value: The leader's return.
        partials: By observation and action, all probabilities taken as independent variables; zero
            where an action is illegal, an empty tuple where the leader never acts.
    """

    leader: StochasticLeader
    value: Fraction
    partials: tuple[tuple[Fraction, ...], ...]

    def slope(self, observation: int, action: int, instead_of: int) -> Fraction:
        """Return the derivative as probability moves from one action to another."""
        own = self.partials[observation]
        if not (0 <= action < len(own) and 0 <= instead_of < len(own)):
            raise InvalidArgument(
                needs="two actions at an observation after which the leader acts",
                found=f"got {action} and {instead_of} of {len(own)} at observation {observation}",
            )
        return own[action] - own[instead_of]

    @property
    def logits(self) -> tuple[tuple[Fraction, ...], ...]:
        """The derivatives in the logits ``z`` of a softmax ``x(o, a) ~ exp z(o, a)``.

        Each is ``x(o, a)`` times what the action's partial exceeds their mean by; with two actions
        that is ``x(o, a) (1 - x(o, a))`` times the slope.
        """
        rows: list[tuple[Fraction, ...]] = []
        for lottery, own in zip(self.leader.lotteries, self.partials, strict=True):
            mean = sum((x * p for x, p in zip(lottery, own, strict=True)), ZERO)
            rows.append(tuple(x * (p - mean) for x, p in zip(lottery, own, strict=True)))
        return tuple(rows)


def leader_gradient(
    view: LeaderView, leader: StochasticLeader, follower: FollowerPolicy
) -> LeaderGradient:
    """Return the gradient of the leader's return, the follower's policy held fixed.

    This is what a leader climbs who does not see how the follower answers its own policy.

    Raises:
        InvalidStrategy: If a policy does not fit the view.

    Time is linear in the horizon times the number of states and transitions; the integers grow by
    the digits of the common denominators with each step.

    Source: :cite:`gerstgrasser2023oracles`, appendix D.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import StationaryFollower, leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma"))
    >>> half = StochasticLeader(((Fraction(1, 2), Fraction(1, 2)), (), (), (), ()))
    >>> defect = StationaryFollower((1, -1, -1, -1, -1))
    >>> str(leader_gradient(view, half, defect).slope(0, 1, instead_of=0))
    '1'
    """
    _check(view, leader, follower)
    return _gradient(view, leader, follower, weight_of_steps=view.discount)


def expected_reinforce(
    view: LeaderView, leader: StochasticLeader, follower: FollowerPolicy
) -> LeaderGradient:
    """Return the expected update of REINFORCE, the follower's policy held fixed.

    REINFORCE multiplies the score of each action by the reward to go from its own step on. It
    thereby counts all steps alike, where the gradient of a discounted return weighs step ``t`` by
    ``gamma^t``: without discounting both agree, else the expected update is no gradient.

    Returns:
        ``value`` is the return; ``partials`` are the expected updates up to a common amount for all
        actions of an observation, ``logits`` the expected updates of a softmax.

    Raises:
        InvalidStrategy: If a policy does not fit the view.

    Sources:
        :cite:`gerstgrasser2023oracles`, appendix D, equation (3).
        :cite:`williams1992simple`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import StationaryFollower, leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma"))
    >>> half = StochasticLeader(((Fraction(1, 2), Fraction(1, 2)), (), (), (), ()))
    >>> defect = StationaryFollower((1, -1, -1, -1, -1))
    >>> [str(update) for update in expected_reinforce(view, half, defect).logits[0]]
    ['-1/4', '1/4']
    """
    _check(view, leader, follower)
    return _gradient(view, leader, follower, weight_of_steps=ONE)


def queried_gradient(view: LeaderView, leader: StochasticLeader, oracle: Oracle) -> LeaderGradient:
    """Return the gradient of the return in the leader POMDP, where queries are part of play.

    The leader is first asked for an action at each of its own observations, once, and draws
    each answer. The oracle turns the answers into a follower policy, against which the leader then
    plays, drawing afresh: ``J(x) = sum over answers p of Pr(p; x) J(x, oracle(p))``.

    Args:
        oracle: Returns the follower's policy after these answers.

    Raises:
        InvalidStrategy: If a policy does not fit the view.
        UnsupportedGame: If there are more than ``MAX_PLANS`` answers.

    Answers and play are drawn independently, so that the leader is not held to the answers: the
    largest ``J`` may exceed what any commitment is worth.

    Source: :cite:`gerstgrasser2023oracles`, theorem 1.

    >>> from gametheory_core import NormalFormGame
    >>> from gametheory_core.leaders import leader_view
    >>> from gametheory_core.conversions import normal_to_posg
    >>> from gametheory_core.leaders import StationaryFollower
    >>> game = NormalFormGame.bimatrix([[0, 0], [1, 0]], [[1, 0], [0, 9]])
    >>> view = leader_view(normal_to_posg(game).target)
    >>> half = StochasticLeader(((Fraction(1, 2), Fraction(1, 2)),))
    >>> found = queried_gradient(view, half, lambda answers: StationaryFollower(answers.actions))
    >>> str(found.value), str(found.slope(0, 1, instead_of=0))
    ('1/4', '0')
    """
    _check_leader(view, leader)
    if not callable(oracle):
        raise InvalidArgument(
            needs="a function from answers to a follower's policy as oracle",
            found=f"got {shown(oracle)}",
            remedy="Give lambda plan: follower_response(view, plan).policy, for one.",
        )
    if num_leader_policies(view) > MAX_PLANS:
        raise UnsupportedGame(
            needs=f"at most {MAX_PLANS} answers to all queries together",
            found=f"{view.game!r} has {num_leader_policies(view)}",
            remedy="Restrict the leader's actions.",
        )
    answered: dict[FollowerPolicy, list[DeterministicLeader]] = {}
    for plan in leader_policies(view):
        answered.setdefault(oracle(plan), []).append(plan)
    value = ZERO
    partials = [[ZERO] * len(own) for own in leader.lotteries]
    for follower, plans in answered.items():
        _check(view, leader, follower)
        held = _gradient(view, leader, follower, weight_of_steps=view.discount)
        weight = ZERO
        for plan in plans:
            weight += _chance(leader, plan)
            for o, action in enumerate(plan.actions):
                if action >= 0:
                    partials[o][action] += held.value * _chance(leader, plan, but=o)
        value += weight * held.value
        for row, own in zip(partials, held.partials, strict=True):
            row[:] = (p + weight * q for p, q in zip(row, own, strict=True))
    return LeaderGradient(leader, value, tuple(map(tuple, partials)))


def _check_leader(view: LeaderView, leader: StochasticLeader) -> None:
    require_instance(view, LeaderView, name="view", remedy="Call leader_view(game).")
    require_instance(
        leader,
        StochasticLeader,
        name="leader",
        remedy="Write a pure policy as mixed actions of 0 and 1.",
    )
    check_leader_policy(view, leader)


def _check(view: LeaderView, leader: StochasticLeader, follower: FollowerPolicy) -> None:
    _check_leader(view, leader)
    if isinstance(follower, PlannedFollower):
        raise InvalidStrategy(
            needs="a TimedFollower or StationaryFollower",
            found="got a PlannedFollower, who sees a plan drawn before play",
            remedy="Choose one of its policies.",
        )
    check_follower_policy(view, follower)


def _chance(leader: StochasticLeader, plan: DeterministicLeader, *, but: int = -1) -> Fraction:
    """Return how likely the answers are, those at one observation taken for granted."""
    pairs = zip(leader.lotteries, plan.actions, strict=True)
    return prod((x[a] for o, (x, a) in enumerate(pairs) if a >= 0 and o != but), start=ONE)


def _gradient(
    view: LeaderView,
    leader: StochasticLeader,
    follower: FollowerPolicy,
    *,
    weight_of_steps: Fraction,
) -> LeaderGradient:
    """Return the sum over steps of ``weight^t Pr(s_t) Q_t``, by observation and action.

    Downwards, ``V_t`` has the denominator ``(lotteries * discount * weights)^(h - t)`` in units of
    rewards; upwards, ``Pr(s_t)`` has ``initial * (lotteries * weights)^t``.
    """
    tables, horizon = view.tables, view.horizon
    chances, x = _by_state(view, leader)
    gamma, weight = view.discount.numerator, tables.weight_denominator
    over = view.discount.denominator
    steps = [_held(view, follower, t) for t in range(horizon)]
    values, unit = np.zeros(view.num_states, dtype=object), 1
    after: list[Any] = [None] * horizon  # Q_t as integers
    for t in reversed(range(horizon)):
        rewards, successor, law = steps[t]
        after[t] = rewards * (over * weight * unit) + gamma * (law * values[successor]).sum(axis=2)
        values = (chances * after[t]).sum(axis=1)
        unit *= x * over * weight
    reach = tables.initial_weight.astype(object)
    sums = np.zeros(chances.shape, dtype=object)
    for t in range(horizon):
        share = weight_of_steps.numerator**t * (over // weight_of_steps.denominator) ** t
        sums += share * reach[:, None] * after[t]
        _, successor, law = steps[t]
        moved = np.zeros(view.num_states, dtype=object)
        np.add.at(moved, successor, (reach[:, None] * chances)[:, :, None] * law)
        reach = moved
    first = tables.initial_denominator * tables.reward_denominator
    whole = x ** (horizon - 1) * weight**horizon * over**horizon * first
    partials: list[tuple[Fraction, ...]] = []
    for o, own in enumerate(leader.lotteries):
        total = sums[view.leader_observation == o].sum(axis=0)
        partials.append(tuple(Fraction(int(p), whole) for p in total) if own else ())
    value = Fraction(int((tables.initial_weight * values).sum()), unit * first)
    return LeaderGradient(leader, value, tuple(partials))


def _by_state(view: LeaderView, leader: StochasticLeader) -> tuple[Any, int]:
    """Return the mixed actions as integers, shape (S, A), and their common denominator."""
    denominator = lcm(*(x.denominator for own in leader.lotteries for x in own))
    table = np.zeros((view.num_states, len(view.game.actions[view.leader])), dtype=object)
    for s, o in enumerate(view.leader_observation.tolist()):
        if o >= 0:
            table[s] = [x.numerator * (denominator // x.denominator) for x in leader.lotteries[o]]
    return table, denominator


def _held(view: LeaderView, follower: Any, step: int) -> tuple[Any, Any, Any]:
    """Return the leader's rewards and what follows, by state and action, at one step."""
    tables = view.tables
    if isinstance(follower, TimedFollower):
        actions = np.array(follower.actions[step])
    else:
        actions = np.array([*follower.actions, -1])[view.follower_observation]
    states = np.arange(view.num_states)
    kept = [
        table[states, :, actions] for table in (tables.rewards, tables.successor, tables.weight)
    ]
    return kept[0][:, :, 0].astype(object), kept[1], kept[2].astype(object)
