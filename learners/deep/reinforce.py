"""REINFORCE: the policy gradient of whole episodes, with or without a baseline."""

from collections.abc import Iterable, Mapping

import numpy as np
import torch

from gametheory_core.arguments import require_integer, require_number
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, Snapshot
from learners.deep.actors import Actor
from learners.deep.advantages import rewards_to_go
from learners.deep.casts import Experience, first_episodes
from learners.deep.devices import Device
from learners.deep.gradient_step import gradient_step
from learners.deep.lessons import Lessons, lessons_of, mean_over
from learners.deep.networks import NetworkShape, entropy, log_probabilities
from learners.deep.policy_learning import PolicyLearning
from learners.deep.roles import Behavior, Sharing
from learners.horizon import AtHorizon
from learners.schedules import Schedule

NAME = "REINFORCE"


class Reinforce:
    """REINFORCE: one step along the policy gradient for each batch of whole episodes.

    Each iteration plays one episode in each place of the batch. Every own decision is credited
    with what was paid after it, less what the baseline expected there. Without a baseline's help
    the gradient is that of the expected discounted return itself, only noisier.

    Args:
        learns, sharing, others, network, step_size, discount, device: As for ``PPO``.
        has_baseline: Whether a second network, of the same shape, learns what to expect.
        value_weight: Factor on the baseline's squared error.
        entropy_weight: Factor on the entropy of the policy, which is to be large.
        max_gradient_norm: Longer gradients are shortened to it.
        max_steps: Episodes that do not end within so many steps count as if they had.
        rng: All chance of the learner.

    Metrics: "return/<player>", "length", "loss/policy", "entropy", "gradient norm", "loss/value"
    with a baseline, "step size", and "environment steps" so far. With several roles, the names end
    in "/<role>".

    Source: :cite:`williams1992simple`.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from learners.batched import batched
    >>> game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    >>> learner = Reinforce(batched(game, episodes=8, seed=1), rng=np.random.default_rng(1))
    >>> learner.improve()["length"]
    2.0
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
        step_size: float | Schedule = 1e-3,
        discount: float | None = None,
        has_baseline: bool = True,
        value_weight: float = 0.5,
        entropy_weight: float = 0.0,
        max_gradient_norm: float | None = None,
        max_steps: int = 10_000,
        device: Device = Device.CPU,
        rng: np.random.Generator,
    ) -> None:
        for name, value in (("value_weight", value_weight), ("entropy_weight", entropy_weight)):
            require_number(value, name=name, low=0)
        if max_gradient_norm is not None:
            require_number(max_gradient_norm, name="max_gradient_norm", above=0)
        require_integer(max_steps, name="max_steps", low=1)
        self._weights = {"loss/value": value_weight, "entropy": -entropy_weight}
        self._max_gradient_norm = max_gradient_norm
        self._max_steps = max_steps
        self._learning = PolicyLearning(
            environment,
            learns=learns,
            sharing=sharing,
            others=others,
            network=network or NetworkShape(),
            has_values=has_baseline,
            step_size=step_size,
            discount=discount,
            at_horizon=AtHorizon.ENDS,
            device=device,
            rng=rng,
        )

    def improve(self) -> Mapping[str, float]:
        """Play an episode in each place of the batch, and make one step."""
        cast = self._learning.cast
        cast.begin()
        return self._learning.learn(cast.play_out(max_steps=self._max_steps), self._learn)

    def _learn(
        self, actor: Actor, optimizer: torch.optim.Optimizer, met: Experience
    ) -> dict[str, float]:
        discount = self._learning.discount
        counts = met.acts[:-1] & first_episodes(met.is_over)
        if not counts.any():
            return {}
        paid = rewards_to_go(rewards=met.rewards, is_over=met.is_over, discount=discount)
        ages = np.arange(len(paid), dtype=np.float64)[:, None]
        weights = np.asarray(discount**ages * np.ones(paid.shape), dtype=np.float64)
        lessons = lessons_of(
            actor,
            met,
            advantages=paid - met.values[:-1],
            weights=weights,
            counts=counts,
        )
        episodes = self._learning.cast.environment.num_episodes
        losses = policy_gradient_losses(actor, lessons, episodes=episodes)
        return gradient_step(
            optimizer,
            actor.networks,
            losses,
            weights=self._weights,
            max_gradient_norm=self._max_gradient_norm,
        )

    def policies(self) -> PolicyProfile:
        """Return what was learned, one policy a player, exact."""
        return self._learning.policies()

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        return self._learning.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options."""
        self._learning.restore(snapshot)


def policy_gradient_losses(
    actor: Actor, lessons: Lessons, *, episodes: int
) -> dict[str, torch.Tensor]:
    """Return "loss/policy", "entropy", and "loss/value" if there is a baseline.

    The gradient of "loss/policy" is that of minus the expected return, summed over the role's
    players: ``-sum discount^t A log share / episodes``.
    """
    reading = actor.policy(lessons.inputs, lessons.policy_memory)
    log_shares = log_probabilities(reading.outputs, lessons.legal)
    chosen = log_shares.gather(-1, lessons.actions[..., None])[..., 0]
    credited = lessons.weights * lessons.advantages * chosen
    losses = {
        "loss/policy": -torch.where(lessons.is_real, credited, 0.0).sum() / episodes,
        "entropy": mean_over(entropy(log_shares), lessons.is_real),
    }
    if actor.value is not None:
        value = actor.value(lessons.inputs, lessons.value_memory).outputs[..., 0]
        losses["loss/value"] = mean_over(0.5 * (value - lessons.returns).square(), lessons.is_real)
    return losses
