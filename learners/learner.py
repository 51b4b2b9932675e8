"""Learners: who improves by playing."""

from collections.abc import Mapping
from typing import Protocol

from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import Snapshot


class Learner(Protocol):
    """Something that improves an iteration at a time, and can be stopped and continued exactly.

    The state lives inside; what leaves (``snapshot``, ``policies``) is a copy.
    """

    @property
    def name(self) -> str:
        """Name of the algorithm, for records."""
        ...

    def improve(self) -> Mapping[str, float]:
        """Make one iteration; return what is worth watching, such as "return/row" or "loss"."""
        ...

    def policies(self) -> PolicyProfile:
        """Return what was learned, one policy a player, exact: keyed by information state."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here, environment and chance included."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options."""
        ...
