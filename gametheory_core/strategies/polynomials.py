"""Polynomials in a symbolic epsilon that tends to zero from above, as tuples of coefficients.

``(a, b, c)`` is ``a + b epsilon + c epsilon**2``. For all small ``epsilon > 0`` the sign is that of
the coefficient of lowest order that is not zero, so polynomials are ordered as words are.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import TypeAlias

from gametheory_core.arrays import ONE, ZERO, to_fraction

Polynomial: TypeAlias = tuple[Fraction, ...]

MOST_BITS = 160  # of a number that is written in full


@dataclass(frozen=True)
class LeadingTerm:
    """The term ``coefficient * epsilon**order`` that rules for small epsilon.

    Attributes:
        order: The lowest power that occurs.
        coefficient: Not zero.
    """

    order: int
    coefficient: Fraction

    def __mul__(self, other: "LeadingTerm") -> "LeadingTerm":
        return LeadingTerm(self.order + other.order, self.coefficient * other.coefficient)

    def __truediv__(self, other: "LeadingTerm") -> "LeadingTerm":
        return LeadingTerm(self.order - other.order, self.coefficient / other.coefficient)

    def __str__(self) -> str:
        return _term_text(self.coefficient, self.order)


def polynomial(coefficients: Iterable[object]) -> Polynomial:
    """Read coefficients, from the constant on; zeros at the end are dropped.

    >>> polynomial_text(polynomial([1, "-1/2", 0]))
    '1 - 1/2*epsilon'
    """
    return trimmed(to_fraction(value, where="coefficient of epsilon") for value in coefficients)


def trimmed(coefficients: Iterable[Fraction]) -> Polynomial:
    """Drop the zeros at the end."""
    kept = list(coefficients)
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)


def plus(first: Polynomial, second: Polynomial) -> Polynomial:
    """Add two polynomials."""
    return trimmed(a + b for a, b in zip_longest(first, second, fillvalue=ZERO))


def times(first: Polynomial, second: Polynomial) -> Polynomial:
    """Multiply two polynomials."""
    product = [ZERO] * max(0, len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            product[i + j] += a * b
    return trimmed(product)


def leading_term(value: Polynomial) -> LeadingTerm | None:
    """Return the term of lowest order; None for zero."""
    for order, coefficient in enumerate(value):
        if coefficient:
            return LeadingTerm(order, coefficient)
    return None


def is_positive(value: Polynomial) -> bool:
    """Tell whether a polynomial is positive for all small epsilon > 0."""
    term = leading_term(value)
    return term is not None and term.coefficient > 0


def value_at(value: Polynomial, epsilon: Fraction) -> Fraction:
    """Return the value of a polynomial at a number."""
    total = ZERO
    for coefficient in reversed(value):
        total = total * epsilon + coefficient
    return total


def polynomial_text(value: Polynomial) -> str:
    """Write a polynomial, lowest order first."""
    terms = [_term_text(c, order) for order, c in enumerate(value) if c]
    return " + ".join(terms).replace("+ -", "- ") or "0"


def _term_text(coefficient: Fraction, order: int) -> str:
    if not order:
        return _number_text(coefficient)
    power = "epsilon" if order == 1 else f"epsilon**{order}"
    if abs(coefficient) == ONE:
        return power if coefficient > 0 else f"-{power}"
    return f"{_number_text(coefficient)}*{power}"


def _number_text(value: Fraction) -> str:
    """Write a rational, or roughly how large it is where nobody would read it all."""
    above, below = value.numerator.bit_length(), value.denominator.bit_length()
    if max(above, below) <= MOST_BITS:
        return str(value)
    return f"{'-' if value < 0 else ''}(about 2**{above - below})"
