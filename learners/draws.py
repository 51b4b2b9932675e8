"""Drawing actions from many lotteries at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def drawn_actions(
    strategies: NDArray[np.floating[Any]], numbers: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the action that each uniform number draws; none of probability zero.

    Args:
        strategies (batch, actions)
        numbers (batch,): In [0, 1).

    >>> drawn_actions(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([0.7, 0.0])).tolist()
    [1, 1]
    """
    sums = strategies.cumsum(axis=1, dtype=np.float64)
    cut = np.minimum(numbers * sums[:, -1], np.nextafter(sums[:, -1], 0.0))
    return (sums <= cut[:, None]).sum(axis=1)
