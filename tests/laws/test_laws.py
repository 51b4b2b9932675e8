"""The laws hold on generated games, and notice when something is wrong."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import testing
from gametheory_core.conversions import Conversion, Preserved
from gametheory_core.errors import LawBroken
from gametheory_core.games import is_absent_minded
from tests.sample_sizes import examples

SEEDS = st.integers(0, 2**16)
ALL_KINDS = tuple(testing.PayoffKind)


@given(testing.normal_form_games(kinds=ALL_KINDS), SEEDS)
def test_normal_forms_obey_their_laws(game, seed):
    testing.check_normal_form(game, rng=np.random.default_rng(seed), num_profiles=2)


@given(testing.extensive_form_games(kinds=ALL_KINDS), SEEDS)
def test_trees_obey_their_laws(game, seed):
    testing.check_tree(game, rng=np.random.default_rng(seed), num_profiles=2)


@given(testing.forgetful_games(), SEEDS)
def test_trees_of_players_who_forget_obey_their_laws(game, seed):
    testing.check_tree(game, rng=np.random.default_rng(seed), num_profiles=2)


@examples(20)
@given(testing.extensive_form_games(), SEEDS)
def test_conversion_to_normal_form_preserves_all_with_perfect_recall(game, seed):
    conversion = gt.extensive_to_normal(game)
    assert conversion.preserves == frozenset(Preserved)
    testing.check_conversion(conversion, rng=np.random.default_rng(seed), num_profiles=2)


@examples(20)
@given(testing.forgetful_games().filter(lambda game: not is_absent_minded(game)), SEEDS)
def test_conversion_to_normal_form_preserves_what_it_says_without_recall(game, seed):
    conversion = gt.extensive_to_normal(game)
    assert Preserved.PAYOFFS_TO_TARGET in conversion.preserves
    testing.check_conversion(conversion, rng=np.random.default_rng(seed), num_profiles=2)


@given(st.data())
def test_nash_certificates_reject_every_changed_number(data):
    game = data.draw(testing.normal_form_games(kinds=ALL_KINDS))
    testing.check_certificate(
        gt.certify_nash(game, data.draw(testing.mixed_profiles(game, floats=True)))
    )
    tree = data.draw(testing.extensive_form_games())
    testing.check_certificate(gt.certify_nash(tree, data.draw(testing.behavioral_profiles(tree))))


@given(st.data())
def test_minimax_certificates_reject_every_changed_number(data):
    game = data.draw(testing.zero_sum_games(kinds=ALL_KINDS))
    certificate = gt.certify_minimax(game, data.draw(testing.mixed_profiles(game)))
    testing.check_certificate(certificate)
    assert certificate.lower <= certificate.upper
    tree = data.draw(testing.extensive_form_games(zero_sum=True))
    testing.check_certificate(
        gt.certify_minimax(tree, data.draw(testing.behavioral_profiles(tree)))
    )


ENTRY = gt.from_sketch(
    gt.Decision(
        0,
        "",
        {
            "out": gt.Terminal([0, 2]),
            "in": gt.Decision(
                1, "", {"fight": gt.Terminal([-1, -1]), "share": gt.Terminal([1, 1])}
            ),
        },
    ),
    players=("Entrant", "Incumbent"),
)


class Reversed:
    """Carries every profile to its mirror image."""

    def __init__(self, honest):
        self.honest = honest

    def to_target(self, profile):
        image = self.honest.to_target(profile)
        return gt.MixedProfile(tuple(v[::-1] for v in image.strategies))

    def to_source(self, profile):
        return self.honest.to_source(gt.MixedProfile(tuple(v[::-1] for v in profile.strategies)))

    def outcome_to_source(self, outcome):
        return self.honest.outcome_to_source(outcome)


@pytest.mark.parametrize("claim", list(Preserved))
def test_a_wrong_correspondence_breaks_every_claim(claim):
    honest = gt.extensive_to_normal(ENTRY)
    wrong = Conversion(ENTRY, honest.target, Reversed(honest.correspondence), frozenset({claim}))
    with pytest.raises(LawBroken, match=claim.value):
        testing.check_conversion(wrong, rng=np.random.default_rng(0), num_profiles=10)


def test_a_wrong_correspondence_that_claims_nothing_breaks_nothing():
    honest = gt.extensive_to_normal(ENTRY)
    silent = Conversion(ENTRY, honest.target, Reversed(honest.correspondence), frozenset())
    testing.check_conversion(silent, rng=np.random.default_rng(0))


def test_a_certificate_that_ignores_a_number_breaks_the_law():
    class Careless(type(gt.certify_nash(PENNIES, gt.pure_profile(PENNIES, (0, 0))))):
        def verify(self):
            pass

    honest = gt.certify_nash(PENNIES, gt.pure_profile(PENNIES, (0, 0)))
    careless = Careless(honest.game, honest.profile, honest.payoffs, honest.deviation_gains)
    with pytest.raises(LawBroken, match="payoffs = "):
        testing.check_certificate(careless)


PENNIES = gt.NormalFormGame.zero_sum([[1, -1], [-1, 1]])


def test_conversions_compose():
    conversion = gt.extensive_to_normal(ENTRY)
    identity = Conversion(conversion.target, conversion.target, Unchanged(), frozenset(Preserved))
    composed = conversion.then(identity)
    testing.check_conversion(composed, rng=np.random.default_rng(1))
    assert composed.source is ENTRY
    assert composed.preserves == conversion.preserves
    assert dict(composed.correspondence.outcome_to_source((0, 1)).items) == {1: Fraction(1)}


def test_a_composed_conversion_preserves_what_both_do():
    conversion = gt.extensive_to_normal(ENTRY)
    some = frozenset({Preserved.PAYOFFS_TO_SOURCE, Preserved.NASH})
    modest = Conversion(conversion.target, conversion.target, Unchanged(), some)
    assert conversion.then(modest).preserves == some
    modest_first = replace(conversion, preserves=frozenset({Preserved.NASH}))
    assert modest_first.then(modest).preserves == {Preserved.NASH}


def test_conversions_that_do_not_meet_are_refused():
    conversion = gt.extensive_to_normal(ENTRY)
    elsewhere = replace(conversion, source=PENNIES)
    with pytest.raises(gt.InvalidArgument, match=r"then: needs a conversion of .*, but got one of"):
        conversion.then(elsewhere)


class Unchanged:
    def to_target(self, profile):
        return profile

    def to_source(self, profile):
        return profile

    def outcome_to_source(self, outcome):
        from gametheory_core.distributions import distribution

        return distribution({outcome: 1})
