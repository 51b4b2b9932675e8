"""A game given to OpenSpiel and read back is the game, whatever it is."""

import importlib
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given

from gametheory_core.games import (
    has_perfect_information,
    has_perfect_recall,
    is_constant_sum,
    is_zero_sum,
)
from gametheory_core.strategies.sequences import chance_reach
from gametheory_core.testing import aecs, extensive_form_games, forgetful_games, posgs

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")
spiel_games = importlib.import_module("tests.core.adapters.spiel_games")
kind = pyspiel.GameType


def given_to_open_spiel(game):
    from gametheory_core import UnsupportedGame
    from gametheory_core.adapters import to_open_spiel

    tree = spiel_games.tree_of(game)
    possible = tree.node_player[np.flatnonzero(chance_reach(tree))]
    if (possible < 0).all():
        with pytest.raises(UnsupportedGame, match="nobody ever moves"):
            to_open_spiel(game)
    assume((possible >= 0).any())
    return to_open_spiel(game), tree


def check_round_trip(game):
    from gametheory_core.adapters import open_spiel_tree

    made, tree = given_to_open_spiel(game)
    back = open_spiel_tree(made)
    assert spiel_games.canonical(back, tree.players) == spiel_games.canonical(tree, tree.players)
    return back, tree


@given(extensive_form_games())
def test_trees_come_back(game):
    """Node by node, too: only branches of probability zero are gone."""
    back, tree = check_round_trip(game)
    assert back.num_nodes == np.count_nonzero(chance_reach(tree))
    assert has_perfect_recall(back)


@given(forgetful_games())
def test_trees_of_forgetful_players_come_back(game):
    check_round_trip(game)


@given(aecs())
def test_aec_games_come_back_as_their_trees(game):
    back, tree = check_round_trip(game)
    assert back.num_nodes == tree.num_nodes


@given(posgs())
def test_posgs_come_back_as_their_trees(game):
    back, tree = check_round_trip(game)
    assert back.num_nodes == tree.num_nodes


def check_facts(game):
    """Compare what OpenSpiel is told of a game with its tree."""
    made, tree = given_to_open_spiel(game)
    tree = spiel_games.canonical(tree, tree.players)
    payoffs = tree.exact_terminal_payoffs
    told = made.get_type()
    assert made.min_utility() == float(payoffs.min())
    assert made.max_utility() >= float(payoffs.max())
    if payoffs.min() < payoffs.max():
        assert made.max_utility() == float(payoffs.max())
    assert (told.utility == kind.Utility.ZERO_SUM) == bool(is_zero_sum(tree))
    if is_constant_sum(tree):
        assert told.utility in (kind.Utility.ZERO_SUM, kind.Utility.CONSTANT_SUM)
        assert made.utility_sum() == float(payoffs[0].sum())
    else:
        assert made.utility_sum() is None
        is_common = (payoffs == payoffs[:, :1]).all()
        assert (told.utility == kind.Utility.IDENTICAL) == is_common
    draws = told.chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC
    assert draws == (made.max_chance_outcomes() > 0) == (made.max_chance_nodes_in_history() > 0)
    start = made.new_initial_state()
    assert made.max_game_length() == most(start, lambda state: not state.is_chance_node())
    assert made.max_chance_nodes_in_history() == most(start, lambda state: state.is_chance_node())
    pays_early = told.reward_model == kind.RewardModel.REWARDS
    assert pays_early == (most(start, lambda state: any(state.rewards())) > 0)
    return told.information == kind.Information.PERFECT_INFORMATION


def most(state, counts):
    """Return how many states of a kind one play goes through at most."""
    if state.is_terminal():
        return 0
    return counts(state) + max(most(child, counts) for child in children(state))


def children(state):
    if not state.is_simultaneous_node():
        return [state.child(action) for action in state.legal_actions()]
    found = []
    for actions in product(*map(state.legal_actions, range(state.num_players()))):
        found.append(state.clone())
        found[-1].apply_actions(actions)
    return found


def has_singletons(game):
    tree = spiel_games.tree_of(game)
    return bool(has_perfect_information(spiel_games.canonical(tree, tree.players)))


@given(extensive_form_games())
def test_facts_of_trees_are_right(game):
    assert check_facts(game) == has_singletons(game)


@given(forgetful_games())
def test_facts_of_forgetful_trees_are_right(game):
    assert check_facts(game) == has_singletons(game)


@given(aecs())
def test_facts_of_aec_games_are_right(game):
    assert check_facts(game) == has_singletons(game)


@given(posgs())
def test_facts_of_posgs_are_right(game):
    """Information is perfect if players know all but what others choose at once."""
    is_perfect = check_facts(game)
    tree = spiel_games.tree_of(game)
    starts = {}
    for node in np.flatnonzero(tree.node_player >= 0).tolist():
        start = node
        for _ in range(tree.node_player[node]):
            start = int(tree.parent[start])
        starts.setdefault(int(tree.node_infoset[node]), set()).add(start)
    assert is_perfect == all(len(own) == 1 for own in starts.values())
