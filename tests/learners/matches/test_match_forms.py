"""Matches in numbers: windows from both seats, policies as tables and back, bad input."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import (
    InvalidArgument,
    InvalidStrategy,
    UnsupportedGame,
    load_game,
    uniform_policies,
)
from gametheory_core.catalog import RepeatedGame, RirRPS
from gametheory_core.catalog.repeated import Shown
from gametheory_core.distributions import point_mass
from gametheory_core.strategies.policies import policy_from, reactive
from learners.batches import batched
from learners.matches import match_form, match_outcomes, policy_table, table_policy
from tests.learners.matches.tables import SMALL, exact_tables


def test_rir_rps_has_820_windows_and_35812_states():
    form = match_form(RirRPS())
    assert form.num_windows == 820
    reached = {((), 0)}
    states = 1
    for _ in range(9):
        reached = {
            ((*window, code)[-3:], lead + form.points.flat[code])
            for window, lead in reached
            for code in range(9)
        }
        states += len(reached)
    assert states == 35812


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_windows_are_the_observations_of_the_game(game):
    form = match_form(game)
    shown = batched(game, episodes=1, seed=0, horizon=None).observation_labels[0]
    assert {form.window(k) for k in range(form.num_windows)} <= set(shown)
    assert len(form.codes) == form.num_windows == form.starts[-1]


def test_each_seat_sees_its_own_actions_first():
    game = RepeatedGame.of("battle_of_the_sexes", rounds=3, recall=2)
    first, second = match_form(game), match_form(game, seat=1)
    assert (second.points == -first.points.T).all()
    for number, other in enumerate(first.mirrored.tolist()):
        assert first.window(number) == second.window(other)
        assert second.mirrored[other] == number


@given(st.sampled_from(SMALL).flatmap(lambda g: st.tuples(st.just(g), exact_tables(g))))
def test_a_table_is_a_policy_in_either_seat_and_back(case):
    game, table = case
    for seat in range(2):
        policy = table_policy(game, table, seat=seat)
        assert (policy_table(game, policy, seat=seat) == table).all()


def test_a_policy_of_last_throws_reads_its_own_seat():
    """Who repeats the opponent's last throw has one table, whichever seat it sits in."""
    game = RirRPS(repetitions=3, recall=1)
    form = match_form(game)
    tables = []
    for seat in range(2):
        shown = [form.window(k) for k in range(form.num_windows)]
        rule = {w: point_mass(w[-1][1 - seat] if w else "rock") for w in shown}
        tables.append(policy_table(game, reactive(rule), seat=seat))
    assert (tables[0] == tables[1]).all()


@pytest.mark.parametrize("seat", [0, 1])
def test_information_states_hold_the_own_actions(seat):
    """Who repeats the own last throw reads it in the window, or between two windows."""
    game = RirRPS(repetitions=3, recall=2)
    remembers = policy_from(lambda seen: point_mass(seen[-2] if len(seen) > 1 else "rock"))
    looks = policy_from(lambda seen: point_mass(seen[-1][-1][seat] if seen[-1] else "rock"))
    assert (policy_table(game, remembers, seat=seat) == policy_table(game, looks, seat=seat)).all()


def test_a_missing_window_is_named():
    with pytest.raises(InvalidStrategy, match=r"after observation \(\('rock', 'rock'\),\)"):
        policy_table(RirRPS(), reactive({(): point_mass("rock")}))
    with pytest.raises(InvalidStrategy, match="plays 'well'"):
        policy_table(RirRPS(), reactive({(): point_mass("well")}))


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ([Fraction(1, 3), Fraction(1, 3), Fraction(1, 4)], r"\['1/3', '1/3', '1/4'\] after \(\)"),
        ([0.5, 0.6, 0.0], r"\['0.5', '0.6', '0.0'\] after \(\)"),
        ([2, -1, 0], r"\['2', '-1', '0'\] after \(\)"),
    ],
)
def test_rows_that_are_no_distributions_are_refused(row, found):
    table = np.tile(np.array(row), (820, 1))
    with pytest.raises(InvalidStrategy, match=found):
        match_outcomes(RirRPS(), table, table)


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_rows_of_short_floats_that_miss_one_by_rounding_are_scaled(kind):
    exact = np.random.default_rng(1).dirichlet(np.ones(3), 10)
    short = exact.astype(kind)
    assert (short.astype(float).sum(axis=1) != 1).any()
    game = RirRPS(2, 1)
    scaled = short.astype(float) / short.astype(float).sum(axis=1, keepdims=True)
    assert match_outcomes(game, short, short) == match_outcomes(game, scaled, scaled)
    for wrong in (short * kind(0.98), -short):
        with pytest.raises(InvalidStrategy, match="probabilities that sum to 1"):
            match_outcomes(game, wrong, short)


def test_policies_of_another_game_are_refused():
    shorter = batched(RirRPS(2, 1), episodes=1, seed=1)
    plays = {2: point_mass("rock")}
    for ask in (lambda seen: {}[seen], lambda seen: plays[1 + shorter.observe(0, seen).ndim]):
        with pytest.raises(InvalidStrategy, match="needs a policy of RirRPS, but it cannot be ask"):
            policy_table(RirRPS(), policy_from(ask))


def test_tables_of_another_match_are_refused():
    table = np.tile([1, 0, 0], (10, 1))
    with pytest.raises(InvalidStrategy, match=r"needs probabilities of shape \(820, 3\)"):
        table_policy(RirRPS(), table)


@pytest.mark.parametrize("policy", [None, 5, "rock", [[1, 0, 0]]])
def test_what_is_no_policy_is_refused(policy):
    with pytest.raises(InvalidStrategy, match="tables of probabilities as arrays, or policies"):
        match_outcomes(RirRPS(), policy, policy)
    with pytest.raises(InvalidArgument, match="table to be of type ndarray"):
        table_policy(RirRPS(), policy)


@pytest.mark.parametrize(
    ("game", "found"),
    [
        (RepeatedGame.of("prisoners_dilemma", rounds=None), "no end"),
        (RepeatedGame.of("prisoners_dilemma", discount=Fraction(1, 2)), "discount 1/2"),
        (RepeatedGame(load_game("rock_paper_scissors"), memory=Shown.OTHERS), "only the others'"),
        (load_game("tiger"), "Tiger"),
        (RirRPS(recall=8), "windows"),
    ],
)
def test_games_that_are_no_matches_are_refused(game, found):
    with pytest.raises(UnsupportedGame, match=found):
        match_form(game)


def test_nobody_recalls_more_than_was_played():
    game = RirRPS(repetitions=2, recall=3)
    assert match_form(game).num_windows == 10
    assert policy_table(game, uniform_policies(game)[0]).shape == (10, 3)
