"""Certificates of evenness accept what is proved and reject every changed number."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, certify_correlated, correlated_distribution
from gametheory_core.arrays import exact_array, scaled_integers
from gametheory_core.certificates import Evenness, IncentivePrice
from gametheory_core.certificates.incentives import least_penalized_square
from gametheory_core.testing import rationals

# (6,6) (2,7) / (7,2) (0,0): the most impurity is at (9, 10, 10, 5)/34, where a unit of either
# player's incentive to swap "1" for "0" is worth 1/17. In units of 1/17 the penalties are 0 at
# (0, 0), -1 at (0, 1) and (1, 0), and 2 + 2 at (1, 1).
CHICKEN = NormalFormGame.symmetric([[6, 2], [7, 0]])
EVEN = correlated_distribution(np.array([[9, 10], [10, 5]], dtype=object) * Fraction(1, 34))


def gini_certificate(prices=()):
    return certify_correlated(CHICKEN, EVEN, objective=Evenness.GINI, prices=prices)


def entropy_certificate(prices=()):
    return certify_correlated(CHICKEN, EVEN, objective=Evenness.ENTROPY, prices=prices)


@given(st.lists(rationals(), min_size=1, max_size=6))
def test_least_penalized_square_is_the_best_over_all_supports(penalties):
    """On a support the minimum is where slopes agree; the best feasible one of all is the least."""
    values = []
    for mask in range(1, 2 ** len(penalties)):
        chosen = [q for k, q in enumerate(penalties) if mask >> k & 1]
        level = (2 + sum(chosen)) / Fraction(len(chosen))
        weights = [(level - q) / 2 for q in chosen]
        if min(weights) >= 0:
            values.append(sum(x * x + q * x for x, q in zip(weights, chosen, strict=True)))
    assert least_penalized_square(scaled_integers(exact_array(penalties))) == min(values)


def test_bounds_without_prices_are_those_of_all_distributions():
    assert gini_certificate().optimality.upper_bound == Fraction(3, 4)
    assert float(entropy_certificate().optimality.upper_bound) == pytest.approx(math.log(4))
    assert float(entropy_certificate().optimality.value) == pytest.approx(
        -sum(k / 34 * math.log(k / 34) for k in (9, 10, 10, 5))
    )


def test_the_right_prices_prove_the_most_impurity():
    claim = gini_certificate(tuple(IncentivePrice(i, 1, 0, Fraction(1, 17)) for i in (0, 1)))
    assert claim.epsilon == claim.optimality_gap == 0
    assert "most Gini impurity" in claim.statement
    claim.verify()


@pytest.mark.parametrize("certificate", [gini_certificate, entropy_certificate])
def test_any_prices_prove_a_true_bound(certificate):
    for cents in range(30):
        prices = tuple(IncentivePrice(i, 1, 0, Fraction(cents, 100)) for i in (0, 1))
        claim = certificate(prices)
        claim.verify()
        assert claim.epsilon == 0
        assert claim.optimality_gap > 0
        assert "no correlated equilibrium has more than" in claim.statement
