"""The picture of a tree shows every node, edge, information set and payoff, and nothing twice."""

import importlib
import sys
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.catalog import Tiger, load
from gametheory_core.errors import MissingDependency
from gametheory_core.evaluation import reach_probabilities
from gametheory_core.formats import tree_tikz
from gametheory_core.games import subgame_roots
from gametheory_core.games.tree_svg import tree_plan
from gametheory_core.strategies.trembles import infoset_nodes
from solvers import sequence_form_lp, sequential_equilibrium, solve
from tests.core.figures.drawing import drawer, require_apart
from tests.core.naive_trees import WEATHER

drawn = drawer("gametheory_core.figures.tree", "draw_tree")


def texts_of(axes):
    return [text for text in axes.texts if text.get_text()]


def test_texts_are_labels_probabilities_and_payoffs_of_whole_plays():
    axes = drawn(WEATHER)
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
@pytest.mark.parametrize("is_full", [False, True])
def test_no_two_texts_overlap(name, is_full):
    game = load(name)
    extras = {"profile": gt.uniform_behavior(game), "mark_subgames": True} if is_full else {}
    axes = drawn(game, **extras)
    assert len(require_apart(texts_of(axes))) > 5


def test_axes_given_are_used():
    from matplotlib.figure import Figure

    from gametheory_core.figures import draw_tree

    axes = Figure().add_subplot()
    assert draw_tree(load("kuhn_poker:cards=2"), ax=axes) is axes


def test_tree_of_one_leaf_is_a_dot():
    game = gt.from_sketch(gt.Terminal([1, "1/2"]), players=("A", "B"))
    assert [text.get_text() for text in texts_of(drawn(game))] == ["1", "1/2"]


def test_long_labels_are_cut():
    game = gt.from_sketch(
        gt.Decision(0, "a very long\nname of a place", {"x" * 40: gt.Terminal([0])}), players=("A",)
    )
    shown = {text.get_text() for text in texts_of(drawn(game))}
    assert shown == {"a very lo…a place", "x" * 9 + "…" + "x" * 8, "0"}


def test_draw_tree_refuses_what_cannot_be_read():
    with pytest.raises(
        gt.UnsupportedGame, match="at most 48 leaves .* but the tree has 5,520 leaves"
    ):
        drawn(load("leduc_poker"))


def test_a_long_line_is_refused():
    deep = gt.Terminal([0])
    for _ in range(42):
        deep = gt.Chance({"on": (1, deep)})
    game = gt.from_sketch(deep, players=("Ann",))
    with pytest.raises(
        gt.UnsupportedGame, match="40 levels .* the tree has 1 leaves and 42 levels"
    ):
        drawn(game)


def edges_of(axes):
    """Return the lines that are edges, in the order of the nodes they lead to."""
    return [line for line in axes.lines if len(line.get_xdata()) == 2]


def boxes_of(axes):
    return [text for text in texts_of(axes) if text.get_zorder() == 4]


def test_profile_is_written_on_edges_and_shown_by_their_width():
    game = load("kuhn_poker")
    profile = sequence_form_lp(game).profile
    axes = drawn(game, profile=profile)
    reach = reach_probabilities(game, profile)
    labels = [text.get_text() for text in texts_of(axes) if text.get_zorder() == 2]
    assert len(labels) == game.num_nodes - 1
    for node, (edge, label) in enumerate(zip(edges_of(axes), labels, strict=True), start=1):
        infoset = int(game.node_infoset[game.parent[node]])
        place = node - int(game.first_child[game.parent[node]])
        if game.node_player[game.parent[node]] >= 0:
            assert label.split("\n")[1] == str(profile.probabilities[infoset][place])
        assert edge.get_linewidth() == pytest.approx(1 + 5 * float(reach[node]))
        assert (edge.get_alpha() == 1) == (reach[node] > 0)
    faces = [box.get_bbox_patch().get_facecolor()[3] for box in boxes_of(axes)]
    decided = [v for v in range(game.num_nodes) if game.node_player[v] >= 0]
    assert [alpha == 1 for alpha in faces] == [reach[v] > 0 for v in decided]
    assert 0 < sum(alpha == 1 for alpha in faces) < len(faces)


def test_float_profile_is_written_short():
    game = load("one_card_poker")
    third = np.array([1 / 3, 2 / 3])
    profile = gt.BehavioralProfile((third,) * game.num_decision_infosets)
    texts = {text.get_text().split("\n")[-1] for text in texts_of(drawn(game, profile=profile))}
    assert {"≈0.3333", "≈0.6667"} <= texts


def test_profile_of_another_game_is_refused():
    with pytest.raises(gt.InvalidStrategy, match="information set"):
        drawn(load("kuhn_poker"), profile=gt.uniform_behavior(load("one_card_poker")))


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker:cards=2", "centipede", "selten_horse"])
def test_roots_of_subgames_are_framed_if_asked(name):
    game = load(name)
    plain, marked = drawn(game), drawn(game, mark_subgames=True)
    decided = [v for v in range(game.num_nodes) if game.node_player[v] >= 0]
    widths = [box.get_bbox_patch().get_linewidth() for box in boxes_of(marked)]
    roots = set(subgame_roots(game).tolist())
    assert [v for v, width in zip(decided, widths, strict=True) if width > 1] == sorted(
        roots & set(decided)
    )
    assert {box.get_bbox_patch().get_linewidth() for box in boxes_of(plain)} == {1}
    entries = [text.get_text() for text in marked.get_legend().get_texts()]
    assert entries[-1] == "a subgame begins"
    assert len(entries) == len(plain.get_legend().get_texts()) + 1


def test_missing_matplotlib_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "gametheory_core.figures", raising=False)
    with pytest.raises(MissingDependency, match=r"matplotlib.*gametheory-core\[figures\]"):
        importlib.import_module("gametheory_core.figures")


def test_rules_are_refused_with_the_way_to_a_tree():
    from gametheory_core.figures import draw_tree

    with pytest.raises(gt.UnsupportedGame, match="draw_tree: needs a tree, but got Tiger"):
        draw_tree(Tiger())


def test_a_solution_is_drawn_as_its_profile():
    game = load("kuhn_poker")
    solution = sequence_form_lp(game)
    texts = [t.get_text() for t in texts_of(drawn(game, profile=solution.profile))]
    for answer in (solution, solve(game, algorithm="sequence_form_lp")):
        assert [t.get_text() for t in texts_of(drawn(game, profile=answer))] == texts


def test_beliefs_of_a_sequential_equilibrium_stand_in_the_boxes():
    game = load("beer_quiche")
    solution = sequential_equilibrium(game)
    axes = drawn(game, profile=solution)
    shown = {text.get_position(): text.get_text() for text in boxes_of(axes)}
    plain = {text.get_position(): text.get_text() for text in boxes_of(drawn(game))}
    places = tree_plan(game).places
    believed = set()
    for nodes, beliefs in zip(infoset_nodes(game), solution.certificate.beliefs, strict=True):
        for node, belief in zip(nodes, beliefs, strict=True):
            if len(nodes) > 1:
                believed.add(places[node])
                assert shown[places[node]] == f"{plain[places[node]]}\nμ = {belief}"
    assert len(believed) == 4
    assert all(shown[place] == plain[place] for place in set(shown) - believed)
    assert len(require_apart(texts_of(axes))) > 20
    assert "{quiche \\\\ $\\mu$ = 1/2}" in tree_tikz(game, profile=solution)


def test_beliefs_of_another_game_and_several_answers_are_refused():
    game = load("selten_horse")
    odd = SimpleNamespace(profile=gt.uniform_behavior(game), beliefs=((Fraction(1),),))
    with pytest.raises(gt.InvalidStrategy, match="draw_tree: needs a belief for each node"):
        drawn(game, profile=odd)
    several = SimpleNamespace(solutions=(odd, odd))
    with pytest.raises(gt.InvalidArgument, match=r"the answer has 2\. Give .* answer\.solutions"):
        drawn(game, profile=several)
