"""Draws from exact lotteries, many at once."""

import numpy as np
from numpy.typing import NDArray

from gametheory_core.games.table_content import Kernel


class KernelDraws:
    """Draws entries of rows of a kernel, each probability right to 1e-16 times the rows."""

    def __init__(self, kernel: Kernel) -> None:
        self._start = kernel.start.astype(np.int64)
        self._sums = np.cumsum(kernel.weight.astype(np.float64))  # row r begins at about r

    def draw(self, rows: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return one entry for each row."""
        found = np.searchsorted(self._sums, rows + rng.random(len(rows)), side="right")
        return np.clip(found, self._start[rows], self._start[rows + 1] - 1)
