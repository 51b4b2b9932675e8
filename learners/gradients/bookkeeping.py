"""What policy-gradient learners report, note and write down alike."""

from typing import Any

import numpy as np

from learners.gradients.rollouts import Rollout
from learners.gradients.seats import Seats
from learners.gradients.value_means import ValueMeans


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


def seats_record(seats: Seats) -> dict[str, Any]:
    """Return logits and what is known of legal actions, as plain data, copied."""
    return {
        "logits": {str(i): own.copy() for i, own in seats.logits.items()},
        "legal": {str(i): own.copy() for i, own in enumerate(seats.legal)},
    }


def restore_seats(seats: Seats, record: dict[str, Any]) -> None:
    """Put seats where ``seats_record`` found them."""
    for player in seats.learns:
        seats.logits[player] = np.array(record["logits"][str(player)])
    seats.legal = [np.array(record["legal"][str(i)]) for i in range(len(seats.legal))]


def values_record(values: ValueMeans) -> dict[str, Any]:
    """Return values as plain data, copied."""
    return {"values": values.values.copy(), "visits": values.visits.copy()}


def values_from_record(record: dict[str, Any]) -> ValueMeans:
    """Return the values that ``values_record`` wrote."""
    return ValueMeans(np.array(record["values"]), np.array(record["visits"]))
