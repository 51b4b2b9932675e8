"""OpenSpiel's own tests of games, on games of ours of every kind."""

import importlib
import re
import unittest

import pytest

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")
spiel_games = importlib.import_module("tests.core.adapters.spiel_games")

NAMES = list(spiel_games.GAMES)
UNTIMED = ["team", "reversing", "wheel"]
IN_TURN = [name for name in NAMES if name not in (*spiel_games.POSGS, *UNTIMED)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("serialize", [True, False])
def test_random_simulations_pass(name, serialize):
    game = spiel_games.ours(name)
    pyspiel.random_sim_test(game, num_sims=10, serialize=serialize, verbose=False)


@pytest.mark.parametrize("name", NAMES)
def test_open_spiels_simulation_in_python_passes(name):
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    GamesSimTest().sim_game(spiel_games.ours(name))


@pytest.mark.parametrize("name", list(spiel_games.POSGS))
def test_players_put_in_turn_by_open_spiel_pass(name):
    pyspiel.random_sim_test(
        pyspiel.convert_to_turn_based(spiel_games.ours(name)),
        num_sims=5,
        serialize=True,
        verbose=False,
    )


@pytest.mark.parametrize("name", NAMES)
def test_playthrough_is_the_same_twice(name):
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    played = spiel_games.ours(name).get_type().short_name
    once, again = (playthrough(played, None, seed=7) for _ in range(2))
    assert once == again
    assert "IsTerminal() = True" in once
    moves = [int(line.split()[1]) for line in once.splitlines() if line.startswith("action:")]
    if name not in spiel_games.POSGS:
        assert f"History() = {moves}" in once


def faults(cases):
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(cases).run(result)
    assert result.testsRun > 4
    return {case.id().rpartition(".")[2]: text for case, text in result.failures + result.errors}


@pytest.mark.parametrize("name", NAMES)
def test_checks_of_some_states_pass(name):
    from open_spiel.integration_tests.api_test import EnforceAPIOnPartialTreeBase

    game = spiel_games.ours(name)
    cases = type("Some", (EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": str(game)})
    assert faults(cases) == {}


def whole_tree(name, monkeypatch):
    """OpenSpiel's checks; it is to count the nodes and the information sets of our tree."""
    from open_spiel.integration_tests import api_test

    game = spiel_games.ours(name)
    source = spiel_games.tree_of(spiel_games.GAMES[name])
    tree = spiel_games.canonical(source, source.players)
    movers = tree.node_player.tolist()
    counts = [movers.count(-1), sum(mover >= 0 for mover in movers), movers.count(-2)]
    counts[0] += name == "paid early"  # a sure draw, which the canonical form leaves out
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, tuple(counts))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, tree.num_decision_infosets)
    return type("All", (api_test.EnforceAPIOnFullTreeBase,), {"game": game, "game_name": name})


@pytest.mark.parametrize("name", IN_TURN)
def test_checks_of_the_whole_tree_pass(name, monkeypatch):
    assert faults(whole_tree(name, monkeypatch)) == {}


@pytest.mark.parametrize("name", UNTIMED)
def test_checks_of_recall_want_histories_of_one_length_too(name, monkeypatch):
    """Who moves later or earlier does not know it: the check is for more than perfect recall."""
    found = faults(whole_tree(name, monkeypatch))
    assert list(found) == ["test_game_is_perfect_recall"]
    lengths = re.findall(r"history \((\d+) states\)", found["test_game_is_perfect_recall"])
    assert len(set(lengths)) == 2
