"""Stationary distributions of many small Markov chains, by elimination without subtraction."""

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled


@compiled
def stationary_rows(chains: NDArray[np.float64], found: NDArray[np.float64]) -> None:
    """Write a stationary distribution of each chain.

    ``chains`` (batch, n, n), rows sum to 1, is *overwritten*; ``found`` (batch, n) is modified in
    place. States are eliminated from the last on; one that never leads to those before it is
    closed among them, and carries all the weight (Grassmann, Taksar and Heyman 1985).
    """
    size = chains.shape[1]
    for row in range(len(chains)):
        chain, law = chains[row], found[row]
        first = 0
        for state in range(size - 1, 0, -1):
            total = 0.0
            for other in range(state):
                total += chain[state, other]
            if total <= 0.0:
                first = state
                break
            for source in range(state):
                chain[source, state] /= total
                for target in range(state):
                    chain[source, target] += chain[source, state] * chain[state, target]
        law[:] = 0.0
        law[first] = 1.0
        whole = 1.0
        for state in range(first + 1, size):
            for source in range(first, state):
                law[state] += law[source] * chain[source, state]
            whole += law[state]
        for state in range(size):
            law[state] /= whole
