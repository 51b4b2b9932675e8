"""A contextual follower with a network: she reads the leader's answers instead of looking them up.

What she learns is told by one network for all leaders, ``q(answers, situation)``, so that no table
over leaders is needed, and what is learned against some carries over to others. Values are those of
centered rewards: what the middle of her rewards would earn from there on is taken off, as a
potential, so that nothing changes about what is best.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.leaders.follower_responses import FollowerClass
from gametheory_core.leaders.policies import DeterministicLeader, SimpleFollower
from learners._kernels.arrays import Episodes
from learners.leaders.encounters import Response, follower_of, greedy_actions, greedy_probabilities
from learners.leaders.offers import Floats, Ints, Offer, asked_once, known_plans, query_steps
from learners.leaders.stage import Stage, situations_of
from learners.options import AtOnce, Count, CountFromZero, Positive, Share, checked
from learners.snapshots import Kept
from learners.streams import child_stream


@dataclass(frozen=True)
@checked
class ContextualNetworkOptions:
    """Options of a contextual follower with a network of action values, learned by DQN (torch).

    Attributes:
        hidden: Sizes of the network's layers.
        step_size: Of Adam.
        exploration: How likely an action is drawn at random, in [0, 1].
        discount: In [0, 1]; of the learning, whatever that of the game.
        iterations, episodes: ``iterations`` times ``episodes`` against random leaders.
        updates, batch_size: Steps of the network in an iteration, and transitions for each.
        capacity: Transitions kept.
        follower_class: Whether she knows time. If not, a value looks beyond the horizon as if play
            went on.
    """

    hidden: tuple[int, ...] = (128, 128)
    step_size: Positive = 2e-3
    exploration: Share = 0.5
    discount: Share = 0.95
    iterations: CountFromZero = 60
    episodes: AtOnce = 100
    updates: Count = 60
    batch_size: Count = 256
    capacity: Count = 100_000
    follower_class: FollowerClass = FollowerClass.STATIONARY


class ContextualNetworkFollower(Kept):
    """The follower of ``ContextualNetworkOptions`` on one stage."""

    KEPT = ("_values", "_replay")
    UNCHECKED = ("replay",)

    def __init__(
        self, stage: Stage, options: ContextualNetworkOptions, rng: np.random.Generator
    ) -> None:
        from learners.deep.replay import Replay  # noqa: PLC0415 loads torch

        self._stage = stage
        self._options = options
        self.pretraining = options.iterations
        self.situations = situations_of(stage, options.follower_class)
        self._middle = stage.middle_values(self.situations, options.discount)
        self._unit = stage.reward_span / 2 or 1.0
        count, actions = self.situations.legal.shape
        features = stage.leader_legal.size + count
        self._values: Any = _network(options, features, actions, child_stream(rng))
        self._replay: Any = Replay(
            capacity=options.capacity,
            num_features=features,
            num_actions=actions,
            rng=child_stream(rng),
        )

    name = "contextual network"

    asks_once = True

    tells_earnings = False

    def prepare(self, rng: np.random.Generator) -> tuple[Mapping[str, float], int]:
        """Play a batch of episodes against random leaders, and learn from all that was kept."""
        options, stage = self._options, self._stage
        plans = stage.contexts.uniform_plans(options.episodes, rng)
        legal = self.situations.legal
        evenly = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
        greedy = greedy_probabilities(self._read(plans), legal)
        episodes = stage.play(
            stage.leaders(known_plans(plans, stage.leader_legal.shape)),
            self.situations,
            (1 - options.exploration) * greedy + options.exploration * evenly,
            np.arange(len(plans)),
            rng,
        )
        means = episodes.rewards.sum(axis=1).mean(axis=0)
        metrics = {"return/leader": float(means[0]), "return/follower": float(means[1])}
        self._keep(plans, episodes)
        if len(self._replay):
            drawn = min(options.batch_size, len(self._replay))
            seen = [
                self._values.update(self._replay.sample(drawn))["loss/value"]
                for _ in range(options.updates)
            ]
            metrics["loss/follower"] = float(np.mean(seen))
        return metrics, int((episodes.seen >= 0).sum())

    def _keep(self, plans: Ints, episodes: Episodes) -> None:
        """Keep transitions, to what is expected beyond the horizon included."""
        from learners.deep.replay import Transitions  # noqa: PLC0415 loads torch

        rows, steps = np.nonzero(episodes.seen >= 0)
        if not len(rows):
            return
        here, there = (episodes.situation[rows, steps + after] for after in (0, 1))
        goes_on = there >= 0
        discounts = self._options.discount * goes_on
        potential = discounts * self._middle[there] - self._middle[here]
        rewards = (episodes.rewards[rows, steps, 1] + potential) / self._unit
        self._replay.add(
            Transitions(
                self._features(plans[rows], here),
                episodes.follower[rows, steps],
                rewards.astype(np.float32),
                self._features(plans[rows], there),
                self.situations.legal[there],
                discounts.astype(np.float32),
            )
        )

    def _features(self, plans: Ints, situations: Ints) -> NDArray[np.float32]:
        """Return answers and situations as ones and zeros, (B, O A + Z)."""
        width = self._stage.leader_legal.shape[1]
        answers = (plans[:, :, None] == np.arange(width)).reshape(len(plans), -1)
        places = situations[:, None] == np.arange(len(self.situations.legal))
        return np.concatenate([answers, places], axis=1).astype(np.float32)

    def _read(self, plans: Ints) -> Floats:
        """Return values less the middle ones, (E, Z, B)."""
        count, actions = self.situations.legal.shape
        everywhere = np.tile(np.arange(count), len(plans))
        found = self._values.values(self._features(np.repeat(plans, count, axis=0), everywhere))
        return np.asarray(found, dtype=np.float64).reshape(len(plans), count, actions)

    def respond(self, offer: Offer, rng: np.random.Generator) -> Response:
        """Meet each leader by the greedy actions against what he answers."""
        del rng  # nothing is drawn
        plans, rows = np.unique(offer.plans, axis=0, return_inverse=True)
        asked = asked_once(offer)
        strategies = greedy_probabilities(self._read(plans), self.situations.legal)
        rows = rows.reshape(-1).astype(np.int64)
        return Response(strategies, rows, asked, query_steps(offer, asked))

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return her greedy actions against a leader."""
        values = self._read(np.array([leader.actions]))[0]
        actions = greedy_actions(values, self.situations.legal)
        return follower_of(self._stage, self.situations, self._options.follower_class, actions)


def _network(
    options: ContextualNetworkOptions, features: int, actions: int, rng: np.random.Generator
) -> Any:
    from learners.deep.action_values import ActionValues, ValueOptions  # noqa: PLC0415 torch
    from learners.deep.agents import Encoding  # noqa: PLC0415 loads torch
    from learners.deep.network_shapes import Activation, FirstWeights, NetworkShape  # noqa: PLC0415 loads torch

    return ActionValues(
        Encoding(num_observations=0, num_features=features),
        num_actions=actions,
        rng=rng,
        options=ValueOptions(
            shape=NetworkShape(options.hidden, activation=Activation.RELU),
            first_weights=FirstWeights.ORTHOGONAL,
            step_size=options.step_size,
        ),
    )
