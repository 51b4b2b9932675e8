"""Quantal response certificates bound how far a profile is from softmax, and accept no less."""

from dataclasses import replace
from fractions import Fraction
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, MixedProfile, NormalFormGame, load_game
from gametheory_core.certificates import certify_quantal_response
from gametheory_core.evaluation import action_payoffs
from gametheory_core.testing import normal_form_games
from tests.sample_sizes import many

THIRD = Fraction(1, 3)
PENNIES = load_game("matching_pennies")


@many
@given(normal_form_games(num_players=(1, 3)), st.fractions(0, 5), st.randoms())
def test_the_residual_is_the_largest_error_of_log_odds(game, rationality, random):
    profile = MixedProfile(
        tuple(
            [Fraction(w, sum(weights)) for w in weights]
            for weights in ([random.randint(1, 99) for _ in own] for own in game.actions)
        )
    )
    claim = certify_quantal_response(game, profile, rationality=rationality)
    claim.verify()
    errors = [
        log(p[a] / p[b]) - float(rationality * (v[a] - v[b]))
        for i, p in enumerate(profile.strategies)
        for v in [action_payoffs(game, profile, player=i)]
        for a in range(len(p))
        for b in range(len(p))
    ]
    assert float(claim.residual) == pytest.approx(max(errors), rel=1e-12, abs=1e-12)
    assert claim.residual >= 0


def test_even_play_without_rationality_is_exact_up_to_enclosures():
    profile = MixedProfile(([THIRD] * 3, [THIRD] * 3))
    game = NormalFormGame.zero_sum([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    for rationality in (Fraction(0), Fraction(10**9, 7)):
        claim = certify_quantal_response(game, profile, rationality=rationality)
        assert claim.residual <= Fraction(1, 10**25)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rationality": Fraction(-1)}, "needs a rationality of at least 0, but it is -1"),
        ({"rationality": Fraction(1)}, "claims residual"),
        ({"profile": MixedProfile(([1, 0], [THIRD, 1 - THIRD]))}, "positive probability"),
        ({"profile": MixedProfile(([THIRD, 1 - THIRD], [THIRD, 1 - THIRD]))}, "claims"),
        ({"residual": Fraction(0)}, "claims residual 0"),
    ],
)
def test_changed_certificate_is_rejected(change, message):
    half = Fraction(1, 2)
    profile = MixedProfile(([half, half], [1 - THIRD, THIRD]))
    claim = certify_quantal_response(PENNIES, profile, rationality=Fraction(2))
    claim.verify()
    with pytest.raises(CertificateRejected, match=message):
        replace(claim, **change).verify()


def test_a_profile_in_floats_is_rejected():
    floats = MixedProfile((np.array([0.5, 0.5]), np.array([0.5, 0.5])))
    with pytest.raises(CertificateRejected, match="holds floats"):
        certify_quantal_response(PENNIES, floats, rationality=Fraction(1))
