"""From float weights to short rational probabilities: what floats find, rationals then prove.

Floats of exact tables, in units of a power of two that keeps them near one.

Rewards of 10^400 and of 10^-400 are no floats, though what is asked about them does not depend on
the scale. A power of two changes no digit of the others.
"""

from fractions import Fraction
from typing import Any, cast

import numpy as np

from gametheory_core.arrays import ExactArray, FloatArray, NumberArray, freeze

GRAIN = 2**50  # probabilities are rounded to about this many parts of one


def rational_distribution(weights: NumberArray) -> ExactArray:
    """Return the probabilities that float weights stand for, rounded so that they stay short.

    Negative weights count as zero; if nothing is left, all are equally likely.
    """
    clipped = np.maximum(np.asarray(weights, dtype=np.float64), 0.0)
    total = clipped.sum()
    shares = clipped / total if total > 0 else np.ones(len(clipped))
    parts = cast("list[int]", np.rint(shares * GRAIN).astype(np.int64).tolist())
    whole = sum(parts)
    probabilities = np.empty(len(parts), dtype=object)
    probabilities[:] = [Fraction(part, whole) for part in parts]
    return freeze(probabilities)


def dyadic_distribution(weights: NumberArray) -> ExactArray:
    """Round likewise, to multiples of 1 / ``GRAIN``: products over many steps stay short, too.

    The largest probability takes up the rounding of the others.
    """
    clipped = np.maximum(np.asarray(weights, dtype=np.float64), 0.0)
    total = clipped.sum()
    shares = clipped / total if total > 0 else np.full(len(clipped), 1 / len(clipped))
    parts = np.rint(shares * GRAIN).astype(np.int64)
    parts[np.argmax(parts)] += GRAIN - parts.sum()
    probabilities = np.empty(len(parts), dtype=object)
    probabilities[:] = [Fraction(part, GRAIN) for part in cast("list[int]", parts.tolist())]
    return freeze(probabilities)


FLOAT_BITS = 53  # up to here integers are floats, exactly


def float_exponent(numerators: Any, denominator: int) -> int:
    """Return the exponent of a power of two near the largest ratio, at most a factor of two off.

    Args:
        numerators (integer array)

    >>> float_exponent(np.array([3, -12]), 2), float_exponent(np.array([0]), 7)
    (2, 0)
    """
    largest = max(int(numerators.max(initial=0)), -int(numerators.min(initial=0)))
    return largest.bit_length() - denominator.bit_length() if largest else 0


def float_ratios(numerators: Any, denominator: int, exponent: int = 0) -> FloatArray:
    """Return ``numerators / denominator / 2**exponent`` in floats, each rounded.

    >>> huge = np.array([10**400, -3 * 10**400], dtype=object)
    >>> float_ratios(huge, 1, float_exponent(huge, 1)).round(3).tolist()
    [0.427, -1.28]
    """
    if numerators.dtype != object and denominator.bit_length() <= FLOAT_BITS:
        return np.asarray(np.ldexp(numerators / denominator, -exponent), dtype=np.float64)
    up, down = 1 << max(0, -exponent), 1 << max(0, exponent)
    exact = numerators.astype(object) * up / (denominator * down)
    return np.asarray(exact, dtype=np.float64)


def power_of_two(exponent: int) -> Fraction:
    """Return it exactly; the unit that an exponent stands for.

    >>> power_of_two(-2)
    Fraction(1, 4)
    """
    return Fraction(1 << max(0, exponent), 1 << max(0, -exponent))
