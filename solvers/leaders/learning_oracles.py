"""Followers that learn, as query oracles: by Q-learning, and by multiplicative weights.

Each step of tabular Q-learning is a step of the game, and the leader's action in it is the answer
to a query. The table is exact and part of the state, and so is where play stands; moves of chance
in the game are draws of the oracle's next state.

In each round of multiplicative weights the oracle asks for the leader's whole policy, computes what
every stationary policy of the follower would have returned against it, and multiplies its weight by
``1 + rate * gain``, gains scaled to [0, 1]. Weights are rationals and part of the state.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple

from gametheory_core.arguments import as_tuple, require_instance, require_integer, require_member
from gametheory_core.arrays import ONE, ZERO, to_fraction
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.leaders.follower_responses import leader_returns
from gametheory_core.leaders.policies import StationaryFollower
from gametheory_core.leaders.query_oracle import HALT
from gametheory_core.leaders.view import LeaderView
from solvers.leaders.query_oracles import acting_observations, answered_plan

Table = tuple[tuple[Fraction, ...], ...]


class GreedyTies(Enum):
    """Which of several actions of equal Q-value is greedy."""

    FIRST = "the one listed first"
    LAST = "the one listed last"


class Lesson(NamedTuple):
    """Where learning stands.

    Attributes:
        episode, steps: Episodes finished, and learning steps made in all.
        time, place: Steps of the running episode, and the number of the game's state; -1 at the end
            of learning.
        table: Q-values by the follower's observation and action.
    """

    episode: int
    steps: int
    time: int
    place: int
    table: Table


@dataclass(frozen=True)
class LearningQueries:
    """A query oracle whose states are lessons; see ``q_learning_queries``."""

    view: LeaderView
    episodes: int
    rate: Fraction
    discount: Fraction
    initial: Table
    explore_every: int
    ties: GreedyTies

    def start(self) -> Distribution[Lesson]:
        """Return the first state of the first episode."""
        return self._begin(0, 0, self.initial)

    def query(self, state: Lesson, /) -> Any:
        """Ask what the leader does where play stands; halt after the last episode."""
        if state.place < 0:
            return HALT
        seen = self.view.leader_observation[state.place]
        return self.view.game.observations[self.view.leader][seen]

    def answer(self, state: Lesson, action: Any, /) -> Distribution[Lesson]:
        """Let the follower act as well, and learn from what happens."""
        weights: dict[Lesson, Fraction] = {}
        view, steps, time = self.view, state.steps + 1, state.time + 1
        for number, weight, reward in self._moves(state, action):
            ends = time == view.horizon or view.leader_observation[number] < 0
            table = self._learned(state, reward, None if ends else number)
            law = (
                self._begin(state.episode + 1, steps, table)
                if ends
                else [(Lesson(state.episode, steps, time, number, table), Fraction(1))]
            )
            for lesson, share in law:
                weights[lesson] = weights.get(lesson, ZERO) + weight * share
        return Distribution(tuple(weights.items()))

    def follower_policy(self, state: Lesson, /) -> StationaryFollower:
        """Return the greedy policy of the learned table."""
        actions = (
            self._greedy(state.table, o) if self._actions[o] else -1
            for o in range(len(state.table))
        )
        return StationaryFollower(tuple(actions))

    def paid(self, state: Lesson, action: Any, /) -> Fraction:
        """Return the leader's expected reward in a learning step."""
        number = self.view.game.actions[self.view.leader].index(action)
        return self.view.step(state.place, number, self._choice(state)).rewards[0]

    def _begin(self, episode: int, steps: int, table: Table) -> Distribution[Lesson]:
        if episode == self.episodes:
            return Distribution(((Lesson(episode, steps, 0, -1, table), Fraction(1)),))
        lessons = ((Lesson(episode, steps, 0, s, table), w) for s, w in self.view.initial)
        return Distribution(tuple(lessons))

    def _moves(self, state: Lesson, action: Any) -> list[tuple[int, Fraction, Fraction]]:
        """Return next states by number, with their probabilities and the follower's rewards."""
        view, game = self.view, self.view.game
        key = (state.place, action, self._choice(state))
        if key not in self._known:
            answer = game.actions[view.follower][key[2]]
            joint = (action, answer) if view.leader == 0 else (answer, action)
            place = game.states[state.place]
            self._known[key] = [
                (game.state_index[s], w, Fraction(game.reward(place, joint, s)[view.follower]))
                for s, w in game.transition(place, joint)
            ]
        return self._known[key]

    @cached_property
    def _known(self) -> dict[Any, list[tuple[int, Fraction, Fraction]]]:
        return {}  # moves that were asked for

    def _choice(self, state: Lesson) -> int:
        """Return what the follower does: greedy, or at each so-manieth step another action."""
        seen = int(self.view.follower_observation[state.place])
        greedy = self._greedy(state.table, seen)
        legal = self._actions[seen]
        turn, rest = divmod(state.steps + 1, self.explore_every or state.steps + 2)
        if rest or len(legal) == 1:
            return greedy
        others = [b for b in legal if b != greedy]
        return others[(turn - 1) % len(others)]

    @cached_property
    def _actions(self) -> tuple[tuple[int, ...], ...]:
        count = len(self.view.game.observations[self.view.follower])
        return tuple(self.view.follower_actions(o) for o in range(count))

    def _greedy(self, table: Table, seen: int) -> int:
        legal = self._actions[seen]
        ordered = legal if self.ties is GreedyTies.FIRST else legal[::-1]
        return max(ordered, key=lambda b: table[seen][b])

    def _learned(self, state: Lesson, reward: Fraction, following: int | None) -> Table:
        """Move the value of what was done towards the reward and what the next state promises."""
        seen, action = int(self.view.follower_observation[state.place]), self._choice(state)
        target = reward
        if following is not None:
            after = int(self.view.follower_observation[following])
            target += self.discount * max(state.table[after][b] for b in self._actions[after])
        row = list(state.table[seen])
        row[action] += self.rate * (target - row[action])
        return (*state.table[:seen], tuple(row), *state.table[seen + 1 :])


def q_learning_queries(
    view: LeaderView,
    *,
    episodes: int,
    rate: object,
    discount: object | None = None,
    initial: Sequence[Sequence[object]] | None = None,
    explore_every: int = 0,
    ties: GreedyTies = GreedyTies.FIRST,
) -> LearningQueries:
    """Make an oracle that learns by Q-learning against the leader's answers.

    Args:
        view: Play continues in every first state.
        episodes: Episodes of the game to learn from, each from the start; after 0, which asks
            nothing, the follower is greedy by the first table.
        rate (number): The learning rate, above 0 and at most 1; read exactly.
        discount: The learner's own discount; the game's by default.
        initial: The first table, by follower observation and action; zeros by default. Giving the
            table learned against the last policy makes a follower that does not start anew.
        explore_every: At each so-manieth learning step the follower takes another action than the
            greedy one, the others in turn; 0 for never.

    Raises:
        InvalidArgument: If an option has a value it cannot have.
        UnsupportedGame: If play may be over at its start.

    It meets condition 2 of Lemma 1 and is a query oracle, so the value of the leader's problem is
    exactly the return against what was learned. Condition 1 it meets only where learning got as far
    as a best response; that takes enough episodes and exploration, and is not promised. The same
    answers always lead to the same mixed action, so a run can be repeated without a seed.

    States are many, because a table remembers every answer: give ``max_states=None`` to
    ``leader_problem`` for all but the shortest learning. Against one policy they are few where
    nothing is drawn; where states are, each episode multiplies them, and ``oracle_returns`` refuses
    more than its ``max_states``.

    Source: :cite:`gerstgrasser2023oracles`, appendix A and C.3.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import DeterministicLeader, leader_view, oracle_response
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> oracle = q_learning_queries(view, episodes=10, rate="1/2", explore_every=3)
    >>> firm = DeterministicLeader((1, -1, -1, -1, -1))
    >>> [policy.actions[0] for policy, _ in oracle_response(view, oracle, firm)]
    [0]
    """
    name = "q_learning_queries"
    require_instance(view, LeaderView, name="view", remedy="Call leader_view(game).")
    require_integer(episodes, name="episodes", low=0)
    require_integer(explore_every, name="explore_every", low=0)
    require_member(ties, GreedyTies, name="ties")
    exact = to_fraction(rate, where=f"{name}: rate")
    own = view.discount if discount is None else to_fraction(discount, where=f"{name}: discount")
    if not 0 < exact <= 1 or not 0 <= own <= 1:
        raise InvalidArgument(
            needs="a rate above 0 and at most 1 and a discount from 0 to 1",
            found=f"got {exact} and {own}",
        )
    for state, _ in view.initial:
        if view.leader_observation[state] < 0:
            raise UnsupportedGame(
                needs="a game in which every play has a step to learn from",
                found=f"play is over in first state {view.game.states[state]!r}",
            )
    table = _checked_table(view, initial, name)
    return LearningQueries(view, episodes, exact, own, table, explore_every, ties)


def _checked_table(view: LeaderView, table: Sequence[Sequence[object]] | None, name: str) -> Table:
    sizes = (len(view.game.observations[view.follower]), len(view.game.actions[view.follower]))
    if table is None:
        return ((ZERO,) * sizes[1],) * sizes[0]
    rows = tuple(as_tuple(row, name="a row of initial") for row in as_tuple(table, name="initial"))
    if len(rows) != sizes[0] or any(len(row) != sizes[1] for row in rows):
        raise InvalidArgument(
            needs=f"a row of {sizes[1]} values for each of {sizes[0]} follower observations as "
            "initial",
            found=f"got rows of {[len(row) for row in rows]}",
        )
    return tuple(
        tuple(to_fraction(value, where=f"{name}: initial") for value in row) for row in rows
    )


MAX_EXPERTS = 1000


class DeployedPolicy(Enum):
    """What the follower plays after the last round."""

    DRAW = "a policy drawn by the weights, once"
    HEAVIEST = "the policy of the largest weight, the first of several"


class Round(NamedTuple):
    """Where learning stands.

    Attributes:
        number: Rounds finished.
        weights: Of the follower's policies; they sum to one.
        answers: Of this round.
    """

    number: int
    weights: tuple[Fraction, ...]
    answers: tuple[Hashable, ...]


@dataclass(frozen=True)
class WeightedQueries:
    """A query oracle whose states are rounds; see ``multiplicative_weights_queries``."""

    view: LeaderView
    rounds: int
    rate: Fraction
    deployment: DeployedPolicy

    @cached_property
    def experts(self) -> tuple[StationaryFollower, ...]:
        """All stationary policies of the follower."""
        return tuple(map(StationaryFollower, product(*_choices(self.view))))

    @cached_property
    def observations(self) -> tuple[Hashable, ...]:
        """What is asked about in each round."""
        return acting_observations(self.view)

    def start(self) -> Distribution[Round]:
        """Return equal weights."""
        even = Fraction(1, len(self.experts))
        return point_mass(Round(0, (even,) * len(self.experts), ()))

    def query(self, state: Round, /) -> Any:
        """Ask about the next observation of the round."""
        if state.number == self.rounds:
            return HALT
        return self.observations[len(state.answers)]

    def answer(self, state: Round, action: Any, /) -> Distribution[Round]:
        """Note the answer; after the last of a round, learn."""
        answers = (*state.answers, action)
        if len(answers) < len(self.observations):
            return point_mass(state._replace(answers=answers))
        known = tuple(zip(self.observations, answers, strict=True))
        plan = answered_plan(self.view, known)
        gains = (leader_returns(self.view, plan, expert)[1] for expert in self.experts)
        low, span = self._range
        weights = [
            weight * (1 + self.rate * (gain - low) / span)
            for weight, gain in zip(state.weights, gains, strict=True)
        ]
        total = sum(weights, ZERO)
        return point_mass(Round(state.number + 1, tuple(weight / total for weight in weights), ()))

    def follower_policy(self, state: Round, /) -> Distribution[StationaryFollower]:
        """Return the law of the policy that is played."""
        if self.deployment is DeployedPolicy.HEAVIEST:
            return point_mass(self.experts[state.weights.index(max(state.weights))])
        return Distribution(tuple(zip(self.experts, state.weights, strict=True)))

    @cached_property
    def _range(self) -> tuple[Fraction, Fraction]:
        """Return a lower bound of the follower's returns, and the width to an upper bound."""
        paid = self.view.game.reward_vectors[:, self.view.follower].tolist()
        low, high = min([*paid, ZERO]), max([*paid, ZERO])
        steps = sum((self.view.discount**t for t in range(self.view.horizon)), ZERO)
        return low * steps, (high - low) * steps or ONE


def multiplicative_weights_queries(
    view: LeaderView,
    *,
    rounds: int,
    rate: object = Fraction(1, 2),
    deployment: DeployedPolicy = DeployedPolicy.HEAVIEST,
) -> WeightedQueries:
    """Make an oracle that learns by multiplicative weights against the leader's answers.

    Args:
        rounds: Each asks once about every observation.
        rate (number): Above 0; read exactly.

    Raises:
        InvalidArgument: If an option has a value it cannot have.
        UnsupportedGame: If the follower has more than ``MAX_EXPERTS`` stationary policies, or
            nobody ever acts.

    A query oracle that meets condition 2 of Lemma 1. With ``HEAVIEST`` and at least one round it
    also meets condition 1 for deterministic leaders, within stationary followers: the order of the
    weights is that of the returns. With ``DRAW`` the follower comes near a best response as rounds
    go on, and the value of the leader's problem is the return against that mixture.

    Source: :cite:`gerstgrasser2023oracles`, appendix A.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import DeterministicLeader, leader_view, oracle_response
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> oracle = multiplicative_weights_queries(view, rounds=2, deployment=DeployedPolicy.DRAW)
    >>> firm = DeterministicLeader((1, -1, -1, -1, -1))
    >>> [str(weight) for _, weight in oracle_response(view, oracle, firm)]
    ['961/1445', '484/1445']
    """
    name = "multiplicative_weights_queries"
    require_instance(view, LeaderView, name="view", remedy="Call leader_view(game).")
    require_integer(rounds, name="rounds", low=0)
    require_member(deployment, DeployedPolicy, name="deployment")
    exact = to_fraction(rate, where=f"{name}: rate")
    if exact <= 0:
        raise InvalidArgument(needs="a rate above 0", found=f"got {exact}")
    count = prod(map(len, _choices(view)))
    if count > MAX_EXPERTS:
        raise UnsupportedGame(
            needs=f"a follower of at most {MAX_EXPERTS:,} stationary policies",
            found=f"there are {count:,}",
            remedy="Take q_learning_queries, which keeps a table instead.",
        )
    if rounds and not acting_observations(view):
        state, _ = view.initial[0]
        raise UnsupportedGame(
            needs="a game with something to ask about",
            found=f"play is over at its start, in {view.game.states[state]!r}",
            remedy="Give rounds = 0, or a game in which somebody acts.",
        )
    return WeightedQueries(view, rounds, exact, deployment)


def _choices(view: LeaderView) -> list[tuple[int, ...]]:
    """Return the follower's legal actions by observation; -1 where the follower never acts."""
    count = len(view.game.observations[view.follower])
    return [view.follower_actions(o) or (-1,) for o in range(count)]
