"""Entropies of rational distributions, enclosed between rationals.

Logarithms and exponentials are irrational, so each is computed by ``decimal``, which rounds them
correctly, and widened by a unit in its last place on either side. Sums are whole multiples of
``10**-DIGITS``, rounded down for the lower and up for the upper end.
"""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import NamedTuple, cast

from gametheory_core.arrays import NumberArray, ScaledIntegers, as_exact, scaled_integers

DIGITS = 26  # ends of enclosures are multiples of 10**-DIGITS
UNIT = 10**DIGITS
PRECISION = DIGITS + 4  # digits of each logarithm and exponential
NEGLIGIBLE = -60 * UNIT  # exp(-60) < 10**-DIGITS

_CONTEXT = Context(prec=PRECISION, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


class Enclosure(NamedTuple):
    """Two rationals with a real number between them.

    Attributes:
        lower, upper: Multiples of ``10**-26``.
    """

    lower: Fraction
    upper: Fraction


def entropy_enclosure(distribution: NumberArray) -> Enclosure:
    """Enclose the Shannon entropy ``-sum p ln p`` of a distribution, in nats.

    Args:
        distribution (num_outcomes,): Probabilities that sum to one (trusted); floats are the dyadic
            rationals they are.

    Returns:
        About ``10**-25`` wide.

    >>> from gametheory_core.arrays import exact_array
    >>> bounds = entropy_enclosure(exact_array(["1/2", "1/2"]))
    >>> float(bounds.lower), float(bounds.upper - bounds.lower) < 1e-24
    (0.6931471805599453, True)
    """
    scaled = scaled_integers(as_exact(distribution))
    whole = scaled.denominator
    lower = upper = 0
    for part in cast("list[int]", scaled.numerators.tolist()):
        if 0 < part < whole:
            least, most = _logarithm(whole, part)
            lower += part * least
            upper += part * most
    return Enclosure(Fraction(lower // whole, UNIT), Fraction(-(-upper // whole), UNIT))


def log_sum_exp_enclosure(exponents: ScaledIntegers) -> Enclosure:
    """Enclose ``ln sum exp(z)`` over rationals ``z``.

    Args:
        exponents (num_terms,): At least one, of any size and sign.

    Returns:
        About ``10**-25`` wide for each term.

    >>> from gametheory_core.arrays import exact_array, scaled_integers
    >>> bounds = log_sum_exp_enclosure(scaled_integers(exact_array([0, 0, -1000])))
    >>> float(bounds.lower)
    0.6931471805599453
    """
    numerators = cast("list[int]", exponents.numerators.tolist())
    largest, denominator = max(numerators), exponents.denominator
    lower = upper = 0
    for numerator in numerators:
        least, most = _exponential(-((largest - numerator) * UNIT // denominator))
        lower += least
        upper += most
    shift = largest * UNIT // denominator
    return Enclosure(
        Fraction(shift + _logarithm(lower, UNIT)[0], UNIT),
        Fraction(shift + 1 + _logarithm(upper, UNIT)[1], UNIT),
    )


def _logarithm(numerator: int, denominator: int) -> tuple[int, int]:
    """Enclose ``ln(numerator / denominator)`` between multiples of the unit.

    The quotient is off by a relative ``10**(1 - PRECISION)`` at most, its logarithm by as much: far
    less than the unit by which both ends are moved.
    """
    quotient = _CONTEXT.divide(Decimal(numerator), Decimal(denominator))
    logarithm = _CONTEXT.ln(quotient)
    lower = _in_units(_CONTEXT.next_minus(logarithm), ROUND_FLOOR)
    upper = _in_units(_CONTEXT.next_plus(logarithm), ROUND_CEILING)
    return lower - 1, upper + 1


def _exponential(units: int) -> tuple[int, int]:
    """Enclose ``exp(z)`` for every ``z <= 0`` with ``units - 1 <= z * UNIT <= units``.

    There ``exp`` grows by less than a unit, so both ends come from ``units``.
    """
    if units < NEGLIGIBLE:
        return 0, 1
    # the exponent is exact: at most 60 units of 1 and DIGITS more digits
    power = _CONTEXT.exp(Decimal(units).scaleb(-DIGITS, _CONTEXT))
    lower = _in_units(_CONTEXT.next_minus(power), ROUND_FLOOR)
    upper = _in_units(_CONTEXT.next_plus(power), ROUND_CEILING)
    return max(0, lower - 1), upper


def _in_units(value: Decimal, rounding: str) -> int:
    """Round a decimal to a whole number of units."""
    shifted = value.scaleb(DIGITS, _CONTEXT)  # changes the exponent only
    return int(shifted.to_integral_value(rounding))
