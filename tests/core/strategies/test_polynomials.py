"""Polynomials in epsilon agree with their values at small numbers."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidGame
from gametheory_core.strategies import value_at
from gametheory_core.strategies.trembles import (
    LeadingTerm,
    is_positive,
    leading_term,
    plus,
    polynomial,
    polynomial_text,
    times,
    trimmed,
)
from gametheory_core.testing import rationals

SMALL = Fraction(1, 10**6)  # below the roots of all polynomials drawn here

polynomials = st.lists(rationals(), max_size=4).map(polynomial)


@given(polynomials, polynomials)
def test_sums_and_products_have_the_values_of_their_parts(first, second):
    for at in (SMALL, Fraction(2, 3), Fraction(-5)):
        a, b = value_at(first, at), value_at(second, at)
        assert value_at(plus(first, second), at) == a + b
        assert value_at(times(first, second), at) == a * b


@given(polynomials)
def test_signs_and_leading_terms_are_those_at_small_numbers(value):
    at = value_at(value, SMALL)
    assert is_positive(value) == (at > 0)
    term = leading_term(value)
    assert (term is None) == (at == 0)
    if term:
        assert abs(at / (term.coefficient * SMALL**term.order) - 1) < Fraction(1, 100)


def test_zeros_at_the_end_are_dropped_and_no_others():
    assert polynomial([0, "1/2", 0, 0.0]) == (0, Fraction(1, 2))
    assert polynomial([]) == trimmed([Fraction(0)]) == ()
    assert plus(polynomial([1, 1]), polynomial([2, -1])) == (3,)


def test_coefficients_are_numbers():
    with pytest.raises(InvalidGame, match="coefficient of epsilon: needs a finite number"):
        polynomial([1, "x"])


@pytest.mark.parametrize(
    ("coefficients", "text"),
    [
        ([], "0"),
        ([1, -1], "1 - epsilon"),
        (["-1/2", 0, 2, 1], "-1/2 + 2*epsilon**2 + epsilon**3"),
        ([0, "-2/3"], "-2/3*epsilon"),
        ([10**3000, Fraction(-1, 10**3000)], "(about 2**9965) - (about 2**-9965)*epsilon"),
    ],
)
def test_texts(coefficients, text):
    assert polynomial_text(polynomial(coefficients)) == text


def test_leading_terms_multiply_and_divide():
    first, second = LeadingTerm(1, Fraction(2)), LeadingTerm(3, Fraction(-1, 2))
    assert first * second == LeadingTerm(4, Fraction(-1))
    assert first / second == LeadingTerm(-2, Fraction(-4))
    assert str(first * second) == "-epsilon**4"
