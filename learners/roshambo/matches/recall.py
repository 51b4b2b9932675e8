"""What a learner with bounded recall sees: the last throws of both players, the latest first.

For networks each throw is three bits, the own one before the other's, as OpenSpiel's repeated games
show them. For tables a window has a number: with digits ``3 own + other``, the latest being the
units, a window of ``k`` throws is ``1 + 9 + ... + 9^(k-1)`` and the number that they write base 9.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument
from learners.options import Count, checked

MOST_WINDOWS = 6_000_000  # of a table, which are those of 7 throws; three numbers each
BITS = np.eye(3, dtype=np.float32)


class Shows(Enum):
    """How a window is shown."""

    BITS = "6 bits for each throw of both, for networks"
    NUMBER = "the number of the window, for tables"


@dataclass(frozen=True)
@checked
class Recall:
    """How far a learner looks back.

    Attributes:
        throws: Of each player, the last ones.
        shows: How.

    Raises:
        InvalidArgument: If there are too many windows to number.

    >>> Recall(2).num_features, Recall(2, Shows.NUMBER).num_observations
    (12, 91)
    """

    throws: Count = 3
    shows: Shows = Shows.BITS

    def __post_init__(self) -> None:
        if self.shows is Shows.NUMBER and self.num_observations > MOST_WINDOWS:
            raise InvalidArgument(
                needs=f"at most {MOST_WINDOWS:,} windows to number",
                found=f"the last {self.throws} throws of both have {self.num_observations:.3g}",
                remedy='Look back at 7 throws at most, or show bits to a network ("bits").',
                where="recall",
            )

    @property
    def num_observations(self) -> int:
        """Windows, of the first throws included; 0 where bits are shown."""
        return (9 ** (self.throws + 1) - 1) // 8 if self.shows is Shows.NUMBER else 0

    @property
    def num_features(self) -> int:
        """Bits; 0 where windows are numbered."""
        return 6 * self.throws if self.shows is Shows.BITS else 0

    def seen(self, histories: NDArray[np.int64]) -> NDArray[Any]:
        """Return what is seen after throws (2, E, t), the own ones first, of ``E`` matches.

        Shape (E, features) of bits, or (E,) of numbers.

        >>> histories = np.array([[[0, 2]], [[1, 0]]])
        >>> Recall(2).seen(histories).tolist()
        [[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]]
        >>> Recall(2, Shows.NUMBER).seen(histories).tolist()
        [25]
        """
        made = histories.shape[2]
        window = histories[:, :, max(0, made - self.throws) :][:, :, ::-1]
        _, matches, length = window.shape
        if self.shows is Shows.BITS:
            bits = np.zeros((matches, self.num_features), dtype=np.float32)
            bits[:, : 6 * length] = BITS[window.transpose(1, 2, 0)].reshape(matches, 6 * length)
            return bits
        digits = 3 * window[0] + window[1]
        return (9**length - 1) // 8 + digits @ 9 ** np.arange(length, dtype=np.int64)
