"""POSGs to trees: the order of moves, names, horizons, and sizes said before they are refused."""

from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import (
    Preserved,
    aec_to_posg,
    extensive_to_aec,
    posg_to_normal,
    posg_to_tabular,
)
from gametheory_core.conversions.unrolling import breadth_first_places, count_nodes
from gametheory_core.distributions import point_mass, uniform
from gametheory_core.games import CHANCE, NULL, stop_posg
from gametheory_core.testing import check_conversion
from tests.core.conversions.changed_rules import changed
from tests.theorems.random_rules import ENDED, RandomPOSG


def size_of(game):
    return count_nodes(posg_to_tabular(game).target, horizon=game.horizon)


@pytest.mark.parametrize(("players", "steps"), [(1, 3), (2, 2), (3, 1), (2, 0)])
def test_nodes_are_counted_right_before_they_are_made(players, steps):
    for seed in range(6):
        game = stop_posg(RandomPOSG(seed, players), steps=steps)
        assert size_of(game) == gt.posg_to_extensive(game).target.num_nodes


def test_players_move_in_order_unseen():
    tree = gt.posg_to_extensive(RepeatedGame.of("matching_pennies", recall=0)).target
    assert tree.node_player[:3].tolist() == [0, 1, 1]
    assert tree.node_infoset[:3].tolist() == [0, 1, 1]
    assert [s.label for s in tree.infosets] == ["start", "start"]
    assert tree.infosets[0].actions == ("heads", "tails")


def test_information_sets_are_named_by_what_was_seen_and_done():
    tree = gt.posg_to_extensive(RepeatedGame.of("matching_pennies", rounds=2, recall=0)).target
    names = {(s.player, s.label) for s in tree.infosets}
    assert (0, "heads") in names
    assert (1, "tails") in names
    assert CHANCE not in {s.player for s in tree.infosets}  # nothing is random


def test_names_that_read_alike_are_told_apart():
    game = changed(
        RandomPOSG(1, 1),
        initial=lambda: point_mass(0),
        initial_observation=lambda _: uniform((("1",), (1,))),
        horizon=1,
    )
    tree = gt.posg_to_extensive(game).target
    assert {s.label for s in tree.infosets if s.player == 0} == {"('1',)", "(1,)"}


def test_chance_shows_states_and_joint_observations():
    game = changed(
        RandomPOSG(1),
        initial=lambda: point_mass("room"),
        initial_observation=lambda _: uniform((("x", "x"), ("y", "y"))),
        transition=lambda *_: uniform(("room", ENDED)),
        horizon=1,
    )
    tree = gt.posg_to_extensive(game).target
    first = tree.infosets[tree.node_infoset[0]]
    assert first.probabilities == (Fraction(1, 2),) * 2
    assert all("room" in label for label in first.actions)
    last = tree.infosets[-1]
    assert set(last.actions) == {"room", ENDED}  # nobody sees the state after the last step


def test_horizon_is_needed_and_the_shorter_one_counts():
    with pytest.raises(
        gt.InvalidArgument,
        match=r"needs a horizon, because play of 'random POSG' need not end by itself\. Give hor",
    ):
        gt.posg_to_extensive(RandomPOSG(1))
    with pytest.raises(
        gt.InvalidArgument, match="posg_to_extensive: needs a whole number of steps.*got -1"
    ):
        gt.posg_to_extensive(RandomPOSG(1), horizon=-1)
    conversion = gt.posg_to_extensive(stop_posg(RandomPOSG(1), steps=1), horizon=3)
    assert conversion.source.horizon == 1
    assert gt.posg_to_extensive(RandomPOSG(1), horizon=1).target == conversion.target
    assert conversion.preserves == frozenset(Preserved)


def test_games_that_end_by_themselves_are_the_source_so_that_ways_to_them_compose():
    walk = extensive_to_aec(gt.load_game("one_card_poker"))
    idle = walk.then(aec_to_posg(walk.target))
    assert idle.target.horizon is None
    for convert in (gt.posg_to_extensive, posg_to_normal):
        check_conversion(idle.then(convert(idle.target)), rng=np.random.default_rng(0))


def test_tables_and_rules_give_one_tree():
    game = stop_posg(RandomPOSG(6), steps=2)
    table = posg_to_tabular(game).target
    assert gt.posg_to_extensive(table).target == gt.posg_to_extensive(game).target
    longer = posg_to_tabular(stop_posg(RandomPOSG(6), steps=3)).target
    assert gt.posg_to_extensive(longer, horizon=2).target == gt.posg_to_extensive(game).target


def test_trees_that_are_too_large_are_refused_with_their_size():
    game = stop_posg(RandomPOSG(1), steps=3)
    size = round(size_of(game))
    with pytest.raises(
        gt.UnsupportedGame,
        match=rf"needs at most max_nodes = {size - 1:,} nodes, but 'random POSG' with 3 steps has "
        rf"{size:,}\. Give a shorter",
    ):
        gt.posg_to_extensive(game, max_nodes=size - 1)
    assert gt.posg_to_extensive(game, max_nodes=size).target.num_nodes == size
    with pytest.raises(gt.UnsupportedGame, match=r"with 60 steps has [\d,]{20,} or more"):
        gt.posg_to_extensive(RandomPOSG(1), horizon=60)  # counted, never built
    with pytest.raises(gt.UnsupportedGame, match="posg_to_tabular: needs at most max_states = 2"):
        gt.posg_to_extensive(game, max_states=2)


def test_policies_and_profiles_must_fit():
    conversion = gt.posg_to_extensive(RepeatedGame.of("matching_pennies", recall=0))
    with pytest.raises(
        gt.InvalidStrategy, match=r"needs a distribution at information state \(NULL,"
    ):
        conversion.correspondence.to_target(({}, {}))
    cheat = {(NULL,): point_mass("edge")}
    with pytest.raises(
        gt.InvalidStrategy, match=r"needs legal actions \('heads', 'tails'\).*'edge'"
    ):
        conversion.correspondence.to_target((cheat, cheat))
    with pytest.raises(gt.InvalidStrategy, match="information set"):
        conversion.correspondence.to_source(gt.BehavioralProfile(([1, 0],)))


def test_floats_become_the_rationals_they_are():
    conversion = gt.posg_to_extensive(RepeatedGame.of("matching_pennies", recall=0))
    vectors = gt.uniform_behavior(conversion.target).probabilities
    floats = gt.BehavioralProfile(tuple(v.astype(float) for v in vectors))
    first, _ = conversion.correspondence.to_source(floats)
    assert first[NULL,].items == (("heads", Fraction(1, 2)), ("tails", Fraction(1, 2)))


def test_nodes_are_placed_by_level_and_then_by_age():
    parent = np.array([-1, 0, 1, 1, 0, 2, 4])  # 2, 3 below 1; 6 below 4, which is older than 5's
    assert breadth_first_places(parent).tolist() == [0, 1, 3, 4, 2, 6, 5]


def test_progress_is_told():
    told = []
    size = gt.posg_to_extensive(RandomPOSG(1), horizon=2, on_iteration=told.append).target.num_nodes
    assert len(told) == 3
    assert told == sorted(told)
    assert told[-1] == size


def test_rules_are_asked_no_more_once_there_are_more_situations_than_nodes():
    """Each state with what is seen there is a node of the tree, at least."""
    asked = []

    def transition(state, joint_action):
        asked.append(state)
        return uniform((state, number) for number in range(100))

    game = changed(RandomPOSG(1, 1), transition=transition, is_terminal=lambda state: False)
    with pytest.raises(
        gt.UnsupportedGame, match="max_nodes = 500 nodes, but 'random POSG' has more"
    ):
        gt.posg_to_extensive(game, horizon=4, max_nodes=500)
    assert len(asked) < 20
    with pytest.raises(gt.UnsupportedGame, match="max_states = 500 pairs"):
        gt.posg_to_extensive(game, horizon=4, max_states=500)
