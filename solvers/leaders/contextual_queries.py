"""The oracle that asks about every observation, in a fixed order, and responds exactly.

The answers are the leader's whole policy: a follower that takes them as context. Every leader is
asked the same number of queries.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from gametheory_core.arguments import as_tuple, require_instance, require_member
from gametheory_core.distributions import Distribution, surely
from gametheory_core.errors import InvalidArgument
from gametheory_core.evaluation.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
)
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.games.query_oracle import HALT
from gametheory_core.strategies.leader_policies import DeterministicLeader, FollowerPolicy

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
        return surely(())

    def query(self, state: tuple[Any, ...], /) -> Any:
        """Ask about the next observation."""
        return HALT if len(state) == len(self.order) else self.order[len(state)]

    def answer(self, state: tuple[Any, ...], action: Any, /) -> Distribution[tuple[Any, ...]]:
        """Note the answer."""
        return surely((*state, action))

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

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> oracle = contextual_queries(leader_view(RepeatedGame.of("chicken")))
    >>> oracle.query(()), oracle.query(("straight",)), oracle.follower_policy(("straight",)).actions
    ((), HALT, ((0, -1, -1, -1, -1),))
    """
    name = "contextual_queries"
    acting = check_oracle_options(view, follower_class, ties, name)
    asked = acting if order is None else as_tuple(order, function=name, name="order")
    if len(asked) != len(acting) or set(asked) != set(acting):
        raise InvalidArgument(
            f"{name}: needs each observation after which the leader acts once, "
            f"{', '.join(map(repr, acting))}, but the order is {asked!r}."
        )
    return ContextualQueries(view, asked, follower_class, ties)


def check_oracle_options(
    view: LeaderView, follower_class: FollowerClass, ties: FollowerTies, name: str
) -> tuple[Hashable, ...]:
    """Refuse wrong options; return the observations after which the leader acts."""
    require_instance(view, LeaderView, function=name, name="view", remedy="Call leader_view(game).")
    require_member(follower_class, FollowerClass, function=name, name="follower_class")
    require_member(ties, FollowerTies, function=name, name="ties")
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
