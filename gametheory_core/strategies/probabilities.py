"""Probability vectors: the check every strategy passes, and the exact meaning of float ones.

Floats rarely sum to exactly one. A float vector is accepted when its sum is within 1e-9 of one,
and *means* the rational vector of its dyadic entries divided by their exact sum.
"""

import math
from fractions import Fraction
from typing import cast

from gametheory_core.arrays import (
    ONE,
    ExactArray,
    NumberArray,
    as_exact,
    freeze,
    is_exact,
    number_array,
)
from gametheory_core.errors import InvalidGame, InvalidStrategy

FLOAT_SUM_TOLERANCE = 1e-9


def probability_vector(values: object, *, owner: str) -> NumberArray:
    """Copy a probability vector, exact or float, after checking it.

    Raises:
        InvalidStrategy: If it is no vector of finite numbers, an entry is negative, or the sum is
            not one.
    """
    try:
        vector = number_array(values, where=owner)
    except InvalidGame as error:
        raise InvalidStrategy(str(error)) from None
    if vector.ndim != 1 or not len(vector):
        raise InvalidStrategy(
            f"{owner}: needs a vector of probabilities, but its shape is {vector.shape}."
        )
    whole = 1  # what all parts are over: whole numbers are quicker to compare and to add
    parts = vector.tolist()
    if is_exact(vector):
        ratios = [entry.as_integer_ratio() for entry in cast("list[Fraction]", parts)]
        whole = math.lcm(*[denominator for _, denominator in ratios])
        parts = [numerator * (whole // denominator) for numerator, denominator in ratios]
    if min(parts) < 0:
        lowest = parts.index(min(parts))
        raise InvalidStrategy(
            f"{owner}: needs probabilities of at least 0, but entry {lowest} is {vector[lowest]}."
        )
    total = sum(parts)
    if total != whole and (is_exact(vector) or abs(total - 1.0) > FLOAT_SUM_TOLERANCE):
        total = Fraction(total, whole) if is_exact(vector) else total
        raise InvalidStrategy(
            f"{owner}: needs probabilities that sum to 1, but they sum to {total}."
        )
    return vector


def exact_probabilities(vector: NumberArray) -> ExactArray:
    """Return the rational vector a probability vector means: itself, or normalised dyadics."""
    exact = as_exact(vector)
    total = cast("Fraction", sum(exact.tolist()))
    return exact if total == ONE else freeze(exact / total)
