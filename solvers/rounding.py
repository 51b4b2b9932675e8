"""From float weights to short rational probabilities: what floats find, rationals then prove."""

from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arrays import ExactArray, NumberArray, freeze

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
