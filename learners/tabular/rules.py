"""What a learner is made of: a rule that says how to act and what to learn from what followed."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from learners.batch import BatchTurn, Snapshot
from learners.tabular.seats import Seat

if TYPE_CHECKING:
    from learners._kernels.moves import MoveArrays


class Needs(Enum):
    """What must be known of the next own turn, before a transition is learned from."""

    NOTHING = "nothing: learn, then act"
    MEAN = "what would be drawn from as things stand: learn, then act"
    ACTION = "the action that is drawn: act, then learn"


@dataclass(frozen=True)
class Corrections:
    """How wrong a table was.

    Attributes:
        total: Sum of absolute errors, before they were corrected.
        count: Number of updates.
    """

    total: float
    count: int


@dataclass(frozen=True, eq=False)
class Arrival:
    """What a step led to, as one player sees it.

    Attributes:
        moves: The transitions that are complete.
        turn: What the step led to.
        step: Number of steps made before.
    """

    moves: "MoveArrays"
    turn: BatchTurn
    step: int


class Rule(Protocol):
    """How players act and learn; each has its seat."""

    @property
    def needs(self) -> Needs:
        """What it must know of what is played next."""
        ...

    def begin(self, seat: Seat, is_new: NDArray[np.bool_], step: int) -> None:
        """Prepare for episodes that begin."""
        ...

    def lotteries(
        self, seat: Seat, seen: NDArray[np.int64], legal: NDArray[np.bool_], step: int
    ) -> NDArray[np.float64]:
        """Return what to draw actions from, shape (E, A); overwritten by the next call."""
        ...

    def learn(
        self, seat: Seat, arrival: Arrival, following: NDArray[np.float64] | None
    ) -> Corrections:
        """Learn; ``following`` (E, A) is what is played next, if the rule needs to know."""
        ...

    def values(self, seat: Seat) -> NDArray[np.float64]:
        """Return a copy of what actions are believed to be worth, shape (O, A)."""
        ...

    def strategy(self, seat: Seat) -> NDArray[np.float64]:
        """Return what was learned, as probabilities (O, A)."""
        ...

    def played(self, seat: Seat, step: int) -> NDArray[np.float64]:
        """Return how each episode is played, exploration included, shape (E, O, A)."""
        ...

    def metrics(self, seat: Seat, label: str, step: int) -> Mapping[str, float]:
        """Return what is worth watching beside returns and errors, since the last call."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that is held."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        ...
