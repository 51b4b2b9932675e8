"""Enclosures of entropies contain the true value: compared with ball arithmetic at 300 bits."""

from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.arrays import ScaledIntegers, exact_array, scaled_integers
from gametheory_core.evaluation import entropy_enclosure
from gametheory_core.evaluation.regrets import log_sum_exp_enclosure

WIDTH = Fraction(1, 10**23)

integers = st.one_of(st.integers(0, 10), st.integers(0, 2**50), st.integers(0, 10**60))


@pytest.fixture(autouse=True)
def precise_balls():
    before, flint.ctx.prec = flint.ctx.prec, 300
    yield
    flint.ctx.prec = before


def ball(value):
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def contains(bounds, value):
    return ball(bounds.lower) <= value <= ball(bounds.upper)


def distribution(weights):
    total = sum(weights)
    return exact_array([Fraction(weight, total) for weight in weights])


@given(st.lists(integers, min_size=1, max_size=8).filter(any))
def test_entropy_lies_within_a_narrow_enclosure(weights):
    vector = distribution(weights)
    true = -sum((ball(p) * ball(p).log() for p in vector if p), flint.arb(0))
    bounds = entropy_enclosure(vector)
    assert contains(bounds, true)
    assert 0 <= bounds.upper - bounds.lower < WIDTH


@given(
    st.lists(st.fractions(-3000, 3000), min_size=1, max_size=8),
    st.sampled_from([0, 10**6, -(10**6)]),
)
def test_log_sum_exp_lies_within_a_narrow_enclosure(exponents, shift):
    moved = [z + shift for z in exponents]
    true = sum((ball(z).exp() for z in moved), flint.arb(0)).log()
    bounds = log_sum_exp_enclosure(scaled_integers(exact_array(moved)))
    assert contains(bounds, true)
    assert 0 < bounds.upper - bounds.lower < WIDTH


@pytest.mark.parametrize("count", [1, 2, 3, 300])
def test_uniform_distributions_have_the_logarithm_of_their_size(count):
    bounds = entropy_enclosure(distribution([1] * count))
    assert contains(bounds, flint.arb(count).log())


def test_probabilities_near_zero_and_one_are_no_problem():
    tiny = Fraction(1, 10**400)
    bounds = entropy_enclosure(exact_array([tiny, 1 - tiny]))
    assert bounds.lower <= 0 < bounds.upper < WIDTH
    sure = entropy_enclosure(exact_array([0, 1, 0]))
    assert sure == (0, 0)


def test_rationals_of_ten_thousand_digits_are_no_problem():
    near_half = Fraction(10**9999 + 1, 2 * 10**9999)
    bounds = entropy_enclosure(exact_array([near_half, 1 - near_half]))
    assert contains(bounds, flint.arb(2).log() - flint.arb(10) ** -300)


def test_floats_are_the_rationals_they_are():
    floats = np.array([0.5, 0.25, 0.25])
    assert entropy_enclosure(floats) == entropy_enclosure(exact_array(["1/2", "1/4", "1/4"]))


def test_terms_far_below_the_largest_count_as_next_to_nothing():
    exponents = ScaledIntegers(np.array([10**9, 0, -(10**9)], dtype=object), 7)
    bounds = log_sum_exp_enclosure(exponents)
    assert bounds.lower <= Fraction(10**9, 7) <= bounds.upper
    assert bounds.upper - bounds.lower < WIDTH
