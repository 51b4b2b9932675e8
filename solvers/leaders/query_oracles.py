"""Oracles that ask about the leader's policy and respond exactly.

The *contextual* oracle asks about every observation in a fixed order: its answers are the leader's
whole policy, and every leader is asked the same number of queries. The *adaptive* one asks only
what it still needs to know: what a leader does after observations that play cannot reach, given the
answers so far, is of no use to a follower. Any other can be written out as a tree of questions.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import as_tuple, require_instance, require_member
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import InvalidArgument
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
)
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    FollowerPolicy,
    SimpleFollower,
    StationaryFollower,
    TimedFollower,
)
from gametheory_core.leaders.query_oracle import HALT
from gametheory_core.leaders.view import LeaderView

Answers = tuple[tuple[Hashable, Hashable], ...]  # observations with the actions answered


@dataclass(frozen=True)
class ContextualQueries:
    """A query oracle; its state is the tuple of answers so far. See ``contextual_queries``."""

    view: LeaderView
    order: tuple[Hashable, ...]
    follower_class: FollowerClass
    ties: FollowerTies

    def start(self) -> Distribution[tuple[Any, ...]]:
        """Return the state before the first query."""
        return point_mass(())

    def query(self, state: tuple[Any, ...], /) -> Any:
        """Ask about the next observation."""
        return HALT if len(state) == len(self.order) else self.order[len(state)]

    def answer(self, state: tuple[Any, ...], action: Any, /) -> Distribution[tuple[Any, ...]]:
        """Note the answer."""
        return point_mass((*state, action))

    def follower_policy(self, state: tuple[Any, ...], /) -> FollowerPolicy:
        """Return an exact best response to the policy answered."""
        known = tuple(zip(self.order, state, strict=True))
        plan = answered_plan(self.view, known)
        return follower_response(
            self.view, plan, follower_class=self.follower_class, ties=self.ties
        ).policy


def contextual_queries(
    view: LeaderView,
    *,
    order: Iterable[Hashable] | None = None,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
) -> ContextualQueries:
    """Make an oracle that asks about every observation and responds exactly.

    Args:
        order: Each observation after which the leader acts, once. Default: in the order of the
            game.

    Raises:
        InvalidArgument: If the order leaves an observation out, or has others.

    Meets both conditions of Lemma 1 for deterministic leaders, so that Theorem 1 holds: the
    follower responds best (within its class) to what was answered, and rewards come in play alone.
    Because all leaders are asked equally often, discounting queries by gamma scales all values by
    the same power of gamma.

    Source: :cite:`gerstgrasser2023oracles`, section 4 and appendix A.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> oracle = contextual_queries(leader_view(RepeatedGame.of("chicken")))
    >>> oracle.query(()), oracle.query(("straight",)), oracle.follower_policy(("straight",)).actions
    ((), HALT, ((0, -1, -1, -1, -1),))
    """
    acting = check_oracle_options(view, follower_class, ties)
    asked = acting if order is None else as_tuple(order, name="order")
    if len(asked) != len(acting) or set(asked) != set(acting):
        raise InvalidArgument(
            needs="each observation after which the leader acts once, "
            f"{', '.join(map(repr, acting))}",
            found=f"the order is {asked!r}",
        )
    return ContextualQueries(view, asked, follower_class, ties)


def check_oracle_options(
    view: LeaderView, follower_class: FollowerClass, ties: FollowerTies
) -> tuple[Hashable, ...]:
    """Refuse wrong options; return the observations after which the leader acts."""
    require_instance(view, LeaderView, name="view", remedy="Call leader_view(game).")
    require_member(follower_class, FollowerClass, name="follower_class")
    require_member(ties, FollowerTies, name="ties")
    return acting_observations(view)


def acting_observations(view: LeaderView) -> tuple[Hashable, ...]:
    """Return the labels of the observations after which the leader acts, in order."""
    numbers = sorted({o for o in view.leader_observation.tolist() if o >= 0})
    return tuple(view.game.observations[view.leader][o] for o in numbers)


def answered_plan(view: LeaderView, known: Answers) -> DeterministicLeader:
    """Return the policy that plays as answered, and the first legal action elsewhere."""
    game, leader = view.game, view.leader
    answers = dict(known)
    actions: list[int] = []
    for o, label in enumerate(game.observations[leader]):
        legal = view.leader_actions(o)
        if label in answers:
            actions.append(game.actions[leader].index(answers[label]))
        else:
            actions.append(legal[0] if legal else -1)
    return DeterministicLeader(tuple(actions))


@dataclass(frozen=True)
class AdaptiveQueries:
    """A query oracle; its state lists observations with answers. See ``adaptive_queries``."""

    view: LeaderView
    follower_class: FollowerClass
    ties: FollowerTies

    def start(self) -> Distribution[Answers]:
        """Return the state before the first query."""
        return point_mass(())

    def query(self, state: Answers, /) -> Any:
        """Ask about the first unanswered observation that play can reach, if there is one."""
        view = self.view
        labels = view.game.actions[view.leader]
        seen = view.game.observations[view.leader]
        answers = {seen.index(o): labels.index(a) for o, a in state}
        unknown = _first_unknown(view, answers)
        return HALT if unknown is None else seen[unknown]

    def answer(self, state: Answers, action: Any, /) -> Distribution[Answers]:
        """Note the answer."""
        return point_mass((*state, (self.query(state), action)))

    def follower_policy(self, state: Answers, /) -> FollowerPolicy:
        """Return an exact best response to every policy that answers so."""
        return follower_response(
            self.view,
            answered_plan(self.view, state),
            follower_class=self.follower_class,
            ties=self.ties,
        ).policy


def adaptive_queries(
    view: LeaderView,
    *,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
) -> AdaptiveQueries:
    """Make an oracle that asks about an observation only once play could reach it.

    Meets both conditions of Lemma 1 for deterministic leaders, so that Theorem 1 holds. The number
    of queries differs between leaders: with ``leader_problem(..., discount_queries=True)`` the best
    policy may be another one.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> oracle = adaptive_queries(leader_view(RepeatedGame.of("chicken", rounds=2)))
    >>> oracle.query((((), "straight"),))  # what follows "swerve" need not be asked
    (('straight', 'swerve'),)
    """
    check_oracle_options(view, follower_class, ties)
    return AdaptiveQueries(view, follower_class, ties)


def _first_unknown(view: LeaderView, answers: dict[int, int]) -> int | None:
    """Return the lowest observation that is reachable under the answers but not answered."""
    tables, seen = view.tables, view.leader_observation
    states = [s for s, _ in view.initial if seen[s] >= 0]
    met = set(states)
    unknown: set[int] = set()
    for _ in range(view.horizon):  # states by the earliest time at which play is there
        reached: set[int] = set()
        for s in states:
            o = int(seen[s])
            if o not in answers:
                unknown.add(o)
                continue
            possible = tables.weight[s, answers[o]] > 0  # 0 where the follower may not
            reached.update(np.unique(tables.successor[s, answers[o]][possible]).tolist())
        states = [s for s in reached - met if seen[s] >= 0]
        met.update(states)
    return min(unknown, default=None)


@dataclass(frozen=True)
class Question:
    """A query, and what follows each answer.

    Attributes:
        observation: What is asked about.
    """

    observation: Hashable
    after: tuple[tuple[Hashable, "QuestionTree"], ...]


QuestionTree: TypeAlias = "Question | SimpleFollower"


@dataclass(frozen=True)
class TreeQueries:
    """A query oracle whose states are the nodes of a tree.

    It asks one question after another; a leaf is the follower's policy. A leaf alone asks nothing:
    a follower who knows the answers without asking. That is how *hidden* queries look to the
    leader: the problem holds for the one leader policy to which the leaf responds.

    Whether it meets condition 1 of Lemma 1 depends on the leaves, which need be no best responses.
    Condition 2 it meets: Theorem 1 holds with this oracle in the place of ``E``.

    >>> polite, firm = StationaryFollower((0,)), StationaryFollower((1,))
    >>> oracle = TreeQueries(ask("met", {"hello": polite, "go away": firm}))
    >>> oracle.query(oracle.root), oracle.answer(oracle.root, "hello").items[0][0] == polite
    ('met', True)
    """

    root: QuestionTree

    def start(self) -> Distribution[QuestionTree]:
        """Return the root."""
        return point_mass(self.root)

    def query(self, state: QuestionTree, /) -> Any:
        """Ask the question at a node; halt at a leaf."""
        return state.observation if isinstance(state, Question) else HALT

    def answer(self, state: Question, action: Any, /) -> Distribution[QuestionTree]:
        """Go down to the node after an answer.

        Raises:
            InvalidArgument: If the tree has none.
        """
        for answered, following in state.after:
            if answered == action:
                return point_mass(following)
        raise InvalidArgument(
            needs=f"a branch for each answer about {state.observation!r}",
            found=f"has none for {action!r}",
            remedy=f"Branches are {[answered for answered, _ in state.after]!r}.",
        )

    def follower_policy(self, state: SimpleFollower, /) -> SimpleFollower:
        """Return the leaf."""
        return state


def ask(observation: Hashable, after: Mapping[Hashable, QuestionTree]) -> Question:
    """Write a question, with what follows each answer.

    Raises:
        InvalidArgument: If something else than a question or a follower policy follows an answer.

    >>> ask("met", {"hello": StationaryFollower((0,))}).after[0][0]
    'hello'
    """
    for action, following in after.items():
        if not isinstance(following, Question | StationaryFollower | TimedFollower):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(
                needs="a Question, TimedFollower or StationaryFollower after each answer",
                found=f"{following!r} follows {action!r}",
            )
    return Question(observation, tuple(after.items()))
