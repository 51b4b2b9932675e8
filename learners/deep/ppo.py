"""Proximal policy optimization, with and without memory, for one player or many.

How networks learn from a rollout by proximal policy optimization: epochs and minibatches.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from learners.advantages import generalized_advantages
from learners.batch import AtHorizon, BatchedEnvironment
from learners.deep.actors import Actor
from learners.deep.agents import Behavior, Sharing
from learners.deep.lessons import Lesson, Reread, learn, lesson, reread
from learners.deep.losses import clipped_surrogate, divergence, mean_over, value_error
from learners.deep.network_shapes import NetworkShape
from learners.deep.optimization import Adam, Device
from learners.deep.policy_learning import PolicyLearner, require_decisions
from learners.deep.rollouts import Experience, RolloutBuffer, rollout_buffer
from learners.options import Count, NotNegative, Positive, Share, checked
from learners.schedules import Schedule

_DEVIATION_FLOOR = 1e-8


@dataclass(frozen=True)
class Update:
    """How the networks of an agent learn from a rollout; the options are ``PPO``'s."""

    trace: float
    clip: float
    value_clip: float | None
    value_weight: float
    entropy_weight: float
    epochs: int
    minibatches: int
    max_divergence: float | None
    normalizes_advantages: bool
    max_gradient_norm: float | None


@dataclass(frozen=True, eq=False)
class Surrogate:
    """What is to be made small on some buffer, and how far the policy has moved there.

    Attributes:
        divergence: Of the new policy from the old, in nats.
        clipped: Share of decisions whose probability has moved out of the clip.
    """

    lesson: Lesson
    divergence: float
    clipped: float


def surrogate(read: Reread, buffer: RolloutBuffer, update: Update) -> Surrogate:
    """Return what the networks of an actor, one of them of values, are to learn of a buffer."""
    chosen, real = read.played.chosen, buffer.is_real
    gained = clipped_surrogate(chosen, buffer.log_shares, buffer.advantages, clip=update.clip)
    missed = value_error(read.values, buffer.values, buffer.returns, clip=update.value_clip)
    outside = np.abs(np.exp(chosen - buffer.log_shares) - 1) > update.clip
    return Surrogate(
        lesson=lesson(
            read,
            buffer,
            gained=gained,
            missed=missed,
            weights={"loss/value": update.value_weight, "entropy": -update.entropy_weight},
        ),
        divergence=mean_over(divergence(chosen, buffer.log_shares), real),
        clipped=mean_over(outside, real),
    )


def go_through(
    actor: Actor, optimizer: Adam, buffer: RolloutBuffer, update: Update, rng: np.random.Generator
) -> dict[str, float]:
    """Make the epochs; return the mean of what was seen at each gradient step."""
    if update.normalizes_advantages:
        buffer = normalized(buffer)
    seen: list[dict[str, float]] = []
    for _ in range(update.epochs):
        order = rng.permutation(buffer.num_sequences)
        for chosen in np.array_split(order, min(update.minibatches, len(order))):
            part = buffer.of(chosen)
            read = reread(actor, part)
            found = surrogate(read, part, update)
            limit = update.max_divergence
            if limit is not None and seen and found.divergence > limit:
                return _means(seen)
            metrics = learn(
                actor, optimizer, read, found.lesson, max_gradient_norm=update.max_gradient_norm
            )
            seen.append({**metrics, "divergence": found.divergence, "clipped": found.clipped})
    return _means(seen)


def normalized(buffer: RolloutBuffer) -> RolloutBuffer:
    """Return buffer whose advantages have mean 0 and deviation 1."""
    real = buffer.advantages[buffer.is_real].astype(np.float64)
    centered = (buffer.advantages - real.mean()) / (real.std() + _DEVIATION_FLOOR)
    return replace(buffer, advantages=centered.astype(np.float32))


def _means(seen: list[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([each[name] for each in seen])) for name in seen[0]}


@checked
class PPO(PolicyLearner):
    """Proximal policy optimization: many careful steps on each rollout.

    Each iteration plays ``steps`` steps of all episodes, estimates advantages, and goes several
    times through the decisions in minibatches, uphill on a surrogate that stops paying where the
    policy has moved too far. With a memory, minibatches are made of whole sequences, one for each
    episode, and memories begin blank where episodes do.

    Args:
        learns: Players who learn; by default all, each for itself.
        sharing: Whether they share one network.
        others: Player who does not learn -> function of observations and legal actions, as arrays,
            that returns probabilities; by default uniform.
        network: Of the policy's and of the value's network, which share nothing.
        steps: Steps of each episode in a rollout.
        step_size: Of Adam.
        discount: By default the environment's.
        trace: Lambda of the advantages, from 0 to 1.
        clip: How far probabilities may move, as a ratio.
        value_clip: How far values may move, in payoff units; by default any distance.
        value_weight, entropy_weight: Factors on the value's error and on the entropy in the loss.
        epochs, minibatches: Passes over a rollout, and parts of each.
        max_divergence: A rollout is done with once the policy is so far from the old one, in nats.
        normalizes_advantages: Whether advantages of a rollout are shifted and scaled to mean 0 and
            deviation 1.
        max_gradient_norm: Longer gradients are shortened to it.
        at_horizon: Whether something follows where the horizon cuts an episode.
        rng: All chance of the learner.

    Metrics: "return/<player>" and "length" of the episodes finished in the rollout, "loss/policy",
    "loss/value", "entropy", "divergence", "clipped" (share of decisions outside the clip),
    "explained" (share of the returns' variance that values explain), "gradient norm", each a mean
    over the iteration's gradient steps, "step size", and "environment steps" so far. With several
    agents, the names end in "/<agent>".

    Source: :cite:`schulman2017ppo`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    >>> learner = PPO(batched(game, episodes=8, seed=1), steps=4, rng=np.random.default_rng(1))
    >>> learner.improve()["environment steps"]
    32.0
    """

    name = "PPO"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        learns: Iterable[int] | None = None,
        sharing: Sharing = Sharing.SEPARATE,
        others: Mapping[int, Behavior] | None = None,
        network: NetworkShape | None = None,
        steps: Count = 64,
        step_size: float | Schedule = 3e-4,
        discount: float | None = None,
        trace: Share = 0.95,
        clip: Positive = 0.2,
        value_clip: Positive | None = None,
        value_weight: NotNegative = 0.5,
        entropy_weight: NotNegative = 0.0,
        epochs: Count = 4,
        minibatches: Count = 4,
        max_divergence: Positive | None = None,
        normalizes_advantages: bool = True,
        max_gradient_norm: Positive | None = 0.5,
        at_horizon: AtHorizon = AtHorizon.ENDS,
        device: Device = Device.CPU,
        rng: np.random.Generator,
    ) -> None:
        self._update = Update(
            trace=trace,
            clip=clip,
            value_clip=value_clip,
            value_weight=value_weight,
            entropy_weight=entropy_weight,
            epochs=epochs,
            minibatches=minibatches,
            max_divergence=max_divergence,
            normalizes_advantages=normalizes_advantages,
            max_gradient_norm=max_gradient_norm,
        )
        self._steps = steps
        self._rng = rng
        super().__init__(
            environment,
            learns=learns,
            sharing=sharing,
            others=others,
            network=network or NetworkShape(),
            has_values=True,
            step_size=step_size,
            discount=discount,
            at_horizon=at_horizon,
            device=device,
            rng=rng,
        )

    def improve(self) -> Mapping[str, float]:
        """Play a rollout and learn from it."""
        experiences = self.group.play(self._steps)
        return self.learn(experiences)

    def _learn(self, actor: Actor, optimizer: Adam, met: Experience) -> dict[str, float]:
        found = generalized_advantages(
            rewards=met.rewards,
            values=met.values,
            beyond=met.beyond,
            acts=met.acts,
            is_over=met.is_over,
            discount=self.discount,
            trace=self._update.trace,
        )
        require_decisions(found.is_known, actor, steps=self._steps)
        buffer = rollout_buffer(actor, met, advantages=found.advantages, counts=found.is_known)
        metrics = go_through(actor, optimizer, buffer, self._update, self._rng)
        expected = met.values[:-1][found.is_known]
        credited = found.advantages[found.is_known]
        spread = float(np.var(expected + credited))
        if spread > 0:
            metrics["explained"] = 1 - float(np.var(credited)) / spread
        return metrics
