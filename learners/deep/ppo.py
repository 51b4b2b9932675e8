"""Proximal policy optimization, with and without memory, for one player or many."""

from collections.abc import Iterable, Mapping

import numpy as np
import torch

from gametheory_core.arguments import require_integer
from gametheory_core.errors import UnsupportedGame
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, Snapshot
from learners.deep.actors import Actor
from learners.deep.advantages import generalized_advantages
from learners.deep.casts import Experience
from learners.deep.devices import Device
from learners.deep.lessons import lessons_of
from learners.deep.networks import NetworkShape
from learners.deep.policy_learning import PolicyLearning
from learners.deep.ppo_update import Update, go_through
from learners.deep.roles import Behavior, Sharing
from learners.horizon import AtHorizon
from learners.schedules import Schedule

NAME = "PPO"


class PPO:
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
    roles, the names end in "/<role>".

    Source: :cite:`schulman2017ppo`.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from learners.batched import batched
    >>> game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    >>> learner = PPO(batched(game, episodes=8, seed=1), steps=4, rng=np.random.default_rng(1))
    >>> learner.improve()["environment steps"]
    32.0
    """

    name = NAME

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        learns: Iterable[int] | None = None,
        sharing: Sharing = Sharing.SEPARATE,
        others: Mapping[int, Behavior] | None = None,
        network: NetworkShape | None = None,
        steps: int = 64,
        step_size: float | Schedule = 3e-4,
        discount: float | None = None,
        trace: float = 0.95,
        clip: float = 0.2,
        value_clip: float | None = None,
        value_weight: float = 0.5,
        entropy_weight: float = 0.0,
        epochs: int = 4,
        minibatches: int = 4,
        max_divergence: float | None = None,
        normalizes_advantages: bool = True,
        max_gradient_norm: float | None = 0.5,
        at_horizon: AtHorizon = AtHorizon.ENDS,
        device: Device = Device.CPU,
        rng: np.random.Generator,
    ) -> None:
        require_integer(steps, name="steps", low=1)
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
        self._learning = PolicyLearning(
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
        learning = self._learning
        experiences = learning.cast.play(self._steps)
        return learning.learn(experiences, self._learn)

    def _learn(
        self, actor: Actor, optimizer: torch.optim.Optimizer, met: Experience
    ) -> dict[str, float]:
        found = generalized_advantages(
            rewards=met.rewards,
            values=met.values,
            beyond=met.beyond,
            acts=met.acts,
            is_over=met.is_over,
            discount=self._learning.discount,
            trace=self._update.trace,
        )
        if not found.is_known.any():
            raise UnsupportedGame(
                needs="rollouts in which players move again after having moved",
                found=f"{actor.role.name!r} does not within steps = {self._steps}",
                remedy="Give more steps.",
            )
        lessons = lessons_of(actor, met, advantages=found.advantages, counts=found.is_known)
        metrics = go_through(actor, optimizer, lessons, self._update, self._rng)
        expected = met.values[:-1][found.is_known]
        credited = found.advantages[found.is_known]
        spread = float(np.var(expected + credited))
        if spread > 0:
            metrics["explained"] = 1 - float(np.var(credited)) / spread
        return metrics

    def policies(self) -> PolicyProfile:
        """Return what was learned, one policy a player, exact."""
        return self._learning.policies()

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        return self._learning.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options."""
        self._learning.restore(snapshot)
