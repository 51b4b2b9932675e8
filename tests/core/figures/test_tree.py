"""The picture of a tree shows every node, edge, information set and payoff, and nothing twice."""

import importlib
import sys
from collections import Counter

import pytest

from gametheory_core.catalog.index import load
from gametheory_core.catalog.tiger import Tiger
from gametheory_core.errors import MissingDependency, UnsupportedGame
from gametheory_core.games.sketch import Chance, Decision, Terminal, from_sketch

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def drawn(game):
    """Return the axes, after the renderer has seen them at the size that suits the game."""
    import matplotlib.pyplot as plt

    from gametheory_core.figures.tree import draw_tree

    axes = draw_tree(game)
    axes.figure.canvas.draw()
    plt.close(axes.figure)
    return axes


def texts_of(axes):
    return [text for text in axes.texts if text.get_text()]


@pytest.fixture
def weather():
    return from_sketch(
        Chance(
            {
                "rain": ("1/3", Decision(0, "wet", {"stay": Terminal([0, 1])}, [5, 0])),
                "sun": ("2/3", Decision(1, "", {"go": Terminal(["1/7", -2])})),
            }
        ),
        players=("Ann", "Bob"),
        title="Weather",
    )


def test_texts_are_labels_probabilities_and_payoffs_of_whole_plays(weather):
    axes = drawn(weather)
    assert Counter(text.get_text() for text in texts_of(axes)) == Counter(
        ["rain\n1/3", "sun\n2/3", "wet", "#1", "stay", "go", "5", "1", "1/7", "\N{MINUS SIGN}2"]
    )
    assert axes.get_title() == "Weather"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["Ann", "Bob", "chance"]


def test_every_edge_and_node_is_drawn():
    game = load("kuhn_poker")
    axes = drawn(game)
    segments = [line for line in axes.lines if len(line.get_xdata()) == 2]
    points = [line for line in axes.lines if len(line.get_xdata()) == 1]
    boxes = [text for text in texts_of(axes) if text.get_zorder() == 4]
    assert len(segments) == game.num_nodes - 1
    assert len(points) == len(game.terminals) + 1
    assert len(boxes) + len(points) == game.num_nodes


def test_nodes_of_one_information_set_are_linked():
    game = load("kuhn_poker")
    counts = Counter(game.node_infoset.tolist())
    links = sum(counts[index] - 1 for index in range(game.num_decision_infosets))
    assert links == 12
    assert len(drawn(game).patches) == links


def test_links_of_one_level_that_overlap_run_at_different_heights():
    tops = Counter()
    for patch in drawn(load("kuhn_poker")).patches:
        box = patch.get_path().get_extents()
        tops[round(box.y1, 6), patch.get_edgecolor()] += 1
    second = [count for (top, _), count in tops.items() if -2 < top < -1.5]
    assert second == [1] * 6


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "one_card_poker", "selten_horse", "beer_quiche", "centipede"]
)
def test_no_two_texts_overlap(name):
    axes = drawn(load(name))
    boxes = [text.get_window_extent() for text in texts_of(axes)]
    assert len(boxes) > 5
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            assert not one.overlaps(other)


def test_children_stand_below_and_around_their_parents():
    from gametheory_core.figures.tree import _places

    game = load("kuhn_poker")
    places = _places(game)
    assert len(set(places)) == game.num_nodes
    for node in range(game.num_nodes):
        children = places[game.first_child[node] : game.first_child[node] + game.num_children[node]]
        if children:
            x, y = places[node]
            assert {child_y for _, child_y in children} == {y - 1}
            assert children == sorted(children)
            assert children[0][0] <= x <= children[-1][0]
    leaves = sorted(places[leaf][0] for leaf in game.terminals)
    assert leaves == list(range(30))


def test_axes_given_are_used():
    from matplotlib.figure import Figure

    from gametheory_core.figures.tree import draw_tree

    axes = Figure().add_subplot()
    assert draw_tree(load("kuhn_poker:cards=2"), ax=axes) is axes


def test_tree_of_one_leaf_is_a_dot():
    game = from_sketch(Terminal([1, "1/2"]), players=("A", "B"))
    assert [text.get_text() for text in texts_of(drawn(game))] == ["1", "1/2"]


def test_long_labels_are_cut():
    game = from_sketch(
        Decision(0, "a very long\nname of a place", {"x" * 40: Terminal([0])}), players=("A",)
    )
    shown = {text.get_text() for text in texts_of(drawn(game))}
    assert shown == {"a very long name…", "x" * 17 + "…", "0"}


def test_draw_tree_refuses_what_cannot_be_read():
    with pytest.raises(UnsupportedGame, match="at most 48 leaves .* but the tree has 5,520"):
        drawn(load("leduc_poker"))


def test_missing_matplotlib_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "gametheory_core.figures", raising=False)
    with pytest.raises(MissingDependency, match=r"matplotlib.*gametheory-core\[figures\]"):
        importlib.import_module("gametheory_core.figures")


def test_rules_are_refused_with_the_way_to_a_tree():
    from gametheory_core.figures.tree import draw_tree

    with pytest.raises(UnsupportedGame, match="draw_tree: needs a tree, but got Tiger"):
        draw_tree(Tiger())
