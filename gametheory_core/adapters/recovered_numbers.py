"""Rationals from floats: the simple number that was meant, if there is evidence that it was.

A library that computes in floats shows ``1/3`` as 0.3333333333333333, which is another number. A
fraction is taken for the float only where it reproduces it; probabilities of siblings must also sum
to exactly one, all of them with the smallest common bound on denominators.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import isfinite

from gametheory_core.arrays import ONE, to_fraction
from gametheory_core.errors import UnsupportedGame

# Floats are 1e-16 apart, fractions with denominators up to n no less than 1 / n^2: up to a million
# a fraction that fits is rarely there by accident.
BOUNDS = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
ROUNDING = Fraction(1, 2**50)  # of a probability: what a few roundings in float64 can do to it


def recovered_number(value: float, *, where: str = "number") -> Fraction:
    """Return the simplest fraction whose float is ``value``, else the dyadic that ``value`` is.

    Args:
        value: Finite.
        where: For the message, what the number is.

    Raises:
        InvalidGame: If the number is not finite.

    >>> str(recovered_number(0.1)), str(recovered_number(-2 / 3))
    ('1/10', '-2/3')
    """
    return _simplest(to_fraction(value, where=where))


@lru_cache(maxsize=4096)  # the same few payoffs stand at the end of most plays
def _simplest(dyadic: Fraction) -> Fraction:
    for bound in BOUNDS:
        simple = dyadic.limit_denominator(bound)
        if Fraction(float(simple)) == dyadic:
            return simple
    return dyadic


def recovered_law(weights: Sequence[float], *, where: str = "weights") -> tuple[Fraction, ...]:
    """Return fractions close to the weights, within rounding, that sum to exactly one.

    Args:
        weights: Probabilities of all outcomes of one lottery.
        where: For the message, which lottery it is.

    Raises:
        InvalidGame: If a weight is not finite.
        UnsupportedGame: If no fractions with a common bound of up to a million on denominators sum
            to one, and neither do the floats as they stand; shows the weights and their sum.

    >>> [str(weight) for weight in recovered_law([0.3333333333333333, 0.6666666666666666])]
    ['1/3', '2/3']
    """
    for weight in weights:
        if not isfinite(weight):
            to_fraction(weight, where=where)  # refuses it
    found = _simple_law(tuple(map(float, weights)))
    if found is not None:
        return found
    shown = ", ".join(str(weight) for weight in weights[:8])
    total = float(sum(to_fraction(weight) for weight in weights))
    raise UnsupportedGame(
        f"{where}: needs probabilities near fractions with denominators up to {BOUNDS[-1]:,} that "
        f"sum to exactly 1, but {shown} sum to {total!r}. "
        "Write the game's rules with exact weights."
    )


@lru_cache(maxsize=4096)  # the same few lotteries stand all over a tree
def _simple_law(weights: tuple[float, ...]) -> tuple[Fraction, ...] | None:
    dyadics = [to_fraction(weight) for weight in weights]
    for bound in BOUNDS:
        simple = tuple(dyadic.limit_denominator(bound) for dyadic in dyadics)
        if sum(simple) == ONE and all(
            abs(guess - dyadic) <= ROUNDING and (guess > 0) == (dyadic > 0)
            for guess, dyadic in zip(simple, dyadics, strict=True)
        ):
            return simple
    return tuple(dyadics) if sum(dyadics) == ONE else None
