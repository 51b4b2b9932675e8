"""Nash certificates: they verify, and no number, profile or game can be exchanged unnoticed."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import testing
from tests.core.naive_trees import GUESS, payoffs, pure_payoffs
from tests.sample_sizes import examples

SOME = examples(35)
PRISONERS = gt.NormalFormGame.symmetric([[3, 0], [5, 1]])
PENNIES = gt.NormalFormGame.zero_sum([[1, -1], [-1, 1]])


def averages(game, profile, player, action=None):
    """Average a player's payoffs over joint actions, one of the own ones fixed if asked."""
    total = Fraction(0)
    for joint in np.ndindex(game.num_actions):
        weight = Fraction(1)
        for other, chosen in enumerate(joint):
            if action is None or other != player:
                weight *= profile.strategies[other][chosen]
            elif chosen != action:
                weight *= 0
        total += weight * game.exact_payoffs[(player, *joint)]
    return total


@SOME
@given(st.data())
def test_numbers_in_normal_forms_are_those_of_the_definition(data):
    game = data.draw(testing.normal_form_games())
    profile = data.draw(testing.mixed_profiles(game))
    certificate = gt.certify_nash(game, profile)
    certificate.verify()
    for player, count in enumerate(game.num_actions):
        own = averages(game, profile, player)
        best = max(averages(game, profile, player, action) for action in range(count))
        assert certificate.payoffs[player] == own
        assert certificate.deviation_gains[player] == best - own
    assert certificate.epsilon == max(certificate.deviation_gains)


@SOME
@given(st.data())
def test_numbers_in_trees_are_those_of_the_definition(data):
    game = data.draw(testing.extensive_form_games())
    profile = data.draw(testing.behavioral_profiles(game))
    certificate = gt.certify_nash(game, profile)
    certificate.verify()
    own = payoffs(game, profile)
    assert list(certificate.payoffs) == own
    for player in range(game.num_players):
        best = max(pure_payoffs(game, profile, player).values())
        assert certificate.deviation_gains[player] == best - own[player]


def test_epsilon_zero_is_stated_as_equilibrium():
    certificate = gt.certify_nash(PENNIES, gt.uniform_profile(PENNIES))
    assert certificate.epsilon == 0
    assert certificate.statement.startswith("a Nash equilibrium")


def test_epsilon_is_stated_with_its_number():
    certificate = gt.certify_nash(PRISONERS, gt.pure_profile(PRISONERS, (0, 0)))
    assert certificate.deviation_gains == (2, 2)
    assert "no player gains more than epsilon = 2" in certificate.statement


@SOME
@given(st.data())
def test_another_profile_under_the_same_numbers_is_rejected(data):
    game = data.draw(testing.normal_form_games(num_players=(2, 2)))
    certificate = gt.certify_nash(game, data.draw(testing.mixed_profiles(game)))
    other = gt.certify_nash(game, data.draw(testing.mixed_profiles(game)))
    same = (other.payoffs, other.deviation_gains)
    assume(same != (certificate.payoffs, certificate.deviation_gains))
    with pytest.raises(gt.CertificateRejected, match=r"nash certificate: claims .* but the exact"):
        replace(certificate, profile=other.profile).verify()


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"game": PRISONERS}, "claims payoffs"),
        ({"game": gt.NormalFormGame.zero_sum([[1, -1, 0]])}, r"over \(1, 3\) actions"),
        ({"game": GUESS}, "MixedProfile for ExtensiveFormGame"),
        (
            {"profile": gt.pure_profile(PENNIES, (0, 0))},
            r"claims payoffs \(0, 0\), but .* \(1, -1\)",
        ),
        ({"profile": gt.uniform_behavior(GUESS)}, "BehavioralProfile for NormalFormGame"),
        (
            {"profile": gt.uniform_profile(PENNIES).to_float()},
            "rational profile as profile, but it",
        ),
    ],
)
def test_every_tampered_field_is_rejected(changes, complaint):
    certificate = gt.certify_nash(PENNIES, gt.uniform_profile(PENNIES))
    with pytest.raises(gt.CertificateRejected, match=rf"^nash certificate: .*{complaint}"):
        replace(certificate, **changes).verify()


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"profile": gt.BehavioralProfile(())}, "each of 2 information sets"),
        ({"profile": gt.uniform_behavior(GUESS).to_float()}, "rational profile"),
        ({"game": PENNIES}, "BehavioralProfile for NormalFormGame"),
    ],
)
def test_every_tampered_field_is_rejected_in_trees(changes, complaint):
    certificate = gt.certify_nash(GUESS, gt.uniform_behavior(GUESS))
    certificate.verify()
    with pytest.raises(gt.CertificateRejected, match=rf"^nash certificate: .*{complaint}"):
        replace(certificate, **changes).verify()


def test_a_certificate_about_a_player_who_forgets_is_rejected():
    forgetful = gt.from_sketch(
        gt.Decision(
            0,
            "first",
            {a: gt.Decision(0, "then", {b: gt.Terminal([1]) for b in "xy"}) for a in "ab"},
        ),
        players=("Ann",),
    )
    profile = gt.uniform_behavior(forgetful)
    with pytest.raises(gt.UnsupportedGame, match="perfect recall of the responding player"):
        gt.certify_nash(forgetful, profile)
    certificate = gt.certify_nash(GUESS, gt.uniform_behavior(GUESS))
    with pytest.raises(gt.CertificateRejected, match=r"^nash certificate: .*perfect recall"):
        replace(certificate, game=forgetful, profile=profile).verify()


def test_a_profile_that_does_not_fit_is_refused():
    with pytest.raises(gt.InvalidStrategy, match=r"strategies over \(2, 2\) actions"):
        gt.certify_nash(PENNIES, gt.MixedProfile(([1], [1])))


def test_a_float_profile_is_measured_as_the_rationals_it_means():
    floats = gt.MixedProfile((np.array([0.1, 0.2, 0.7]), np.array([0.3, 0.3, 0.4])))
    game = gt.NormalFormGame.bimatrix(np.eye(3), 1 - np.eye(3))
    certificate = gt.certify_nash(game, floats)
    for given_vector, meant in zip(floats.strategies, certificate.profile.strategies, strict=True):
        exact = [Fraction(p) for p in given_vector.tolist()]
        assert meant.tolist() == [p / sum(exact) for p in exact]
    certificate.verify()
    assert sum(certificate.payoffs) == 1
