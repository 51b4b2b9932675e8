"""Nash certificates: they verify, and no number, profile or game can be exchanged unnoticed."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core.certificates.equilibrium import certify_nash
from gametheory_core.errors import CertificateRejected, InvalidStrategy, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.tree_draft import Decision, Terminal, from_sketch
from gametheory_core.strategies.behavioral import BehavioralProfile, uniform_behavior
from gametheory_core.strategies.mixed import MixedProfile, pure_profile, uniform_profile
from gametheory_core.testing.generators import (
    behavioral_profiles,
    extensive_form_games,
    mixed_profiles,
    normal_form_games,
)
from tests.core.naive_trees import GUESS, payoffs, pure_payoffs
from tests.sample_sizes import examples

SOME = examples(35)
PRISONERS = NormalFormGame.symmetric([[3, 0], [5, 1]])
PENNIES = NormalFormGame.zero_sum([[1, -1], [-1, 1]])


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
    game = data.draw(normal_form_games())
    profile = data.draw(mixed_profiles(game))
    certificate = certify_nash(game, profile)
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
    game = data.draw(extensive_form_games())
    profile = data.draw(behavioral_profiles(game))
    certificate = certify_nash(game, profile)
    certificate.verify()
    own = payoffs(game, profile)
    assert list(certificate.payoffs) == own
    for player in range(game.num_players):
        best = max(pure_payoffs(game, profile, player).values())
        assert certificate.deviation_gains[player] == best - own[player]


def test_epsilon_zero_is_stated_as_equilibrium():
    certificate = certify_nash(PENNIES, uniform_profile(PENNIES))
    assert certificate.epsilon == 0
    assert certificate.statement.startswith("a Nash equilibrium")


def test_epsilon_is_stated_with_its_number():
    certificate = certify_nash(PRISONERS, pure_profile(PRISONERS, (0, 0)))
    assert certificate.deviation_gains == (2, 2)
    assert "no player gains more than epsilon = 2" in certificate.statement


@SOME
@given(st.data())
def test_another_profile_under_the_same_numbers_is_rejected(data):
    game = data.draw(normal_form_games(num_players=(2, 2)))
    certificate = certify_nash(game, data.draw(mixed_profiles(game)))
    other = certify_nash(game, data.draw(mixed_profiles(game)))
    same = (other.payoffs, other.deviation_gains)
    assume(same != (certificate.payoffs, certificate.deviation_gains))
    with pytest.raises(CertificateRejected, match=r"nash certificate: claims .* but the exact"):
        replace(certificate, profile=other.profile).verify()


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"game": PRISONERS}, "claims payoffs"),
        ({"game": NormalFormGame.zero_sum([[1, -1, 0]])}, r"over \(1, 3\) actions"),
        ({"game": GUESS}, "MixedProfile for ExtensiveFormGame"),
        ({"profile": pure_profile(PENNIES, (0, 0))}, r"claims payoffs \(0, 0\), but .* \(1, -1\)"),
        ({"profile": uniform_behavior(GUESS)}, "BehavioralProfile for NormalFormGame"),
        ({"profile": uniform_profile(PENNIES).to_float()}, "rational profile as profile, but it"),
    ],
)
def test_every_tampered_field_is_rejected(changes, complaint):
    certificate = certify_nash(PENNIES, uniform_profile(PENNIES))
    with pytest.raises(CertificateRejected, match=rf"^nash certificate: .*{complaint}"):
        replace(certificate, **changes).verify()


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"profile": BehavioralProfile(())}, "each of 2 information sets"),
        ({"profile": uniform_behavior(GUESS).to_float()}, "rational profile"),
        ({"game": PENNIES}, "BehavioralProfile for NormalFormGame"),
    ],
)
def test_every_tampered_field_is_rejected_in_trees(changes, complaint):
    certificate = certify_nash(GUESS, uniform_behavior(GUESS))
    certificate.verify()
    with pytest.raises(CertificateRejected, match=rf"^nash certificate: .*{complaint}"):
        replace(certificate, **changes).verify()


def test_a_certificate_about_a_player_who_forgets_is_rejected():
    forgetful = from_sketch(
        Decision(
            0, "first", {a: Decision(0, "then", {b: Terminal([1]) for b in "xy"}) for a in "ab"}
        ),
        players=("Ann",),
    )
    profile = uniform_behavior(forgetful)
    with pytest.raises(UnsupportedGame, match="perfect recall of the responding player"):
        certify_nash(forgetful, profile)
    certificate = certify_nash(GUESS, uniform_behavior(GUESS))
    with pytest.raises(CertificateRejected, match=r"^nash certificate: .*perfect recall"):
        replace(certificate, game=forgetful, profile=profile).verify()


def test_a_profile_that_does_not_fit_is_refused():
    with pytest.raises(InvalidStrategy, match=r"strategies over \(2, 2\) actions"):
        certify_nash(PENNIES, MixedProfile(([1], [1])))


def test_a_float_profile_is_measured_as_the_rationals_it_means():
    floats = MixedProfile((np.array([0.1, 0.2, 0.7]), np.array([0.3, 0.3, 0.4])))
    game = NormalFormGame.bimatrix(np.eye(3), 1 - np.eye(3))
    certificate = certify_nash(game, floats)
    for given_vector, meant in zip(floats.strategies, certificate.profile.strategies, strict=True):
        exact = [Fraction(p) for p in given_vector.tolist()]
        assert meant.tolist() == [p / sum(exact) for p in exact]
    certificate.verify()
    assert sum(certificate.payoffs) == 1
