"""Followers who learn a softmax policy over (answers, own observation), by REINFORCE or PPO.

As in the paper: before any leader learns, she plays against leaders drawn at random, and climbs the
gradient of her return. Returns are compared with a running mean of what followed the same answers
and observation.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gametheory_core.leaders.follower_responses import FollowerClass
from gametheory_core.leaders.policies import DeterministicLeader, SimpleFollower
from learners.advantages import returns_to_go
from learners.gradients.softmax import adam, adam_change, adam_seen, entropies, softmax_policy
from learners.gradients.updates import Samples, ppo_update, reinforce_gradient
from learners.leaders.encounters import Response, follower_of, greedy_actions, greedy_probabilities
from learners.leaders.offers import (
    Deployment,
    Floats,
    Ints,
    Offer,
    asked_once,
    known_plans,
    query_steps,
)
from learners.leaders.stage import Stage, require_table, situations_of
from learners.options import AtOnce, Count, CountFromZero, NotNegative, Positive, Share, checked
from learners.snapshots import Kept

SMALLEST_SPREAD = 1e-8  # in payoff units: what counts as no difference among advantages


@dataclass(frozen=True)
@checked
class ContextualPolicyGradientOptions:
    """Options of a contextual follower who learns by REINFORCE, with Adam.

    Attributes:
        step_size: Of Adam.
        iterations, episodes: ``iterations`` batches of so many ``episodes`` against random leaders.
        discount: Of the learning, in [0, 1].
        memory: How far the running mean moves at each visit, in [0, 1]; 0 is no baseline.
        deployment: What she plays in the end.
        follower_class: Whether she knows time.
    """

    step_size: Positive = 0.1
    iterations: CountFromZero = 300
    episodes: AtOnce = 10
    discount: Share = 0.95
    memory: Share = 0.3
    deployment: Deployment = Deployment.GREEDY
    follower_class: FollowerClass = FollowerClass.STATIONARY


@dataclass(frozen=True)
@checked
class ContextualPPOOptions:
    """Options of a contextual follower who learns by PPO, on advantages of spread one.

    Attributes:
        step_size: Of Adam.
        iterations, episodes: ``iterations`` batches of so many ``episodes`` against random leaders.
        discount: Of the learning, in [0, 1].
        memory: How far the running mean moves at each visit, in [0, 1]; 0 is no baseline.
        epochs: Over each batch.
        clip: How far ratios of probabilities count.
        entropy_bonus: Weight of the mean entropy.
        deployment: What she plays in the end.
        follower_class: Whether she knows time.
    """

    step_size: Positive = 0.05
    iterations: CountFromZero = 60
    episodes: AtOnce = 50
    discount: Share = 0.95
    memory: Share = 0.1
    epochs: Count = 10
    clip: Positive = 0.3
    entropy_bonus: NotNegative = 0.0
    deployment: Deployment = Deployment.GREEDY
    follower_class: FollowerClass = FollowerClass.STATIONARY


ContextualGradient: TypeAlias = ContextualPolicyGradientOptions | ContextualPPOOptions


class ContextualGradientFollower(Kept):
    """A contextual follower who climbs a policy gradient, on one stage."""

    KEPT = ("_logits", "_means", "_optimizer")
    UNCHECKED = ()

    def __init__(self, stage: Stage, options: ContextualGradient) -> None:
        self._stage = stage
        self._options = options
        self.pretraining = options.iterations
        self.situations = situations_of(stage, options.follower_class)
        legal = self.situations.legal
        require_table(stage.contexts, stage.view, row=4 * legal.size)
        self._legal = np.tile(legal, (stage.contexts.count, 1))
        self._logits: Floats = np.zeros(self._legal.shape)
        self._means: Floats = np.zeros(len(self._legal))
        self._optimizer = adam(self._legal.shape)

    @property
    def name(self) -> str:
        """Of the algorithm."""
        is_clipped = isinstance(self._options, ContextualPPOOptions)
        return "contextual PPO" if is_clipped else "contextual policy gradient"

    asks_once = True

    tells_earnings = False

    def prepare(self, rng: np.random.Generator) -> tuple[Mapping[str, float], int]:
        """Learn from one batch of episodes against random leaders."""
        options, contexts = self._options, self._stage.contexts
        plans = contexts.uniform_plans(options.episodes, rng)
        numbers, rows = np.unique(contexts.numbers(plans), return_inverse=True)
        policy = softmax_policy(self._logits, self._legal)
        episodes = self._stage.play(
            self._stage.leaders(known_plans(plans, self._stage.leader_legal.shape)),
            self.situations,
            policy.reshape(-1, *self.situations.legal.shape)[numbers],
            rows.astype(np.int64),
            rng,
        )
        means = episodes.rewards.sum(axis=1).mean(axis=0)
        returns = {"return/leader": float(means[0]), "return/follower": float(means[1])}
        played, step = np.nonzero(episodes.seen >= 0)
        if not len(played):  # no episode came to a decision: there is nothing to learn from
            return returns, 0
        cells = numbers[rows][played] * len(self.situations.legal)
        cells += episodes.situation[played, step]
        samples = Samples(
            cells,
            episodes.follower[played, step],
            self._advantages(cells, (played, step), episodes.rewards[:, :, 1]),
        )
        if isinstance(options, ContextualPPOOptions):
            self._climb_clipped(options, samples, rng)
        else:
            gradient = reinforce_gradient(policy, samples, episodes=options.episodes)
            self._optimizer = adam_seen(self._optimizer, gradient)
            change = adam_change(self._optimizer, step_size=options.step_size)
            self._logits = self._logits + change
        met = softmax_policy(self._logits[cells], self._legal[cells])
        return returns | {"entropy/follower": float(entropies(met).mean())}, len(cells)

    def _advantages(self, cells: Ints, places: tuple[Ints, Ints], rewards: Floats) -> Floats:
        """Return credits less running means, and move these."""
        discount, memory = self._options.discount, self._options.memory
        ahead = returns_to_go(rewards.T, discount=discount).T
        advantages = ahead[places] - self._means[cells]
        if memory:
            visits = np.bincount(cells, minlength=len(self._means))
            sums = np.bincount(cells, advantages, minlength=len(self._means))
            moved = 1 - (1 - memory) ** visits
            self._means = self._means + moved * sums / np.maximum(visits, 1)
        return advantages

    def _climb_clipped(
        self, options: ContextualPPOOptions, samples: Samples, rng: np.random.Generator
    ) -> None:
        spread = float(samples.advantages.std())
        if spread <= SMALLEST_SPREAD:  # nothing made a difference
            return
        update = ppo_update(
            self._logits,
            self._optimizer,
            Samples(samples.observations, samples.actions, samples.advantages / spread),
            legal=self._legal,
            step_size=options.step_size,
            clip=options.clip,
            epochs=options.epochs,
            entropy_bonus=options.entropy_bonus,
            rng=rng,
        )
        self._logits, self._optimizer = update.logits, update.optimizer

    def respond(self, offer: Offer, rng: np.random.Generator) -> Response:
        """Meet each leader as learned against what he answers."""
        del rng  # nothing is drawn
        legal = self.situations.legal
        numbers, rows = np.unique(self._stage.contexts.numbers(offer.plans), return_inverse=True)
        logits = self._logits.reshape(-1, *legal.shape)[numbers]
        if self._options.deployment is Deployment.GREEDY:
            strategies = greedy_probabilities(logits, legal)
        else:
            strategies = softmax_policy(logits, np.broadcast_to(legal, logits.shape))
        asked = asked_once(offer)
        return Response(strategies, rows.astype(np.int64), asked, query_steps(offer, asked))

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return her likeliest actions against a leader."""
        number = int(self._stage.contexts.numbers(np.array([leader.actions]))[0])
        legal = self.situations.legal
        actions = greedy_actions(self._logits.reshape(-1, *legal.shape)[number], legal)
        return follower_of(self._stage, self.situations, self._options.follower_class, actions)
