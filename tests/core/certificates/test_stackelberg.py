"""Stackelberg certificates accept what is proved and reject every changed number."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.certificates import certify_stackelberg

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
HAIR = Fraction(1, 10**30)
# Mixing half and half earns 7/2, with the second column. Weighing its preference over the first by
# 1/2 proves that this is most: 4 + (0 - 1)/2 = 7/2 in the first row, 3 + (1 - 0)/2 in the second.
GAME = gt.NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
PROFILE = gt.MixedProfile(([HALF, HALF], [ZERO, ONE]))
MULTIPLIERS = ((ZERO, ZERO), (HALF, ZERO))


def certificate():
    return certify_stackelberg(GAME, PROFILE, leader=0, multipliers=MULTIPLIERS)


def test_proved_optimum_is_accepted():
    claim = certificate()
    assert (claim.leader_payoff, claim.upper_bound, claim.epsilon) == (Fraction(7, 2),) * 2 + (0,)
    assert "7/2" in claim.statement
    assert "no commitment gets more (" in claim.statement
    claim.verify()


def test_bound_that_is_not_tight_is_stated():
    claim = certify_stackelberg(GAME, PROFILE, leader=0, multipliers=((ZERO, ZERO),) * 2)
    assert claim.epsilon == HALF
    assert "more than 4" in claim.statement
    claim.verify()


def test_second_player_as_leader_is_the_game_turned():
    turned = gt.NormalFormGame.from_payoffs(GAME.exact_payoffs[::-1].transpose(0, 2, 1))
    profile = gt.MixedProfile(PROFILE.strategies[::-1])
    claim = certify_stackelberg(turned, profile, leader=1, multipliers=MULTIPLIERS)
    assert (claim.leader_payoff, claim.epsilon) == (Fraction(7, 2), 0)
    claim.verify()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"multipliers": ((ZERO, ZERO), (HALF + HAIR, ZERO))}, "claims upper bound"),
        ({"multipliers": ((ZERO, ZERO), (HALF - HAIR, ZERO))}, "claims upper bound"),
        ({"multipliers": ((ZERO, -HAIR), (HALF, ZERO))}, "at least 0"),
        ({"multipliers": ((ZERO, ZERO),)}, "needs multipliers in 2 rows of 2"),
        ({"multipliers": ((ZERO, ZERO), (HALF,))}, "needs multipliers in 2 rows of 2"),
        (
            {"profile": gt.MixedProfile(([HALF - HAIR, HALF + HAIR], [ZERO, ONE]))},
            "claims leader payoff",
        ),
        (
            {"profile": gt.MixedProfile(([HALF + HAIR, HALF - HAIR], [ZERO, ONE]))},
            "needs a best response",
        ),
        ({"profile": gt.MixedProfile(([HALF, HALF], [HAIR, ONE - HAIR]))}, "leader's favorite"),
        (
            {"profile": gt.MixedProfile((np.array([0.5, 0.5]), np.array([0.0, 1.0])))},
            "holds floats",
        ),
        ({"leader": 1}, "needs a best response"),
        ({"leader": 2}, "leader from 0 to 1"),
        (
            {"game": gt.NormalFormGame.bimatrix([[2, 4 + HAIR], [1, 3]], [[1, 0], [0, 1]])},
            "claims leader payoff",
        ),
        (
            {"game": gt.NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1 - HAIR]])},
            "needs a best response",
        ),
        ({"game": gt.NormalFormGame.bimatrix([[2, 4, 0]], [[1, 0, 0]])}, "needs strategies over"),
    ],
)
def test_changed_certificate_is_rejected(change, message):
    with pytest.raises(gt.CertificateRejected, match=message):
        replace(certificate(), **change).verify()


def test_response_against_the_leader_is_rejected():
    profile = gt.MixedProfile(([HALF, HALF], [ONE, ZERO]))
    with pytest.raises(gt.CertificateRejected, match="leader's favorite among best responses"):
        certify_stackelberg(GAME, profile, leader=0, multipliers=MULTIPLIERS)


def test_three_players_are_rejected():
    game = gt.NormalFormGame.from_payoffs([[[[0]]], [[[0]]], [[[0]]]])
    with pytest.raises(gt.CertificateRejected, match="needs two players"):
        certify_stackelberg(game, gt.uniform_profile(game), leader=0, multipliers=((ZERO,),))


def test_commitment_to_an_action_is_bounded_by_the_whole_column():
    claim = certify_stackelberg(
        GAME, gt.pure_profile(GAME, (0, 0)), leader=0, multipliers=((ZERO, ZERO),) * 2
    )
    assert (claim.leader_payoff, claim.upper_bound) == (2, 4)
