"""Lessons: what networks say of a rollout now, and the step that makes losses small.

Learners say what is gained by each action played; the rest they share.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from learners.deep.actors import Actor
from learners.deep.losses import (
    Mixed,
    Numbers,
    Sloped,
    entropy,
    mean_over,
    mixed,
    slopes_by_choice,
    slopes_of_entropy,
    slopes_of_mean,
)
from learners.deep.networks import Reading
from learners.deep.optimization import Adam, gradient_step
from learners.deep.rollouts import RolloutBuffer


@dataclass(frozen=True, eq=False)
class Reread:
    """What an actor's networks say of a buffer now.

    Attributes:
        readings: "policy", and "value" if there is such a network.
        played: The mixed actions, and the actions that were played.
        values (L, S): Expected; zeros without a network for that.
    """

    readings: Mapping[str, Reading]
    played: Mixed
    values: Numbers


@dataclass(frozen=True, eq=False)
class Lesson:
    """What is to be made small, and how it changes with what networks say.

    Attributes:
        losses: Name, such as "loss/policy" -> what it is before any weight; "entropy" among them.
        slopes: Network -> slopes of the weighted sum in all its numbers, (L, S, ...).
    """

    losses: Mapping[str, float]
    slopes: Mapping[str, Numbers]


def reread(actor: Actor, buffer: RolloutBuffer) -> Reread:
    """Read a buffer by an actor's networks, to differentiate them."""
    memories = {"policy": buffer.policy_memory, "value": buffer.value_memory}
    readings = {
        name: network(buffer.inputs, memories[name], is_tracked=True)
        for name, network in actor.networks.items()
    }
    values = readings["value"].outputs[..., 0] if "value" in readings else 0.0 * buffer.returns
    played = mixed(readings["policy"].outputs, buffer.legal, buffer.actions)
    return Reread(readings, played, values)


def lesson(
    read: Reread,
    buffer: RolloutBuffer,
    *,
    gained: Sloped,
    missed: Sloped,
    weights: Mapping[str, float],
) -> Lesson:
    """Return the lesson of what was gained and missed at each decision.

    Args:
        gained: What is to be made large, (L, S), and its slope in the log probability played.
        missed: What is to be made small, (L, S), and its slope in the value.
        weights: Factors on "loss/policy", "loss/value" and "entropy"; 1 where not listed.
    """
    real, spread = buffer.is_real, entropy(read.played)
    factors = {"loss/policy": 1.0, "loss/value": 1.0, "entropy": 1.0, **weights}
    slopes = slopes_by_choice(
        read.played, slopes_of_mean(gained.slope, real, weight=-factors["loss/policy"])
    )
    if factors["entropy"]:
        slopes += slopes_of_mean(
            slopes_of_entropy(read.played, spread), real, weight=factors["entropy"]
        )
    losses = {"loss/policy": -mean_over(gained.value, real)}
    by_network = {"policy": slopes}
    if "value" in read.readings:
        losses["loss/value"] = mean_over(missed.value, real)
        slopes = slopes_of_mean(missed.slope, real, weight=factors["loss/value"])
        by_network["value"] = slopes[..., None]
    return Lesson({**losses, "entropy": mean_over(spread, real)}, by_network)


def learn(
    actor: Actor, optimizer: Adam, read: Reread, given: Lesson, *, max_gradient_norm: float | None
) -> dict[str, float]:
    """Make the step of a lesson; return its losses, and the length of the gradient.

    Raises:
        Broken: If a number is not finite; names it.
    """
    for name, network in actor.networks.items():
        network.differentiate(read.readings[name], given.slopes[name])
    moved = {name: network.layers for name, network in actor.networks.items()}
    return gradient_step(optimizer, moved, given.losses, max_gradient_norm=max_gradient_norm)
