"""Kuhn poker in both forms: Kuhn's equilibria (1950) are equilibria of plans, worth -1/18."""

from fractions import Fraction

import pytest

from gametheory_core import BehavioralProfile, certify_nash, extensive_to_normal
from gametheory_core.catalog import kuhn_poker
from gametheory_core.strategies import are_realization_equivalent

THIRD = Fraction(1, 3)
VALUE = Fraction(-1, 18)


@pytest.fixture(scope="module")
def conversion():
    return extensive_to_normal(kuhn_poker())


def kuhns_profile(game, bluff, *, call_with_queen):
    """Chances of the second action (bet or call): bluff with the jack, bet the king thrice so."""
    chances = {
        (0, "J"): bluff,
        (0, "Q"): 0,
        (0, "K"): 3 * bluff,
        (0, "J, check, bet"): 0,
        (0, "Q, check, bet"): call_with_queen,
        (0, "K, check, bet"): 1,
        (1, "J, check"): THIRD,
        (1, "J, bet"): 0,
        (1, "Q, check"): 0,
        (1, "Q, bet"): THIRD,
        (1, "K, check"): 1,
        (1, "K, bet"): 1,
    }
    second = [chances[s.player, s.label] for s in game.infosets[: game.num_decision_infosets]]
    return BehavioralProfile(tuple([1 - p, p] for p in second))


def test_there_are_as_many_reduced_plans_as_counted_by_hand(conversion):
    # first player: for each card bet, or check and then fold or call; second: 2 x 2 for each card
    assert conversion.target.num_actions == (3**3, 4**3)


@pytest.mark.parametrize("bluff", [Fraction(0), Fraction(1, 7), THIRD], ids=str)
def test_kuhns_equilibria_are_carried_there_and_back(conversion, bluff):
    profile = kuhns_profile(conversion.source, bluff, call_with_queen=bluff + THIRD)
    mixed = conversion.correspondence.to_target(profile)
    for game, form in ((conversion.source, profile), (conversion.target, mixed)):
        certificate = certify_nash(game, form)
        certificate.verify()
        assert certificate.payoffs == (VALUE, -VALUE)
        assert certificate.epsilon == 0
    again = conversion.correspondence.to_source(mixed)
    assert are_realization_equivalent(conversion.source, profile, again)


def test_a_queen_that_calls_too_rarely_loses_in_both_forms_alike(conversion):
    profile = kuhns_profile(conversion.source, THIRD, call_with_queen=THIRD)
    mixed = conversion.correspondence.to_target(profile)
    in_tree = certify_nash(conversion.source, profile)
    in_plans = certify_nash(conversion.target, mixed)
    assert in_tree.deviation_gains == in_plans.deviation_gains
    assert in_tree.epsilon > 0
