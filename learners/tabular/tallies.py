"""Tallies: returns, lengths and errors of an iteration, for its metrics."""

from collections.abc import Mapping

import numpy as np

from learners.batch import BatchTurn
from learners.snapshots import Kept


class Tallies(Kept):
    """What happened since the last report, and what the episodes under way have paid so far.

    Attributes:
        ended (int): Episodes that ended since the last report.
    """

    KEPT = ("_paid", "_length", "ended", "_returns", "_lengths", "_errors", "_updates")

    def __init__(self, players: tuple[str, ...], episodes: int) -> None:
        self._players = players
        self._paid = np.zeros((episodes, len(players)))
        self._length = np.zeros(episodes, dtype=np.int64)
        self._clear()

    def _clear(self) -> None:
        self.ended = 0
        self._returns = np.zeros(len(self._players))
        self._lengths = 0
        self._errors = np.zeros(len(self._players))
        self._updates = np.zeros(len(self._players), dtype=np.int64)

    def count(self, turn: BatchTurn) -> None:
        """Count a step."""
        self._paid += turn.rewards
        self._length += 1
        over = turn.is_over
        if over.any():
            self.ended += int(over.sum())
            self._returns += self._paid[over].sum(axis=0)
            self._lengths += int(self._length[over].sum())
            self._paid[over] = 0.0
            self._length[over] = 0

    def add_error(self, player: int, total: float, count: int) -> None:
        """Count updates and the sum of their absolute errors."""
        self._errors[player] += total
        self._updates[player] += count

    def report(self) -> Mapping[str, float]:
        """Return means since the last report, and begin anew; what never happened is left out."""
        out: dict[str, float] = {}
        for i, label in enumerate(self._players):
            if self.ended:
                out[f"return/{label}"] = float(self._returns[i] / self.ended)
            if self._updates[i]:
                out[f"error/{label}"] = float(self._errors[i] / self._updates[i])
        if self.ended:
            out["length"] = self._lengths / self.ended
        self._clear()
        return out
