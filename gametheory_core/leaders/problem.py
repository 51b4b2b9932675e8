"""The leader's problem against a query oracle: a one-player POSG that asks first, then plays.

An episode has two segments. In the initial one each step is a query: the leader sees the
observation asked about, and the action is the answer. Once the oracle halts, its follower policy is
fixed and the final segment is one play of the game. States are ``("query", z)`` and ``("play",
follower policy, t, s)``; the time is part of the state, not of the observation.

Queries pay nothing and must not be discounted, but a POSG discounts every step alike: so the
problem has discount 1, and the reward at time ``t`` of the play is ``gamma^t`` times the game's.
Where steps are counted, the count stands at the end of both kinds of states.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import require_integer, require_member, shown
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.conversions.conversion import Conversion
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import (
    InvalidArgument,
    InvalidGame,
    InvalidStrategy,
    UnsupportedGame,
    named,
    refusing_as,
)
from gametheory_core.games.rules import POSG
from gametheory_core.leaders.policies import (
    LeaderPolicy,
    SimpleFollower,
    StationaryFollower,
    TimedFollower,
    check_follower_policy,
)
from gametheory_core.leaders.policy_forms import LeaderProblemWays
from gametheory_core.leaders.query_oracle import (
    HALT,
    CheckedOracle,
    QueryDisplay,
    QueryGraph,
    QueryOracle,
    checked_oracle,
    query_graph,
)
from gametheory_core.leaders.view import LeaderView, leader_view
from gametheory_core.strategies.policies import PolicyProfile


@dataclass(frozen=True)
class LeaderProblem:
    """What a leader faces whose follower asks before it plays; see ``leader_problem``.

    Attributes:
        view: The game.
        horizon: The longest episode; None if it was not looked for. Play ends in terminal states.
    """

    view: LeaderView
    oracle: QueryOracle
    display: QueryDisplay = QueryDisplay.AS_PLAY
    discount_queries: bool = False
    reward_queries: bool = False
    horizon: int | None = None

    @property
    def title(self) -> str:
        """For people."""
        return f"{self.view.game.title or 'game'}, as its leader faces it"

    @property
    def players(self) -> tuple[str, ...]:
        """The leader alone."""
        return (self.view.game.players[self.view.leader],)

    @property
    def discount(self) -> Fraction:
        """One, unless queries are to be discounted."""
        return self.view.discount if self.discount_queries else ONE

    def initial(self) -> Distribution[Any]:
        """Return the distribution of the first query, or of the first state if none is asked."""
        return self._opened(self._checked.start(), 0)

    def initial_observation(self, state: Any) -> Distribution[tuple[Any, ...]]:
        """Show the first query."""
        return self._shown(state)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what the leader may do after the same observation of the game."""
        del player
        own = observation if self.display is QueryDisplay.AS_PLAY else observation[1]
        return self._legal[own]

    def is_terminal(self, state: Any) -> bool:
        """Tell whether the play that follows the queries has ended."""
        if state[0] == "query":
            return False
        return state[2] == self.view.horizon or self.view.game.is_terminal(state[3])

    def transition(self, state: Any, joint_action: tuple[Any, ...]) -> Distribution[Any]:
        """Return where an answer leads the oracle, or an action the play."""
        (action,) = joint_action
        if state[0] == "query":
            steps = state[2] + 1 if self._counts else 0
            return self._opened(self._checked.answer(state[1], action), steps)
        _, follower, time, place, *count = state
        law = self.view.game.transition(place, self.joint_action(state, action))
        later = [steps + 1 for steps in count]
        return Distribution(
            tuple((("play", follower, time + 1, after, *later), w) for after, w in law)
        )

    def observation(
        self, joint_action: tuple[Any, ...], state: Any
    ) -> Distribution[tuple[Any, ...]]:
        """Show the query, or what the leader sees in play."""
        del joint_action
        return self._shown(state)

    def reward(
        self, state: Any, joint_action: tuple[Any, ...], next_state: Any
    ) -> tuple[Fraction, ...]:
        """Return the leader's reward: nothing for a query, then ``gamma^t`` times the game's."""
        (action,) = joint_action
        if state[0] == "query":
            return (self._paid(state[1], action) if self.reward_queries else ZERO,)
        joint = self.joint_action(state, action)
        paid = self.view.game.reward(state[3], joint, next_state[3])[self.view.leader]
        return (Fraction(paid if self.discount_queries else paid * self.view.discount ** state[2]),)

    # How it is made

    @cached_property
    def _checked(self) -> CheckedOracle:
        return checked_oracle(self.oracle, _OWNER)

    @property
    def _counts(self) -> bool:
        return self.display is QueryDisplay.COUNTED

    @cached_property
    def _legal(self) -> dict[Any, tuple[Any, ...]]:
        game, leader = self.view.game, self.view.leader
        acting = sorted({o for o in self.view.leader_observation.tolist() if o >= 0})
        return {
            game.observations[leader][o]: tuple(
                game.actions[leader][a] for a in game.legal[leader][o]
            )
            for o in acting
        }

    @cached_property
    def _allowed(self) -> set[Any]:
        return set()  # follower policies that were checked

    def answers(self, asked: Any) -> tuple[Any, ...]:
        """Return what the leader may answer to a query, after checking that it can be asked."""
        legal = self._legal.get(asked)
        if legal is None:
            raise InvalidGame(
                needs=f"queries about observations after which {self.players[0]!r} acts",
                found=f"the oracle asks about {asked!r}",
                remedy=f"Those are {', '.join(map(repr, self._legal))}.",
            )
        return legal

    def halted(self, state: Any) -> Distribution[SimpleFollower]:
        """Return the distribution of the follower policy in a halting state, after checking it."""
        law = self._checked.follower_policy(state)
        for policy, _ in law:
            if not isinstance(policy, StationaryFollower | TimedFollower):
                raise InvalidStrategy(
                    needs="a TimedFollower, a StationaryFollower or a Distribution over them",
                    found=f"in state {state!r} the oracle gives {shown(policy)}",
                )
            if policy not in self._allowed:
                check_follower_policy(self.view, policy)
                self._allowed.add(policy)
        return law

    def joint_action(self, state: Any, action: Any) -> tuple[Any, ...]:
        """Return the labels of both players' actions, in the order of the game's players."""
        game = self.view.game
        follower: SimpleFollower = state[1]
        place = game.state_index[state[3]]
        if isinstance(follower, TimedFollower):
            number = follower.actions[state[2]][place]
        else:
            number = follower.actions[self.view.follower_observation[place]]
        answer = game.actions[self.view.follower][number]
        return (action, answer) if self.view.leader == 0 else (answer, action)

    def _opened(self, law: Distribution[Any], steps: int) -> Distribution[Any]:
        """Return queries as states, and halting states as starts of play."""
        count = (steps,) if self._counts else ()
        out: dict[Any, Fraction] = {}
        for state, weight in law:
            if self._checked.query(state) is not HALT:
                out["query", state, *count] = weight
                continue
            for policy, share in self.halted(state):
                for place, odds in self.view.game.initial():
                    key = ("play", policy, 0, place, *count)
                    out[key] = out.get(key, ZERO) + weight * share * odds
        return Distribution(tuple(out.items()))

    def _shown(self, state: Any) -> Distribution[tuple[Any, ...]]:
        is_query = state[0] == "query"
        if is_query:
            seen = self._checked.query(state[1])
            self.answers(seen)
        else:
            game = self.view.game
            place = game.state_index[state[3]]
            seen = game.observations[self.view.leader][self.view.leader_observation[place]]
        if self.display is QueryDisplay.FLAGGED:
            seen = (is_query, seen)
        elif self._counts:
            seen = (state[-1], seen)
        return point_mass((seen,))

    def _paid(self, state: Any, action: Any) -> Fraction:
        return Fraction(cast("Any", self.oracle).paid(state, action))


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
        display: What the leader is shown beside its own observation.
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

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> from gametheory_core.distributions import point_mass
    >>> from gametheory_core.leaders import HALT, StationaryFollower
    >>> class Copycat:
    ...     def start(self):
    ...         return point_mass("ask")
    ...     def query(self, state):
    ...         return () if state == "ask" else HALT
    ...     def answer(self, state, action):
    ...         return point_mass(action)
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
            raise InvalidArgument(needs=f"{name} to be True or False", found=f"got {shown(flag)}")
    require_member(display, QueryDisplay, name="display")
    if max_states is not None:
        require_integer(max_states, name="max_states", low=1)
    if reward_queries and not hasattr(oracle, "paid"):
        raise InvalidArgument(
            needs="an oracle with paid(state, action) for reward_queries",
            found=f"{shown(oracle)} has none",
            remedy="Only oracles that play while they ask are paid.",
        )
    with refusing_as(_OWNER):
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
                needs=f"at most {named('max_states')} = {max_states:,} states",
                found=f"there are at least {total:,}: {len(graph.querying):,} queries, and "
                f"{places:,} pairs of time and state for each of {len(policies):,} follower "
                "policies or more",
                remedy="Give a shorter horizon, raise max_states, or give max_states=None, with "
                "which states are made only as play meets them.",
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
