"""What observations have been worth: means that move towards what was found last."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class ValueMeans:
    """Believed values of one player's observations.

    Attributes:
        values (O,): Zero before the first visit.
        visits (O,)
    """

    values: NDArray[np.float64]
    visits: NDArray[np.int64]

    def moved(
        self,
        observations: NDArray[np.int64],
        worths: NDArray[np.float64],
        *,
        step_size: float,
    ) -> "ValueMeans":
        """Return values moved towards the means of the samples; at first visits, put there."""
        size = len(self.values)
        counts = np.bincount(observations, minlength=size)
        means = np.bincount(observations, worths, size) / np.maximum(counts, 1)
        share = np.where(self.visits > 0, step_size, 1.0) * (counts > 0)
        return ValueMeans(self.values + share * (means - self.values), self.visits + counts)


def value_means(size: int) -> ValueMeans:
    """Return values of observations never visited.

    >>> first = value_means(2).moved(np.array([1, 1]), np.array([2.0, 4.0]), step_size=0.1)
    >>> first.values.tolist()
    [0.0, 3.0]
    >>> first.moved(np.array([1]), np.array([13.0]), step_size=0.1).values.tolist()
    [0.0, 4.0]
    """
    return ValueMeans(np.zeros(size), np.zeros(size, dtype=np.int64))
