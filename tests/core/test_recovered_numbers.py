"""Fractions from floats: the simple ones that reproduce them, and no others."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidGame, UnsupportedGame
from gametheory_core.recovered_numbers import recovered_law, recovered_number, recovered_step


@given(st.fractions(-1000, 1000, max_denominator=1000))
def test_simple_fraction_comes_back_from_its_float(number):
    assert recovered_number(float(number)) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_recovered_number_has_the_same_float(value):
    assert float(recovered_number(value)) == value


def test_float_near_no_simple_fraction_stays_what_it_is():
    assert recovered_number(math.pi) == Fraction(math.pi)


@given(st.lists(st.fractions(-20, 20, max_denominator=100), min_size=1, max_size=30))
def test_steps_come_back_from_running_totals(steps):
    """Each total is rounded, so that their differences are near the steps and no more."""
    total = 0.0
    for step in steps:
        after = total + float(step)
        assert recovered_step(after, total) == step
        total = after


@given(st.lists(st.integers(1, 50), min_size=1, max_size=12))
def test_law_comes_back_from_floats(counts):
    law = [Fraction(count, sum(counts)) for count in counts]
    assert list(recovered_law([float(weight) for weight in law])) == law


@given(st.lists(st.integers(1, 20), min_size=2, max_size=6))
def test_law_comes_back_when_the_last_weight_is_the_rest(counts):
    """One minus the others is off by a rounding or two."""
    law = [Fraction(count, sum(counts)) for count in counts]
    floats = [float(weight) for weight in law[:-1]]
    assert list(recovered_law([*floats, 1.0 - math.fsum(floats)])) == law


def test_floats_that_sum_to_one_as_they_stand_are_kept():
    tiny = 2.0**-40
    assert recovered_law([tiny, 1 - tiny]) == (Fraction(tiny), 1 - Fraction(tiny))


@pytest.mark.parametrize("weights", [[0.5, 0.4], [0.3, 0.7000001], [1 / 3, 1 / 3], []])
def test_weights_that_do_not_sum_to_one_are_refused_with_their_sum(weights):
    with pytest.raises(UnsupportedGame, match=rf"the die: .* sum to {sum(weights)!r}"):
        recovered_law(weights, where="the die")


def test_what_is_possible_is_not_made_impossible():
    with pytest.raises(UnsupportedGame, match="needs probabilities near"):
        recovered_law([1e-17, 1.0])


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_is_not_finite_is_refused(value):
    with pytest.raises(InvalidGame, match="reward: needs a finite number"):
        recovered_number(value, where="reward")
    with pytest.raises(InvalidGame, match="law: needs a finite number"):
        recovered_law([value, 0.5], where="law")
