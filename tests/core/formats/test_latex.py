"""Trees in TikZ: everything that is in the tree is in the picture, as LaTeX takes it."""

import re
import shutil
import subprocess
from collections import Counter

import pytest

import gametheory_core as gt
from gametheory_core.catalog import Tiger, load
from gametheory_core.formats import latex_text, tree_tikz
from gametheory_core.games.payoff_text import payoff_text
from solvers import sequence_form_lp, solve
from tests.core.naive_trees import WEATHER

PLACE = r"\((-?\d+\.\d{3}),(-?\d+\.\d{3})\)"
NAMES = ["kuhn_poker", "beer_quiche", "selten_horse", "centipede"]


def nodes_of(text):
    """Return node -> place, of the nodes of the tree."""
    found = re.findall(rf"\\node\[[^\]]*\] \(n(\d+)\) at {PLACE}", text)
    return {int(node): (x, y) for node, x, y in found}


def edges_of(text):
    return re.findall(rf"\\draw\[edge, line width=([\d.]+)pt(.*?)\] {PLACE} -- {PLACE};", text)


@pytest.mark.parametrize("name", NAMES)
def test_every_node_edge_link_and_payoff_is_drawn(name):
    game = load(name)
    text = tree_tikz(game)
    places = nodes_of(text)
    assert sorted(places) == list(range(game.num_nodes))
    assert len(set(places.values())) == game.num_nodes
    ends = [((a, b), (c, d)) for *_, a, b, c, d in edges_of(text)]
    parents = game.parent.tolist()
    assert ends == [(places[parents[v]], places[v]) for v in range(1, game.num_nodes)]
    counts = Counter(game.node_infoset.tolist())
    links = sum(counts[index] - 1 for index in range(game.num_decision_infosets))
    assert text.count(r"\draw[link=player") == links
    shown = dict(re.findall(r"\\node\[payoffs\] at \((\S+)\) {(.*)};", text))
    for leaf, payoffs in zip(
        game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True
    ):
        for player, payoff in enumerate(payoffs):
            written = payoff_text(payoff).replace("\N{MINUS SIGN}", "$-$")
            assert rf"\textcolor{{player{player}}}{{{written}}}" in shown[",".join(places[leaf])]


@pytest.mark.parametrize("name", NAMES)
def test_braces_and_environments_close(name):
    text = tree_tikz(load(name), profile=gt.uniform_behavior(load(name)))
    plain = re.sub(r"\\[{}]", "", text)
    assert plain.count("{") == plain.count("}")
    assert plain.count("[") == plain.count("]")
    assert re.findall(r"\\(begin|end){(\w+)}", text) == [
        ("begin", "document"),
        ("begin", "tikzpicture"),
        ("end", "tikzpicture"),
        ("end", "document"),
    ]
    body = text.split(r"inner sep=1pt}]")[-1].splitlines()[1:-2]
    assert all(line.startswith(("\\node[", "\\draw[")) and line.endswith(";") for line in body)
    defined = set(re.findall(r"\\definecolor{(\w+)}", text))
    assert set(re.findall(r"player\d+|chance", text)) <= defined


def test_labels_and_chances_are_written_and_signs_are_mathematics():
    text = tree_tikz(WEATHER)
    for label in (r"rain \\ 1/3", r"sun \\ 2/3", "wet", r"\#1", "stay", "go", "$-$2", "Weather"):
        assert f"{{{label}}}" in text, label


def test_signs_of_latex_in_labels_are_escaped():
    tree = gt.from_sketch(
        gt.Decision(0, "50%_{a}", {"a&b $x^2~\\#": gt.Terminal([0]), "[no]": gt.Terminal([1])}),
        players=("A_1",),
        title="100% & more",
    )
    text = tree_tikz(tree)
    assert r"{50\%\_\{a\}}" in text
    assert r"{a\&b \$x\textasciicircum{}2\textasciitilde{}\textbackslash{}\#}" in text
    assert "{{[}no{]}}" in text
    assert r"A\_1" in text
    assert r"\textbf{100\% \& more}" in text
    assert latex_text("plain - 1/2") == "plain - 1/2"


def test_a_profile_is_written_and_shown_by_the_width_of_edges():
    game = load("kuhn_poker")
    solution = sequence_form_lp(game)
    text = tree_tikz(game, profile=solution.profile)
    reach = gt.evaluation.reach_probabilities(game, solution.profile).tolist()
    edges = edges_of(text)
    for node, (width, look, *_) in enumerate(edges, start=1):
        assert float(width) == pytest.approx(0.4 + 2 * float(reach[node]), abs=0.006)
        assert ("opacity=0.35" in look) == (not reach[node])
    assert 0 < sum("opacity" in look for _, look, *_ in edges) < len(edges)
    for infoset, shares in enumerate(solution.profile.probabilities):
        for action, share in zip(game.infosets[infoset].actions, shares, strict=True):
            assert rf"{{{action} \\ {share}}}" in text
    assert tree_tikz(game, profile=solution) == text
    assert tree_tikz(game, profile=solve(game, algorithm="sequence_form_lp")) == text


def test_what_is_no_small_tree_or_does_not_fit_is_refused():
    with pytest.raises(gt.UnsupportedGame, match="tree_tikz: needs a tree, but got Tiger"):
        tree_tikz(Tiger())
    with pytest.raises(gt.UnsupportedGame, match="at most 48 leaves"):
        tree_tikz(load("leduc_poker"))
    with pytest.raises(gt.InvalidStrategy, match="information set"):
        tree_tikz(load("kuhn_poker"), profile=gt.uniform_behavior(load("beer_quiche")))


@pytest.mark.skipif(shutil.which("lualatex") is None, reason="LuaLaTeX is not installed")
@pytest.mark.parametrize("name", NAMES)
def test_latex_compiles_it(tmp_path, name):
    (tmp_path / "tree.tex").write_text(tree_tikz(load(name)), encoding="utf-8")
    command = ["lualatex", "-interaction=nonstopmode", "-halt-on-error", "tree.tex"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=300)
    assert (tmp_path / "tree.pdf").read_bytes().startswith(b"%PDF")
