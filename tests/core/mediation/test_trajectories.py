"""Plays of mediated games: every one listed once, with its chance."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidStrategy, UnsupportedGame, mediation

SEEDS = st.integers(0, 2**32)


def coin(horizon):
    """One player who waits while a coin says how play goes on."""
    return mediation.mediated_game(
        players=["Ann"],
        horizon=horizon,
        initial={"start": 1},
        actions=[["wait"]],
        play=lambda *_: ((1,), {"heads": "1/3", "tails": "2/3"}),
        is_terminal=lambda state: state == "heads",
    )


def test_play_that_ends_early_stops_there():
    game = coin(3)
    profile = mediation.random_mediated_profile(game, rng=np.random.default_rng(0))
    found = [
        (len(play.steps), play.final_state, weight)
        for play, weight in mediation.mediated_trajectories(game, profile)
    ]
    assert sorted(found) == [
        (1, "heads", Fraction(1, 3)),
        (2, "heads", Fraction(2, 9)),
        (3, "heads", Fraction(4, 27)),
        (3, "tails", Fraction(8, 27)),
    ]


@given(mediation.mediated_games(deterministic=True), SEEDS, st.sampled_from(mediation.Memory))
def test_play_without_chance_is_the_plan(game, seed, agents):
    profile = mediation.random_mediated_profile(
        game, rng=np.random.default_rng(seed), agents=agents
    )
    [(play, weight)] = mediation.mediated_trajectories(game, profile)
    assert weight == 1
    plan = tuple((game.players[step.leader], str(step.action)) for step in play.steps)
    assert plan == mediation.mediated_plan(game, profile)


@given(mediation.mediated_games(max_horizon=3), SEEDS, st.sampled_from(mediation.Memory))
def test_steps_follow_the_rows_of_the_game(game, seed, memory):
    rng = np.random.default_rng(seed)
    profile = mediation.random_mediated_profile(game, rng=rng, agents=memory, mediator=memory)
    for play, weight in mediation.mediated_trajectories(game, profile):
        states = [*(step.state for step in play.steps), play.final_state]
        chance = game.initial_kernel.law(0, game.states)[states[0]]
        for step, after in zip(play.steps, states[1:], strict=True):
            place = game.state_index[step.state]
            row = game.row(place, step.leader, game.actions[step.leader].index(step.action))
            assert list(step.rewards) == game.rewards[row].tolist()
            chance *= game.transition_kernel.law(row, game.states)[after]
        assert chance == weight
        assert len(play.steps) == game.horizon or game.is_terminal(game.state_index[states[-1]])


def test_too_many_plays_are_refused_with_the_number():
    game = coin(5)
    profile = mediation.random_mediated_profile(game, rng=np.random.default_rng(0))
    with pytest.raises(UnsupportedGame, match="max_plays = 3 plays, but there are 4 after 3 steps"):
        mediation.mediated_trajectories(game, profile, max_plays=3)
    with pytest.raises(InvalidArgument, match="max_plays to be an integer of at least 1"):
        mediation.mediated_trajectories(game, profile, max_plays=0)


def test_profile_that_does_not_fit_is_refused():
    with pytest.raises(InvalidStrategy, match="needs actions for each of 4 steps, but there are 0"):
        mediation.mediated_trajectories(
            mediation.mediated_chicken(), mediation.MediatedProfile((), ())
        )
