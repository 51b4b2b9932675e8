"""Numbers kept short where their exact values would grow with every step.

Bounds remain bounds when numbers are rounded upwards, and short ones are never touched, so that
small games have exact answers.
"""

from fractions import Fraction

LONG = 128  # bits of a denominator from which on a number is rounded
KEPT = 64  # leading bits that are kept then


def rounded_up(value: Fraction) -> Fraction:
    """Return a number, or one just above it, to 64 leading bits, if its denominator is long.

    >>> rounded_up(Fraction(1, 3))
    Fraction(1, 3)
    >>> long = Fraction(1, 3**100)
    >>> long < rounded_up(long) < long * (1 + Fraction(1, 2**62))
    True
    """
    if value.denominator.bit_length() <= LONG:
        return value
    excess = abs(value.numerator).bit_length() - value.denominator.bit_length()
    scale = 1 << max(0, KEPT - excess)
    return Fraction(-(-value.numerator * scale // value.denominator), scale)
