"""Mixtures of behavioral profiles: what they hold, refuse and draw."""

from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.strategies import BehavioralMixture, behavioral_mixture, draw_recommendations
from gametheory_core.strategies.correlated import check_mixture

POKER = gt.load_game("one_card_poker")
RAISE, FOLD = gt.pure_behavior(POKER, (0, 0, 0)), gt.pure_behavior(POKER, (1, 1, 1))
ONE = Fraction(1)


def test_floats_mean_the_rationals_that_they_are_and_zeros_are_left_out():
    mixture = behavioral_mixture(
        [RAISE, FOLD.to_float(), RAISE], weights=np.array([0.25, 0.75, 0.0])
    )
    assert mixture == BehavioralMixture((Fraction(1, 4), Fraction(3, 4)), (RAISE, FOLD))
    assert hash(mixture) == hash(BehavioralMixture((Fraction(1, 4), Fraction(3, 4)), (RAISE, FOLD)))
    assert mixture.is_pure
    assert not behavioral_mixture([gt.uniform_behavior(POKER)]).is_pure


@pytest.mark.parametrize(
    ("weights", "profiles", "message"),
    [
        ((ONE,), (), "one probability for each of 0, but has 1"),
        ((), (), "sum to 1, but they sum to 0"),
        ((Fraction(1, 2), Fraction(1, 3)), (RAISE, FOLD), "sum to 1, but they sum to 5/6"),
        ((Fraction(3, 2), Fraction(-1, 2)), (RAISE, FOLD), "entry 1 is Fraction"),
        ((0.5, 0.5), (RAISE, FOLD), "entry 0 is 0.5"),
        ((ONE,), (RAISE.to_float(),), "entry 0 is not one"),
        (
            (Fraction(1, 2), Fraction(1, 2)),
            (RAISE, gt.uniform_behavior(gt.load_game("kuhn_poker"))),
            "entries 0 and 1 have different",
        ),
    ],
)
def test_what_is_no_lottery_over_profiles_of_one_game_is_refused(weights, profiles, message):
    with pytest.raises(gt.InvalidStrategy, match=message):
        BehavioralMixture(weights, profiles)


def test_weights_have_to_be_as_many_as_profiles():
    with pytest.raises(gt.InvalidStrategy, match="got 2 weights for 1 profiles"):
        behavioral_mixture([RAISE], weights=["1/2", "1/2"])
    with pytest.raises(gt.InvalidArgument, match="each of profiles"):
        behavioral_mixture(["raise"])


def test_a_mixture_of_another_game_is_refused():
    with pytest.raises(gt.InvalidStrategy, match="needs probabilities at each of 12"):
        check_mixture(gt.load_game("kuhn_poker"), behavioral_mixture([RAISE]))


def test_recommendations_are_drawn_as_often_as_the_mixture_says():
    mixture = behavioral_mixture([RAISE, gt.uniform_behavior(POKER)], weights=["1/4", "3/4"])
    rng = np.random.default_rng(7)
    draws = [draw_recommendations(mixture, rng=rng) for _ in range(4000)]
    shares = {plan: draws.count(plan) / 4000 for plan in set(draws)}
    assert len(shares) == 8
    assert shares[0, 0, 0] == pytest.approx(1 / 4 + 3 / 32, abs=0.03)
    assert shares[1, 0, 1] == pytest.approx(3 / 32, abs=0.02)


def test_what_has_no_weight_is_never_drawn():
    sure = behavioral_mixture([FOLD])
    rng = np.random.default_rng(1)
    assert {draw_recommendations(sure, rng=rng) for _ in range(200)} == {(1, 1, 1)}
