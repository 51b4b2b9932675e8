"""Graphs of trees, AEC games and replies hold exactly what the games hold."""

import importlib
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

import gametheory_core as gt
from gametheory_core.catalog import RandomOrderTeam, ReversingOrder, load
from gametheory_core.errors import MissingDependency
from gametheory_core.games import NULL, path_to, stop_aec
from gametheory_core.testing import normal_form_games, potential_games

networkx = pytest.importorskip("networkx")


def graph_of_tree(game):
    from gametheory_core.adapters import tree_graph

    return tree_graph(game)


def graph_of_states(game, **options):
    from gametheory_core.adapters import aec_state_graph

    return aec_state_graph(game, **options)


def test_tree_graph_is_the_tree():
    game = load("kuhn_poker")
    graph = graph_of_tree(game)
    assert networkx.is_arborescence(graph)
    assert list(graph) == list(range(game.num_nodes))
    for node in graph:
        path = networkx.shortest_path(graph, 0, node)
        actions = tuple(graph.edges[edge]["action"] for edge in pairwise(path))
        assert actions == path_to(game, node)


def test_tree_graph_names_nodes_that_have_names():
    game = gt.from_sketch(gt.Decision(0, "", {"go": gt.Terminal([1])}), players=("Ann",))
    assert all("label" not in node for _, node in graph_of_tree(game).nodes(data=True))
    named = replace(game, node_labels=("start", "end"))
    assert dict(graph_of_tree(named).nodes(data="label")) == {0: "start", 1: "end"}


def test_tree_graph_carries_exact_numbers_and_labels():
    game = gt.from_sketch(
        gt.Chance(
            {
                "rain": ("1/3", gt.Decision(0, "wet", {"stay": gt.Terminal([0, 1])}, [5, 0])),
                "sun": ("2/3", gt.Decision(1, "", {"go": gt.Terminal(["1/7", 2])})),
            }
        ),
        players=("Ann", "Bob"),
        title="Weather",
    )
    graph = graph_of_tree(game)
    assert graph.graph["title"] == "Weather"
    assert dict(graph.nodes(data="player")) == {0: "chance", 1: "Ann", 2: "Bob", 3: "", 4: ""}
    assert dict(graph.nodes(data="infoset")) == {0: "#1", 1: "wet", 2: "#1", 3: "", 4: ""}
    assert list(graph.nodes(data="payoffs")) == [
        (0, ()),
        (1, (5, 0)),
        (2, ()),
        (3, (0, 1)),
        (4, (Fraction(1, 7), 2)),
    ]
    assert list(graph.edges(data=True)) == [
        (0, 1, {"action": "rain", "probability": Fraction(1, 3)}),
        (0, 2, {"action": "sun", "probability": Fraction(2, 3)}),
        (1, 3, {"action": "stay"}),
        (2, 4, {"action": "go"}),
    ]


def test_state_graph_of_random_order():
    graph = graph_of_states(RandomOrderTeam())
    assert list(graph) == [
        ("start", -1),
        ("ready", 0),
        ("ready", 1),
        ("A", 1),
        ("B", 1),
        ("A", 0),
        ("B", 0),
        ("over", None),
    ]
    assert list(graph.out_edges(("start", -1), data=True)) == [
        (
            ("start", -1),
            ("ready", mover),
            {"player": "chance", "action": NULL, "probability": Fraction(1, 2)},
        )
        for mover in range(2)
    ]
    assert dict(graph.nodes(data="player"))["ready", 1] == "2"
    assert dict(graph.nodes(data="player"))["over", None] == ""
    assert graph.number_of_edges(("A", 1), ("over", None)) == 2  # one for each action


def test_probabilities_of_each_action_sum_to_one():
    graph = graph_of_states(stop_aec(ReversingOrder(), moves=5))
    totals = {}
    for start, _, data in graph.edges(data=True):
        key = (start, data["action"])
        totals[key] = totals.get(key, 0) + data["probability"]
    assert len(totals) > 50
    assert set(totals.values()) == {1}


def test_state_graph_is_the_same_each_time():
    graphs = [graph_of_states(stop_aec(ReversingOrder(), moves=4)) for _ in range(2)]
    assert list(graphs[0].edges(data=True)) == list(graphs[1].edges(data=True))


def test_every_position_is_reached_from_the_start():
    graph = graph_of_states(stop_aec(ReversingOrder(), moves=4))
    start = next(iter(graph))
    assert start == (ReversingOrder().initial_state, -1)
    assert set(graph) == {start} | networkx.descendants(graph, start)


def test_state_graph_past_the_budget_is_refused():
    with pytest.raises(gt.UnsupportedGame, match=r"at most max_states = 3 .* more than"):
        graph_of_states(RandomOrderTeam(), max_states=3)


@pytest.mark.parametrize("game", [None, load("kuhn_poker")])
def test_state_graph_of_what_is_no_aec_game_is_refused(game):
    with pytest.raises(gt.UnsupportedGame, match="^aec_state_graph: needs an AEC game, but got"):
        graph_of_states(game)


def test_missing_networkx_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    monkeypatch.delitem(sys.modules, "gametheory_core.adapters.networkx", raising=False)
    with pytest.raises(MissingDependency, match=r"networkx.*gametheory-core\[interop\]"):
        importlib.import_module("gametheory_core.adapters.networkx")


def graph_of_replies(game, **options):
    from gametheory_core.adapters import best_response_graph

    return best_response_graph(game, **options)


@given(normal_form_games(max_actions=3))
def test_replies_are_the_changes_that_pay(game):
    from gametheory_core.adapters import Replies

    best, better = (graph_of_replies(game, replies=replies) for replies in Replies)
    assert list(best) == list(better) == list(np.ndindex(*game.num_actions))
    for cell in best:
        assert best.nodes[cell]["payoffs"] == tuple(game.exact_payoffs[(slice(None), *cell)])
        assert best.nodes[cell]["is_equilibrium"] == (
            gt.certify_nash(game, gt.pure_profile(game, cell)).epsilon == 0
        )
        for other in better:
            changed = [i for i, (a, b) in enumerate(zip(cell, other, strict=True)) if a != b]
            gains = [
                game.exact_payoffs[(i, *other)] - game.exact_payoffs[(i, *cell)] for i in changed
            ]
            assert better.has_edge(cell, other) == (len(changed) == 1 and gains[0] > 0)
            if better.has_edge(cell, other):
                edge = better.edges[cell, other]
                assert edge["gain"] == gains[0]
                assert edge["player"] == game.players[changed[0]]
                assert edge["action"] == game.actions[changed[0]][other[changed[0]]]
                rivals = [
                    better.edges[cell, third]["gain"]
                    for third in better.successors(cell)
                    if better.edges[cell, third]["player"] == edge["player"]
                ]
                assert best.has_edge(cell, other) == (gains[0] == max(rivals))
    assert set(best.edges) <= set(better.edges)


def test_replies_of_matching_pennies_run_in_a_circle():
    graph = graph_of_replies(load("matching_pennies"))
    assert networkx.is_strongly_connected(graph)
    assert dict(graph.out_degree) == dict.fromkeys(graph, 1)
    assert graph.nodes[0, 1]["actions"] == ("heads", "tails")
    assert graph.graph["title"] == "Matching pennies"


@given(potential_games())
def test_better_replies_of_potential_games_never_run_in_a_circle(game):
    from gametheory_core.adapters import Replies

    assert networkx.is_directed_acyclic_graph(graph_of_replies(game, replies=Replies.BETTER))


def test_replies_past_the_budget_are_refused():
    with pytest.raises(gt.UnsupportedGame, match=r"at most max_joint_actions = 3, but .* has 4\."):
        graph_of_replies(load("matching_pennies"), max_joint_actions=3)
