"""The tails are those of scipy, and far out where p-values are tiny too."""

import math

import pytest

from gametheory_core.testing import binomial_tail, chi_square_tail, compare_samples, holm


@pytest.mark.parametrize("draws", [1, 7, 400])
@pytest.mark.parametrize("probability", [1 / 3, 0.5, 0.02])
def test_binomial_tail_is_the_sum_of_its_terms(draws, probability):
    terms = [
        math.comb(draws, k) * probability**k * (1 - probability) ** (draws - k)
        for k in range(draws + 1)
    ]
    for count in range(draws + 1):
        tails = (math.fsum(terms[: count + 1]), math.fsum(terms[count:]))
        side = tails[1] if count >= draws * probability else tails[0]
        assert binomial_tail(count, draws, probability) == pytest.approx(min(1, 2 * side), rel=1e-9)


@pytest.mark.parametrize("draws", [3, 20, 60])
def test_right_coin_is_rejected_no_more_often_than_the_level(draws):
    for level in (0.2, 0.01, 1e-6):
        rejected = sum(
            math.comb(draws, k) / 2**draws
            for k in range(draws + 1)
            if binomial_tail(k, draws, 0.5) <= level
        )
        assert rejected <= level


@pytest.mark.peer
@pytest.mark.parametrize("degrees", [1, 2, 5, 40])
def test_chi_square_tail_is_that_of_scipy(degrees):
    stats = pytest.importorskip("scipy.stats")
    for x in (1e-3, 0.5, 1, 4, 30, 100, 800):
        assert chi_square_tail(x, degrees) == pytest.approx(stats.chi2.sf(x, degrees), rel=1e-9)


def test_chi_square_of_two_degrees_is_an_exponential():
    for x in (0.1, 3.0, 50.0):
        assert chi_square_tail(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-12)


def test_samples_without_a_common_outcome_are_as_far_apart_as_can_be():
    apart = compare_samples({"a": 400}, {"b": 400})
    assert (apart.statistic, apart.degrees, apart.effect) == (800, 1, 1)
    assert apart.p_value < 1e-150


def test_equal_samples_without_chance_are_not_apart():
    same = compare_samples({"a": 400}, {"a": 400})
    assert (same.statistic, same.degrees, same.p_value, same.effect) == (0, 0, 1, 0)


def test_rare_outcomes_are_pooled():
    spread = compare_samples(dict.fromkeys(range(50), 1), dict.fromkeys(range(50, 100), 1))
    assert (spread.degrees, spread.p_value) == (0, 1)


def test_holm_is_no_smaller_than_each_and_no_larger_than_bonferroni():
    p_values = [0.2, 0.001, 0.03, 0.04]
    corrected = holm(p_values)
    assert corrected == pytest.approx([0.2, 0.004, 0.09, 0.09])
