"""AEC games as rules of trees: laid out they are the conversion's tree, and they can be sampled."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import (
    Chance,
    Terminal,
    UnsupportedGame,
    aec_to_extensive,
    expected_payoffs,
    expected_returns,
)
from gametheory_core.catalog import load
from gametheory_core.conversions.aec_extensive import aec_tree_rules
from gametheory_core.distributions import point_mass, uniform
from gametheory_core.games import CHANCE, count_nodes, lay_out_rules
from tests.core.conversions.changed_rules import changed
from tests.theorems.random_rules import RandomAEC, seeded_policies

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


@pytest.mark.parametrize("discount", [Fraction(1), Fraction(1, 3)])
@pytest.mark.parametrize("seed", range(6))
def test_trees_made_by_spots_are_those_made_play_by_play(seed, discount):
    """States repeat, so that most nodes stand where others do; chance is found all over."""
    game = RandomAEC(seed, 1 + seed % 2, discount, horizon=2 + seed % 2)
    assert lay_out_rules(aec_tree_rules(game)) == aec_to_extensive(game).target


def drawing(paid):
    """Chance moves for sure once or twice after an action, then draws, then moves for sure."""
    return changed(
        RandomAEC(1, 1, Fraction(1, 2)),
        initial_state="start",
        chance=lambda state: {
            "start": point_mass("choice"),
            "a": point_mass("lottery"),
            "b": point_mass("wait"),
            "wait": point_mass("lottery"),
            "c": point_mass("lottery"),
            "lottery": uniform(("left", "right")),
            "left": point_mass("end"),
            "right": point_mass("end"),
        }[state],
        is_terminal=lambda state: state == "end",
        move=lambda player, state, action: action,
        legal_actions=lambda player, observation: ("a", "b", "c"),
        observation=lambda player, state: point_mass(state),
        reward=lambda state, mover, action, after: point_mass((paid(state, action),)),
        next_player=lambda state, mover, action, after: point_mass(
            0 if after == "choice" else CHANCE
        ),
    )


@pytest.mark.parametrize(
    "paid",
    [
        lambda state, action: {"a": 1, "c": 2}.get(action, 0),  # on the way to the draw
        lambda state, action: int(state == "left"),  # later, after one chance move more or less
        lambda state, action: len(state),
    ],
)
def test_draws_that_look_alike_are_kept_apart_by_what_came_before(paid):
    game = drawing(paid)
    conversion = aec_to_extensive(game)
    assert lay_out_rules(aec_tree_rules(game)) == conversion.target
    profile = seeded_policies(game, seed=1)
    behavior = conversion.correspondence.to_target(profile)
    paid = expected_payoffs(conversion.target, behavior).tolist()
    assert paid == expected_returns(game, profile).tolist()
