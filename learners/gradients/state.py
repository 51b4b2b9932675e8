"""What policy-gradient learners report, note and write down alike.

Who learns and who plays along: options that policy-gradient learners share, checked.

What observations have been worth: means that move towards what was found last.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer
from gametheory_core.errors import InvalidArgument
from gametheory_core.strategies.policies import Policy, PolicyProfile
from learners.batch import BatchedEnvironment, Snapshot
from learners.gradients.rollouts import Rollout
from learners.gradients.softmax import Adam, Table, adam_from_record, adam_record, softmax_policy
from learners.policies import observed_policy
from learners.seats import learning_players, require_numbers
from learners.snapshots import require_fitting
from learners.streams import generator_state, restore_generator

Others: TypeAlias = Mapping[int, Table]


class Seats:
    """The players of an environment: logits of those who learn, mixed actions of the others.

    Attributes:
        learns: Who learns.
        logits (dict): Of each who learns, (O, A).
        legal (O, A): One a player: as the environment knows it beforehand, else as met so far.
    """

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        learns: tuple[int, ...] | None,
        others: Others | None,
        function: str,
    ) -> None:
        require_numbers(environment, function=function)
        chosen = learning_players(environment, learns, function=function)
        self.learns = tuple(sorted(chosen))
        shapes = list(zip(environment.num_observations, environment.num_actions, strict=True))
        self._is_legal_known = bool(environment.legal)
        self.legal: list[NDArray[np.bool_]] = list(environment.legal) or [
            np.ones(shape, dtype=np.bool_) for shape in shapes
        ]
        self._others = _checked_others(dict(others or {}), self.learns, shapes, function)
        self.logits = {player: np.zeros(shapes[player]) for player in self.learns}
        self._environment = environment

    def tables(self) -> list[Table]:
        """Return how each player plays, (O, A) a player."""
        return [self.table(player) for player in range(len(self.legal))]

    def table(self, player: int) -> Table:
        """Return how a player plays, (O, A)."""
        if player in self.logits:
            return softmax_policy(self.logits[player], self.legal[player])
        given = self._others.get(player)
        if given is not None:
            return given
        return softmax_policy(np.zeros(self.legal[player].shape), self.legal[player])

    def note(self, player: int, observations: NDArray[np.int64], legal: NDArray[np.bool_]) -> None:
        """Remember what was legal where a player acted, unless the environment says it."""
        if not self._is_legal_known:
            met = self.legal[player].copy()
            met[observations] = legal[:, : met.shape[1]]
            self.legal[player] = met

    def policies(self) -> PolicyProfile:
        """Return exact policies of all players."""
        return tuple(self._policy(player) for player in range(len(self.legal)))

    def _policy(self, player: int) -> Policy:
        table = self.table(player)

        def last(seen: NDArray[np.int64]) -> NDArray[np.float64]:
            return table[seen[-1]]

        return observed_policy(self._environment, player, last)


def _checked_others(
    others: dict[int, Table],
    learns: tuple[int, ...],
    shapes: list[tuple[int, int]],
    function: str,
) -> dict[int, Table]:
    kept: dict[int, Table] = {}
    for player, given in others.items():
        require_integer(player, function=function, name="others", low=0, high=len(shapes) - 1)
        table = np.array(given, dtype=np.float64)
        if player in learns:
            raise InvalidArgument(
                f"{function}: needs in others players who do not learn, but player {player} does. "
                "Leave it out of learns or of others."
            )
        if table.shape != shapes[player]:
            raise InvalidArgument(
                f"{function}: needs others[{player}] of shape {shapes[player]}, observations by "
                f"actions, but its shape is {table.shape}."
            )
        if not (table >= 0).all() or not np.allclose(table.sum(axis=1), 1.0):
            row = int(
                np.flatnonzero((table < 0).any(axis=1) | (abs(table.sum(axis=1) - 1) > 1e-8))[0]
            )
            raise InvalidArgument(
                f"{function}: needs mixed actions in others[{player}], but row {row} is "
                f"{table[row].tolist()}."
            )
        kept[player] = table
    return kept


@dataclass(frozen=True, eq=False)
class ValueMeans:
    """Believed values of one player's observations.

    Attributes:
        values (O,): Zero before the first visit.
        visits (O,)
    """

    values: NDArray[np.float64]
    visits: NDArray[np.int64]

    def moved(
        self,
        observations: NDArray[np.int64],
        worths: NDArray[np.float64],
        *,
        step_size: float,
    ) -> "ValueMeans":
        """Return values moved towards the means of the samples; at first visits, put there."""
        size = len(self.values)
        counts = np.bincount(observations, minlength=size)
        means = np.bincount(observations, worths, size) / np.maximum(counts, 1)
        share = np.where(self.visits > 0, step_size, 1.0) * (counts > 0)
        return ValueMeans(self.values + share * (means - self.values), self.visits + counts)


def value_means(size: int) -> ValueMeans:
    """Return values of observations never visited.

    >>> first = value_means(2).moved(np.array([1, 1]), np.array([2.0, 4.0]), step_size=0.1)
    >>> first.values.tolist()
    [0.0, 3.0]
    >>> first.moved(np.array([1]), np.array([13.0]), step_size=0.1).values.tolist()
    [0.0, 4.0]
    """
    return ValueMeans(np.zeros(size), np.zeros(size, dtype=np.int64))


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
