"""What networks hold for JAM-Q-learning: values of leading, of following, and of picks.

A network keeps the transitions that it learns from. Imported where networks are wanted, since the
library behind them is slow to load.

Decisions that wait for what they lead to, many episodes at once.

A leader's decision waits until the same agent leads again, and gathers what it is paid until then.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.mediation.fairness import MediatorStage
from gametheory_core.mediation.values import MediatorIncentives
from learners.batch import Snapshot
from learners.deep.action_values import ActionValues, CopyEvery, NextValue, ValueLoss, ValueOptions
from learners.deep.agents import Encoding
from learners.deep.network_shapes import Activation, FirstWeights, NetworkShape
from learners.deep.replay import Replay, Transitions
from learners.mediation.led_batch import fairness_of_floats
from learners.snapshots import Kept
from learners.streams import generator_state, restore_generator


class Waiting(Kept):
    """The last decision of one agent in each of ``E`` episodes.

    Args:
        discount: Factor on rewards for each step.
    """

    KEPT = ("is_waiting", "is_disturbed", "shown", "chosen", "gathered", "factor")

    def __init__(self, episodes: int, num_features: int, *, discount: float) -> None:
        self._discount = discount
        self.is_waiting = np.zeros(episodes, dtype=bool)
        self.is_disturbed = np.zeros(episodes, dtype=bool)
        self.shown = np.zeros((episodes, num_features))
        self.chosen = np.zeros(episodes, dtype=np.int64)
        self.gathered = np.zeros(episodes)
        self.factor = np.ones(episodes)

    def decide(
        self, rows: NDArray[np.int64], shown: NDArray[np.float64], chosen: NDArray[np.int64]
    ) -> None:
        """Begin to wait in some episodes, with what was seen and chosen."""
        self.is_waiting[rows] = True
        self.is_disturbed[rows] = False
        self.shown[rows] = shown
        self.chosen[rows] = chosen
        self.gathered[rows] = 0.0
        self.factor[rows] = 1.0

    def gather(self, paid: NDArray[np.float64]) -> None:
        """Add what a step paid, (E,), where something waits."""
        self.gathered += np.where(self.is_waiting, self.factor * paid, 0.0)
        self.factor[self.is_waiting] *= self._discount

    def disturb(self, rows: NDArray[np.int64]) -> None:
        """Note where somebody else explores: what is paid then says little of what was chosen."""
        self.is_disturbed[rows] = True

    def release(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Wait no longer in some episodes; return where something undisturbed waited, (B,)."""
        which = self.is_waiting[rows] & ~self.is_disturbed[rows]
        self.is_waiting[rows] = False
        return which


class ActingNetwork(Kept):
    """Values of an agent's actions as the leader, or of all agents' as followers.

    Args:
        places: Agents that share it.
        discount: For each step.
        capacity: Transitions kept.
        rng: Draws weights and samples.
    """

    KEPT = ("values", "replay", "waiting")

    def __init__(
        self,
        *,
        episodes: int,
        num_features: int,
        num_actions: int,
        places: int,
        discount: float,
        options: ValueOptions,
        capacity: int,
        rng: np.random.Generator,
    ) -> None:
        self.values = ActionValues(
            Encoding(num_observations=0, num_features=num_features),
            num_actions=num_actions,
            options=options,
            rng=rng,
        )
        self.replay = Replay(
            capacity=capacity, num_features=num_features, num_actions=num_actions, rng=rng
        )
        self.waiting = [Waiting(episodes, num_features, discount=discount) for _ in range(places)]

    def best(self, shown: NDArray[np.float64], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the best legal actions, (B,)."""
        return np.where(legal, self.values.values(shown), -np.inf).argmax(axis=1)

    def close(
        self,
        place: int,
        rows: NDArray[np.int64],
        shown: NDArray[np.float64],
        legal: NDArray[np.bool_],
        *,
        ended: bool,
    ) -> None:
        """Keep what became of the decisions that wait in some episodes, (E,) indices.

        ``shown`` (B, F) and ``legal`` (B, A) are what is seen and legal now; nothing follows where
        play has ended.
        """
        waiting = self.waiting[place]
        which = waiting.release(rows)
        rows = rows[which]
        if not len(rows):
            return
        factor = np.zeros(len(rows)) if ended else waiting.factor[rows]
        self.replay.add(
            Transitions(
                observations=waiting.shown[rows].astype(np.float32),
                actions=waiting.chosen[rows],
                rewards=waiting.gathered[rows].astype(np.float32),
                next_observations=shown[which].astype(np.float32),
                next_legal=legal[which],
                next_discounts=factor.astype(np.float32),
            )
        )

    def learn(self, batch_size: int) -> dict[str, float]:
        """Make one step on a batch, if there is one."""
        if len(self.replay) < batch_size:
            return {}
        return self.values.update(self.replay.sample(batch_size))


class PickingNetwork:
    """What everybody is still to get, by leader picked: the mediator's truncated values."""

    def __init__(
        self,
        *,
        episodes: int,
        num_features: int,
        players: int,
        incentives: MediatorIncentives,
        options: ValueOptions,
        capacity: int,
        rng: np.random.Generator,
    ) -> None:
        outputs = players * players
        self._players = players
        self._fairness = incentives.fairness
        self._forgets = incentives.stage is MediatorStage.NAIVE
        self._network = ActionValues(
            Encoding(num_observations=0, num_features=num_features),
            num_actions=outputs,
            options=options,
            rng=rng,
        )
        self._rng = rng
        self._capacity = capacity
        self._size = self._next = 0
        self._kept = {
            "shown": np.zeros((capacity, num_features), dtype=np.float32),
            "leader": np.zeros(capacity, dtype=np.int64),
            "paid": np.zeros((capacity, players)),
            "later": np.zeros((capacity, num_features), dtype=np.float32),
            "past": np.zeros((capacity, players)),
            "continues": np.zeros(capacity, dtype=bool),
        }
        self._waiting: dict[str, NDArray[Any]] = {
            "shown": np.zeros((episodes, num_features)),
            "leader": np.full(episodes, -1, dtype=np.int64),
            "paid": np.zeros((episodes, players)),
            "is_disturbed": np.zeros(episodes, dtype=bool),
        }

    def values(self, shown: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what everybody is still to get, (B, leaders, players)."""
        return self._network.values(shown).reshape(len(shown), self._players, self._players)

    def best(self, values: NDArray[np.float64], past: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the fairest picks, (B,), given values (B, leaders, players), returns (B, N)."""
        totals = values if self._forgets else values + past[:, None, :]
        return fairness_of_floats(self._fairness, totals).argmax(axis=1)

    def decide(
        self, rows: NDArray[np.int64], shown: NDArray[np.float64], leaders: NDArray[np.int64]
    ) -> None:
        """Begin to wait in some episodes for what a pick leads to."""
        self._waiting["shown"][rows] = shown
        self._waiting["leader"][rows] = leaders
        self._waiting["paid"][rows] = 0.0
        self._waiting["is_disturbed"][rows] = False

    def disturb(self, rows: NDArray[np.int64]) -> None:
        """Note where a leader explores."""
        self._waiting["is_disturbed"][rows] = True

    def gather(self, paid: NDArray[np.float64]) -> None:
        """Add what a step paid everybody, (E, N)."""
        self._waiting["paid"] += paid

    def close(
        self,
        rows: NDArray[np.int64],
        shown: NDArray[np.float64],
        past: NDArray[np.float64],
        *,
        ended: bool,
    ) -> None:
        """Keep what became of the picks that wait in some episodes."""
        which = (self._waiting["leader"][rows] >= 0) & ~self._waiting["is_disturbed"][rows]
        closed, rows = rows, rows[which]
        places = (self._next + np.arange(len(rows))) % self._capacity
        self._kept["shown"][places] = self._waiting["shown"][rows]
        self._kept["leader"][places] = self._waiting["leader"][rows]
        self._kept["paid"][places] = self._waiting["paid"][rows]
        self._kept["later"][places] = shown[which]
        self._kept["past"][places] = past[which]
        self._kept["continues"][places] = not ended
        self._next = (self._next + len(rows)) % self._capacity
        self._size = min(self._capacity, self._size + len(rows))
        self._waiting["leader"][closed] = -1

    def learn(self, batch_size: int) -> dict[str, float]:
        """Make one step on a batch, if there is one: one target for each player."""
        if self._size < batch_size:
            return {}
        rows = self._rng.integers(self._size, size=batch_size)
        kept: dict[str, NDArray[Any]] = {name: own[rows] for name, own in self._kept.items()}
        later = self.values(kept["later"])
        best = self.best(later, kept["past"])
        follows = later[np.arange(batch_size), best] * kept["continues"][:, None]
        players = self._players
        outputs = kept["leader"][:, None] * players + np.arange(players)
        return self._network.fit(kept["shown"], outputs, kept["paid"] + follows)

    def snapshot(self) -> dict[str, Any]:
        """Return all that changes, as copies."""
        return {
            "values": self._network.snapshot(),
            "kept": {name: own[: self._size].copy() for name, own in self._kept.items()},
            "next": self._next,
            "waiting": {name: own.copy() for name, own in self._waiting.items()},
            "rng": generator_state(self._rng),
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a network made with the same options."""
        self._network.restore(snapshot["values"])
        self._size = len(snapshot["kept"]["leader"])
        self._next = int(snapshot["next"])
        for name, own in self._kept.items():
            own[: self._size] = snapshot["kept"][name]
        for name, own in self._waiting.items():
            own[...] = snapshot["waiting"][name]
        restore_generator(self._rng, dict(snapshot["rng"]))


def default_options() -> ValueOptions:
    """Return small networks that learn fast."""
    return ValueOptions(
        shape=NetworkShape((64, 64), activation=Activation.RELU),
        first_weights=FirstWeights.ORTHOGONAL,
        next_value=NextValue.LARGEST,
        loss=ValueLoss.SQUARED,
        slow_copy=CopyEvery(100),
        step_size=1e-3,
    )
