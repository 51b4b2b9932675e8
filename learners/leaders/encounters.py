"""Leaders meet followers: leaders are queried, and play against a follower who responds.

An episode begins with queries, which pay nothing; then come the steps of the game. A *decision* of
the leader is a draw by his policy: each query and each step if answers are drawn afresh; if they
are held, only the first use of each observation, as the others repeat it. Where queries are
hidden, the leader decides in play alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gametheory_core.leaders.follower_responses import FollowerClass
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    SimpleFollower,
    StationaryFollower,
    TimedFollower,
)
from learners._kernels.arrays import Episodes
from learners.batch import Snapshot
from learners.leaders.offers import Answers, Floats, Ints, Offer, Queries, drawn_plans
from learners.leaders.stage import Situations, Stage
from learners.snapshots import Kept


@dataclass(frozen=True, eq=False)
class Response:
    """How a follower meets the leaders of an offer.

    Attributes:
        strategies (R, situations, B): Lotteries.
        rows (E,): By which of them each leader is met.
        asked (E, O, A): How often each leader answered what before play: the queries.
        steps: Environment steps that finding the response took, queries included if visible.
        earned (E,): What each leader earned an episode while she learned, in the mean; None of
            followers who do not ``tells_earnings``.
    """

    strategies: Floats
    rows: Ints
    asked: Ints
    steps: int
    earned: Floats | None = None


class Follower(Protocol):
    """Somebody who responds to leaders; state inside."""

    @property
    def name(self) -> str:
        """Of the algorithm."""
        ...

    @property
    def situations(self) -> Situations:
        """What her actions may depend on."""
        ...

    @property
    def asks_once(self) -> bool:
        """Whether she asks about each observation once, and needs nothing else to respond."""
        ...

    @property
    def tells_earnings(self) -> bool:
        """Whether she learns anew for each leader, and says what he earned meanwhile."""
        ...

    @property
    def pretraining(self) -> int:
        """Iterations of learning before any leader learns."""
        ...

    def prepare(self, rng: np.random.Generator) -> tuple[Mapping[str, float], int]:
        """Make one such iteration; return what is worth watching, and environment steps."""
        ...

    def respond(self, offer: Offer, rng: np.random.Generator) -> Response:
        """Meet a batch of leaders."""
        ...

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return her deterministic policy against one leader; changes nothing."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that was learned."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        ...


class Untrained(Kept):
    """What followers share who learn nothing before they meet a leader, and keep nothing after."""

    UNCHECKED = ()
    pretraining = 0
    tells_earnings = False

    def prepare(self, rng: np.random.Generator) -> tuple[Mapping[str, float], int]:
        """Do nothing."""
        del rng
        return {}, 0


def greedy_actions(values: Floats, legal: NDArray[np.bool_]) -> Ints:
    """Return the first of the best legal actions in each situation; (..., Z, B) to (..., Z)."""
    best: Ints = np.where(legal, values, -np.inf).argmax(axis=-1)
    return best


def greedy_probabilities(values: Floats, legal: NDArray[np.bool_]) -> Floats:
    """Return point masses on the first of the best legal actions; (..., Z, B)."""
    return (greedy_actions(values, legal)[..., None] == np.arange(legal.shape[-1])) * 1.0


def follower_of(
    stage: Stage, situations: Situations, follower_class: FollowerClass, actions: Ints
) -> SimpleFollower:
    """Return actions by situation as a follower's policy, -1 where nobody acts."""
    view = stage.view
    if follower_class is FollowerClass.STATIONARY:
        acts = stage.follower_legal.any(axis=-1)
        return StationaryFollower(tuple(np.where(acts, actions, -1).tolist()))
    numbers = situations.numbers[: view.horizon]
    by_state = np.where(numbers >= 0, actions[numbers], -1)
    return TimedFollower(tuple(map(tuple, by_state.tolist())))


@dataclass(frozen=True, eq=False)
class Decisions:
    """Draws of the leader by his policy, one entry each.

    Attributes:
        observations, actions (D,)
        credits (D,): The discounted rewards from here to the end; queries come before all of them.
        baselines (D,): Means of credits over the episodes, at the same moment.
    """

    observations: Ints
    actions: Ints
    credits: Floats
    baselines: Floats


@dataclass(frozen=True, eq=False)
class Encounter:
    """A batch of episodes.

    Attributes:
        asked (E, O, A): The queries.
        episodes: The play.
        steps: Environment steps of all this.
        earned: As the follower's response has it.
    """

    offer: Offer
    asked: Ints
    episodes: Episodes
    steps: int
    earned: Floats | None = None

    @property
    def returns(self) -> Floats:
        """Of each episode, undiscounted, the leader's first; shape (E, 2)."""
        total: Floats = self.episodes.rewards.sum(axis=1)
        return total

    def decisions(self, discount: float) -> Decisions:
        """Return the leader's decisions with what followed them."""
        rewards = self.episodes.rewards[:, :, 0]
        weighted = rewards * discount ** np.arange(rewards.shape[1])
        ahead = np.cumsum(weighted[:, ::-1], axis=1)[:, ::-1]
        episode, observation, action = self._queried()
        played, step = np.nonzero(self._decides_in_play())
        total = np.maximum((self.episodes.seen >= 0).sum(axis=0), 1)
        baseline = (ahead * (self.episodes.seen >= 0)).sum(axis=0) / total
        seen = self.episodes.seen[played, step]
        if self.offer.queries is Queries.FLAGGED:  # what he does has rows of its own
            seen = seen + self.offer.plans.shape[1]
        return Decisions(
            np.concatenate([observation, seen]),
            np.concatenate([action, self.episodes.leader[played, step]]),
            np.concatenate([ahead[episode, 0], ahead[played, step]]),
            np.concatenate([np.full(len(episode), baseline[0]), baseline[step]]),
        )

    def _queried(self) -> tuple[Ints, Ints, Ints]:
        """Return the episodes, observations and actions of all queries that are decisions."""
        asked = self.asked
        if self.offer.queries is Queries.HIDDEN:
            asked = np.zeros_like(asked)
        elif self.offer.answers is Answers.MEMOIZED:
            asked = np.minimum(asked, 1)
        places = np.nonzero(asked)
        episode, observation, action = (np.repeat(own, asked[places]) for own in places)
        return episode, observation, action

    def _decides_in_play(self) -> NDArray[np.bool_]:
        """Return at which steps the leader decides, shape (E, h)."""
        seen = self.episodes.seen
        decides: NDArray[np.bool_] = seen >= 0
        if self.offer.answers is Answers.FRESH:
            return decides
        asked = self.asked if self.offer.queries is Queries.VISIBLE else self.asked[:, :, :0]
        is_known: NDArray[np.bool_] = asked.sum(axis=2) > 0
        everyone = np.arange(len(seen))
        if is_known[everyone[:, None], seen][decides].all():
            return np.zeros_like(decides)
        for step in range(seen.shape[1]):
            decides[:, step] &= ~is_known[everyone, seen[:, step]]
            is_known[everyone, seen[:, step]] |= decides[:, step]
        return decides


@dataclass(frozen=True, eq=False)
class Meeting:
    """Where leaders and the follower meet."""

    stage: Stage
    follower: Follower
    answers: Answers
    queries: Queries

    @property
    def leader_legal(self) -> NDArray[np.bool_]:
        """What the leader chooses among, (O, A); if queries are flagged, answers before deeds."""
        legal = self.stage.leader_legal
        return np.tile(legal, (1 + (self.queries is Queries.FLAGGED), 1))

    def hold(self, probabilities: Floats, which: Ints, rng: np.random.Generator) -> Encounter:
        """Play an episode for each entry of ``which``, the number of a policy of the leader.

        Args:
            probabilities (C, O, A): By rows of ``leader_legal``.
            which (E,): Rows of ``probabilities``.
        """
        legal = self.stage.leader_legal
        answers, deeds = probabilities[:, : len(legal)], probabilities[:, -len(legal) :]
        plans = drawn_plans(answers, which, legal, rng)
        offer = Offer(plans, answers, which, self.answers, self.queries)
        response = self.follower.respond(offer, rng)
        done = offer
        if self.queries is Queries.FLAGGED:
            plans = drawn_plans(deeds, which, legal, rng)
            done = replace(offer, plans=plans, probabilities=deeds)
        episodes = self.stage.play(
            self.stage.leaders(done),
            self.follower.situations,
            response.strategies,
            response.rows,
            rng,
        )
        steps = response.steps + int((episodes.seen >= 0).sum())
        return Encounter(offer, response.asked, episodes, steps, response.earned)


class Leader(Protocol):
    """Somebody who learns to lead; state inside."""

    @property
    def name(self) -> str:
        """Of the algorithm."""
        ...

    @property
    def iterations(self) -> int:
        """How many iterations are meant to be made."""
        ...

    def improve(
        self, meeting: Meeting, rng: np.random.Generator
    ) -> tuple[Mapping[str, float], int]:
        """Make one iteration; return what is worth watching, and environment steps."""
        ...

    def probabilities(self) -> Floats:
        """Return the policy as it is, by rows of the meeting's ``leader_legal``."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that was learned."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        ...
