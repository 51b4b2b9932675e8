"""Single plays side by side: whatever plays one episode at a time, packed into a batch."""

import zlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import InformationState
from learners.batch import BatchTurn, Snapshot, as_actions
from learners.snapshots import require_fitting

Observe: TypeAlias = Callable[[int, InformationState], NDArray[Any]]
Labels: TypeAlias = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, eq=False)
class Moment:
    """One moment of one episode.

    Attributes:
        observations: What each player sees: a number, or a vector of features.
        legal: What each player may do.
        acts: Who is to act; nobody after the end.
        rewards: What was paid since the last moment.
    """

    observations: tuple[Any, ...]
    legal: tuple[NDArray[np.bool_], ...]
    acts: tuple[bool, ...]
    rewards: tuple[float, ...]
    is_terminal: bool = False
    is_truncated: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return self.is_terminal or self.is_truncated


class Row(Protocol):
    """What plays one episode of a batch at a time."""

    def begin(self) -> Moment:
        """Begin an episode."""
        ...

    def act(self, actions: NDArray[np.int64]) -> Moment:
        """Let those who act do as ``actions`` (N,) says, if it is legal."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on from here."""
        ...

    def restore(self, snapshot: Snapshot) -> Moment | None:
        """Go back to a snapshot; return the moment that was there, None if nothing had begun."""
        ...


@dataclass(frozen=True, eq=False)
class Frame:
    """What does not change in a batch; as in ``BatchedEnvironment``."""

    players: tuple[str, ...]
    num_observations: tuple[int, ...]
    num_features: tuple[int, ...]
    action_labels: tuple[tuple[Hashable, ...], ...]
    discount: float
    horizon: int | None


class RowBatch:
    """Rows played side by side; satisfies ``BatchedEnvironment``."""

    def __init__(
        self,
        frame: Frame,
        rows: Sequence[Row],
        observe: Observe,
        *,
        labels: Callable[[], Labels] = tuple,
    ) -> None:
        self.frame = frame
        self._labels = labels
        self._rows = tuple(rows)
        self.players = frame.players
        self.num_episodes = len(self._rows)
        self.num_observations = frame.num_observations
        self.num_features = frame.num_features
        self.num_actions = tuple(map(len, frame.action_labels))
        self.action_labels = frame.action_labels
        self.discount = frame.discount
        self.horizon = frame.horizon
        self._observe = observe
        self._moments: list[Moment] = []
        self._owed = np.zeros((len(self._rows), len(frame.players)))  # paid before the first turn

    legal = ()

    @property
    def observation_labels(self) -> Labels:
        """What each player's numbered observations stand for, as far as they have been met."""
        return self._labels()

    def reset(self) -> BatchTurn:
        """Begin new episodes."""
        self._moments = [row.begin() for row in self._rows]
        self._owed[...] = [moment.rewards for moment in self._moments]
        nothing = np.zeros(len(self._rows), dtype=np.bool_)
        return self._packed(self._moments, np.zeros_like(self._owed), nothing, nothing)

    def step(self, actions: NDArray[np.int64]) -> BatchTurn:
        """Let all act.

        Raises:
            InvalidArgument: If there was no reset, the shape is wrong, or an action is not legal.
        """
        chosen = as_actions(actions, shape=self._owed.shape, is_begun=bool(self._moments))
        for e, moment in enumerate(self._moments):
            self._refuse_illegal(e, moment, chosen[e])
        rewards = self._owed.copy()
        self._owed[...] = 0.0
        ends: list[Moment] = []
        for e, (row, moment) in enumerate(zip(self._rows, self._moments, strict=True)):
            end = moment  # over before anyone could act
            if not moment.is_over:
                end = row.act(chosen[e])
                rewards[e] += end.rewards
            ends.append(end)
            self._moments[e] = end
            if end.is_over:
                self._moments[e] = row.begin()
                self._owed[e] = self._moments[e].rewards
        return self._packed(
            ends,
            rewards,
            np.array([end.is_terminal for end in ends]),
            np.array([end.is_truncated for end in ends]),
        )

    def _refuse_illegal(self, e: int, moment: Moment, actions: NDArray[np.int64]) -> None:
        for player, acts in enumerate(moment.acts):
            action, legal = int(actions[player]), moment.legal[player]
            if acts and not (0 <= action < len(legal) and legal[action]):
                labels = self.action_labels[player]
                named = f", which is {labels[action]!r}" if 0 <= action < len(labels) else ""
                raise InvalidArgument(
                    needs="legal actions",
                    found=f"{self.players[player]!r} in row {e} gives {action}{named}",
                    remedy=f"Legal are {[labels[a] for a in np.flatnonzero(legal)]}; see the "
                    "turn's legal.",
                )

    def _packed(
        self,
        ends: list[Moment],
        rewards: NDArray[np.float64],
        is_terminal: NDArray[np.bool_],
        is_truncated: NDArray[np.bool_],
    ) -> BatchTurn:
        most = max(self.num_actions)
        shape = rewards.shape
        legal = np.zeros((*shape, most), dtype=np.bool_)
        for e, moment in enumerate(self._moments):
            for i, own in enumerate(moment.legal):
                legal[e, i, : len(own)] = own
        return BatchTurn(
            observations=self._shown(self._moments),
            legal=legal,
            acts=np.array([moment.acts for moment in self._moments]),
            rewards=rewards,
            is_terminal=is_terminal,
            is_truncated=is_truncated,
            final_observations=self._shown(ends),
        )

    def _shown(self, moments: list[Moment]) -> NDArray[Any]:
        shape = (len(moments), len(self.players))
        if not any(self.num_features):
            return np.array([m.observations for m in moments], dtype=np.int64).reshape(shape)
        shown = np.zeros((*shape, max(self.num_features)), dtype=np.float32)
        for e, moment in enumerate(moments):
            for i, vector in enumerate(moment.observations):
                shown[e, i, : len(vector)] = vector
        return shown

    def observe(self, player: int, information_state: InformationState) -> NDArray[Any]:
        """Return how each observation of an information state, in order, would be shown."""
        return self._observe(player, information_state)

    def snapshot(self) -> Snapshot:
        """Return what brings all rows back to where they are."""
        return {
            "rows": [row.snapshot() for row in self._rows],
            "owed": self._owed.copy(),
            "met": [[len(own), _fingerprint(own)] for own in self._labels()],
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a batch made in the same way.

        Raises:
            InvalidArgument: If it is of other players, has another number of rows, or observations
                were numbered otherwise.
        """
        require_fitting(snapshot, self.snapshot(), ignored=("rows", "owed", "met"))
        rows = snapshot["rows"]
        if len(rows) != len(self._rows):
            raise InvalidArgument(
                needs=f"a snapshot of {len(self._rows)} episodes",
                found=f"got one of {len(rows)}",
                remedy="Make the batch with the options it had.",
            )
        require_fitting(snapshot, self.snapshot(), ignored=("rows", "met"))
        for own, (count, fingerprint) in zip(self._labels(), snapshot["met"], strict=True):
            if _fingerprint(own[:count]) != fingerprint:
                raise InvalidArgument(
                    needs="observations numbered as they were",
                    found="they were met in another order, or not yet",
                    remedy="Make the batch with the observation_labels of the one that was kept.",
                )
        moments = [row.restore(kept) for row, kept in zip(self._rows, rows, strict=True)]
        self._moments = [moment for moment in moments if moment is not None]
        self._owed[...] = snapshot["owed"]


def _fingerprint(labels: tuple[Hashable, ...]) -> int:
    return zlib.crc32(repr(labels).encode())
