"""Probability vectors: the check every strategy passes, and the exact meaning of float ones.

Floats rarely sum to exactly one. A float vector is accepted when its sum is within 1e-9 of one,
and *means* the rational vector of its dyadic entries divided by their exact sum.
"""

from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arrays import (
    ONE,
    ExactArray,
    NumberArray,
    as_exact,
    freeze,
    is_exact,
    number_array,
    scaled_integers,
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
    scaled = scaled_integers(vector) if is_exact(vector) else None
    parts = vector if scaled is None else scaled.numerators  # of whole numbers, for speed
    lowest = int(np.argmin(parts))
    if parts[lowest] < 0:
        raise InvalidStrategy(
            f"{owner}: needs probabilities of at least 0, but entry {lowest} is {vector[lowest]}."
        )
    total = sum(parts.tolist())
    if scaled is not None:
        total = Fraction(total, scaled.denominator)
    if total != ONE and (is_exact(vector) or abs(float(total) - 1.0) > FLOAT_SUM_TOLERANCE):
        raise InvalidStrategy(
            f"{owner}: needs probabilities that sum to 1, but they sum to {total}."
        )
    return vector


def exact_probabilities(vector: NumberArray) -> ExactArray:
    """Return the rational vector a probability vector means: itself, or normalised dyadics."""
    exact = as_exact(vector)
    total = cast("Fraction", sum(exact.tolist()))
    return exact if total == ONE else freeze(exact / total)
