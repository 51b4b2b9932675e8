"""AEC games as rules of trees: laid out they are the conversion's tree, and they can be sampled."""

import numpy as np
import pytest

from gametheory_core import Chance, Terminal, UnsupportedGame, aec_to_extensive
from gametheory_core.catalog import load
from gametheory_core.conversions.aec_extensive import aec_tree_rules
from gametheory_core.games import count_nodes, lay_out_rules

SMALL = ["random_order_team", "reversing_order", "seen_choice", "take_away:piles=1,tokens=4"]


@pytest.mark.parametrize("name", SMALL)
def test_tree_is_that_of_the_conversion(name):
    game = load(name)
    rules = aec_tree_rules(game)
    tree = aec_to_extensive(game).target
    assert lay_out_rules(rules) == tree
    assert count_nodes(aec_tree_rules(game)).nodes == tree.num_nodes
    assert rules == aec_tree_rules(game)


def test_horizon_stops_play():
    game = load("take_away:piles=2,tokens=3,most=2")
    tree = aec_to_extensive(game, horizon=3).target
    assert lay_out_rules(aec_tree_rules(game, horizon=3)) == tree
    assert tree.num_nodes < aec_to_extensive(game).target.num_nodes


def test_a_game_too_large_for_a_tree_can_be_played():
    rules, rng = aec_tree_rules(load("take_away")), np.random.default_rng(8)
    position, moves = rules.root, 0
    while not isinstance(node := rules.expand(position), Terminal):
        assert not isinstance(node, Chance)
        children = list(node.children.values())
        position = children[int(rng.integers(len(children)))]
        moves += 1
    assert 800 / 3 < moves <= 800
    assert sorted(node.payoffs) == [-1, 1]


def test_what_is_no_aec_game_is_refused():
    with pytest.raises(UnsupportedGame, match="aec_tree_rules: needs an AEC game"):
        aec_tree_rules(load("tiger"))
