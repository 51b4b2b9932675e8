"""Local rules of many decision makers at once, in compiled code."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers._kernels.local_rules import remember, respond


@njit(cache=True)
def observe_rows(
    rule: int,
    memory: NDArray[np.float64],
    strategies: NDArray[np.float64],
    steps: NDArray[np.int64],
    utilities: NDArray[np.float64],
    rate: float,
    decay: float,
) -> None:
    """Let each row take in what its actions earned, and choose its next strategy.

    ``memory``, ``strategies`` (batch, actions) and ``steps`` (batch,) are modified in place;
    ``utilities`` (batch, actions) are read.
    """
    for row in range(len(memory)):
        steps[row] += 1
        own = rate if decay == 0.0 else rate / steps[row] ** decay
        remember(rule, memory[row], utilities[row], strategies[row])
        respond(rule, memory[row], own, strategies[row])
