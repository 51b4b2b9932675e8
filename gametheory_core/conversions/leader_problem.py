"""The leader's problem against a query oracle: a one-player POSG that asks first, then plays.

An episode has two segments. In the initial one each step is a query: the leader sees the
observation asked about, and the action is the answer. Once the oracle halts, its follower policy is
fixed and the final segment is one play of the game. States are ``("query", z)`` and ``("play",
follower policy, t, s)``; the time is part of the state, not of the observation.

Queries pay nothing and must not be discounted, but a POSG discounts every step alike: so the
problem has discount 1, and the reward at time ``t`` of the play is ``gamma^t`` times the game's.
"""

from typing import TypeAlias

import numpy as np

from gametheory_core.arguments import require_integer, require_member, shown
from gametheory_core.conversions.conversion import Conversion
from gametheory_core.conversions.leader_problem_rules import LeaderProblem
from gametheory_core.conversions.leader_problem_ways import LeaderProblemWays
from gametheory_core.conversions.leader_view import leader_view
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.callers import refusing_as
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.games.posg import POSG
from gametheory_core.games.query_display import QueryDisplay
from gametheory_core.games.query_graph import QueryGraph, query_graph
from gametheory_core.games.query_oracle import QueryOracle, checked_oracle
from gametheory_core.strategies.leader_policies import (
    LeaderPolicy,
    SimpleFollower,
)
from gametheory_core.strategies.policies import PolicyProfile

MAX_STATES = 50_000

_OWNER = "leader_problem"

GameToLeaderProblem: TypeAlias = Conversion[LeaderView, LeaderProblem, LeaderPolicy, PolicyProfile]


def leader_problem(
    game: POSG | LeaderView,
    oracle: QueryOracle,
    *,
    leader: int = 0,
    display: QueryDisplay = QueryDisplay.AS_PLAY,
    discount_queries: bool = False,
    reward_queries: bool = False,
    max_states: int | None = MAX_STATES,
) -> GameToLeaderProblem:
    """Build the problem of a leader whose follower asks before it plays.

    Args:
        game: Two players, a horizon, observations that are functions of the state.
        oracle: What asks, and answers with a follower policy.
        leader: Who commits, if ``game`` is a POSG.
        display: What the leader is shown beside the own observation.
        discount_queries: Discount queries as if they were steps of play. Wrong in general, and here
            to show it: an oracle that asks some policies more than others then ranks policies
            otherwise.
        reward_queries: Pay the leader during queries too, what ``oracle.paid(state, action)`` says.
            Wrong in general, and here to show it.
        max_states: The most states in which the leader acts, counted before any is made. With None
            nothing is counted, and states are made only as play meets them.

    Returns:
        From the ``LeaderView`` to the problem, a one-player POSG. The correspondence carries leader
        policies there and back, and plays back. ``preserves`` is empty, because its claims are
        about profiles of all players; what is kept is in the notes.

    Raises:
        UnsupportedGame: If there are too many states, or answers exist on which the oracle never
            halts.
        InvalidGame, InvalidStrategy: If the oracle asks or answers something malformed; with the
            question.

    For every policy ``pi`` that draws each answer once an episode and keeps to it
    (``DeterministicLeader``, ``MemoizedLeader``), the value of the problem is the leader's return
    against the follower that the oracle makes of ``pi``, and both have the same maximizers. It is
    not so for ``StochasticLeader``, nor for policies with memory, which can tell queries from play
    by counting: a solver of POMDPs must be held to memoryless policies.

    Source: :cite:`gerstgrasser2023oracles`, theorem 1 and appendix A.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> from gametheory_core.distributions import surely
    >>> from gametheory_core.games.query_oracle import HALT
    >>> from gametheory_core.strategies.leader_policies import StationaryFollower
    >>> class Copycat:
    ...     def start(self):
    ...         return surely("ask")
    ...     def query(self, state):
    ...         return () if state == "ask" else HALT
    ...     def answer(self, state, action):
    ...         return surely(action)
    ...     def follower_policy(self, state):
    ...         return StationaryFollower((("swerve", "straight").index(state), -1, -1, -1, -1))
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> problem = leader_problem(view, Copycat()).target
    >>> problem.initial().items[0][0], problem.horizon
    (('query', 'ask'), 2)
    >>> (start,) = (after for after, _ in problem.transition(("query", "ask"), ("swerve",)))
    >>> problem.transition(start, ("swerve",)).items[0][0][3]
    (('swerve', 'swerve'),)
    """
    for name, flag in (("discount_queries", discount_queries), ("reward_queries", reward_queries)):
        if not isinstance(flag, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(
                f"{_OWNER}: needs {name} to be True or False, but got {shown(flag)}."
            )
    require_member(display, QueryDisplay, function=_OWNER, name="display")
    if max_states is not None:
        require_integer(max_states, function=_OWNER, name="max_states", low=1)
    if reward_queries and not hasattr(oracle, "paid"):
        raise InvalidArgument(
            f"{_OWNER}: needs an oracle with paid(state, action) for reward_queries, but "
            f"{shown(oracle)} has none. Only oracles that play while they ask are paid."
        )
    with refusing_as(_OWNER, instead_of="leader_view"):
        view = game if isinstance(game, LeaderView) else leader_view(game, leader=leader)
    checked_oracle(oracle, _OWNER)
    problem = LeaderProblem(view, oracle, display, discount_queries, reward_queries)
    if max_states is not None:
        graph = query_graph(oracle, problem.answers, max_states=max_states, owner=_OWNER)
        _refuse_size(problem, graph, max_states)
        horizon = graph.most + view.horizon
        problem = LeaderProblem(view, oracle, display, discount_queries, reward_queries, horizon)
    return Conversion(view, problem, LeaderProblemWays(view, problem, display), frozenset())


def _refuse_size(problem: LeaderProblem, graph: QueryGraph, max_states: int) -> None:
    """Count states in which the leader acts, as if every follower let play go everywhere."""
    places = _places(problem.view)
    policies: set[SimpleFollower] = set()
    for state in graph.halting:
        policies.update(policy for policy, _ in problem.halted(state))
        total = len(graph.querying) + len(policies) * places
        if total > max_states:
            raise UnsupportedGame(
                f"{_OWNER}: needs at most max_states = {max_states:,} states, but there are at "
                f"least {total:,}: {len(graph.querying):,} queries, and {places:,} pairs of time "
                f"and state for each of {len(policies):,} follower policies or more. Give a "
                "shorter horizon, raise max_states, or give max_states=None, with which states "
                "are made only as play meets them."
            )


def _places(view: LeaderView) -> int:
    """Return the number of pairs of time and state in which the leader may act."""
    count = 0
    for time in range(view.horizon):
        reached = int(np.count_nonzero(view.reachable(time)))
        if not reached:
            break
        count += reached
    return count
