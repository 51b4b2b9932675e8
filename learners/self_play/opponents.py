"""Frozen policies at play: all tables in one stack, networks one after another.

Place 0 is the live policy as it was frozen last, place ``k + 1`` is snapshot ``k``. A stack larger
than it may be in memory lies in a file that nobody sees, and goes when the process ends.
"""

import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument
from learners.batch import Snapshot
from learners.frozen import FrozenPolicy, Remembering, Table

LIVE = 0
NO_ACTION = -1
MOST_BYTES = 2**30  # of tables in memory


class Opponents:
    """Frozen policies that play in the seats the live policy leaves.

    Args:
        shape: Observations and actions of a table; (0, actions) where policies are networks.
        lanes: Episodes times seats.
        most_bytes: Of tables in memory; larger stacks lie on disk.
    """

    def __init__(self, shape: tuple[int, int], *, lanes: int, most_bytes: int = MOST_BYTES) -> None:
        self._shape = shape
        self._most_bytes = most_bytes
        self._stack = self._room(2)
        self._count = 1
        self._networks: dict[int, Remembering] = {}
        self._previous = np.full(lanes, NO_ACTION, dtype=np.int64)
        self._memory = np.zeros((lanes, 0), dtype=np.float32)

    # Who is there

    def put(self, place: int, policy: FrozenPolicy) -> None:
        """Put a policy into a place; one more place may be used than are."""
        if not isinstance(policy, np.ndarray):
            if not hasattr(policy, "shares"):
                raise InvalidArgument(
                    needs="frozen policies, tables or networks", found=f"got {shown(policy)}"
                )
            self._networks[place] = policy
            width = policy.memory_width
            if self._memory.shape[1] < width:
                more = width - self._memory.shape[1]
                self._memory = np.pad(self._memory, ((0, 0), (0, more)))
        elif policy.shape != self._shape:
            raise InvalidArgument(
                needs=f"snapshots of this game, tables of shape {self._shape}",
                found=f"got one of shape {policy.shape}",
                remedy="Make the menagerie of the same game, seen in the same way.",
            )
        else:
            self._networks.pop(place, None)
            if place >= len(self._stack):
                self._grow(max(place + 1, 2 * len(self._stack)))
            self._stack[place] = policy
        self._count = max(self._count, place + 1)

    def keep_only(self, policies: Sequence[FrozenPolicy]) -> None:
        """Make these the snapshots, in order."""
        self._networks = {k: v for k, v in self._networks.items() if k == LIVE}
        self._count = 1
        for number, policy in enumerate(policies):
            self.put(number + 1, policy)

    def _grow(self, places: int) -> None:
        stack = self._room(places)
        stack[: len(self._stack)] = self._stack
        self._stack = stack

    def _room(self, places: int) -> Table:
        shape = (places, *self._shape)
        if 8 * int(np.prod(shape)) <= self._most_bytes:
            return np.zeros(shape)
        with tempfile.TemporaryFile() as file:  # the mapping keeps it
            return np.memmap(file, dtype=np.float64, mode="w+", shape=shape)

    @property
    def lies_on_disk(self) -> bool:
        """Whether tables are too large for the memory they may take."""
        return isinstance(self._stack, np.memmap)

    # Play

    @property
    def tables(self) -> Table | None:
        """All policies by place, (places, O, A), if none of them is a network."""
        return None if self._networks else self._stack

    def act(
        self,
        lanes: NDArray[np.int64],
        places: NDArray[np.int64],
        observations: NDArray[Any],
        legal: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Draw what opponents do, one network after another.

        Args:
            lanes (R,): Episode and seat, as one number each.
            places (R,): Who sits there.
            observations (R,): As policies number them; or features (R, F).
            legal (R, A)
        """
        from learners._kernels.live_play import draw_each  # noqa: PLC0415 loads numba

        numbers = rng.random(len(lanes))
        shares = np.empty(legal.shape)
        for place in np.unique(places).tolist():
            own = places == place
            network = self._networks.get(place)
            if network is None:
                shares[own] = self._stack[place, observations[own]]
                continue
            who = lanes[own]
            width = network.memory_width
            shares[own], self._memory[who, :width] = network.shares(
                observations[own], self._previous[who], legal[own], self._memory[who, :width]
            )
        actions = np.zeros(len(lanes), dtype=np.int64)
        draw_each(shares, legal, numbers, actions)
        self._previous[lanes] = actions
        return actions

    def forget(self, lanes: NDArray[np.int64]) -> None:
        """Begin new episodes in these lanes."""
        self._previous[lanes] = NO_ACTION
        self._memory[lanes] = 0.0

    # Going on later

    def snapshot(self) -> Snapshot:
        """Return what is remembered in the lanes; who is there, the menagerie says."""
        return {"previous": self._previous.copy(), "memory": self._memory.copy()}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go back to a snapshot."""
        self._previous = np.array(snapshot["previous"], dtype=np.int64)
        self._memory = np.array(snapshot["memory"], dtype=np.float32)
