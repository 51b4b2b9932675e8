"""Logarithms, exponentials and sums of whole arrays, in loops over many entries at a time.

Logarithms and exponentials are accurate to 1e-11. Where the processor can, a product and a sum are
rounded once together, so that last bits depend on it. Floats are taken apart and put together by
views of their bits: an array ``x`` comes with ``x.view(np.int64)``. Arrays must not overlap
otherwise.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

Floats = NDArray[np.float64]
Bits = NDArray[np.int64]

ROUND = 1.5 * 2.0**52  # added to a float below 2^51, it leaves the nearest integer in the last bits
ROUND_BITS = 0x4338000000000000
HALF_ROOT_BITS = 0x3FE6A09E667F3BCD  # of the root of one half
PER_OCTAVE = 1.4426950408889634  # 1 / log 2
OCTAVE = 0.6931471805599453
OCTAVE_HIGH, OCTAVE_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
LOWEST = -700.0  # exponents below it count as that


@partial(compiled, error_model="numpy", fastmath={"contract"})
def logarithms(
    bits: Bits, found: Floats, low: Floats, lows: Bits, high: Floats, highs: Bits
) -> None:
    """Write the natural logarithms of positive numbers.

    Args:
        bits (n,): Of the numbers.
        found (n,): Written.
        low, high, lows, highs (n or more,): Spare, and views of their bits.
    """
    for i in range(len(bits)):  # x = 2^k m, with m from the root of 1/2 to that of 2
        octave = (bits[i] - HALF_ROOT_BITS) >> 52
        lows[i] = bits[i] - (octave << 52)
        highs[i] = octave + ROUND_BITS
    for i in range(len(bits)):  # log m = 2 artanh z
        z = (low[i] - 1.0) / (low[i] + 1.0)
        w = z * z
        s = 1.0 / 13.0
        s = s * w + 1.0 / 11.0
        s = s * w + 1.0 / 9.0
        s = s * w + 1.0 / 7.0
        s = s * w + 1.0 / 5.0
        s = s * w + 1.0 / 3.0
        s = s * w + 1.0
        found[i] = 2.0 * z * s + (high[i] - ROUND) * OCTAVE


@partial(compiled, error_model="numpy", fastmath={"contract"})
def exponentials(powers: Floats, found: Floats, found_bits: Bits, low: Floats, lows: Bits) -> None:
    """Write the exponentials of numbers below 700; those below -700 count as that.

    Args:
        powers (n,)
        found (n,), found_bits: Written, and a view of its bits.
        low, lows (n or more,): Spare, and a view of its bits.
    """
    for i in range(len(powers)):
        low[i] = max(powers[i], LOWEST) * PER_OCTAVE + ROUND
    for i in range(len(powers)):  # e^x = 2^k e^r, with r at most half an octave
        octave = low[i] - ROUND
        r = (max(powers[i], LOWEST) - octave * OCTAVE_HIGH) - octave * OCTAVE_LOW
        s = 1.0 / 362880.0
        s = s * r + 1.0 / 40320.0
        s = s * r + 1.0 / 5040.0
        s = s * r + 1.0 / 720.0
        s = s * r + 1.0 / 120.0
        s = s * r + 1.0 / 24.0
        s = s * r + 1.0 / 6.0
        s = s * r + 0.5
        s = s * r + 1.0
        found[i] = s * r + 1.0
    for i in range(len(powers)):
        found_bits[i] += lows[i] << 52


@partial(compiled, fastmath={"reassoc", "contract"})
def dot(first: Floats, second: Floats) -> float:
    """Return the sum of the products of the entries, in the order that suits the processor."""
    total = 0.0
    for i in range(len(first)):
        total += first[i] * second[i]
    return total
