"""Episodes in which leaders are queried, and then play against the follower that responds.

An episode begins with queries, which pay nothing; then come the steps of the game. A *decision* of
the leader is a draw by his policy: each query and each step if answers are drawn afresh; if they
are held, only the first use of each observation, as the others repeat it. Where queries are
hidden, the leader decides in play alone.

Leaders who learn: by meeting the follower, a batch of episodes at a time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from learners._kernels.led_arrays import Episodes
from learners.batch import Snapshot
from learners.leaders.followers import Follower
from learners.leaders.offers import Answers, Floats, Ints, Offer, Queries, drawn_plans
from learners.leaders.stage import Stage


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
    """

    offer: Offer
    asked: Ints
    episodes: Episodes
    steps: int

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
        return Decisions(
            np.concatenate([observation, self.episodes.seen[played, step]]),
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

    def hold(self, probabilities: Floats, which: Ints, rng: np.random.Generator) -> Encounter:
        """Play an episode for each entry of ``which``, the number of a policy of the leader.

        Args:
            probabilities (C, O, A)
            which (E,)
        """
        plans = drawn_plans(probabilities, which, self.stage.leader_legal, rng)
        offer = Offer(plans, probabilities, which, self.answers, self.queries)
        response = self.follower.respond(offer, rng)
        episodes = self.stage.play(
            self.stage.leaders(offer),
            self.follower.situations,
            response.strategies,
            response.rows,
            rng,
        )
        steps = response.steps + int((episodes.seen >= 0).sum())
        return Encounter(offer, response.asked, episodes, steps)


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
        """Return the policy as it is, shape (O, A)."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that was learned."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        ...
