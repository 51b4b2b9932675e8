"""Payoffs as people read them: exact where that is short, else rounded and marked as such."""

from decimal import Context, Decimal, localcontext
from fractions import Fraction

LONGEST = 7  # characters of an exact number
DIGITS = 4  # of a rounded one
MINUS, ABOUT = "\N{MINUS SIGN}", "\N{ALMOST EQUAL TO}"


def payoff_text(payoff: Fraction | float, *, digits: int = DIGITS) -> str:
    """Return a payoff as a short text, with a true minus sign.

    Rationals of up to 7 characters, and floats of up to 4 digits, are shown as they are; others are
    rounded to 4 digits, or as many as asked for, with a sign that says so.

    Examples
    --------
    >>> payoff_text(Fraction(1, 3)), payoff_text(0.5), payoff_text(2 / 3)
    ('1/3', '0.5', '≈0.6667')
    """
    exact = Fraction(payoff)
    text = str(exact) if isinstance(payoff, Fraction) else ""
    if not 0 < len(text.removeprefix("-")) <= LONGEST:
        with localcontext(Context(prec=digits, Emax=10**6, Emin=-(10**6))):
            rounded = Decimal(exact.numerator) / Decimal(exact.denominator)
        text = f"{rounded.normalize():g}".replace("e+", "e")
        if Fraction(rounded) != exact and not _is_float(payoff, rounded):
            text = ABOUT + text
    return text.replace("-", MINUS, 1) if exact < 0 else text


def _is_float(payoff: Fraction | float, rounded: Decimal) -> bool:
    """Tell whether a float is what its few digits mean."""
    return isinstance(payoff, float) and float(rounded) == payoff
