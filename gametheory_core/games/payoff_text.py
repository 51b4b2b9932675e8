"""Payoffs as people read them: exact where that is short, else rounded and marked as such."""

from decimal import Context, Decimal, localcontext
from fractions import Fraction

LONGEST = 7  # characters of an exact number
DIGITS = 4  # of a rounded one
LEAST_EXPONENT, MOST_EXPONENT = -3, 6  # powers of ten that are written out
MINUS, ABOUT = "\N{MINUS SIGN}", "\N{ALMOST EQUAL TO}"


def payoff_text(payoff: Fraction | float, *, digits: int = DIGITS) -> str:
    """Return a payoff as a short text, with a true minus sign.

    Rationals of up to 7 characters, and floats of up to 4 digits, are shown as they are; others are
    rounded to 4 digits, or as many as asked for, with a sign that says so. Numbers from 0.001 to
    a million are written out, with all digits before the point; others have a power of ten.

    >>> payoff_text(Fraction(1, 3)), payoff_text(0.5), payoff_text(2 / 3)
    ('1/3', '0.5', '≈0.6667')
    >>> payoff_text(890.0), payoff_text(1000.3), payoff_text(3e9)
    ('890', '≈1000', '3e9')
    """
    exact = Fraction(payoff)
    text = str(exact) if isinstance(payoff, Fraction) else ""
    if not 0 < len(text.removeprefix("-")) <= LONGEST:
        rounded = _rounded(exact, digits)
        if digits <= rounded.adjusted() < MOST_EXPONENT:
            rounded = _rounded(exact, rounded.adjusted() + 1)  # 33333, not 33330
        text = _decimal_text(rounded)
        if Fraction(rounded) != exact and not _is_float(payoff, rounded):
            text = ABOUT + text
    return text.replace("-", MINUS, 1) if exact < 0 else text


def _rounded(exact: Fraction, digits: int) -> Decimal:
    with localcontext(Context(prec=digits, Emax=10**6, Emin=-(10**6))):
        return Decimal(exact.numerator) / Decimal(exact.denominator)


def _decimal_text(number: Decimal) -> str:
    """Write an ordinary number without a power of ten, others with one."""
    if not number or LEAST_EXPONENT <= number.adjusted() < MOST_EXPONENT:
        text = f"{number:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{number.normalize():e}".replace("e+", "e")


def _is_float(payoff: Fraction | float, rounded: Decimal) -> bool:
    """Tell whether a float is what its few digits mean."""
    return isinstance(payoff, float) and float(rounded) == payoff
