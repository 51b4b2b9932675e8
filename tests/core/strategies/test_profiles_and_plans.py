"""Profiles are checked; sequence form and realization plans round-trip."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import strategies
from gametheory_core.evaluation import player_reach
from gametheory_core.strategies.behavioral import check_behavioral_profile
from gametheory_core.testing import behavioral_profiles, extensive_form_games

TINY = Fraction(1, 10**12)
GAME = gt.NormalFormGame.zero_sum([[1, 2, 3]])
PENNIES = gt.NormalFormGame.zero_sum([[1, -1], [-1, 1]])
TWICE = gt.from_sketch(
    gt.Decision(
        0,
        "first",
        {
            "stop": gt.Terminal([0]),
            "on": gt.Decision(0, "then", {"a": gt.Terminal([1]), "b": gt.Terminal([2])}),
        },
    ),
    players=("A",),
)


@pytest.mark.parametrize(
    ("vector", "problem"),
    [
        (["1/2", "1/3"], "sum to 1, but they sum to 5/6"),
        (["1/2", Fraction(1, 2) + Fraction(1, 10**12)], "sum to 1, but they sum to 1000000000001/"),
        ([2, -1], "at least 0, but entry 1 is -1"),
        (np.array([0.5, 0.5 + 1e-8]), "but they sum to 1.00000001"),
        (np.array([np.nan, 1.0]), r"entry \(0,\) is nan"),
        ([], r"its shape is \(0,\)"),
        ([[1]], r"its shape is \(1, 1\)"),
        (["x"], "needs a finite number"),
    ],
)
def test_bad_probabilities_are_refused(vector, problem):
    with pytest.raises(gt.InvalidStrategy, match=f"mixed strategy of player 1: .*{problem}"):
        gt.MixedProfile((vector,))
    with pytest.raises(gt.InvalidStrategy, match=f"at information set index 0: .*{problem}"):
        gt.BehavioralProfile((vector,))


@pytest.mark.parametrize("kind", [gt.MixedProfile, gt.BehavioralProfile])
def test_exact_and_float_vectors_do_not_mix(kind):
    with pytest.raises(gt.InvalidStrategy, match="all exact or all float"):
        kind(([1], np.array([1.0])))


def test_profiles_that_do_not_fit_are_refused():
    with pytest.raises(gt.InvalidStrategy, match="each of 2 information sets .* at 1"):
        check_behavioral_profile(TWICE, gt.BehavioralProfile(([1],)))
    with pytest.raises(
        gt.InvalidStrategy, match="2 probabilities at information set 'then' .* has 1"
    ):
        check_behavioral_profile(TWICE, gt.BehavioralProfile(([1, 0], [1])))


@pytest.mark.parametrize("counts", [(2, 3), (1, 2), (2,), (2, 2, 2)])
def test_mixed_profiles_need_a_probability_for_each_action(counts):
    profile = gt.MixedProfile(tuple([Fraction(1, n)] * n for n in counts))
    with pytest.raises(gt.InvalidStrategy, match=r"strategies over \(2, 2\) actions"):
        strategies.check_mixed_profile(PENNIES, profile)


@pytest.mark.parametrize("actions", [(0,), (0, 0, 0), ()])
def test_pure_profiles_need_an_action_for_each_player(actions):
    with pytest.raises(gt.InvalidStrategy, match=rf"each of 2 players, but got {len(actions)}"):
        gt.pure_profile(PENNIES, actions)


@pytest.mark.parametrize("action", [-1, 2])
def test_pure_choices_need_actions_that_exist(action):
    with pytest.raises(gt.InvalidStrategy, match=rf"action in 0\.\.1, but got {action}"):
        gt.pure_profile(PENNIES, (0, action))
    with pytest.raises(
        gt.InvalidStrategy, match=rf"'then' of player 1 has actions 0\.\.1, .*{action}"
    ):
        gt.pure_behavior(TWICE, (0, action))


@pytest.mark.parametrize("actions", [(), (0,), (0, 0, 0)])
def test_pure_behavior_needs_an_action_for_each_information_set(actions):
    with pytest.raises(
        gt.InvalidStrategy, match=rf"each of 2 information sets, but got {len(actions)}"
    ):
        gt.pure_behavior(TWICE, actions)


def test_a_mixed_profile_of_nobody_is_refused():
    with pytest.raises(gt.InvalidStrategy, match="needs a strategy for each player, but got none"):
        gt.MixedProfile(())


def test_uniform_and_pure_profiles_are_exact():
    assert gt.uniform_profile(GAME).strategies[1].tolist() == [Fraction(1, 3)] * 3
    assert strategies.supports(gt.pure_profile(GAME, (0, 2))) == ((0,), (2,))
    assert gt.uniform_behavior(TWICE).flat.tolist() == [Fraction(1, 2)] * 4
    assert gt.pure_behavior(TWICE, (1, 0)).flat.tolist() == [0, 1, 1, 0]


def test_equal_profiles_are_equal_and_hash_alike():
    first, second = gt.MixedProfile((["1/2", "1/2"],)), gt.MixedProfile(([0.5, 0.5],))
    assert first == second
    assert hash(first) == hash(second)
    assert first != gt.MixedProfile(([1, 0],))
    assert gt.BehavioralProfile(([1, 0],)) == gt.BehavioralProfile((["1", 0.0],))
    assert gt.BehavioralProfile(([1, 0],)) != gt.BehavioralProfile(([1], [0, 1]))


@given(st.data())
def test_realization_plans_are_own_reach_and_round_trip(data):
    game = data.draw(extensive_form_games())
    profile = data.draw(behavioral_profiles(game))
    form = strategies.sequence_form(game)
    plans = tuple(
        strategies.realization_plan(form, profile, player=i) for i in range(game.num_players)
    )
    for plan, own in zip(plans, form.players, strict=True):
        strategies.check_realization_plan(form, plan)
        reach = player_reach(game, profile, player=plan.player)
        assert plan.weights[own.node_sequence].tolist() == reach.tolist()
    again = strategies.behavioral_profile(form, plans)
    assert strategies.are_realization_equivalent(game, profile, again)
    floats = strategies.behavioral_profile(
        form,
        tuple(
            strategies.realization_plan(form, profile.to_float(), player=i)
            for i in range(game.num_players)
        ),
    )
    assert strategies.are_realization_equivalent(game, profile, floats)


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        ([1, 1], "needs 5 weights, but has 2"),
        ([2, 1, 1, 1, 0], "the empty sequence has 2"),
        ([1 + TINY, 0, 1 + TINY, 1, TINY], "the empty sequence has"),
        ([1, 2, -1, 0, -1], "the least weight is -1"),
        ([1, 0, 1, 1, 1], "number 2 'then' sum to 2, but its sequence has 1"),
        ([1, 0, 1, 1, TINY], "number 2 'then' sum to"),
    ],
)
def test_broken_realization_plans_are_refused(weights, problem):
    form = strategies.sequence_form(TWICE)
    floats = np.array([1.0, 0.5, 0.5 + 1e-12, 0.5, 0.0])
    strategies.check_realization_plan(form, strategies.RealizationPlan(0, floats))
    with pytest.raises(gt.InvalidStrategy, match=f"realization plan of player 'A': .*{problem}"):
        strategies.check_realization_plan(form, strategies.RealizationPlan(0, weights))


def test_equivalence_ignores_what_a_strategy_rules_out_and_nothing_else():
    stop = gt.BehavioralProfile(([1, 0], [1, 0]))
    assert strategies.are_realization_equivalent(
        TWICE, stop, gt.BehavioralProfile(([1, 0], [0, 1]))
    )
    on = gt.BehavioralProfile(([0, 1], [1, 0]))
    assert not strategies.are_realization_equivalent(TWICE, stop, on)
    assert not strategies.are_realization_equivalent(
        TWICE, on, gt.BehavioralProfile(([0, 1], [0, 1]))
    )


def test_the_sequence_form_is_refused_to_one_who_forgets():
    once = gt.Decision(0, "x", {"a": gt.Terminal([0])})
    game = gt.from_sketch(gt.Decision(0, "y", {"l": once, "r": once}), players=("A",))
    with pytest.raises(
        gt.UnsupportedGame, match="sequence_form: needs perfect recall.*'A' forgets"
    ):
        strategies.sequence_form(game)


def test_a_game_or_nothing_is_no_sequence_form_with_plans():
    form = strategies.sequence_form(TWICE)
    with pytest.raises(
        gt.InvalidArgument, match=r"form to be of type SequenceForm.*sequence_form\("
    ):
        strategies.behavioral_profile(TWICE, {})
    with pytest.raises(gt.InvalidStrategy, match="plan for each of 1 players, but got 0"):
        strategies.behavioral_profile(form, {})
    with pytest.raises(gt.InvalidArgument, match="plans to be a sequence, but got 3"):
        strategies.behavioral_profile(form, 3)
    with pytest.raises(gt.InvalidArgument, match="each plan to be of type RealizationPlan"):
        strategies.behavioral_profile(form, [1])
