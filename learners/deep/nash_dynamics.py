"""Regularized Nash dynamics: self-play whose last policies, not their mean, come to equilibrium.

Of two players in a zero-sum game, each is paid ``-eta log(pi / anchor)`` more for an action, and
what the other pays for theirs: the game stays zero-sum, and now policies that follow their
advantages come to rest, at the one equilibrium of the regularized game. Then the anchor is moved
there, and so on: the rests come closer and closer to an equilibrium of the game itself. Without the
regularization (``eta = 0``) policies circle.

Logits are moved by *neural replicator dynamics*: each by the advantage of its action, however
likely that is, rather than by that times the probability, as the policy gradient does. Where every
action is known, that is the replicator equation. An advantage is estimated without bias from the
one action played, with ``V`` values and ``T`` V-trace's target of what follows,

    Q(a) = V - eta log(pi(a) / anchor(a)) + 1[a played] / pi(a) * (r + g T - V),

where ``r`` is without the own regularization, which is known of every action.

Sources: :cite:`perolat2022stratego`; :cite:`hennes2020neural`, equation (7).
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from learners.advantages import known_decisions, v_trace
from learners.batch import AtHorizon, BatchedEnvironment
from learners.deep.actors import Actor
from learners.deep.agents import Sharing, encode
from learners.deep.lessons import Lesson, learn, reread
from learners.deep.losses import (
    Mixed,
    Numbers,
    log_probabilities,
    mean_over,
    mixed,
    slopes_of_mean,
    squared_error,
)
from learners.deep.network_shapes import NetworkShape
from learners.deep.networks import Network
from learners.deep.optimization import Adam, Device
from learners.deep.policy_learning import PolicyLearner, require_decisions
from learners.deep.rollouts import Experience, rollout_buffer
from learners.options import Count, NotNegative, Positive, checked
from learners.schedules import Schedule

ROUNDING = 1e-9  # of rewards that sum to zero, relative to the largest
WITHOUT_MOMENTUM = (0.0, 0.999)  # Adam's betas: momentum carries policies past where they rest


@checked
class RegularizedNashDynamics(PolicyLearner):
    """R-NaD: regularized Nash dynamics, for both players of a zero-sum game.

    Each iteration plays ``steps`` steps of all episodes, and makes one step of neural replicator
    dynamics and of the values.

    Args:
        sharing, network, steps, step_size: As for ``PPO``. Networks have no memory.
        discount, value_weight, max_gradient_norm, at_horizon: As for ``PPO``.
        device, rng: As for ``PPO``.
        regularization: ``eta``, in units of reward for a nat.
        anchor_every: Updates from one anchor to the next.
        largest_advantage: Where advantages are cut.
        largest_logit: Logits are pushed no further than this from their mean: where a logit is
            beyond, only advantages that bring it back count.

    Metrics: "return/<player>" and "length" of the episodes finished in the rollout, "loss/policy",
    "loss/value" (half the mean squared error), "distance" (mean divergence of the policy from the
    anchor, nats), "gradient norm", "step size", and "environment steps" so far. With several
    agents, the names end in "/<agent>".

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If there are not two players; by ``improve``, if rewards do not sum to
            zero.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners import batched
    >>> batch = batched(RepeatedGame.of("matching_pennies", rounds=1), episodes=4, seed=1)
    >>> learner = RegularizedNashDynamics(batch, steps=2, rng=np.random.default_rng(1))
    >>> learner.improve()["environment steps"]
    8.0
    """

    KEPT = (*PolicyLearner.KEPT, "_anchors")

    name = "RegularizedNashDynamics"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        sharing: Sharing = Sharing.SEPARATE,
        network: NetworkShape | None = None,
        steps: Count = 8,
        regularization: NotNegative = 0.2,
        anchor_every: Count = 100,
        step_size: float | Schedule = 1e-3,
        discount: float | None = None,
        value_weight: NotNegative = 0.5,
        largest_advantage: Positive = 1e4,
        largest_logit: Positive = 2.0,
        max_gradient_norm: Positive | None = 0.5,
        at_horizon: AtHorizon = AtHorizon.ENDS,
        device: Device = Device.CPU,
        rng: np.random.Generator,
    ) -> None:
        if network is not None and network.is_recurrent:
            raise InvalidArgument(
                needs="a network without a memory: that of the anchor would have to be kept, too",
                found=f"got recurrence {network.recurrence.value!r}",
                where="network",
            )
        self._steps, self._anchor_every = steps, anchor_every
        self._eta = float(regularization)
        self._cuts = {"largest_advantage": largest_advantage, "largest_logit": largest_logit}
        self._value_weight = float(value_weight)
        self._max_gradient_norm = max_gradient_norm
        super().__init__(
            environment,
            learns=None,
            sharing=sharing,
            others=None,
            network=network or NetworkShape(),
            has_values=True,
            step_size=step_size,
            discount=discount,
            at_horizon=at_horizon,
            device=device,
            rng=rng,
        )
        if len(environment.players) != 2:
            raise UnsupportedGame(
                needs="two players of a zero-sum game",
                found=f"there are {len(environment.players)}",
                remedy="Against bots, give self_play = 1.",
            )
        for own in self._optimizers:
            own.memory = WITHOUT_MOMENTUM
        self._anchors = tuple(actor.policy.copy() for actor in self.group.actors)

    def improve(self) -> Mapping[str, float]:
        """Play a rollout and make one step; now and then, move the anchor."""
        metrics = self.learn(self._regularized(self.group.play(self._steps)))
        if self._made % self._anchor_every == 0:
            for anchor, actor in zip(self._anchors, self.group.actors, strict=True):
                anchor.restore(actor.policy.snapshot())
        return metrics

    def _regularized(self, experiences: tuple[Experience, ...]) -> tuple[Experience, ...]:
        """Return what was met, with the rewards of the regularized game."""
        shape = (*experiences[0].acts[:-1].shape[:1], self.group.environment.num_episodes, 2)
        paid, distances = np.zeros(shape), np.zeros(shape)
        for actor, anchor, met in zip(self.group.actors, self._anchors, experiences, strict=True):
            seats = list(actor.agent.players)
            found = np.where(met.acts[:-1], met.log_shares - _anchored(actor, anchor, met), 0.0)
            for to, own in ((paid, met.rewards), (distances, found)):
                to[:, :, seats] = own.reshape(*shape[:2], len(seats))
        _require_zero_sum(paid)
        paid += self._eta * (distances[..., ::-1] - distances)
        return tuple(
            replace(met, rewards=paid[:, :, list(actor.agent.players)].reshape(met.rewards.shape))
            for actor, met in zip(self.group.actors, experiences, strict=True)
        )

    def _learn(self, actor: Actor, optimizer: Adam, met: Experience) -> dict[str, float]:
        counts = known_decisions(acts=met.acts, is_over=met.is_over)
        require_decisions(counts, actor, steps=self._steps)
        traced = v_trace(
            rewards=met.rewards,
            values=met.values,
            beyond=met.beyond,
            acts=met.acts,
            is_over=met.is_over,
            ratios=np.ones(counts.shape),
            discount=self.discount,
        )
        buffer = rollout_buffer(actor, met, advantages=traced.advantages, counts=counts)
        read, real = reread(actor, buffer), buffer.is_real
        logits, log_shares = read.readings["policy"].outputs, read.played.log_shares
        anchor = self._anchors[self.group.actors.index(actor)]
        fixed = anchor(buffer.inputs, buffer.policy_memory).outputs
        anchored = log_probabilities(fixed, buffer.legal)
        distances = np.subtract(
            log_shares, anchored, out=np.zeros_like(log_shares), where=buffer.legal
        )
        advantages = estimated_advantages(
            read.played, self._eta * distances, buffer.actions, buffer.advantages
        )
        pushes = replicator_pushes(logits, advantages, buffer.legal, **self._cuts)
        missed = squared_error(read.values, buffer.returns)
        moved = (np.where(buffer.legal, logits, 0.0) * pushes).sum(axis=-1)
        given = Lesson(
            losses={
                "loss/policy": -mean_over(moved, real),
                "loss/value": mean_over(missed.value, real),
            },
            slopes={
                "policy": slopes_of_mean(pushes, real, weight=-1.0),
                "value": slopes_of_mean(missed.slope, real, weight=self._value_weight)[..., None],
            },
        )
        metrics = learn(actor, optimizer, read, given, max_gradient_norm=self._max_gradient_norm)
        distance = mean_over((read.played.shares * distances).sum(axis=-1), real)
        return metrics | {"distance": distance}


def estimated_advantages(
    found: Mixed, costs: Numbers, actions: NDArray[np.int64], gained: Numbers
) -> Numbers:
    """Return unbiased estimates of the advantages of all actions, (..., A), in units of reward.

    Args:
        found: How the policy played.
        costs (..., A): What each action costs by regularization.
        actions (...): Played.
        gained (...): What was gained beyond the value, the action's cost taken off.
    """
    played = np.arange(costs.shape[-1]) == actions[..., None]
    own = (costs * played).sum(axis=-1)
    worth = played * ((gained + own) / np.exp(found.chosen))[..., None] - costs
    return worth - (found.shares * worth).sum(axis=-1, keepdims=True)


def replicator_pushes(
    logits: Numbers,
    advantages: Numbers,
    legal: NDArray[np.bool_],
    *,
    largest_advantage: float,
    largest_logit: float,
) -> Numbers:
    """Return by how much each logit is pushed, (..., A): its advantage, cut; 0 if not legal.

    Nothing is pushed further away that is more than ``largest_logit`` from the legal mean.
    """
    counts = legal.sum(axis=-1, keepdims=True)
    away = logits - np.where(legal, logits, 0.0).sum(axis=-1, keepdims=True) / counts
    pushes = advantages.clip(-largest_advantage, largest_advantage)
    is_spent = (np.abs(away) > largest_logit) & (away * pushes > 0)
    return np.where(legal & ~is_spent, pushes, 0.0)


def _anchored(actor: Actor, anchor: Network, met: Experience) -> NDArray[np.float64]:
    """Return the anchor's log probability of each action played, (T, R)."""
    marks = np.broadcast_to(actor.marks, met.actions.shape)
    inputs = encode(actor.agent.encoding, met.observations[:-1], marks, met.previous)
    outputs = anchor(inputs, anchor.blank_memory(len(actor.marks))).outputs
    return mixed(outputs, met.legal, met.actions).chosen.astype(np.float64)


def _require_zero_sum(paid: NDArray[np.float64]) -> None:
    """Refuse rewards (T, E, 2) that do not sum to zero."""
    sums = paid.sum(axis=-1)
    if (np.abs(sums) > ROUNDING * np.abs(paid).max(initial=1.0)).any():
        t, e = np.unravel_index(int(np.abs(sums).argmax()), sums.shape)
        raise UnsupportedGame(
            needs="a zero-sum game",
            found=f"a step paid {shown(paid[t, e].tolist())}",
            remedy="In repeated rock-paper-scissors, give self_play = 1: no match against bots.",
        )
