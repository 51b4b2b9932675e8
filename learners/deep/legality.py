"""Which actions were legal where: kept while playing, asked when what was learned is written out.

Legal actions depend on the own last observation alone, so what was seen once holds for good.
"""

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.batch import BatchedEnvironment, BatchTurn


class LegalActions:
    """Legal actions of each player after each observation met so far; all where none was met."""

    def __init__(self, environment: BatchedEnvironment) -> None:
        self._counts = environment.num_actions
        # Games that were tabulated know it beforehand.
        known = environment.legal
        self._is_known = bool(known)
        sizes = zip(environment.num_observations, environment.num_actions, strict=True)
        self._tables = [
            np.array(known[player]) if known and numbers else np.ones((numbers, actions), np.bool_)
            for player, (numbers, actions) in enumerate(sizes)
        ]
        # Features have no numbers: what restricts actions is kept by its bytes.
        self._widths = environment.num_features
        self._restricted: list[dict[bytes, NDArray[np.bool_]]] = [{} for _ in self._counts]

    def copy(self) -> "LegalActions":
        """Return what is known now, for good."""
        twin = copy.copy(self)
        twin.restore(self.snapshot())
        return twin

    def note(self, turn: BatchTurn) -> None:
        """Keep what a moment shows."""
        if self._is_known:
            return
        for player, count in enumerate(self._counts):
            acts = turn.acts[:, player]
            legal = turn.legal[acts, player, :count]
            seen = turn.observations[acts, player]
            if not self._widths[player]:
                self._tables[player][seen] = legal
                continue
            for row in np.flatnonzero(~legal.all(axis=-1)):
                self._restricted[player][self._key(player, seen[row])] = legal[row].copy()

    def after(self, player: int, observation: Any) -> NDArray[np.bool_]:
        """Return what a player may do after an observation, as ``environment.observe`` shows it."""
        if not self._widths[player]:
            return self._tables[player][int(observation)]
        key = self._key(player, np.asarray(observation))
        return self._restricted[player].get(key, np.ones(self._counts[player], dtype=np.bool_))

    def _key(self, player: int, features: NDArray[Any]) -> bytes:
        return np.ascontiguousarray(features[: self._widths[player]], dtype=np.float64).tobytes()

    def snapshot(self) -> dict[str, Any]:
        """Return all that was kept."""
        return {
            "tables": [table.copy() for table in self._tables],
            "restricted": [
                {
                    "features": np.array([np.frombuffer(key) for key in own]),
                    "legal": np.array(list(own.values())),
                }
                for own in self._restricted
            ],
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Know again what a snapshot knew."""
        self._tables = [np.array(table, dtype=np.bool_) for table in snapshot["tables"]]
        self._restricted = [
            {
                np.asarray(key, dtype=np.float64).tobytes(): np.array(legal, dtype=np.bool_)
                for key, legal in zip(own["features"], own["legal"], strict=True)
            }
            for own in snapshot["restricted"]
        ]
