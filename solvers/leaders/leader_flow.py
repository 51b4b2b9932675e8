"""Gradient flows of a stochastic memoryless leader: where learning by exact gradients leads.

Two problems, which differ in what the gradient sees. With *hidden queries* the follower plays a
best response to the current policy, and the gradient holds it fixed. With *queries in play* the
leader is first asked for an action at each observation; the follower's policy is an answer to what
was drawn, so that the gradient sees how answers change it.
"""

from typing import cast

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
)
from gametheory_core.evaluation.leader_gradients import MAX_PLANS
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.strategies.leader_policies import (
    SimpleFollower,
    StochasticLeader,
    leader_policies,
    num_leader_policies,
)
from solvers.leaders.float_returns import (
    best_actions,
    float_game,
    follower_actions,
    hold,
    returns_and_partials,
    stationary_actions,
)
from solvers.leaders.flow_steps import FieldPoint, LeaderFlow, Parametrization, flow_mover
from solvers.solution import UNLIMITED, Budget, OnIteration
from solvers.solver import open_meter, solver


@solver(
    unit="steps",
    page="query-oracles",
)
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
    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma"))
    >>> half = StochasticLeader(((Fraction(1, 2), Fraction(1, 2)), (), (), (), ()))
    >>> [str(p) for p in hidden_query_flow(view, half).last.lotteries[0]]
    ['0', '1']
    """
    name = "hidden_query_flow"
    mover = flow_mover(view, start, parametrization, (steps, until, rest), function=name)
    game = float_game(view)
    is_stationary = follower_class is FollowerClass.STATIONARY
    stationary = stationary_actions(view) if is_stationary else None

    def field(lotteries: FloatArray) -> FieldPoint:
        response = best_actions(
            game, lotteries, follower_class=follower_class, ties=ties, stationary=stationary
        )
        returns, partials = returns_and_partials(game, hold(game, response), lotteries)
        return FieldPoint(float(returns[0]), partials[0])

    return mover.follow(field, open_meter(budget, on_iteration), name)


@solver(
    unit="steps",
    page="query-oracles",
)
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
    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> half = StochasticLeader(((Fraction(1, 2), Fraction(1, 2)), (), (), (), ()))
    >>> flow = queried_flow(view, half)
    >>> bool((np.diff(flow.returns) > -1e-9).all())
    True
    """
    name = "queried_flow"
    mover = flow_mover(view, start, parametrization, (steps, until, rest), function=name)
    if num_leader_policies(view) > MAX_PLANS:
        raise UnsupportedGame(
            f"queried_flow: needs at most {MAX_PLANS} answers to all queries together, but "
            f"{view.game!r} has {num_leader_policies(view):,}. Follow hidden_query_flow, or "
            "restrict the leader's actions."
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

    return mover.follow(field, open_meter(budget, on_iteration), name)
