"""A follower who needs not learn: she best responds exactly to what she is told.

Where queries are hidden and answers are drawn afresh she reads the leader's lotteries, and
responds to these: the follower of those who have leaders learn against immediate best responses.
Otherwise she responds to the answers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import require_member
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
)
from gametheory_core.leaders.policies import DeterministicLeader, SimpleFollower
from learners.batch import Snapshot
from learners.snapshots import require_fitting
from learners.stackelberg.offers import Floats, Ints, Offer, asked_once, query_steps
from learners.stackelberg.options import Answers, Queries
from learners.stackelberg.responses import Response
from learners.stackelberg.stage import Situations, Stage
from solvers.leaders.float_returns import (
    FloatGame,
    best_actions,
    float_game,
    follower_actions,
    stationary_actions,
)


@dataclass(frozen=True)
class ExactResponse:
    """Options of a follower who best responds.

    Attributes:
        follower_class: Whether she knows time and state, or her observation alone.
        ties: Whose favor she breaks ties in.
    """

    follower_class: FollowerClass = FollowerClass.TIME_AWARE
    ties: FollowerTies = FollowerTies.STRONG

    def __post_init__(self) -> None:
        require_member(self.follower_class, FollowerClass, name="follower_class")
        require_member(self.ties, FollowerTies, name="ties")


class ExactFollower:
    """The follower of ``ExactResponse`` on one stage.

    Responses to lotteries are computed in floats: what differs by less than 1e-11 of the span of
    returns is a tie.
    """

    def __init__(self, stage: Stage, options: ExactResponse) -> None:
        self._stage = stage
        self._options = options
        self._known: dict[int, Ints] = {}  # by plan, actions (h, S)
        self._situations = _every_state_and_step(stage)

    @property
    def name(self) -> str:
        """Of the algorithm."""
        return "exact response"

    @property
    def situations(self) -> Situations:
        """What her actions may depend on: step and state."""
        return self._situations

    @property
    def asks_once(self) -> bool:
        """Yes: the answers are all she needs."""
        return True

    @property
    def pretraining(self) -> int:
        """None."""
        return 0

    def prepare(self, rng: np.random.Generator) -> tuple[Mapping[str, float], int]:
        """Do nothing."""
        del rng
        return {}, 0

    def respond(self, offer: Offer, rng: np.random.Generator) -> Response:
        """Best respond to answers, or to lotteries that are read."""
        del rng  # nothing is drawn
        if offer.queries is Queries.HIDDEN and offer.answers is Answers.FRESH:
            actions = np.stack([self._read(policy) for policy in offer.lotteries])
            asked = np.zeros_like(asked_once(offer))
            return Response(self._strategies(actions), offer.which, asked, 0)
        plans, rows = np.unique(offer.plans, axis=0, return_inverse=True)
        actions = np.stack([self._told(tuple(plan)) for plan in plans.tolist()])
        asked, rows = asked_once(offer), rows.reshape(-1).astype(np.int64)
        return Response(self._strategies(actions), rows, asked, query_steps(offer, asked))

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return her best response."""
        found = follower_response(
            self._stage.view,
            leader,
            follower_class=self._options.follower_class,
            ties=self._options.ties,
        )
        return cast("SimpleFollower", found.policy)

    def _told(self, plan: tuple[int, ...]) -> Ints:
        number = self._stage.contexts.number(plan)
        if number not in self._known:
            policy = self.policy(DeterministicLeader(plan))
            self._known[number] = follower_actions(self._stage.view, [policy])[:, 0]
        return self._known[number]

    def _read(self, lotteries: Floats) -> Ints:
        found: Ints = best_actions(
            self._game,
            lotteries,
            follower_class=self._options.follower_class,
            ties=self._options.ties,
            stationary=self._stationary,
        )[:, 0]
        return found

    def _strategies(self, actions: Ints) -> Floats:
        """Return lotteries by situation for actions (R, h, S)."""
        width = self._situations.legal.shape[1]
        return (actions.reshape(len(actions), -1)[:, :, None] == np.arange(width)) * 1.0

    @cached_property
    def _game(self) -> FloatGame:
        return float_game(self._stage.view)

    @cached_property
    def _stationary(self) -> Any:
        is_stationary = self._options.follower_class is FollowerClass.STATIONARY
        return stationary_actions(self._stage.view) if is_stationary else None

    def snapshot(self) -> Snapshot:
        """Return nothing: nothing is learned."""
        return {}

    def restore(self, snapshot: Snapshot) -> None:
        """Take nothing back."""
        require_fitting(snapshot, self.snapshot())


def _every_state_and_step(stage: Stage) -> Situations:
    view = stage.view
    acts = view.follower_observation >= 0
    steps, states = view.horizon, view.num_states
    numbers = np.arange((steps + 1) * states).reshape(steps + 1, states)
    numbers = np.where(acts, numbers, -1)
    numbers[steps] = -1
    return Situations(numbers, np.tile(view.tables.follower_legal, (steps, 1)))
