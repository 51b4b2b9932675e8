"""Probabilities: floats off by rounding are scaled exactly, everywhere; others are refused."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.distributions import distribution
from gametheory_core.probabilities import ROUNDING, allowed_miss, exact_weights, normalized
from gametheory_core.strategies import behavioral_mixture

WHOLES = st.lists(st.integers(1, 10**6), min_size=2, max_size=8)
KINDS = st.sampled_from([np.float16, np.float32, np.float64, np.longdouble])


def in_a_distribution(given):
    return tuple(distribution(dict(enumerate(given)))[k] for k in range(len(given)))


def in_a_tree(given):
    tree = gt.from_sketch(
        gt.Chance({str(k): (share, gt.Terminal([k])) for k, share in enumerate(given)}),
        players=("A",),
    )
    return tree.infosets[0].probabilities


def in_a_prior(given):
    one = [[[0]]] * len(given)
    return gt.BayesianGame.from_payoffs(one, one, prior=given).prior


def in_a_mixed_strategy(given):
    return tuple(gt.MixedProfile((given,)).to_exact().strategies[0])


def in_a_behavioral_strategy(given):
    return tuple(gt.BehavioralProfile((given,)).to_exact().probabilities[0])


def in_a_correlated_distribution(given):
    return gt.correlated_distribution(given).probabilities


def in_a_mediator(given):
    game = gt.load_game("one_card_poker")
    return behavioral_mixture([gt.uniform_behavior(game)] * len(given), weights=given).weights


def in_a_law_of_rules(given):
    from gametheory_core.conversions import posg_from_tables

    law = dict(enumerate(given))
    game = posg_from_tables(
        players=["A"],
        actions=[["go"]],
        initial={"start": 1},
        transitions={("start", ("go",)): law},
        terminal=list(law),
    )
    return tuple(game.transition("start", ("go",))[k] for k in law)


PLACES = [
    in_a_distribution,
    in_a_tree,
    in_a_prior,
    in_a_mixed_strategy,
    in_a_behavioral_strategy,
    in_a_correlated_distribution,
    in_a_mediator,
    in_a_law_of_rules,
]


@pytest.mark.parametrize("place", PLACES)
@given(wholes=WHOLES, kind=KINDS, as_list=st.booleans())
def test_floats_are_scaled_to_sum_to_exactly_one(place, wholes, kind, as_list):
    floats = np.array([n / sum(wholes) for n in wholes]).astype(kind)
    assume(floats.min() > 0)
    total = sum(map(Fraction, floats.tolist())) if kind != np.longdouble else 1
    assume(abs(total - 1) <= len(wholes) * np.finfo(kind).eps or kind == np.float64)
    read = place(list(floats) if as_list else floats)
    assert sum(read) == 1
    slack = 4 * max(ROUNDING, len(wholes) * float(np.finfo(kind).eps))
    assert all(
        abs(p - Fraction(n, sum(wholes))) <= slack for p, n in zip(read, wholes, strict=True)
    )


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_floats_further_off_are_refused_with_their_sum(place, kind):
    floats = np.array([0.25, 0.25, 0.5 + 8 * allowed_miss(kind, 3)], dtype=kind)
    shown = repr(float(sum(map(Fraction, floats.tolist()))))
    with pytest.raises(gt.GameTheoryError, match=f"sum to .*1, but they sum to {shown}"):
        place(list(floats))


@pytest.mark.parametrize("place", PLACES)
def test_exact_numbers_must_sum_to_exactly_one(place):
    tiny = Fraction(1, 10**30)
    with pytest.raises(gt.GameTheoryError, match="they sum to 1000000000000000000000000000001/"):
        place([Fraction(1, 2), Fraction(1, 2) + tiny])
    assert list(place(["1/3", Fraction(2, 3)])) == [Fraction(1, 3), Fraction(2, 3)]


@pytest.mark.parametrize("place", PLACES)
def test_floats_that_sum_to_one_are_what_they_are(place):
    assert list(place([0.25, 0.75])) == [Fraction(1, 4), Fraction(3, 4)]


@given(WHOLES)
def test_scaling_keeps_proportions(wholes):
    floats = [n / sum(wholes) for n in wholes]
    exact = [Fraction(x) for x in floats]
    found = normalized(exact, given=floats)
    assert found is not None
    assert all(p * exact[0] == q * found[0] for p, q in zip(found, exact, strict=True))


def test_the_limit_follows_the_kind_of_floats():
    assert allowed_miss(np.float64, 10) == ROUNDING
    assert allowed_miss(np.float32, 10) == 10 * np.finfo(np.float32).eps
    assert allowed_miss(np.float16, 3) == 3 * np.finfo(np.float16).eps
    assert allowed_miss(np.int64, 3) == allowed_miss(object, 3) == 0


def test_short_floats_stay_probabilities_as_profiles_are_copied():
    shares = np.array([1, 2, 4], dtype=np.float32) / np.float32(7)
    assert sum(map(Fraction, shares.tolist())) != 1
    profile = gt.MixedProfile((shares,))
    assert profile.strategies[0].dtype == float
    assert gt.MixedProfile(profile.strategies) == profile


def test_a_negative_weight_is_named():
    with pytest.raises(gt.InvalidGame, match="coin: needs weights of at least 0, but 'b' has -1/2"):
        exact_weights("ab", [1.5, -0.5], owner="coin")
    with pytest.raises(gt.InvalidGame, match="coin: weight of 'b': needs a finite number"):
        exact_weights("ab", [1, None], owner="coin")
