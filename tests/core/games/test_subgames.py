"""Subgames are found from the definition, and cut out as games of their own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import load
from gametheory_core.games import subgame, subgame_roots
from gametheory_core.games.subgames import innermost_roots
from gametheory_core.testing import extensive_form_games, forgetful_games


def below(game, node):
    """Return a node and all that may follow it."""
    found = [node]
    for v in found:
        found += range(game.first_child[v], game.first_child[v] + game.num_children[v])
    return sorted(found)


def roots_by_definition(game):
    """Look at every node: whoever moves below it knows that it was reached."""
    roots = [0]
    for v in range(1, game.num_nodes):
        inside = below(game, v)
        met = {int(game.node_infoset[w]) for w in inside if game.node_player[w] >= 0}
        members = np.flatnonzero(np.isin(game.node_infoset, list(met)))
        if game.node_infoset[v] >= 0 and set(members.tolist()) <= set(inside):
            roots.append(v)
    return roots


@given(st.one_of(extensive_form_games(max_depth=5, max_moves=12), forgetful_games()))
def test_roots_are_those_of_the_definition(game):
    roots = subgame_roots(game)
    assert roots.tolist() == roots_by_definition(game)
    innermost = innermost_roots(game, roots).tolist()
    for v in range(game.num_nodes):
        assert innermost[v] == max(r for r in roots.tolist() if v in below(game, r))


@given(extensive_form_games(max_depth=5, max_moves=12))
def test_subgame_has_the_moves_and_payments_of_its_nodes(game):
    for root in subgame_roots(game).tolist():
        part = subgame(game, root)
        assert (part.root, part.source) == (root, game)
        assert part.nodes.tolist() == below(game, root)
        for own, node in enumerate(part.nodes.tolist()):
            assert part.game.node_player[own] == game.node_player[node]
            if game.node_infoset[node] >= 0:
                infoset = part.game.node_infoset[own]
                assert part.infosets[infoset] == game.node_infoset[node]
                assert part.game.infosets[infoset] == game.infosets[game.node_infoset[node]]
            paid, given = part.game.node_outcome[own], game.node_outcome[node]
            assert (paid < 0) == (given < 0)
            assert paid < 0 or part.game.outcomes[paid] == game.outcomes[given]


def test_perfect_information_has_a_subgame_at_every_move():
    game = load("centipede:rounds=4")
    assert subgame_roots(game).tolist() == np.flatnonzero(game.node_infoset >= 0).tolist()


def test_moves_of_chance_may_start_a_subgame_and_share_their_lottery():
    """Two chance nodes of one information set of chance: nobody is kept from telling them apart."""
    coin = gt.Chance({"H": ("1/2", gt.Terminal([1])), "T": ("1/2", gt.Terminal([0]))})
    game = gt.from_sketch(gt.Decision(0, "start", {"a": coin, "b": coin}), players=("Ann",))
    assert subgame_roots(game).tolist() == [0, 1, 2]


def test_unseen_move_below_closes_what_is_between():
    """The second player does not see the first: only the start, and what follows both, stand."""
    last = gt.Decision(0, "last", {"x": gt.Terminal([1, 1]), "y": gt.Terminal([0, 0])})
    blind = {
        a: gt.Decision(
            1, "blind", {"c": last if a == "a" else gt.Terminal([2, 2]), "d": gt.Terminal([0, 1])}
        )
        for a in "ab"
    }
    game = gt.from_sketch(gt.Decision(0, "start", blind), players=("Ann", "Bob"))
    assert subgame_roots(game).tolist() == [0, 3]
    with pytest.raises(gt.UnsupportedGame, match=r"starts at node 1, reached by \('a',\)"):
        subgame(game, 1)
    with pytest.raises(gt.UnsupportedGame, match="Subgames start at nodes 0, 3"):
        subgame(game, 4)


def test_tree_of_one_node_is_a_subgame():
    game = gt.from_sketch(gt.Terminal([1]), players=("Ann",))
    assert subgame_roots(game).tolist() == [0]
    assert subgame(game, 0).game == game


@pytest.mark.parametrize("root", [-1, 1000, "0", True])
def test_no_node_is_refused(root):
    with pytest.raises(gt.InvalidArgument, match="subgame: needs .*root"):
        subgame(load("centipede"), root)


@pytest.mark.parametrize("function", [subgame_roots, lambda game: subgame(game, 0)])
def test_normal_forms_are_refused(function):
    with pytest.raises(gt.UnsupportedGame, match="needs an? .*(tree|extensive-form)"):
        function(load("chicken"))
