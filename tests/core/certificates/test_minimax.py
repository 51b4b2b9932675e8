"""Minimax certificates: bounds are what the strategies guarantee, and cannot be forged."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import testing
from tests.core.naive_trees import GUESS, pure_payoffs
from tests.sample_sizes import examples

SOME = examples(35)
PENNIES = gt.NormalFormGame.zero_sum([[1, -1], [-1, 1]])
SHARES = gt.NormalFormGame.bimatrix([[3, 0], [1, 2]], [[0, 3], [2, 1]])  # payoffs sum to 3


@SOME
@given(st.data())
def test_bounds_in_matrix_games_are_the_worst_cases(data):
    game = data.draw(testing.zero_sum_games())
    profile = data.draw(testing.mixed_profiles(game))
    certificate = gt.certify_minimax(game, profile)
    certificate.verify()
    rows, columns = profile.strategies
    assert certificate.lower == min(rows @ game.exact_payoffs[0])
    assert certificate.upper == max(game.exact_payoffs[0] @ columns)
    assert certificate.lower <= certificate.game_value <= certificate.upper


@SOME
@given(st.data())
def test_bounds_in_trees_are_the_worst_cases(data):
    game = data.draw(testing.extensive_form_games(zero_sum=True))
    profile = data.draw(testing.behavioral_profiles(game))
    certificate = gt.certify_minimax(game, profile)
    certificate.verify()
    assert certificate.upper == max(pure_payoffs(game, profile, 0).values())
    assert certificate.lower == -max(pure_payoffs(game, profile, 1).values())


def test_a_constant_sum_counts_in_the_lower_bound():
    certificate = gt.certify_minimax(SHARES, gt.pure_profile(SHARES, (0, 1)))
    assert (certificate.lower, certificate.upper) == (0, 2)
    assert certificate.payoff_sum == 3
    assert certificate.game_value == 1
    assert certificate.statement == "the value of the game lies between 0 and 2"


def test_a_width_of_zero_is_stated_as_the_value():
    solved = gt.MixedProfile((["1/4", "3/4"], ["1/2", "1/2"]))
    certificate = gt.certify_minimax(SHARES, solved)
    assert certificate.epsilon == 0
    assert certificate.statement == "minimax strategies: the value of the game is 3/2, exactly"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"profile": gt.pure_profile(PENNIES, (0, 1))}, "claims lower 0, but .* is -1"),
        ({"profile": gt.uniform_profile(PENNIES).to_float()}, "rational profile"),
        ({"profile": gt.uniform_behavior(GUESS)}, "BehavioralProfile for NormalFormGame"),
        ({"profile": gt.MixedProfile(([1], [1]))}, r"over \(2, 2\) actions"),
        ({"game": GUESS}, "MixedProfile for ExtensiveFormGame"),
        ({"game": gt.NormalFormGame.zero_sum([[1, 0], [0, 0]])}, "claims upper 0, but .* is 1/2"),
        ({"game": gt.NormalFormGame.symmetric([[3, 0], [5, 1]])}, "constant-sum game, but payoffs"),
        ({"game": gt.NormalFormGame.from_payoffs([[1, 2]])}, r"needs two players"),
    ],
)
def test_every_tampered_field_is_rejected(changes, complaint):
    certificate = gt.certify_minimax(PENNIES, gt.uniform_profile(PENNIES))
    with pytest.raises(gt.CertificateRejected, match=rf"^minimax certificate: .*{complaint}"):
        replace(certificate, **changes).verify()


def test_a_game_that_is_not_constant_sum_is_refused_with_the_witness():
    prisoners = gt.NormalFormGame.symmetric([[3, 0], [5, 1]], actions=("deny", "tell"))
    with pytest.raises(gt.UnsupportedGame, match=r"\('deny', 'tell'\) sum to 5, not 6"):
        gt.certify_minimax(prisoners, gt.uniform_profile(prisoners))


def test_a_game_of_three_is_refused():
    three = gt.NormalFormGame.from_payoffs([[[[0]]], [[[0]]], [[[0]]]])
    with pytest.raises(gt.UnsupportedGame, match=r"needs two players, but .* has 3"):
        gt.certify_minimax(three, gt.uniform_profile(three))


def test_a_profile_that_does_not_fit_is_refused():
    with pytest.raises(gt.InvalidStrategy, match=r"strategies over \(2, 2\) actions"):
        gt.certify_minimax(PENNIES, gt.MixedProfile(([1], [1])))
