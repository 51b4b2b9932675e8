"""Trembles are completely mixed plans, and tend to the profile that they were made for."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import strategies
from gametheory_core.catalog import load
from gametheory_core.strategies.trembles import check_trembles, infoset_nodes, limit_profile
from gametheory_core.testing import behavioral_profiles, extensive_form_games
from tests.core.naive_refinements import bayes_beliefs, profile_at

HORSE = load("selten_horse")
SURE, RARE = [1, -1], [0, 1]


def trees_with_profiles():
    return extensive_form_games().flatmap(
        lambda tree: st.tuples(st.just(tree), behavioral_profiles(tree))
    )


@given(trees_with_profiles())
def test_uniform_trembles_mix_in_the_uniform_profile_and_tend_to_the_given_one(drawn):
    tree, profile = drawn
    trembles = strategies.uniform_trembles(tree, profile)
    assert limit_profile(strategies.sequence_form(tree), trembles) == profile
    third = Fraction(1, 3)
    mixed = profile_at(tree, trembles, third).flat
    assert mixed.tolist() == [
        (1 - third) * own + third * even
        for own, even in zip(profile.flat, gt.uniform_behavior(tree).flat, strict=True)
    ]


@given(trees_with_profiles())
def test_beliefs_are_the_limit_of_bayes_rule(drawn):
    tree, profile = drawn
    trembles = strategies.uniform_trembles(tree, profile)
    form = strategies.sequence_form(tree)
    if not strategies.chance_excludes_no_infoset(tree):
        with pytest.raises(gt.UnsupportedGame, match="needs information sets that chance does not"):
            strategies.limit_assessment(form, trembles)
        return
    assessment = strategies.limit_assessment(form, trembles)
    assert assessment.profile == profile
    near = bayes_beliefs(tree, profile_at(tree, trembles, Fraction(1, 2**60)))
    for beliefs, nodes, values in zip(assessment.beliefs, infoset_nodes(tree), near, strict=True):
        assert len(beliefs) == len(nodes)
        assert sum(beliefs) == 1
        for belief, value in zip(beliefs, values, strict=True):
            assert abs(belief - value) < Fraction(1, 2**20)


def test_a_common_factor_changes_nothing():
    trembles = strategies.trembling_profile(HORSE, [[RARE, SURE], [RARE, SURE], [["1/4"], ["3/4"]]])
    factor = (Fraction(0), Fraction(2), Fraction(1))
    scaled = strategies.TremblingProfile(
        tuple(
            tuple(
                tuple(
                    sum(
                        (
                            a * weight[d - k]
                            for k, a in enumerate(factor)
                            if 0 <= d - k < len(weight)
                        ),
                        Fraction(0),
                    )
                    for d in range(len(weight) + 2)
                )
                for weight in plan
            )
            for plan in trembles.weights
        )
    )
    form = strategies.sequence_form(HORSE)
    assert strategies.limit_assessment(form, scaled) == strategies.limit_assessment(form, trembles)


@pytest.mark.parametrize(
    ("behavior", "message"),
    [
        ([[RARE, SURE]] * 2, "at each of 3 information sets, but has them at 2"),
        ([[RARE, SURE, RARE]] * 3, "needs 2 probabilities, but has 3"),
        (
            [[RARE, [1]]] * 3,
            r"'start' of player 1: needs .* add up to 1, but they add up to 1 \+ eps",
        ),
        ([[[], [1]]] * 3, "positive for all small epsilon > 0, but action 'D' has 0"),
        ([[[0, -1], [1, 1]]] * 3, "but action 'D' has -epsilon"),
    ],
)
def test_behavior_that_is_no_tremble_is_refused(behavior, message):
    with pytest.raises(gt.InvalidStrategy, match=message):
        strategies.trembling_profile(HORSE, behavior)


def test_players_who_forget_have_no_plans():
    forgetful = load("forgetful_bit")
    with pytest.raises(gt.UnsupportedGame, match="needs perfect recall"):
        strategies.uniform_trembles(forgetful, gt.uniform_behavior(forgetful))


def negative(plan):
    """The sums hold, but the first action has a negative weight."""
    slip, rest = (tuple(map(Fraction, weight)) for weight in ([0, -1], [1, 1]))
    return (plan[0], slip, rest)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda plans: plans[:2], "a plan for each of 3 players, but has 2"),
        (lambda plans: (plans[0][:2], *plans[1:]), "needs 3 weights, but has 2"),
        (lambda plans: ((plans[0][0], (), plans[0][2]), *plans[1:]), "sequence 1 has 0"),
        (
            lambda plans: (negative(plans[0]), *plans[1:]),
            "positive for all small epsilon > 0, but sequence 1 has -epsilon",
        ),
        (
            lambda plans: (plans[0][:1] + plans[0][1:2] * 2, *plans[1:]),
            r"'start' of player 1 add up to 2\*epsilon, but its sequence has 1",
        ),
    ],
)
def test_weights_that_are_no_plans_are_refused(change, message):
    trembles = strategies.uniform_trembles(HORSE, gt.pure_behavior(HORSE, (1, 1, 0)))
    weights = [[tuple(map(Fraction, [0, 1])), tuple(map(Fraction, [1, -1]))]] * 3
    plans = tuple(((Fraction(1),), *own) for own in weights)
    check_trembles(strategies.sequence_form(HORSE), strategies.TremblingProfile(plans))
    check_trembles(strategies.sequence_form(HORSE), trembles)
    with pytest.raises(gt.InvalidStrategy, match=message):
        check_trembles(strategies.sequence_form(HORSE), strategies.TremblingProfile(change(plans)))


def test_zeros_at_the_end_of_a_polynomial_change_nothing():
    only = gt.Decision(1, "no choice", {"on": gt.Terminal([1, 0])})
    game = gt.from_sketch(
        gt.Decision(0, "start", {"l": only, "r": gt.Terminal([0, 1])}), players=("A", "B")
    )
    form = strategies.sequence_form(game)
    trembles = strategies.uniform_trembles(game, gt.uniform_behavior(game))
    padded = strategies.TremblingProfile(
        tuple(tuple((*w, Fraction(0)) for w in own) for own in trembles.weights)
    )
    check_trembles(form, padded)
