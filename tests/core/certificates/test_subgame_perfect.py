"""Subgame-perfect certificates see every deviation, also where play never comes."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.catalog import load
from gametheory_core.certificates import certify_subgame_perfect
from gametheory_core.formats import Checked, certificate_from, certificate_record

HAIR = Fraction(1, 10**30)


def entry(fighting=-1, lump=0):
    """An entrant stays out or comes in; an incumbent fights or shares. Payments add up."""
    answer = gt.Decision(
        1, "entered", {"fight": gt.Terminal([-1, fighting]), "share": gt.Terminal([1, 1])}
    )
    weather = gt.Chance(
        {"sun": ("1/3", answer), "rain": ("2/3", gt.Terminal([1, "5/2"]))}, payoffs=[lump, 0]
    )
    tree = gt.Decision(0, "start", {"out": gt.Terminal([0, 2]), "in": weather})
    return gt.from_sketch(tree, players=("Entrant", "Incumbent"))


def test_equilibrium_of_every_subgame_is_accepted():
    game = entry()
    claim = certify_subgame_perfect(game, gt.pure_behavior(game, (1, 1)))
    assert claim.payoffs == (1, 2)
    assert claim.epsilon == 0
    assert "at any node" in claim.statement
    claim.verify()


def test_payments_on_the_way_count():
    game = entry(lump=-1)
    claim = certify_subgame_perfect(game, gt.pure_behavior(game, (0, 1)))
    assert claim.payoffs == (0, 2)
    game = entry(lump="-1/2")
    assert certify_subgame_perfect(game, gt.pure_behavior(game, (1, 1))).payoffs[0] == Fraction(
        1, 2
    )


def test_mixing_among_equals_is_accepted():
    game = entry(fighting=1)
    profile = gt.BehavioralProfile(([Fraction(0), Fraction(1)], [Fraction(1, 4), Fraction(3, 4)]))
    claim = certify_subgame_perfect(game, profile)
    assert claim.payoffs == (Fraction(5, 6), 2)
    claim.verify()


def test_tree_without_decisions_is_accepted():
    game = gt.from_sketch(gt.Terminal([1, "2/3"]), players=("Ann", "Bob"))
    claim = certify_subgame_perfect(game, gt.BehavioralProfile(()))
    assert claim.payoffs == (1, Fraction(2, 3))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"profile": gt.BehavioralProfile(([HAIR, 1 - HAIR], [Fraction(0), Fraction(1)]))},
            "at information set 'start' of player 1 action 'in' pays 1",
        ),
        (
            {"profile": gt.BehavioralProfile(([Fraction(0), Fraction(1)], [HAIR, 1 - HAIR]))},
            "at information set 'entered' of player 2 action 'share' pays 1",
        ),
        ({"profile": gt.BehavioralProfile((np.array([0.0, 1.0]),) * 2)}, "holds floats"),
        ({"profile": gt.BehavioralProfile(([Fraction(1)],))}, "at each of 2 information sets"),
        ({"game": entry(fighting=1 + HAIR)}, "action 'fight' pays"),
        ({"game": entry(lump=HAIR)}, "claims payoffs"),
    ],
)
def test_changed_certificate_is_rejected(change, message):
    game = entry()
    claim = certify_subgame_perfect(game, gt.pure_behavior(game, (1, 1)))
    with pytest.raises(gt.CertificateRejected, match=message):
        replace(claim, **change).verify()


def market(entering=(3, 1)):
    """An entrant may enter; then both set prices at once: a subgame with two pure equilibria."""
    pays = {("low", "low"): entering, ("high", "high"): (1, 3)}
    second = {
        a: gt.Decision(
            1, "unseen", {b: gt.Terminal(pays.get((a, b), (0, 0))) for b in ("low", "high")}
        )
        for a in ("low", "high")
    }
    priced = gt.Decision(0, "entered", second)
    tree = gt.Decision(0, "start", {"out": gt.Terminal([2, 4]), "in": priced})
    return gt.from_sketch(tree, players=("Entrant", "Incumbent"))


def test_subgames_with_imperfect_information_are_checked():
    game = market()
    comes_in = gt.pure_behavior(game, (1, 0, 0))
    claim = certify_subgame_perfect(game, comes_in)
    assert (claim.payoffs, claim.epsilon) == ((3, 1), 0)
    claim.verify()


def test_empty_threat_after_entry_is_rejected_with_the_subgame():
    """Staying out because of a mismatch after entry is Nash, but no equilibrium of the subgame."""
    game = market()
    threat = gt.pure_behavior(game, (0, 0, 1))
    assert gt.certify_nash(game, threat).epsilon == 0
    message = r"in the subgame after \('in',\) player 'Entrant' gains 1 over 0"
    with pytest.raises(gt.CertificateRejected, match=message):
        certify_subgame_perfect(game, threat)


def test_gain_within_the_tolerance_is_stated():
    game = market()
    claim = certify_subgame_perfect(game, gt.pure_behavior(game, (0, 0, 1)), tolerance=Fraction(2))
    assert claim.epsilon == 1
    assert "gain more than epsilon = 1" in claim.statement
    claim.verify()
    with pytest.raises(gt.CertificateRejected, match="needs no gain above 2/3 in any subgame"):
        replace(claim, epsilon=Fraction(2, 3)).verify()
    with pytest.raises(gt.CertificateRejected, match="needs no gain above 0 in any subgame"):
        replace(claim, epsilon=Fraction(0)).verify()
    with pytest.raises(gt.CertificateRejected, match="claims epsilon 2, but the exact value is 1"):
        replace(claim, epsilon=Fraction(2)).verify()
    with pytest.raises(gt.CertificateRejected, match="claims payoffs"):
        replace(claim, payoffs=(Fraction(3), Fraction(1))).verify()


def test_any_gain_can_be_measured():
    game = entry()
    fights = gt.pure_behavior(game, (0, 0))
    claim = certify_subgame_perfect(game, fights, tolerance=None)
    assert claim.epsilon == 2
    claim.verify()


def test_record_from_before_epsilon_was_stated_is_read():
    game = entry()
    claim = certify_subgame_perfect(game, gt.pure_behavior(game, (1, 1)))
    record = certificate_record(claim)
    del record["epsilon"]
    read = certificate_from(Checked(json.loads(json.dumps(record)), "", "an old file"))
    assert read == claim
    read.verify()


def test_forgetful_player_is_rejected():
    game = load("forgetful_bit")
    with pytest.raises(
        gt.CertificateRejected, match="needs perfect recall, but player 'Forgetful'"
    ):
        certify_subgame_perfect(game, gt.uniform_behavior(game))


@pytest.mark.parametrize("tolerance", ["0", float("nan"), 0.5, Fraction(-1), True])
def test_tolerances_are_exact_and_at_least_zero(tolerance):
    game = load("centipede:rounds=2")
    with pytest.raises(gt.InvalidArgument, match="needs a tolerance of at least 0 as a Fraction"):
        certify_subgame_perfect(game, gt.pure_behavior(game, (0, 0)), tolerance=tolerance)


def test_a_matrix_has_no_subgames():
    game = load("prisoners_dilemma")
    with pytest.raises(
        gt.UnsupportedGame, match="certify_subgame_perfect: needs an? extensive-form"
    ):
        certify_subgame_perfect(game, gt.uniform_profile(game))
