"""A follower who learns what to do against every leader: a table over (answers, own observation).

Before any leader learns, she plays against leaders drawn at random, all deterministic ones equally
likely, and learns ``q(answers, observation, action)`` by Q-learning.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gametheory_core.arguments import require_integer, require_member, require_number
from gametheory_core.leaders.follower_responses import FollowerClass
from gametheory_core.leaders.policies import DeterministicLeader, SimpleFollower
from learners._kernels.led_arrays import LearningRule
from learners.batch import Snapshot
from learners.snapshots import require_fitting
from learners.stackelberg.contexts import require_table
from learners.stackelberg.followed import follower_of, greedy_actions, greedy_lotteries
from learners.stackelberg.offers import Floats, Offer, asked_once, known_plans, query_steps
from learners.stackelberg.responses import Response
from learners.stackelberg.stage import Situations, Stage, situations_of


@dataclass(frozen=True)
class ContextualQ:
    """Options of a contextual follower who learns by Q-learning, and plays greedily.

    Attributes:
        step_size: How far a value moves towards its target, in (0, 1].
        exploration: How likely an action is drawn at random, in [0, 1].
        discount: In [0, 1]; of the learning, whatever that of the game.
        iterations, episodes: ``iterations`` times ``episodes`` against random leaders.
        initial: All values at first.
        follower_class: Whether she knows time. If not, a value looks beyond the horizon as if play
            went on.
    """

    step_size: float = 0.3
    exploration: float = 0.3
    discount: float = 0.95
    iterations: int = 30
    episodes: int = 100
    initial: float = 0.0
    follower_class: FollowerClass = FollowerClass.STATIONARY

    def __post_init__(self) -> None:
        require_number(self.step_size, name="step_size", above=0, high=1)
        require_number(self.exploration, name="exploration", low=0, high=1)
        require_number(self.discount, name="discount", low=0, high=1)
        require_integer(self.iterations, name="iterations", low=0)
        require_integer(self.episodes, name="episodes", low=1)
        require_number(self.initial, name="initial")
        require_member(self.follower_class, FollowerClass, name="follower_class")


class ContextualQFollower:
    """The follower of ``ContextualQ`` on one stage."""

    def __init__(self, stage: Stage, options: ContextualQ) -> None:
        self._stage = stage
        self._options = options
        self._situations = situations_of(stage, options.follower_class)
        cells = self._situations.legal.size
        require_table(stage.contexts, stage.view, row=cells)
        shape = (stage.contexts.count, *self._situations.legal.shape)
        self._values: Floats = np.full(shape, float(options.initial))

    @property
    def name(self) -> str:
        """Of the algorithm."""
        return "contextual Q-learning"

    @property
    def situations(self) -> Situations:
        """What her actions may depend on."""
        return self._situations

    @property
    def asks_once(self) -> bool:
        """Yes: the answers are all she needs."""
        return True

    @property
    def pretraining(self) -> int:
        """Iterations against random leaders."""
        return self._options.iterations

    def prepare(self, rng: np.random.Generator) -> tuple[Mapping[str, float], int]:
        """Learn from one batch of episodes against random leaders."""
        options, contexts = self._options, self._stage.contexts
        plans = contexts.uniform_plans(options.episodes, rng)
        learning = self._stage.learn(
            self._stage.leaders(known_plans(plans, self._stage.leader_legal.shape)),
            self._situations,
            self._values,
            contexts.numbers(plans),
            LearningRule(options.step_size, options.exploration, options.discount),
            rng,
        )
        means = learning.returns.mean(axis=0)
        metrics = {"return/leader": float(means[0]), "return/follower": float(means[1])}
        return metrics, learning.steps

    def respond(self, offer: Offer, rng: np.random.Generator) -> Response:
        """Meet each leader by the greedy actions against what he answers."""
        del rng  # nothing is drawn
        numbers, rows = np.unique(self._stage.contexts.numbers(offer.plans), return_inverse=True)
        asked = asked_once(offer)
        strategies = greedy_lotteries(self._values[numbers], self._situations.legal)
        return Response(strategies, rows.astype(np.int64), asked, query_steps(offer, asked))

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return her greedy actions against a leader."""
        number = int(self._stage.contexts.numbers(np.array([leader.actions]))[0])
        actions = greedy_actions(self._values[number], self._situations.legal)
        return follower_of(self._stage, self._situations, self._options.follower_class, actions)

    def snapshot(self) -> Snapshot:
        """Return the values."""
        return {"values": self._values.copy()}

    def restore(self, snapshot: Snapshot) -> None:
        """Take values back."""
        require_fitting(snapshot, self.snapshot())
        self._values = snapshot["values"].copy()
