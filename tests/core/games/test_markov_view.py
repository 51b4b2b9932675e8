"""Markov views: what they refuse, and that stages, layers and rewards are those of the rules."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, UnsupportedGame
from gametheory_core.catalog import RepeatedGame, Tiger
from gametheory_core.conversions import markov_view, posg_from_tables, posg_to_tabular
from gametheory_core.games import MarkovView
from gametheory_core.games.table_content import permuted_rows
from gametheory_core.leaders import leader_view
from gametheory_core.testing import markov_games
from tests.sample_sizes import examples


def joint_actions(view, state):
    """All legal joint actions in a state, by label, as the rules say."""
    label = view.game.states[state]
    return list(product(*(view.game.legal_actions(i, label) for i in range(view.num_players))))


def noisy_game(*, legal=None):
    """One state, in which both see a coin that means nothing; unless ``legal`` depends on it."""
    coin = {(("on", side),) * 2: Fraction(1, 2) for side in "HT"}
    acts = [("a", "b"), ("a", "b")]
    return posg_from_tables(
        players=("1", "2"),
        actions=acts,
        initial={"on": 1},
        transitions={("on", joint): {"on": 1} for joint in product(*acts)},
        rewards={("on", ("a", "a"), "on"): (1, 2)},
        observations={(joint, "on"): coin for joint in product(*acts)},
        initial_observations={"on": coin},
        legal_actions=legal,
        horizon=2,
    )


@given(markov_games(max_actions=3))
def test_layers_are_what_play_can_reach_then(view):
    level = {view.game.states[s] for s, _ in view.initial}
    for layer in view.layers:
        level = {s for s in level if not view.game.is_terminal(s)}
        assert {view.game.states[s] for s in layer.tolist()} == level
        numbers = [view.game.state_index[s] for s in level]
        level = {
            after
            for s in numbers
            for joint in joint_actions(view, s)
            for after, _ in view.game.transition(view.game.states[s], joint)
        }
    assert view.num_stages == sum(map(len, view.layers))


@given(st.one_of(markov_games(max_actions=3), markov_games(max_horizon=None)))
def test_stages_hold_the_expected_rewards_of_legal_joint_actions(view):
    largest = Fraction(0)
    for state in view.acting.tolist():
        label = view.game.states[state]
        rows = view.stage_rows(state)
        assert rows.shape == tuple(map(len, view.legal[state]))
        for joint, row in zip(joint_actions(view, state), rows.ravel().tolist(), strict=True):
            law = list(view.game.transition(label, joint))
            for player in range(view.num_players):
                paid = sum(w * view.game.reward(label, joint, s)[player] for s, w in law)
                found = Fraction(view.rewards.numerators[row, player], view.rewards.denominator)
                assert found == paid
            goes_on = sum(w for s, w in law if not view.game.is_terminal(s))
            largest = max(largest, view.game.discount * goes_on)
    assert view.contraction == largest


def test_a_hidden_state_is_refused_by_name():
    with pytest.raises(UnsupportedGame, match="sees null in state left and in state right"):
        markov_view(Tiger())


def test_noise_beside_the_state_does_not_matter():
    view = markov_view(noisy_game())
    assert view.legal == (((0, 1), (0, 1)),)
    assert view.states_seen(0) == {("on", "H"): 0, ("on", "T"): 0}


def test_legal_actions_that_are_no_function_of_the_state_are_refused():
    game = noisy_game(legal={(1, ("on", "H")): ("a",)})
    with pytest.raises(UnsupportedGame, match="in state 'on' player '2' has"):
        markov_view(game)


def test_a_table_without_a_row_is_refused():
    game = posg_to_tabular(RepeatedGame.of("matching_pennies", recall=0, rounds=2)).target
    kernel, entry = permuted_rows(game.transition_kernel, np.arange(len(game.row_key) - 1))
    broken = replace(
        game,
        row_key=game.row_key[:-1],
        transition_kernel=kernel,
        entry_reward=game.entry_reward[entry],
        entry_signal_row=game.entry_signal_row[entry],
    )
    with pytest.raises(UnsupportedGame, match=r"needs a row for each legal joint action .*'tails'"):
        MarkovView(broken)


def test_only_tables_can_be_viewed_directly():
    with pytest.raises(InvalidArgument, match=r"Call markov_view\(game\)"):
        MarkovView(RepeatedGame.of("matching_pennies"))


def test_a_leader_view_and_a_shorter_horizon_give_a_markov_view():
    leader = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=5))
    assert markov_view(leader).game == leader.game
    assert markov_view(markov_view(leader), horizon=2).num_stages == 5
    assert markov_view(leader.game, horizon=9).game.horizon == 5


def test_layers_need_a_horizon():
    view = markov_view(RepeatedGame.of("matching_pennies", rounds=None, discount=Fraction(1, 2)))
    with pytest.raises(UnsupportedGame, match="needs a horizon to count its steps"):
        _ = view.layers


@examples(30)
@given(markov_games())
def test_stages_have_an_axis_a_player_and_are_empty_where_nobody_acts(view):
    acting = set(view.acting.tolist())
    for state in range(view.num_states):
        shape = view.stage_rows(state).shape
        if state in acting:
            assert shape == tuple(map(len, view.legal[state]))
        else:
            assert shape == (0,) * view.num_players
