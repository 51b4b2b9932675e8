"""Counting what followed contexts of throws."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


@compiled
def back_off(
    own: NDArray[np.int8], joint: Ints, starts: Ints, counts: Floats, weight: float, found: Floats
) -> None:
    """Forecast each throw of a match from those before it.

    Args:
        own (throws,): What is forecast.
        joint (throws,): Throws of both as numbers below 9.
        starts (orders + 1,): Where the contexts of each order begin among counts.
        counts (contexts, 3): Of what followed; zeros, modified.
        weight: Of shorter contexts.
        found (throws, 3): Forecasts, filled.
    """
    for t in range(len(own)):
        orders = min(t, len(starts) - 2) + 1
        for a in range(3):
            found[t, a] = 1.0 / 3.0
        code = 0
        for k in range(orders):
            if k > 0:
                code = 9 * code + joint[t - k]
            row = counts[starts[k] + code]
            met = row[0] + row[1] + row[2]
            for a in range(3):
                found[t, a] = (row[a] + weight * found[t, a]) / (met + weight)
            row[own[t]] += 1.0
