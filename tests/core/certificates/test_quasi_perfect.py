"""Quasi-perfect certificates accept just what the definition does, and no forged claim."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import strategies
from gametheory_core.catalog import load
from gametheory_core.certificates import QuasiPerfectCertificate, certify_quasi_perfect
from gametheory_core.testing import PayoffKind, behavioral_profiles, extensive_form_games
from tests.core.naive_refinements import profile_at, quasi_perfect_gains

TINY = Fraction(1, 2**200)


def small_trees():
    return extensive_form_games(max_moves=5, kinds=(PayoffKind.DEGENERATE,))


@given(small_trees().flatmap(lambda tree: st.tuples(st.just(tree), behavioral_profiles(tree))))
def test_accepted_is_what_no_way_of_going_on_beats(drawn):
    """Any number of players, payoffs of any sum; at an epsilon below all roots that can occur."""
    tree, profile = drawn
    assume(strategies.chance_excludes_no_infoset(tree))
    trembles = strategies.uniform_trembles(tree, profile)
    gains = quasi_perfect_gains(tree, profile, profile_at(tree, trembles, TINY))
    if any(gains):
        with pytest.raises(gt.CertificateRejected, match="gains about .*, which the limit plays"):
            certify_quasi_perfect(tree, trembles)
        return
    certificate = certify_quasi_perfect(tree, trembles)
    certificate.verify()
    assert certificate.profile == profile


ACE = load("guess_the_ace")
SENSIBLE = strategies.uniform_trembles(ACE, gt.pure_behavior(ACE, (0, 1)))


def test_claims_are_checked():
    certificate = certify_quasi_perfect(ACE, SENSIBLE)
    certificate.verify()
    assert certificate.epsilon == 0
    assert "opponents who tremble" in certificate.statement
    foolish = gt.pure_behavior(ACE, (0, 0))
    for forged, message in [
        (replace(certificate, profile=foolish), "to which the trembles tend"),
        (replace(certificate, payoffs=(Fraction(1), Fraction(-1))), "claims payoffs"),
        (
            replace(
                certificate, profile=foolish, trembles=strategies.uniform_trembles(ACE, foolish)
            ),
            "at information set 'asked' of player 2 action 'other' gains about 12500/13 over 'ace'",
        ),
        (
            replace(certificate, trembles=strategies.TremblingProfile(())),
            "needs a plan for each of 2",
        ),
        (replace(certificate, profile=gt.BehavioralProfile(())), "to which the trembles tend"),
    ]:
        with pytest.raises(
            gt.CertificateRejected, match=f"^quasi-perfect certificate: .*{message}"
        ):
            forged.verify()


def test_weights_that_vanish_are_no_trembles():
    """Without full support a threat is never put to the test."""
    never = strategies.TremblingProfile(
        (((Fraction(1),), (Fraction(1),), ()), ((Fraction(1),), (Fraction(1),), ()))
    )
    with pytest.raises(
        gt.InvalidStrategy, match="positive for all small epsilon > 0, but sequence 2"
    ):
        certify_quasi_perfect(ACE, never)
    claim = QuasiPerfectCertificate(
        ACE, gt.pure_behavior(ACE, (0, 0)), (Fraction(0), Fraction(0)), never
    )
    with pytest.raises(gt.CertificateRejected, match="positive for all small epsilon"):
        claim.verify()


def test_gains_are_per_visit_and_of_the_right_order():
    """Bob loses 3 where Ann errs twice as often to the left; Ann's own trembles do not enter."""

    def bob(way):
        paid = {"left": 3, "right": 0} if way == "l" else {"left": 0, "right": 3}
        return gt.Decision(1, "Bob", {a: gt.Terminal([0, v]) for a, v in paid.items()})

    tree = gt.from_sketch(
        gt.Decision(0, "Ann", {"out": gt.Terminal([1, 0]), "l": bob("l"), "r": bob("r")}),
        players=("Ann", "Bob"),
    )
    slips = ((Fraction(0), Fraction(2)), (Fraction(0), Fraction(1)))
    ann = ((Fraction(1),), (Fraction(1), Fraction(-3)), *slips)
    bob_plan = ((Fraction(1),), (Fraction(0), Fraction(1)), (Fraction(1), Fraction(-1)))
    with pytest.raises(gt.CertificateRejected, match="action 'left' gains about 1 over 'right'"):
        certify_quasi_perfect(tree, strategies.TremblingProfile((ann, bob_plan)))


def test_two_slips_are_rarer_than_one():
    """Carl is asked if Ann slips, and does not see whether Bob slips too, where right pays 10."""

    def carl(bob):
        paid = {"left": int(bob == "stays"), "right": 10 * int(bob == "slips")}
        return gt.Decision(2, "Carl", {a: gt.Terminal([0, 0, v]) for a, v in paid.items()})

    bob = gt.Decision(1, "Bob", {b: carl(b) for b in ("stays", "slips")})
    tree = gt.from_sketch(
        gt.Decision(0, "Ann", {"stays": gt.Terminal([0, 0, 0]), "slips": bob}),
        players=("Ann", "Bob", "Carl"),
    )
    certify_quasi_perfect(
        tree, strategies.uniform_trembles(tree, gt.pure_behavior(tree, (0, 0, 0)))
    ).verify()
    with pytest.raises(gt.CertificateRejected, match="action 'left' gains about 1 over 'right'"):
        certify_quasi_perfect(
            tree, strategies.uniform_trembles(tree, gt.pure_behavior(tree, (0, 0, 1)))
        )


def test_trees_without_decisions_and_idle_players_will_do():
    lottery = gt.Chance({"a": ("1/3", gt.Terminal([1, 0])), "b": ("2/3", gt.Terminal([0, 1]))})
    tree = gt.from_sketch(lottery, players=("Ann", "Bob"))
    certificate = certify_quasi_perfect(
        tree, strategies.uniform_trembles(tree, gt.uniform_behavior(tree))
    )
    certificate.verify()
    assert certificate.payoffs == (Fraction(1, 3), Fraction(2, 3))


def test_what_chance_excludes_is_refused():
    choice = gt.Decision(0, "never", {"a": gt.Terminal([1]), "b": gt.Terminal([0])})
    tree = gt.from_sketch(
        gt.Chance({"x": (0, choice), "y": (1, gt.Terminal([0]))}), players=("Ann",)
    )
    trembles = strategies.uniform_trembles(tree, gt.pure_behavior(tree, (1,)))
    with pytest.raises(
        gt.UnsupportedGame, match="only chance moves of probability 0 lead to .*never"
    ):
        certify_quasi_perfect(tree, trembles)


def test_anything_but_trembles_is_refused():
    with pytest.raises(gt.CertificateRejected, match="needs a TremblingProfile as trembles"):
        certify_quasi_perfect(ACE, gt.pure_behavior(ACE, (0, 1)))
