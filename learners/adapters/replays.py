"""Episodes of foreign environments, told by a seed and the actions, so that they can be resumed."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument
from learners.batch import Snapshot
from learners.rows import Moment

_LARGEST_SEED = 2**31 - 1


class Play(Protocol):
    """A foreign environment, with its agents in order."""

    def begin(self, seed: int) -> Moment:
        """Begin an episode."""
        ...

    def act(self, actions: NDArray[np.int64]) -> Moment:
        """Let those who act do so."""
        ...


def episode_seed(seed: int, episode: int) -> int:
    """Return the seed with which episode ``episode`` of a batch's seed begins."""
    words = np.random.SeedSequence(seed, spawn_key=(episode,)).generate_state(1)
    return int(words[0]) % _LARGEST_SEED


class ReplayedRow:
    """A row whose snapshots are a seed and actions: going back plays the episode again."""

    def __init__(
        self, make: Callable[[], Play], *, seed: int, first: int, stride: int, name: str
    ) -> None:
        self._play = make()
        self._seed = seed
        self._stride = stride
        self._episode = first - stride
        self._name = name
        self._actions: list[list[int]] = []
        self._moment: Moment | None = None

    def begin(self) -> Moment:
        """Begin the next episode of this row."""
        self._episode += self._stride
        return self._begin()

    def _begin(self) -> Moment:
        self._actions = []
        self._moment = self._play.begin(episode_seed(self._seed, self._episode))
        return self._moment

    def act(self, actions: NDArray[np.int64]) -> Moment:
        """Let those who act do so."""
        self._actions.append([int(a) for a in actions])
        self._moment = self._play.act(actions)
        return self._moment

    def snapshot(self) -> Snapshot:
        """Return the number of the episode, its actions so far, and what they led to."""
        seen = () if self._moment is None else self._moment.observations
        return {
            "seed": self._seed,
            "episode": self._episode,
            "actions": np.array(self._actions, dtype=np.int64),
            "seen": [np.array(own) for own in seen],
        }

    def restore(self, snapshot: Snapshot) -> Moment | None:
        """Play the episode again up to where it was.

        Raises:
            InvalidArgument: If it does not lead to what was seen then.
        """
        if snapshot["seed"] != self._seed:
            raise InvalidArgument(
                needs=f"a snapshot with seed {self._seed}",
                found=f"its seed is {snapshot['seed']!r}",
                remedy="Make the batch with the options it had.",
                where="restore",
            )
        self._episode = int(snapshot["episode"])
        if not snapshot["seen"]:
            self._moment = None
            return None
        moment = self._begin()
        for actions in np.asarray(snapshot["actions"], dtype=np.int64):
            moment = self.act(actions)
        pairs: list[tuple[Any, Any]] = list(zip(moment.observations, snapshot["seen"], strict=True))
        if not all(np.array_equal(found, kept) for found, kept in pairs):
            raise InvalidArgument(
                needs="an environment whose episodes follow from seed and actions",
                found=f"{self._name} shows something else when its episode is played again",
                remedy="Resume between episodes, or seed all its random numbers in reset.",
                where="restore",
            )
        return moment
