"""The rules of a leader's problem: queries first, then one play against the follower found.

States are ``("query", z)`` and ``("play", follower policy, t, s)``; where steps are counted, the
count stands at the end of both.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

from gametheory_core.arguments import shown
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.distributions import Distribution, surely
from gametheory_core.errors import InvalidGame, InvalidStrategy
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.games.query_display import QueryDisplay
from gametheory_core.games.query_oracle import HALT, CheckedOracle, QueryOracle, checked_oracle
from gametheory_core.strategies.leader_policies import (
    SimpleFollower,
    StationaryFollower,
    TimedFollower,
    check_follower_policy,
)

_OWNER = "leader_problem"


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
        """Return the law of the first query, or of the first state of play if none is asked."""
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
                f"{_OWNER}: needs queries about observations after which "
                f"{self.players[0]!r} acts, but the oracle asks about {asked!r}. Those are "
                f"{', '.join(map(repr, self._legal))}."
            )
        return legal

    def halted(self, state: Any) -> Distribution[SimpleFollower]:
        """Return the law of the follower policy in a halting state, after checking it."""
        law = self._checked.follower_policy(state)
        for policy, _ in law:
            if not isinstance(policy, StationaryFollower | TimedFollower):
                raise InvalidStrategy(
                    f"{_OWNER}: needs a TimedFollower, a StationaryFollower or a Distribution "
                    f"over them, but in state {state!r} the oracle gives {shown(policy)}."
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
        return surely((seen,))

    def _paid(self, state: Any, action: Any) -> Fraction:
        return Fraction(cast("Any", self.oracle).paid(state, action))
