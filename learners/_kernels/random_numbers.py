"""Random numbers that are a function of where they are used, so that plays do not depend on order.

The ``n``-th number of episode ``k`` under a key is ``mix(start + (n + 1) * step)``, where ``start``
and the odd ``step`` come from the key and ``k``: a splittable generator [1]_, addressed instead of
advanced. No two episodes walk along the same sequence.

Source: :cite:`steele2014fast`.
"""

from functools import partial

import numpy as np

from solvers._kernels.compile import compiled

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)
_TWO = np.uint64(2)


@partial(compiled, inline="always")
def mix(value: np.uint64) -> np.uint64:
    """Return a hash of 64 bits: a bijection in which every bit in changes half of those out."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@partial(compiled, inline="always")
def stream_start(key: np.uint64, episode: int) -> np.uint64:
    """Return where an episode's numbers start."""
    return mix(key + (_TWO * np.uint64(episode) + _ONE) * GOLDEN)


@partial(compiled, inline="always")
def stream_step(key: np.uint64, episode: int) -> np.uint64:
    """Return the odd distance between an episode's numbers, bits well mixed."""
    value = key + (_TWO * np.uint64(episode) + _TWO) * GOLDEN
    value = (value ^ (value >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    value = (value ^ (value >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    value = (value ^ (value >> np.uint64(33))) | _ONE
    changes = value ^ (value >> _ONE)
    count = 0
    while changes:  # so few changes of bits that neighbors would hash alike
        changes &= changes - _ONE
        count += 1
    return value if count >= 24 else value ^ np.uint64(0xAAAAAAAAAAAAAAAA)


@partial(compiled, inline="always")
def number_at(start: np.uint64, step: np.uint64, use: int) -> np.uint64:
    """Return number ``use`` of a stream: 63 bits, each value below 2^63 equally likely."""
    return mix(start + (np.uint64(use) + _ONE) * step) >> _ONE
