"""Certificates of correlated commitment reject every changed number."""

from dataclasses import replace
from fractions import Fraction

import pytest

from gametheory_core import CertificateRejected, NormalFormGame, correlated_distribution
from gametheory_core.certificates import IncentivePrice, certify_correlated_commitment

HALF = Fraction(1, 2)
HAIR = Fraction(1, 10**30)
GAME = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]], players=("Ann", "Bob"))
DISTRIBUTION = correlated_distribution([[0, HALF], [0, HALF]])
PRICES = (IncentivePrice(1, 1, 0, HALF),)
VALUE = Fraction(7, 2)


def certificate():
    return certify_correlated_commitment(GAME, DISTRIBUTION, leader=0, prices=PRICES)


def priced(*entry):
    return {"prices": (IncentivePrice(*entry),)}


def test_proved_optimum_is_accepted():
    claim = certificate()
    assert claim.payoffs == (VALUE, HALF)
    assert (claim.leader_payoff, claim.upper_bound, claim.epsilon) == (VALUE, VALUE, 0)
    assert claim.answer == DISTRIBUTION
    assert "'Ann' commits to a lottery" in claim.statement
    claim.verify()


def test_bound_that_is_not_tight_is_stated():
    claim = certify_correlated_commitment(GAME, DISTRIBUTION, leader=0, prices=())
    assert (claim.upper_bound, claim.epsilon) == (4, HALF)
    claim.verify()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (priced(1, 1, 0, HALF - HAIR), "claims upper bound"),
        (priced(1, 1, 0, HALF + HAIR), "claims upper bound"),
        (priced(1, 1, 0, -HAIR), "prices of at least 0"),
        (priced(0, 1, 0, HALF), "prices of followers' deviations only"),
        (priced(2, 1, 0, HALF), "players from 0 to 1"),
        (priced(1, None, 0, HALF), "a recommended action"),
        (priced(1, 1, 2, HALF), "actions from 0 to 1"),
        ({"leader": 1}, "prices of followers' deviations only"),
        ({"leader": 2}, "leader from 0 to 1, but got 2"),
        ({"leader": -1}, "but got -1"),
        (
            {"distribution": correlated_distribution([[0, HALF + HAIR], [0, HALF - HAIR]])},
            "player 'Bob' gains .* by disobeying",
        ),
        (
            {"distribution": correlated_distribution([[0, HALF - HAIR], [0, HALF + HAIR]])},
            "claims payoffs",
        ),
        ({"distribution": correlated_distribution([[1]])}, "needs joint actions of shape"),
    ],
)
def test_changed_certificate_is_rejected(change, message):
    with pytest.raises(CertificateRejected, match=message):
        replace(certificate(), **change).verify()


def test_leader_may_be_told_to_lose():
    """The leader's own regret does not count: that is what commitment means."""
    game = NormalFormGame.symmetric([[3, 0], [5, 1]])
    surely_cooperate = correlated_distribution([[0, 1], [0, 0]])
    certify_correlated_commitment(game, surely_cooperate, leader=0, prices=()).verify()
    with pytest.raises(CertificateRejected, match="player '1' gains 1 by disobeying"):
        certify_correlated_commitment(game, surely_cooperate, leader=1, prices=())
