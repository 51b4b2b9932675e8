"""What finished episodes paid, and how long they were: the metrics that every learner reports."""

import numpy as np

from learners.batch import BatchTurn
from learners.snapshots import Kept


class EpisodeTally(Kept):
    """Undiscounted returns and lengths of the episodes being played, and of those finished.

    Attributes:
        finished: Episodes that ended since last asked for metrics.
    """

    KEPT = ("_returns", "_lengths", "finished", "_paid", "_steps")

    def __init__(self, players: tuple[str, ...], num_episodes: int) -> None:
        self._players = players
        self._shape = (num_episodes, len(players))
        self.begin()
        self._clear()

    def begin(self) -> None:
        """Drop the episodes being played."""
        self._returns = np.zeros(self._shape)
        self._lengths = np.zeros(self._shape[0], dtype=np.int64)

    def _clear(self) -> None:
        self.finished = 0
        self._paid = np.zeros(self._shape[1])
        self._steps = 0

    def add(self, turn: BatchTurn) -> None:
        """Count the step that led to a moment."""
        self._returns += turn.rewards
        self._lengths += 1
        over = turn.is_over
        if over.any():
            self.finished += int(over.sum())
            self._paid += self._returns[over].sum(axis=0)
            self._steps += int(self._lengths[over].sum())
            self._returns[over] = 0.0
            self._lengths[over] = 0

    def metrics(self) -> dict[str, float]:
        """Return the means since last asked; nothing where no episode was finished."""
        if not self.finished:
            return {}
        means = self._paid / self.finished
        metrics = {
            f"return/{label}": float(mean) for label, mean in zip(self._players, means, strict=True)
        }
        metrics["length"] = self._steps / self.finished
        self._clear()
        return metrics
