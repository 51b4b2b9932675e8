"""Correlated distributions: what is accepted, and what they pay."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.strategies import correlated_payoffs, product_distribution
from gametheory_core.testing import generators

HALF = Fraction(1, 2)


@given(st.data())
def test_product_pays_what_the_profile_pays_and_gives_it_back(data):
    game = data.draw(generators.normal_form_games())
    profile = data.draw(generators.mixed_profiles(game))
    product = product_distribution(profile)
    assert correlated_payoffs(game, product) == tuple(gt.expected_payoffs(game, profile).tolist())
    assert product.marginals == profile
    assert gt.correlated_distribution(product.tensor) == product
    assert pickle.loads(pickle.dumps(product)) == product


def test_floats_mean_their_normalised_dyadic_values():
    law = gt.correlated_distribution(np.array([[0.1, 0.2], [0.3, 0.4]]))
    assert sum(law.probabilities) == 1
    assert float(law.tensor[1, 0]) == pytest.approx(0.3, abs=1e-15)


def test_marginals_lose_the_correlation():
    coin = gt.correlated_distribution([[HALF, 0], [0, HALF]])
    assert coin.marginals.strategies[0].tolist() == [HALF, HALF]
    assert product_distribution(coin.marginals) != coin


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((2, 2), ((0, 0),), (Fraction(1, 3),)), "sum to 1, but they sum to 1/3"),
        (((2, 2), ((0, 2),), (Fraction(1),)), "index below"),
        (((2, 2), ((0, 0, 0),), (Fraction(1),)), "index below"),
        (((2, 2), ((0, 1), (0, 0)), (HALF, HALF)), "lexicographic order"),
        (((2, 2), ((0, 0), (0, 0)), (HALF, HALF)), "lexicographic order"),
        (((2, 2), ((0, 0),), (HALF, HALF)), "each of 1, but has 2"),
        (((2, 2), ((0, 0),), (1.0,)), "positive Fractions"),
        (((2, 2), ((0, 0), (0, 1)), (Fraction(1), Fraction(0))), "positive Fractions"),
        (((2, 2), ((0, 0),), (Fraction(np.int64(1)),)), "positive Fractions"),
        (((1, 1), ((0, 0), (0, 0.5)), (HALF, HALF)), r"needs integers .* \(0, 0.5\) holds others"),
        (((2, 2), ((False, 0),), (Fraction(1),)), "needs integers"),
        (((2, True), ((0, 0),), (Fraction(1),)), "needs integers"),
        (((2, 2), ((0, np.int64(1)),), (Fraction(1),)), "needs integers"),
        (((), (), ()), "at least one action"),
    ],
)
def test_malformed_distribution_is_refused(arguments, message):
    with pytest.raises(gt.InvalidStrategy, match=message):
        gt.CorrelatedDistribution(*arguments)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[HALF, 0], [0, Fraction(1, 3)]], "sum to 5/6"),
        ([[2, -1], [0, 0]], "at least 0"),
        ([[HALF, HALF], [0]], "rows|length"),
        (HALF, "one axis for each player"),
        ([["x", 1]], "number"),
    ],
)
def test_malformed_table_is_refused(table, message):
    with pytest.raises(gt.InvalidStrategy, match=message):
        gt.correlated_distribution(table)


def test_distribution_of_another_game_is_refused():
    game = matching_pennies()
    with pytest.raises(gt.InvalidStrategy, match=r"shape \(2, 2\)"):
        correlated_payoffs(game, gt.correlated_distribution([[1]]))


def matching_pennies():
    from gametheory_core import load_game

    return load_game("matching_pennies")
