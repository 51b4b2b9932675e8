"""Replay: the last transitions of play in flat arrays, drawn from evenly.

A transition says what was seen and done, what it paid until the next decision that counts, what
was seen there, and by which factor the value of that counts: a power of the discount, or zero where
play had ended.

From turns of play to transitions between a player's own decisions, ``steps`` of them apart.

A player need not act in every turn. What is paid between two own decisions belongs to the first,
discounted by the turns in between; with ``steps`` decisions a transition, so do the rewards of the
next ones. The end of an episode ends all its transitions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import counted, require_integer
from gametheory_core.errors import InvalidArgument
from learners.batch import Snapshot
from learners.snapshots import Kept
from learners.streams import generator_state, restore_generator

MAX_REPLAY_BYTES = 2**30


@dataclass(frozen=True, eq=False)
class Transitions:
    """``B`` transitions.

    Attributes:
        observations (B,): What was seen: numbers, or features.
        actions (B,): What was done.
        rewards (B,): What it paid until the next observation, discounted.
        next_observations: What was seen then.
        next_legal (B, A): What could be done then; ignored where play had ended.
        next_discounts (B,): Factor on the value of what was seen then; 0 where play had ended.
    """

    observations: NDArray[Any]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float32]
    next_observations: NDArray[Any]
    next_legal: NDArray[np.bool_]
    next_discounts: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.actions)


def observation_array(shape: tuple[int, ...], num_features: int) -> NDArray[Any]:
    """Return room for so many observations: numbers, or ``num_features`` features each."""
    if num_features:
        return np.zeros((*shape, num_features), dtype=np.float32)
    return np.zeros(shape, dtype=np.int64)


_NAMES = tuple(field.name for field in fields(Transitions))


class Replay:
    """A ring of transitions: once full, the oldest make room.

    Args:
        capacity: Transitions kept.
        num_features: 0 where observations are numbered.
        rng: Draws the samples; its state belongs to the snapshot.
        max_bytes: The most memory the arrays may take.

    Raises:
        InvalidArgument: If an option makes no sense, or the arrays would be larger than
            ``max_bytes``.

    >>> replay = Replay(capacity=2, num_features=1, num_actions=2, rng=np.random.default_rng(1))
    >>> one = np.ones(3, dtype=np.float32)
    >>> legal = np.ones((3, 2), dtype=bool)
    >>> actions = np.array([0, 1, 1])
    >>> replay.add(Transitions(one[:, None], actions, one, one[:, None], legal, one))
    >>> len(replay), replay.sample(3).actions.tolist()
    (2, [1, 1, 1])
    """

    EPISODES = ("rng",)  # of a snapshot

    def __init__(
        self,
        *,
        capacity: int,
        num_features: int,
        num_actions: int,
        rng: np.random.Generator,
        max_bytes: int = MAX_REPLAY_BYTES,
    ) -> None:
        require_integer(capacity, name="capacity", low=1)
        require_integer(max_bytes, name="max_bytes", low=1)
        size = capacity * ((8 * num_features or 16) + num_actions + 16)
        if size > max_bytes:
            raise InvalidArgument(
                needs=f"at most {counted(max_bytes)} bytes",
                found=f"{counted(capacity)} transitions of {num_features:,} features and "
                f"{num_actions:,} actions take {counted(size)}",
                remedy="Keep fewer (capacity), or allow more (max_bytes).",
            )
        seen = observation_array((capacity,), num_features)
        self._arrays: dict[str, NDArray[Any]] = {
            "observations": seen,
            "actions": np.zeros(capacity, dtype=np.int64),
            "rewards": np.zeros(capacity, dtype=np.float32),
            "next_observations": np.zeros_like(seen),
            "next_legal": np.zeros((capacity, num_actions), dtype=np.bool_),
            "next_discounts": np.zeros(capacity, dtype=np.float32),
        }
        self._capacity = capacity
        self._size = 0
        self._next = 0
        self._rng = rng

    def __len__(self) -> int:
        return self._size

    def add(self, transitions: Transitions) -> None:
        """Keep transitions, in their order; the oldest make room."""
        count = len(transitions)
        if count == 0:
            return
        kept = min(count, self._capacity)
        end = self._next + count
        rows = np.arange(end - kept, end) % self._capacity
        for name, array in self._arrays.items():
            array[rows] = getattr(transitions, name)[count - kept :]
        self._next = end % self._capacity
        self._size = min(self._size + count, self._capacity)

    def sample(self, count: int) -> Transitions:
        """Draw transitions evenly, with replacement.

        Raises:
            InvalidArgument: If nothing has been kept yet.
        """
        if self._size == 0:
            raise InvalidArgument(
                needs="a transition to draw", found="there is none yet", remedy="Add."
            )
        rows = self._rng.integers(self._size, size=count)
        return Transitions(*(self._arrays[name].take(rows, axis=0) for name in _NAMES))

    def snapshot(self) -> Snapshot:
        """Return a copy of what is kept, and where chance stands."""
        kept = {name: self._arrays[name][: self._size].copy() for name in _NAMES}
        return {"kept": kept, "next": self._next, "rng": generator_state(self._rng)}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a replay of the same sizes."""
        kept: Mapping[str, NDArray[Any]] = snapshot["kept"]
        size = len(kept["actions"])
        widths = {name: array.shape[1:] for name, array in self._arrays.items()}
        if size > self._capacity or any(kept[n].shape[1:] != widths[n] for n in _NAMES):
            raise InvalidArgument(
                needs="a snapshot of a replay of its own sizes",
                found=f"got {size:,} transitions of observations {kept['observations'].shape[1:]} "
                f"and {kept['next_legal'].shape[1]} actions",
                remedy="Make it with the same options.",
            )
        for name in _NAMES:
            self._arrays[name][:size] = kept[name]
        self._size = size
        self._next = int(snapshot["next"])
        restore_generator(self._rng, snapshot["rng"])


_STATE = ("observations", "actions", "rewards", "discounts", "counts")


class DecisionSteps(Kept):
    """The open transitions of one player in ``E`` episodes, the oldest first.

    Call ``decide`` with every turn's decisions, then ``pay`` with what the step brought; both
    return the transitions completed by it.

    Args:
        num_features: 0 where observations are numbered.
        steps: Own decisions a transition spans.
        discount: Factor a turn.
        max_bytes: The most memory they may take.

    Raises:
        InvalidArgument: If they would take more.
    """

    KEPT = ("_arrays",)

    def __init__(
        self,
        *,
        num_episodes: int,
        num_features: int,
        steps: int,
        discount: float,
        max_bytes: int = MAX_REPLAY_BYTES,
    ) -> None:
        size = num_episodes * steps * ((4 * num_features or 8) + 24)
        if size > max_bytes:
            raise InvalidArgument(
                needs=f"at most {counted(max_bytes)} bytes",
                found=f"open transitions of {counted(steps)} decisions in {counted(num_episodes)} "
                f"episodes take {counted(size)}",
                remedy="Span fewer decisions, or play fewer episodes at once.",
            )
        shape = (num_episodes, steps)
        self._arrays: dict[str, NDArray[Any]] = {
            "observations": observation_array(shape, num_features),
            "actions": np.zeros(shape, dtype=np.int64),
            "rewards": np.zeros(shape),
            "discounts": np.zeros(shape),
            "counts": np.zeros(num_episodes, dtype=np.int64),
        }
        self._steps = steps
        self._discount = discount

    def decide(
        self,
        *,
        observations: NDArray[Any],
        legal: NDArray[np.bool_],
        actions: NDArray[np.int64],
        acts: NDArray[np.bool_],
    ) -> Transitions:
        """Open a transition where the player acts; observations (E,) or (E, F), legal (E, A)."""
        own, counts = self._arrays, self._arrays["counts"]
        full = np.flatnonzero(acts & (counts == self._steps))
        done = self._completed(full, np.zeros_like(full), observations[full], legal[full])
        if self._steps > 1:
            for name in ("observations", "actions", "rewards", "discounts"):
                own[name][full, :-1] = own[name][full, 1:]
        counts[full] -= 1
        rows = np.flatnonzero(acts)
        slots = counts[rows]
        own["observations"][rows, slots] = observations[rows]
        own["actions"][rows, slots] = actions[rows]
        own["rewards"][rows, slots] = 0.0
        own["discounts"][rows, slots] = 1.0
        counts[rows] += 1
        return done

    def earn(self, rewards: NDArray[np.float64]) -> None:
        """Add what a step paid, (E,)."""
        own = self._arrays
        own["rewards"] += own["discounts"] * rewards[:, None]
        own["discounts"] *= self._discount

    def pay(
        self,
        *,
        rewards: NDArray[np.float64],
        ends: NDArray[np.bool_],
        is_worthless: NDArray[np.bool_],
        final_observations: NDArray[Any],
        final_legal: NDArray[np.bool_],
    ) -> Transitions:
        """Add what a step paid, and close all transitions of episodes that ended.

        Args:
            rewards (E,)
            ends (E,): Where the step ended the episode.
            is_worthless (E,): Where nothing can follow the end, so that its value is 0.
            final_observations, final_legal (E,): What was seen and could be done at the end; read
                where episodes ended.
        """
        own, counts = self._arrays, self._arrays["counts"]
        self.earn(rewards)
        own["discounts"][is_worthless] = 0.0
        is_open = np.arange(self._steps) < (counts * ends)[:, None]
        rows, slots = np.nonzero(is_open)
        counts[ends] = 0
        return self._completed(rows, slots, final_observations[rows], final_legal[rows])

    def _completed(
        self,
        rows: NDArray[np.int64],
        slots: NDArray[np.int64],
        next_observations: NDArray[Any],
        next_legal: NDArray[np.bool_],
    ) -> Transitions:
        own = self._arrays
        with np.errstate(over="ignore"):  # what is too large becomes infinite, and is found so
            rewards = own["rewards"][rows, slots].astype(np.float32)
        return Transitions(
            observations=own["observations"][rows, slots],
            actions=own["actions"][rows, slots],
            rewards=rewards,
            next_observations=next_observations,
            next_legal=next_legal,
            next_discounts=own["discounts"][rows, slots].astype(np.float32),
        )
