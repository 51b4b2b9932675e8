"""Decisions that wait for what they lead to, many episodes at once.

A leader's decision waits until the same agent leads again, and gathers what it is paid until then.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.batch import Snapshot


class Waiting:
    """The last decision of one agent in each of ``E`` episodes.

    Args:
        discount: Factor on rewards for each step.
    """

    def __init__(self, episodes: int, num_features: int, *, discount: float) -> None:
        self._discount = discount
        self.is_waiting = np.zeros(episodes, dtype=bool)
        self.shown = np.zeros((episodes, num_features))
        self.chosen = np.zeros(episodes, dtype=np.int64)
        self.gathered = np.zeros(episodes)
        self.factor = np.ones(episodes)

    def decide(
        self, rows: NDArray[np.int64], shown: NDArray[np.float64], chosen: NDArray[np.int64]
    ) -> None:
        """Begin to wait in some episodes, with what was seen and chosen."""
        self.is_waiting[rows] = True
        self.shown[rows] = shown
        self.chosen[rows] = chosen
        self.gathered[rows] = 0.0
        self.factor[rows] = 1.0

    def gather(self, paid: NDArray[np.float64]) -> None:
        """Add what a step paid, (E,), where something waits."""
        self.gathered += np.where(self.is_waiting, self.factor * paid, 0.0)
        self.factor[self.is_waiting] *= self._discount

    def release(self, rows: NDArray[np.int64]) -> None:
        """Wait no longer in some episodes."""
        self.is_waiting[rows] = False

    def clear(self) -> None:
        """Wait for nothing."""
        self.is_waiting[:] = False

    def snapshot(self) -> dict[str, Any]:
        """Return all that changes, as copies."""
        return {name: np.copy(getattr(self, name)) for name in _NAMES}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of the same sizes."""
        for name in _NAMES:
            getattr(self, name)[...] = snapshot[name]


_NAMES = ("is_waiting", "shown", "chosen", "gathered", "factor")
