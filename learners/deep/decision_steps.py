"""From turns of play to transitions between a player's own decisions, ``steps`` of them apart.

A player need not act in every turn. What is paid between two own decisions belongs to the first,
discounted by the turns in between; with ``steps`` decisions a transition, so do the rewards of the
next ones. The end of an episode ends all its transitions.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import counted
from gametheory_core.errors import InvalidArgument
from learners.batch import Snapshot
from learners.deep.replay import MAX_REPLAY_BYTES, Transitions, observation_array

_STATE = ("observations", "actions", "rewards", "discounts", "counts")


class DecisionSteps:
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
        own["rewards"] += own["discounts"] * rewards[:, None]
        own["discounts"] *= self._discount
        own["discounts"][is_worthless] = 0.0
        is_open = np.arange(self._steps) < counts[:, None]
        rows, slots = np.nonzero(ends[:, None] & is_open)
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

    def snapshot(self) -> Snapshot:
        """Return a copy of the open transitions."""
        return {name: self._arrays[name].copy() for name in _STATE}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of transitions of the same sizes."""
        for name in _STATE:
            self._arrays[name][...] = snapshot[name]
