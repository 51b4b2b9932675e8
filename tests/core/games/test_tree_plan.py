"""Where the nodes of a picture stand."""

import pytest

from gametheory_core.catalog import load
from gametheory_core.games import tree_plan


def test_children_stand_below_and_around_their_parents():
    game = load("kuhn_poker")
    places = tree_plan(game).places
    assert len(set(places)) == game.num_nodes
    for node in range(game.num_nodes):
        children = places[game.first_child[node] : game.first_child[node] + game.num_children[node]]
        if children:
            x, y = places[node]
            assert {child_y for _, child_y in children} == {y - 1}
            assert list(children) == sorted(children)
            assert children[0][0] <= x <= children[-1][0]
    leaves = sorted(places[leaf][0] for leaf in game.terminals)
    assert leaves == list(range(30))


def test_links_that_overlap_run_at_different_heights():
    plan = tree_plan(load("kuhn_poker"))
    heights = {link.height for link in plan.links if link.player == 1}
    assert len(heights) == 6
    assert all(link.start[1] == link.end[1] for link in plan.links)


@pytest.mark.parametrize("name", ["kuhn_poker", "selten_horse"])
def test_links_join_neighbours_of_one_information_set(name):
    game = load(name)
    plan = tree_plan(game)
    sizes = [int((game.node_infoset == s).sum()) for s in range(game.num_decision_infosets)]
    assert len(plan.links) == sum(size - 1 for size in sizes)
    at = {place: node for node, place in enumerate(plan.places)}
    for link in plan.links:
        start, end = at[link.start], at[link.end]
        assert start < end
        assert game.node_infoset[start] == game.node_infoset[end]
        assert game.node_player[start] == link.player


def test_weights_are_written_below_labels():
    plan = tree_plan(load("one_card_poker"), weights=[[0.25, 0.75]] * 3)
    texts = {text.split("\n")[1] for text in plan.edge_texts if "\n" in text}
    assert texts == {"1/2", "0.25", "0.75"}
