"""Certificates of correlated commitment in trees: the follower obeys, and the bound is proved."""

from dataclasses import replace
from fractions import Fraction

import pytest

from gametheory_core import CertificateRejected, Decision, Terminal, from_sketch, pure_behavior
from gametheory_core.certificates import certify_extensive_correlated_commitment
from gametheory_core.certificates.extensive_stackelberg_bounds import (
    DeviationWeight,
    SequenceTransfer,
)
from gametheory_core.strategies import behavioral_mixture


def chicken():
    """Both drive at once; told to yield, a driver does not know what the other was told."""
    after = {a: {"yield": (6, 2), "go": (2, 7)}[a] for a in ("yield", "go")}
    after_go = {"yield": (7, 2), "go": (0, 0)}
    rows = {"yield": after, "go": after_go}
    return from_sketch(
        Decision(
            0, "", {a: Decision(1, "", {b: Terminal(rows[a][b]) for b in after}) for a in rows}
        ),
        players=("Ann", "Bob"),
    )


def certified(*profiles, **options):
    game = chicken()
    mixture = behavioral_mixture([pure_behavior(game, profile) for profile in profiles])
    given = {"leader": 0, "deviations": (), "transfers": (), **options}
    return certify_extensive_correlated_commitment(game, mixture, **given)


def test_mixture_that_the_follower_obeys_is_measured():
    found = certified((0, 1), (1, 0))
    found.verify()
    assert found.payoffs == (Fraction(9, 2), Fraction(9, 2))
    assert (found.leader_payoff, found.upper_bound) == (Fraction(9, 2), 7)
    assert "no such lottery gets more than 7" in found.statement


def test_leaders_own_incentives_do_not_count():
    assert certified((1, 0)).epsilon == 0
    assert certified((0, 1)).leader_payoff == 2


def test_disobedience_is_rejected():
    with pytest.raises(CertificateRejected, match="a deviation gains 5"):
        certified((0, 0))


def test_weights_bound_the_payoff():
    """Any deviation weights do; these prove less than the largest payoff."""
    told_to_yield = DeviationWeight(1, 2, Fraction(1))
    found = certified((1, 0), deviations=(told_to_yield,))
    assert found.upper_bound >= found.leader_payoff
    with pytest.raises(CertificateRejected, match="of at least 0"):
        certified((1, 0), deviations=(replace(told_to_yield, weight=Fraction(-1)),))
    with pytest.raises(CertificateRejected, match="needs transfers at"):
        certified((1, 0), transfers=(SequenceTransfer(7, 0, Fraction(1)),))


@pytest.mark.parametrize(("change", "match"), [({"leader": 2}, "a leader from 0 to 1")])
def test_claims_that_differ_are_rejected(change, match):
    with pytest.raises(CertificateRejected, match=match):
        replace(certified((1, 0)), **change).verify()


def test_mixtures_of_other_games_are_rejected():
    game = from_sketch(Decision(0, "", {"l": Terminal([1, 0])}), players=("Ann", "Bob"))
    with pytest.raises(CertificateRejected, match="needs probabilities at each"):
        replace(certified((1, 0)), game=game).verify()
