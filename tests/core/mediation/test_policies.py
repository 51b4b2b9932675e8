"""Policies of mediated games are plain tables that fit the nodes of their game."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidStrategy, mediation
from gametheory_core.mediation.policies import check_mediated_profile

GAME = mediation.mediated_chicken(rounds=2)
FITTING = mediation.MediatedProfile((((0, 1),), ((0, 0), (1, 1), (2, 2))), ((0,), (0, 1, 0)))
ON_STEPS = mediation.MediatedProfile(
    (((2, 0),), ((0, 0),)), ((1,), (0,)), mediation.Memory.STEP, mediation.Memory.STEP
)


@given(mediation.mediated_games(), st.integers(0, 99), st.sampled_from(mediation.Memory))
def test_drawn_profiles_fit(game, seed, agents):
    rng = np.random.default_rng(seed)
    profile = mediation.random_mediated_profile(game, rng=rng, agents=agents)
    check_mediated_profile(game, profile)
    assert hash(profile) == hash(replace(profile))


def test_drawn_profiles_differ_and_leave_no_action_out():
    rng = np.random.default_rng(0)
    drawn = [mediation.random_mediated_profile(GAME, rng=rng) for _ in range(40)]
    assert {profile.actions[0][0][0] for profile in drawn} == {0, 1, 2}
    assert {profile.leaders[1][2] for profile in drawn} == {0, 1}


@pytest.mark.parametrize("profile", [FITTING, ON_STEPS])
def test_profiles_that_fit_pass(profile):
    check_mediated_profile(GAME, profile)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"actions": FITTING.actions[:1]}, "actions for each of 2 steps, but there are 1"),
        ({"actions": [[(0, 1)]]}, "there are other things"),
        ({"actions": (((0, 1),), ((0, 0), (1, 1), (2, 3)))}, r"step 1 .* there is \(2, 3\)"),
        ({"actions": (((0, True),), *FITTING.actions[1:])}, r"there is \(0, True\)"),
        ({"actions": (((0,),), *FITTING.actions[1:])}, r"there is \(0,\)"),
        ({"actions": (([0, 1],), *FITTING.actions[1:])}, r"there is \[0, 1\]"),
        ({"leaders": ((0,), (0, 1, 2))}, r"legal leaders, but at step 1 .* there is 2"),
        ({"leaders": ((-1,), (0, 1, 0))}, "there is -1"),
        ({"leaders": ((0,), (0, 1))}, r"leaders as tuples of \[1, 3\] entries"),
        ({"mediator": mediation.Memory.STEP}, "agents that remember no more than the mediator"),
    ],
)
def test_profiles_that_do_not_fit_are_refused(change, complaint):
    with pytest.raises(InvalidStrategy, match=complaint):
        check_mediated_profile(GAME, replace(FITTING, **change))


def test_actions_must_be_legal_in_the_state():
    game = mediation.resource_collection_one_color(
        rounds=1
    )  # player 2 has green only, as its action 0
    check_mediated_profile(game, mediation.MediatedProfile((((1, 0),),), ((0,),)))
    with pytest.raises(InvalidStrategy, match=r"legal actions, but at step 0 .* \(0, 1\)"):
        check_mediated_profile(game, mediation.MediatedProfile((((0, 1),),), ((0,),)))


def test_other_things_are_no_profiles():
    with pytest.raises(InvalidStrategy, match="needs a MediatedProfile, but got tuple"):
        check_mediated_profile(GAME, ())


def test_plans_name_leaders_and_actions():
    assert mediation.mediated_plan(GAME, ON_STEPS) == (
        ("Player 2", "straight"),
        ("Player 1", "straight"),
    )
    first = ("Player 1", "straight")  # returns (7, 2): the last of three nodes
    assert mediation.mediated_plan(GAME, FITTING) == (first, ("Player 1", "brake"))


def test_plans_stop_where_play_ends():
    game = mediation.mediated_game(
        players=["Ann"],
        horizon=3,
        initial={"on": 1},
        actions=[["stop"]],
        play=lambda _state, _leader, _action: ((1,), {"off": 1}),
        is_terminal=lambda state: state == "off",
    )
    assert mediation.mediated_plan(game, mediation.MediatedProfile((((0,),),), ((0,),))) == (
        ("Ann", "stop"),
    )


def test_drawn_states_have_no_single_plan():
    game = mediation.mediated_game(
        players=["Ann"],
        horizon=1,
        initial={"a": "1/2", "b": "1/2"},
        actions=[["go"]],
        play=lambda state, _leader, _action: ((1,), {state: 1}),
    )
    with pytest.raises(InvalidStrategy, match="needs a game in which nothing is drawn"):
        mediation.mediated_plan(game, mediation.MediatedProfile((((0,), (0,)),), ((0, 0),)))
