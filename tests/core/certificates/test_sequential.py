"""Sequential certificates accept just what the definition does, and no forged claim."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import strategies
from gametheory_core.catalog import load
from gametheory_core.certificates import certify_sequential
from gametheory_core.testing import PayoffKind, behavioral_profiles, extensive_form_games
from tests.core.naive_refinements import sequential_gains


def small_trees():
    kinds = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL)
    return extensive_form_games(max_moves=5, kinds=kinds)


@given(small_trees().flatmap(lambda tree: st.tuples(st.just(tree), behavioral_profiles(tree))))
def test_accepted_is_what_no_way_of_going_on_beats(drawn):
    tree, profile = drawn
    assume(strategies.chance_excludes_no_infoset(tree))
    trembles = strategies.uniform_trembles(tree, profile)
    beliefs = strategies.limit_assessment(strategies.sequence_form(tree), trembles).beliefs
    gains = sequential_gains(tree, profile, beliefs)
    if any(gains):
        shown = "|".join(re.escape(f"gains {gain} over the profile") for gain in gains if gain)
        with pytest.raises(gt.CertificateRejected, match=shown):
            certify_sequential(tree, trembles)
        return
    certificate = certify_sequential(tree, trembles)
    certificate.verify()
    assert certificate.assessment == strategies.Assessment(profile, beliefs)


HORSE = load("selten_horse")
GOOD = strategies.trembling_profile(
    HORSE, [[[0, 1], [1, -1]], [[0, 2], [1, -2]], [["1/4"], ["3/4"]]]
)


def test_claims_are_checked():
    certificate = certify_sequential(HORSE, GOOD)
    certificate.verify()
    assert certificate.epsilon == 0
    assert "beliefs that trembles explain" in certificate.statement
    half = Fraction(1, 2)
    bad = gt.pure_behavior(HORSE, (0, 1, 0))
    for forged, message in [
        (replace(certificate, profile=bad), "to which the trembles tend"),
        (replace(certificate, beliefs=(*certificate.beliefs[:2], (half, half))), "claims beliefs"),
        (replace(certificate, beliefs=()), "claims beliefs"),
        (replace(certificate, payoffs=(half,) * 3), "claims payoffs"),
        (
            replace(certificate, trembles=strategies.TremblingProfile(())),
            "needs a plan for each of 3",
        ),
        (
            replace(certificate, profile=bad, trembles=strategies.uniform_trembles(HORSE, bad)),
            "at information set 'passed on' of player 2 action 'd', .* gains 3 over the profile",
        ),
    ]:
        with pytest.raises(gt.CertificateRejected, match=f"^sequential certificate: .*{message}"):
            forged.verify()


def test_the_own_play_that_follows_is_changed_as_well():
    """Going on pays only with the right second step; the first place that gains is named."""
    second = gt.Decision(0, "second", {"bad": gt.Terminal([-1]), "good": gt.Terminal([2])})
    tree = gt.from_sketch(
        gt.Decision(0, "first", {"stop": gt.Terminal([1]), "go on": second}), players=("Ann",)
    )
    form = strategies.sequence_form(tree)
    for profile, place, gain in [((0, 0), "second", 3), ((0, 1), "first", 1)]:
        trembles = strategies.uniform_trembles(tree, gt.pure_behavior(tree, profile))
        assert strategies.limit_assessment(form, trembles).beliefs == ((1,), (1,))
        with pytest.raises(gt.CertificateRejected, match=f"'{place}' of .* gains {gain} over"):
            certify_sequential(tree, trembles)
    certify_sequential(
        tree, strategies.uniform_trembles(tree, gt.pure_behavior(tree, (1, 1)))
    ).verify()


def test_payments_on_the_way_count():
    choice = gt.Decision(
        0, "x", {"a": gt.Terminal(["1/3"]), "b": gt.Terminal([0])}, payoffs=["1/2"]
    )
    tree = gt.from_sketch(gt.Chance({"go": (1, choice)}, payoffs=[10]), players=("Ann",))
    certificate = certify_sequential(
        tree, strategies.uniform_trembles(tree, gt.pure_behavior(tree, (0,)))
    )
    assert certificate.payoffs == (Fraction(65, 6),)


def test_trees_without_decisions_and_idle_players_will_do():
    tree = gt.from_sketch(gt.Terminal([1, "1/3"]), players=("Ann", "Bob"))
    certificate = certify_sequential(
        tree, strategies.uniform_trembles(tree, gt.uniform_behavior(tree))
    )
    certificate.verify()
    assert (certificate.beliefs, certificate.payoffs) == ((), (1, Fraction(1, 3)))


def test_chance_excludes_nodes_but_not_information_sets():
    """A node of probability 0 gets belief 0, and what is done there is not judged alone."""
    kinds = {"never": (0, 5), "always": (1, 0)}
    tree = gt.from_sketch(
        gt.Chance(
            {
                kind: (p, gt.Decision(0, "both", {"a": gt.Terminal([paid]), "b": gt.Terminal([1])}))
                for kind, (p, paid) in kinds.items()
            }
        ),
        players=("Ann",),
    )
    certificate = certify_sequential(
        tree, strategies.uniform_trembles(tree, gt.pure_behavior(tree, (1,)))
    )
    assert certificate.beliefs == ((0, 1),)


def test_trembles_of_another_game_are_refused():
    with pytest.raises(gt.InvalidStrategy, match="needs a plan for each of 2 players, but has 3"):
        certify_sequential(load("kuhn_poker"), GOOD)
