"""Leaders who learn: by meeting the follower, a batch of episodes at a time."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from learners.batch import Snapshot
from learners.stackelberg.encounters import Meeting
from learners.stackelberg.offers import Floats


class Leader(Protocol):
    """Somebody who learns to lead; state inside."""

    @property
    def name(self) -> str:
        """Of the algorithm."""
        ...

    @property
    def iterations(self) -> int:
        """How many iterations are meant to be made."""
        ...

    def improve(
        self, meeting: Meeting, rng: np.random.Generator
    ) -> tuple[Mapping[str, float], int]:
        """Make one iteration; return what is worth watching, and environment steps."""
        ...

    def lotteries(self) -> Floats:
        """Return the policy as it is, shape (O, A)."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that was learned."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        ...
