"""A follower who forgets, and learns anew by Q-learning against each leader she meets.

The inner loop of earlier work :cite:`brero2022stackelberg`: an episode of the leader is first many
episodes in which the follower learns and he earns nothing, then one that counts.
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
from learners.stackelberg.followed import follower_of, greedy_actions, greedy_lotteries
from learners.stackelberg.offers import Floats, Offer, known_plans
from learners.stackelberg.responses import Response
from learners.stackelberg.stage import Learning, Situations, Stage, situations_of
from learners.streams import named_stream


@dataclass(frozen=True)
class InnerLoopQ:
    """Options of a follower who learns anew for each leader, and then plays greedily.

    Attributes:
        step_size: How far a value moves towards its target, in (0, 1].
        exploration: How likely an action is drawn at random while she learns, in [0, 1].
        discount: In [0, 1]; of the learning, whatever that of the game.
        episodes: For each leader.
        initial: All values at first.
        follower_class: Whether she knows time. If not, a value looks beyond the horizon as if play
            went on.
    """

    step_size: float = 0.3
    exploration: float = 0.3
    discount: float = 0.95
    episodes: int = 30
    initial: float = 0.0
    follower_class: FollowerClass = FollowerClass.STATIONARY

    def __post_init__(self) -> None:
        require_number(self.step_size, name="step_size", above=0, high=1)
        require_number(self.exploration, name="exploration", low=0, high=1)
        require_number(self.discount, name="discount", low=0, high=1)
        require_integer(self.episodes, name="episodes", low=1)
        require_number(self.initial, name="initial")
        require_member(self.follower_class, FollowerClass, name="follower_class")


class InnerLoopQFollower:
    """The follower of ``InnerLoopQ`` on one stage; she keeps nothing from leader to leader."""

    def __init__(self, stage: Stage, options: InnerLoopQ) -> None:
        self._stage = stage
        self._options = options
        self._situations = situations_of(stage, options.follower_class)

    @property
    def name(self) -> str:
        """Of the algorithm."""
        return "inner-loop Q-learning"

    @property
    def situations(self) -> Situations:
        """What her actions may depend on."""
        return self._situations

    @property
    def asks_once(self) -> bool:
        """No: she learns when she meets a leader."""
        return False

    @property
    def pretraining(self) -> int:
        """None: she learns when she meets a leader."""
        return 0

    def prepare(self, rng: np.random.Generator) -> tuple[Mapping[str, float], int]:
        """Do nothing."""
        del rng
        return {}, 0

    def respond(self, offer: Offer, rng: np.random.Generator) -> Response:
        """Learn against each leader; what he does meanwhile are the queries."""
        values, learning = self._learned(offer, rng)
        strategies = greedy_lotteries(values, self._situations.legal)
        return Response(strategies, np.arange(len(values)), learning.asked, learning.steps)

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return what she learns against one leader, always from the same random numbers."""
        plans = np.array([leader.actions])
        offer = known_plans(plans, self._stage.leader_legal.shape)
        values, _ = self._learned(offer, named_stream(0, "inner loop"))
        actions = greedy_actions(values[0], self._situations.legal)
        return follower_of(self._stage, self._situations, self._options.follower_class, actions)

    def _learned(self, offer: Offer, rng: np.random.Generator) -> tuple[Floats, Learning]:
        options, count = self._options, len(offer.plans)
        values = np.full((count, *self._situations.legal.shape), float(options.initial))
        rows = np.repeat(np.arange(count), options.episodes)
        repeated = Offer(
            offer.plans[rows], offer.lotteries, offer.which[rows], offer.answers, offer.queries
        )
        rule = LearningRule(options.step_size, options.exploration, options.discount)
        leaders = self._stage.leaders(repeated)
        learning = self._stage.learn(leaders, self._situations, values, rows, rule, rng)
        return values, learning

    def snapshot(self) -> Snapshot:
        """Return nothing: she keeps nothing."""
        return {}

    def restore(self, snapshot: Snapshot) -> None:
        """Take nothing back."""
        require_fitting(snapshot, self.snapshot())
