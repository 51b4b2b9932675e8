"""The oracle that asks only what it still needs to know, and responds exactly.

What a leader does after observations that play cannot reach, given the answers so far, is of no
use to a follower. So the next query depends on the answers, and leaders are asked differently
often.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gametheory_core.distributions import Distribution, surely
from gametheory_core.evaluation.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
)
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.games.query_oracle import HALT
from gametheory_core.strategies.leader_policies import FollowerPolicy
from solvers.leaders.contextual_queries import Answers, answered_plan, check_oracle_options


@dataclass(frozen=True)
class AdaptiveQueries:
    """A query oracle; its state lists observations with answers. See ``adaptive_queries``."""

    view: LeaderView
    follower_class: FollowerClass
    ties: FollowerTies

    def start(self) -> Distribution[Answers]:
        """Return the state before the first query."""
        return surely(())

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
        return surely((*state, (self.query(state), action)))

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

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> oracle = adaptive_queries(leader_view(RepeatedGame.of("chicken", rounds=2)))
    >>> oracle.query((((), "straight"),))  # what follows "swerve" need not be asked
    (('straight', 'swerve'),)
    """
    check_oracle_options(view, follower_class, ties, "adaptive_queries")
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
