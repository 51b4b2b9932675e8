"""What policy-gradient learners report, note and write down alike."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.batch import BatchedEnvironment, Snapshot
from learners.gradients.adam import Adam, adam_from_record, adam_record
from learners.gradients.rollouts import Rollout
from learners.gradients.seats import Seats
from learners.gradients.value_means import ValueMeans
from learners.snapshots import require_fitting
from learners.streams import generator_state, restore_generator


def rollout_metrics(rollout: Rollout, players: tuple[str, ...]) -> dict[str, float]:
    """Return mean returns and the mean length of the episodes."""
    means = rollout.returns.mean(axis=0)
    metrics = {f"return/{label}": float(mean) for label, mean in zip(players, means, strict=True)}
    metrics["length"] = float(rollout.lengths.mean())
    return metrics


def note_legal(seats: Seats, rollout: Rollout, player: int) -> None:
    """Note what was legal at the observations a player acted on."""
    acts = rollout.acts[:, :, player]
    seats.note(player, rollout.observations[:, :, player][acts], rollout.legal[:, :, player][acts])


@dataclass(frozen=True)
class LearnerState:
    """All that changes while a policy-gradient learner learns; the parts are changed in place.

    Attributes:
        seats: Logits, and what is known of legal actions.
        optimizers, values: Of each player who learns.
    """

    environment: BatchedEnvironment
    seats: Seats
    optimizers: dict[int, Adam]
    values: dict[int, ValueMeans]
    rng: np.random.Generator


def state_record(state: LearnerState) -> dict[str, Any]:
    """Return a state as plain data, copied."""
    return {
        "seats": _seats_record(state.seats),
        "optimizers": {str(i): adam_record(own) for i, own in state.optimizers.items()},
        "values": {str(i): _values_record(own) for i, own in state.values.items()},
        "rng": generator_state(state.rng),
        "environment": state.environment.snapshot(),
    }


def restore_state(state: LearnerState, snapshot: Snapshot) -> None:
    """Put a state where ``state_record`` found one.

    Raises:
        InvalidArgument: If it is of a learner with other options.
    """
    require_fitting(snapshot, state_record(state), ignored=("environment", "rng"))
    state.environment.restore(snapshot["environment"])
    _restore_seats(state.seats, snapshot["seats"])
    for player in state.seats.learns:
        state.optimizers[player] = adam_from_record(snapshot["optimizers"][str(player)])
        state.values[player] = _values_from_record(snapshot["values"][str(player)])
    restore_generator(state.rng, snapshot["rng"])


def _seats_record(seats: Seats) -> dict[str, Any]:
    """Return logits and what is known of legal actions, as plain data, copied."""
    return {
        "logits": {str(i): own.copy() for i, own in seats.logits.items()},
        "legal": {str(i): own.copy() for i, own in enumerate(seats.legal)},
    }


def _restore_seats(seats: Seats, record: dict[str, Any]) -> None:
    """Put seats where ``_seats_record`` found them."""
    for player in seats.learns:
        seats.logits[player] = np.array(record["logits"][str(player)])
    seats.legal = [np.array(record["legal"][str(i)]) for i in range(len(seats.legal))]


def _values_record(values: ValueMeans) -> dict[str, Any]:
    """Return values as plain data, copied."""
    return {"values": values.values.copy(), "visits": values.visits.copy()}


def _values_from_record(record: dict[str, Any]) -> ValueMeans:
    """Return the values that ``_values_record`` wrote."""
    return ValueMeans(np.array(record["values"]), np.array(record["visits"]))
