"""How networks learn from a rollout by proximal policy optimization: epochs and minibatches."""

from dataclasses import dataclass, replace

import numpy as np
import torch

from gametheory_core.arguments import require_integer, require_number
from learners.deep.actors import Actor
from learners.deep.gradient_step import gradient_step
from learners.deep.lessons import Lessons, mean_over
from learners.deep.networks import entropy, log_probabilities
from learners.deep.ppo_losses import clipped_surrogate, divergence, value_error

_OWNER = "PPO"
_DEVIATION_FLOOR = 1e-8


@dataclass(frozen=True)
class Update:
    """How the networks of a role learn from a rollout; the options are ``PPO``'s."""

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

    def __post_init__(self) -> None:
        for name, high in (("trace", 1.0), ("value_weight", None), ("entropy_weight", None)):
            require_number(getattr(self, name), name=name, low=0, high=high)
        require_number(self.clip, name="clip", above=0)
        for name in ("epochs", "minibatches"):
            require_integer(getattr(self, name), name=name, low=1)
        for name in ("value_clip", "max_divergence", "max_gradient_norm"):
            if getattr(self, name) is not None:
                require_number(getattr(self, name), name=name, above=0)


@dataclass(frozen=True, eq=False)
class Surrogate:
    """What is to be made small on some lessons, and how far the policy has moved there.

    Attributes:
        losses: "loss/policy", "loss/value", and "entropy", numbers with gradients.
        divergence: Of the new policy from the old, in nats.
        clipped: Share of decisions whose probability has moved out of the clip.
    """

    losses: dict[str, torch.Tensor]
    divergence: float
    clipped: float


def surrogate(actor: Actor, lessons: Lessons, update: Update) -> Surrogate:
    """Return the losses of an actor with a value network, on lessons."""
    reading = actor.policy(lessons.inputs, lessons.policy_memory)
    log_shares = log_probabilities(reading.outputs, lessons.legal)
    chosen = log_shares.gather(-1, lessons.actions[..., None])[..., 0]
    value = actor.networks["value"](lessons.inputs, lessons.value_memory).outputs[..., 0]
    gained = clipped_surrogate(chosen, lessons.log_shares, lessons.advantages, clip=update.clip)
    missed = value_error(value, lessons.values, lessons.returns, clip=update.value_clip)
    real = lessons.is_real
    with torch.no_grad():
        moved = divergence(chosen, lessons.log_shares)
        outside = ((chosen - lessons.log_shares).exp() - 1).abs() > update.clip
    return Surrogate(
        losses={
            "loss/policy": -mean_over(gained, real),
            "loss/value": mean_over(missed, real),
            "entropy": mean_over(entropy(log_shares), real),
        },
        divergence=float(mean_over(moved, real)),
        clipped=float(mean_over(outside.float(), real)),
    )


def go_through(
    actor: Actor,
    optimizer: torch.optim.Optimizer,
    lessons: Lessons,
    update: Update,
    rng: np.random.Generator,
) -> dict[str, float]:
    """Make the epochs; return the mean of what was seen at each gradient step."""
    if update.normalizes_advantages:
        lessons = normalized(lessons)
    seen: list[dict[str, float]] = []
    for _ in range(update.epochs):
        order = rng.permutation(lessons.num_sequences)
        for part in np.array_split(order, min(update.minibatches, len(order))):
            chosen = torch.from_numpy(part).to(actor.policy.device)
            found = surrogate(actor, lessons.of(chosen), update)
            limit = update.max_divergence
            if limit is not None and seen and found.divergence > limit:
                return _means(seen)
            metrics = gradient_step(
                optimizer,
                actor.networks,
                found.losses,
                weights={"loss/value": update.value_weight, "entropy": -update.entropy_weight},
                max_gradient_norm=update.max_gradient_norm,
            )
            seen.append({**metrics, "divergence": found.divergence, "clipped": found.clipped})
    return _means(seen)


def normalized(lessons: Lessons) -> Lessons:
    """Return lessons whose advantages have mean 0 and deviation 1."""
    mean = mean_over(lessons.advantages, lessons.is_real)
    centered = lessons.advantages - mean
    deviation = mean_over(centered.square(), lessons.is_real).sqrt()
    return replace(lessons, advantages=centered / (deviation + _DEVIATION_FLOOR))


def _means(seen: list[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([each[name] for each in seen])) for name in seen[0]}
