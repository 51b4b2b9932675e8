"""A follower who learns what to do against every leader: a table over (answers, own observation).

Before any leader learns, she plays against leaders drawn at random, all deterministic ones equally
likely, and learns ``q(answers, observation, action)`` by Q-learning.

A follower who forgets, and learns anew by Q-learning against each leader she meets.

The inner loop of earlier work :cite:`brero2022stackelberg`: an episode of the leader is first many
episodes in which the follower learns and he earns nothing, then one that counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gametheory_core.leaders.follower_responses import FollowerClass
from gametheory_core.leaders.policies import DeterministicLeader, SimpleFollower
from learners._kernels.arrays import LearningRule
from learners.leaders.encounters import (
    Response,
    Untrained,
    follower_of,
    greedy_actions,
    greedy_probabilities,
)
from learners.leaders.offers import Answers, Floats, Offer, asked_once, known_plans, query_steps
from learners.leaders.stage import Learning, Situations, Stage, require_table, situations_of
from learners.options import AtOnce, CountFromZero, Finite, PositiveShare, Share, checked
from learners.snapshots import Kept
from learners.streams import named_stream

STEP_WHERE_DRAWN = 0.3  # of Q-learning, where targets are draws
ITERATIONS, ITERATIONS_WHERE_DRAWN = 18, 60


@dataclass(frozen=True)
@checked
class ContextualQOptions:
    """Options of a contextual follower who learns by Q-learning, and plays greedily.

    Attributes:
        step_size: How far a value moves towards its target, in (0, 1]. Default: all the way where
            play draws nothing, so that learning is value iteration in the order of play; else 0.3.
        exploration: How likely an action is drawn at random, in [0, 1].
        discount: In [0, 1]; of the learning, whatever that of the game.
        iterations, episodes: ``iterations`` times ``episodes`` against random leaders. Default: 18
            where play draws nothing, else 60.
        initial: All values at first. Default: those of earning, from there on, the middle of her
            smallest and her largest reward. Then she learns as from 0 on centered rewards, and
            which constant is added to all rewards makes no difference.
        follower_class: Whether she knows time. If not, a value looks beyond the horizon as if play
            went on.
    """

    step_size: PositiveShare | None = None
    exploration: Share = 0.5
    discount: Share = 0.95
    iterations: CountFromZero | None = None
    episodes: AtOnce = 100
    initial: Finite | None = None
    follower_class: FollowerClass = FollowerClass.STATIONARY


class ContextualQFollower(Kept):
    """The follower of ``ContextualQOptions`` on one stage."""

    KEPT = ("_values",)
    UNCHECKED = ()

    def __init__(self, stage: Stage, options: ContextualQOptions) -> None:
        self._stage = stage
        self._options = options
        usual = ITERATIONS if stage.is_deterministic else ITERATIONS_WHERE_DRAWN
        self.pretraining = usual if options.iterations is None else options.iterations
        self.situations = situations_of(stage, options.follower_class)
        cells = self.situations.legal.size
        require_table(stage.contexts, stage.view, row=cells)
        shape = (stage.contexts.count, *self.situations.legal.shape)
        self._values: Floats = np.empty(shape)
        self._values[:] = _first_values(stage, self.situations, options)
        self._rule = learning_rule(options, is_drawn=not stage.is_deterministic)

    name = "contextual Q-learning"

    asks_once = True

    tells_earnings = False

    def prepare(self, rng: np.random.Generator) -> tuple[Mapping[str, float], int]:
        """Learn from one batch of episodes against random leaders."""
        options, contexts = self._options, self._stage.contexts
        plans = contexts.uniform_plans(options.episodes, rng)
        learning = self._stage.learn(
            self._stage.leaders(known_plans(plans, self._stage.leader_legal.shape)),
            self.situations,
            self._values,
            contexts.numbers(plans),
            self._rule,
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
        strategies = greedy_probabilities(self._values[numbers], self.situations.legal)
        return Response(strategies, rows.astype(np.int64), asked, query_steps(offer, asked))

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return her greedy actions against a leader."""
        number = int(self._stage.contexts.numbers(np.array([leader.actions]))[0])
        actions = greedy_actions(self._values[number], self.situations.legal)
        return follower_of(self._stage, self.situations, self._options.follower_class, actions)


@dataclass(frozen=True)
@checked
class InnerLoopQOptions:
    """Options of a follower who learns anew for each leader, and then plays greedily.

    Attributes:
        step_size, exploration, discount, initial, follower_class: As of ``ContextualQOptions``. By
            default the step is smaller also where the leader draws his answers afresh.
        episodes: For each leader.
        keeps: Whether she begins where she ended with the last leader of the batch before, in place
            of anew. Then what a leader is paid depends on those before him, and both may stay where
            neither would go.
    """

    step_size: PositiveShare | None = None
    exploration: Share = 0.5
    discount: Share = 0.95
    episodes: AtOnce = 30
    keeps: bool = False
    initial: Finite | None = None
    follower_class: FollowerClass = FollowerClass.STATIONARY


class InnerLoopQFollower(Untrained):
    """The follower of ``InnerLoopQOptions``."""

    KEPT = ("_first",)

    def __init__(self, stage: Stage, options: InnerLoopQOptions) -> None:
        self._stage = stage
        self._options = options
        self.situations = situations_of(stage, options.follower_class)
        self._first: Floats = np.empty(self.situations.legal.shape)
        self._first[:] = _first_values(stage, self.situations, options)

    name = "inner-loop Q-learning"

    asks_once = False

    tells_earnings = True

    def respond(self, offer: Offer, rng: np.random.Generator) -> Response:
        """Learn against each leader; what he does meanwhile are the queries."""
        values, learning = self._learned(offer, rng)
        if self._options.keeps:
            self._first = values[-1].copy()
        strategies = greedy_probabilities(values, self.situations.legal)
        earned = learning.returns[:, 0].reshape(len(values), -1).mean(axis=1)
        rows = np.arange(len(values))
        return Response(strategies, rows, learning.asked, learning.steps, earned)

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return what she learns against one leader, always from the same random numbers."""
        plans = np.array([leader.actions])
        offer = known_plans(plans, self._stage.leader_legal.shape)
        values, _ = self._learned(offer, named_stream(0, "inner loop"))
        actions = greedy_actions(values[0], self.situations.legal)
        return follower_of(self._stage, self.situations, self._options.follower_class, actions)

    def _learned(self, offer: Offer, rng: np.random.Generator) -> tuple[Floats, Learning]:
        options, count = self._options, len(offer.plans)
        values = np.empty((count, *self.situations.legal.shape))
        values[:] = self._first
        rows = np.repeat(np.arange(count), options.episodes)
        repeated = Offer(
            offer.plans[rows], offer.probabilities, offer.which[rows], offer.answers, offer.queries
        )
        is_drawn = offer.answers is Answers.FRESH or not self._stage.is_deterministic
        rule = learning_rule(options, is_drawn=is_drawn)
        leaders = self._stage.leaders(repeated)
        learning = self._stage.learn(leaders, self.situations, values, rows, rule, rng)
        return values, learning


def _first_values(
    stage: Stage, situations: Situations, options: ContextualQOptions | InnerLoopQOptions
) -> Floats | float:
    """Return all values at first, to be spread over (..., situations, B)."""
    if options.initial is not None:
        return options.initial
    return stage.middle_values(situations, options.discount)[:, None]


def learning_rule(
    options: ContextualQOptions | InnerLoopQOptions, *, is_drawn: bool
) -> LearningRule:
    """Return how options learn; by default with smaller steps where targets are drawn."""
    by_default = STEP_WHERE_DRAWN if is_drawn else 1.0
    step_size = by_default if options.step_size is None else options.step_size
    return LearningRule(step_size, options.exploration, options.discount)
