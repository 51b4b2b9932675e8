"""Fractions from floats and from rounded decimals: the simple ones that were meant, if it shows.

A library that computes in floats shows ``1/3`` as 0.3333333333333333, which is another number. A
fraction is taken for the float only where it reproduces it; probabilities of siblings must also sum
to exactly one, all of them with the smallest common bound on denominators.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import isfinite

from gametheory_core.arrays import ONE, ZERO, to_fraction
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
    return _simplest(_dyadic(value, where))


def _dyadic(value: float, where: str) -> Fraction:
    return Fraction(float(value)) if isfinite(value) else to_fraction(value, where=where)


@lru_cache(maxsize=4096)  # the same few payoffs stand at the end of most plays
def _simplest(dyadic: Fraction) -> Fraction:
    for bound in BOUNDS:
        simple = dyadic.limit_denominator(bound)
        if Fraction(float(simple)) == dyadic:
            return simple
    return dyadic


def recovered_step(value: float, since: float, *, where: str = "number") -> Fraction:
    """Return the simplest fraction that leads from one running total to the next, within rounding.

    >>> str(recovered_step(0.1 + 0.2, 0.1))  # 0.30000000000000004 - 0.1
    '1/5'
    """
    if since == 0:
        return recovered_number(value, where=where)
    exact = _dyadic(value, where) - _dyadic(since, where)
    slack = ROUNDING * max(abs(Fraction(value)), abs(Fraction(since)))
    simple = (exact.limit_denominator(bound) for bound in BOUNDS)
    return next((guess for guess in simple if abs(guess - exact) <= slack), exact)


def recovered_law(weights: Sequence[float], *, where: str = "weights") -> tuple[Fraction, ...]:
    """Return fractions close to the weights, within rounding, that sum to exactly one.

    Args:
        weights: Probabilities of all outcomes of one distribution.
        where: For the message, which distribution it is.

    Raises:
        InvalidGame: If a weight is not finite.
        UnsupportedGame: If no fractions with a common bound of up to a million on denominators sum
            to one, and neither do the floats as they stand; shows the weights and their sum.

    >>> [str(weight) for weight in recovered_law([0.3333333333333333, 0.6666666666666666])]
    ['1/3', '2/3']
    """
    for weight in weights:
        if not isfinite(weight):
            _dyadic(weight, where)  # refuses it
    found = _simple_law(tuple(map(float, weights)))
    if found is not None:
        return found
    shown = ", ".join(str(weight) for weight in weights[:8])
    total = float(sum(map(Fraction, weights)))
    raise UnsupportedGame(
        needs=f"probabilities near fractions with denominators up to {BOUNDS[-1]:,} that sum to "
        "exactly 1",
        found=f"{shown} sum to {total!r}",
        remedy="Write the game's rules with exact weights.",
        where=where,
    )


@lru_cache(maxsize=4096)  # the same few distributions stand all over a tree
def _simple_law(weights: tuple[float, ...]) -> tuple[Fraction, ...] | None:
    dyadics = [Fraction(weight) for weight in weights]
    found = _near_law(dyadics, [ROUNDING] * len(dyadics))
    return tuple(dyadics) if found is None and sum(dyadics) == ONE else found


def _near_law(
    numbers: Sequence[Fraction], slacks: Sequence[Fraction]
) -> tuple[Fraction, ...] | None:
    """Return fractions with the least common bound on denominators that sum to one, or None.

    Args:
        numbers: To which they are near, and zero only where these are.
        slacks: How near.
    """
    for bound in BOUNDS:
        simple = tuple(number.limit_denominator(bound) for number in numbers)
        if sum(simple) == ONE and all(
            abs(guess - number) <= slack and (guess > 0) == (number > 0)
            for guess, number, slack in zip(simple, numbers, slacks, strict=True)
        ):
            return simple
    return None


FULL_DIGITS = 15  # significant ones, from which a decimal is a float printed in full


def recovered_decimals(texts: Sequence[str]) -> tuple[Fraction, ...] | None:
    """Return what probabilities may have been that stand in a file as rounded decimals.

    Numbers that sum to one as they are written stay what they are, unless they are floats printed
    in full. Else they become the fractions with the least common bound on denominators that round
    to them and sum to one. Where there are none with denominators up to a million, each is divided
    by their sum.

    Args:
        texts: All probabilities of one distribution as written: decimals or fractions.

    Returns:
        None if the sum misses one by more than rounding explains: half a unit of the last digit of
        each decimal.

    >>> [str(share) for share in recovered_decimals(["0.3333333333333333", "0.6666666666666666"])]
    ['1/3', '2/3']
    >>> [str(share) for share in recovered_decimals(["0.17"] * 6)][:2], recovered_decimals(["0.5"])
    (['1/6', '1/6'], None)
    """
    numbers, slacks = [Fraction(text) for text in texts], list(map(_half_unit, texts))
    are_floats = any(0 < slack <= ROUNDING for slack in slacks)
    total = sum(numbers)
    if total == ONE and not are_floats:
        return tuple(numbers)
    found = _near_law(numbers, slacks)
    if found is not None or abs(total - ONE) > sum(slacks) or min(numbers) < 0:
        return found
    return tuple(number / total for number in numbers)


def _half_unit(text: str) -> Fraction:
    """Return by how much a decimal may be off by rounding; a fraction is not."""
    if "/" in text:
        return ZERO
    digits = Decimal(text).as_tuple()
    if len(digits.digits) >= FULL_DIGITS:
        return ROUNDING
    return Fraction(10) ** int(digits.exponent) / 2 if int(digits.exponent) < 0 else ZERO
