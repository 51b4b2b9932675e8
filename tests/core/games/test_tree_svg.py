"""Trees as SVG: valid XML that shows everything once, whatever the labels; none where too large."""

import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import Chance, Decision, Terminal, from_sketch
from gametheory_core.catalog import load
from gametheory_core.games import tree_plan
from gametheory_core.games.payoff_text import payoff_text
from gametheory_core.games.tree_svg import is_readable
from gametheory_core.testing import extensive_form_games
from tests.core.naive_trees import WEATHER

SVG = "{http://www.w3.org/2000/svg}"


def elements(game):
    """Return the elements of the picture by tag, after checking that it is one SVG."""
    root = ET.fromstring(game._repr_svg_())  # noqa: S314 our own text
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    found = {}
    for element in root.iter():
        found.setdefault(element.tag.removeprefix(SVG), []).append(element)
    return found


def drawn_texts(found):
    """Return the texts below the heading."""
    return [text.text for text in found["text"][2:]]


def test_texts_are_labels_probabilities_and_payoffs_of_whole_plays():
    found = elements(WEATHER)
    assert Counter(drawn_texts(found)) == Counter(
        ["rain", "1/3", "sun", "2/3", "wet", "#1", "stay", "go", "5", "1", "1/7", "\N{MINUS SIGN}2"]
    )
    assert found["title"][0].text == found["text"][0].text == "Weather"
    assert [span.text for span in found["tspan"]] == ["■ Ann", "■ Bob", "■ chance"]


@pytest.mark.parametrize("name", ["kuhn_poker", "selten_horse", "beer_quiche", "centipede"])
def test_every_node_edge_and_link_is_drawn_inside_the_picture(name):
    game = load(name)
    found = elements(game)
    width, height = (float(found["svg"][0].get(side)) for side in ("width", "height"))
    chance = sum(player == -1 for player in game.node_player.tolist())
    links = len(tree_plan(game).links)
    dashed = [path for path in found["path"] if path.get("stroke-dasharray")]
    assert len(found["circle"]) == len(game.terminals)
    assert len(found["rect"]) - 1 == game.num_nodes - len(game.terminals) - chance
    assert len(found["path"]) == game.num_nodes - 1 + links + chance
    assert len(dashed) == links
    assert all(0 <= float(t.get("x")) <= width for t in found["text"])
    assert all(0 <= float(t.get("y")) <= height for t in found["text"])


def test_labels_do_no_harm():
    label = "<script>&\"'\x00\x1b\ud800]]>"
    game = from_sketch(
        Decision(0, label, {label: Terminal([0])}), players=(label,), title=f"{label}\n{label}"
    )
    found = elements(game)
    assert "script" not in found
    assert sum("<script>" in (text.text or "") for text in found["text"]) == 3
    game._repr_svg_().encode()


@given(extensive_form_games(), st.text(max_size=30))
def test_any_readable_tree_is_valid_and_shows_all_payoffs(game, title):
    renamed = type(game)(
        game.players, game.infosets, game.node_infoset, game.outcomes, game.node_outcome, (), title
    )
    if not is_readable(renamed):
        assert renamed._repr_svg_() is None
        return
    texts = Counter(drawn_texts(elements(renamed)))
    payoffs = Counter(payoff_text(p) for p in game.exact_terminal_payoffs.ravel().tolist())
    assert payoffs <= texts


def test_large_trees_are_left_to_their_repr():
    assert load("leduc_poker")._repr_svg_() is None
    deep = Terminal([0])
    for _ in range(41):
        deep = Chance({"on": (1, deep)})
    assert from_sketch(deep, players=("Ann",))._repr_svg_() is None
    assert load("kuhn_poker")._repr_svg_().startswith("<svg ")


def test_the_end_of_play_alone_is_a_dot():
    found = elements(from_sketch(Terminal([1, "1/2"]), players=("A", "B")))
    assert drawn_texts(found) == ["1", "1/2"]
    assert len(found["circle"]) == 1


def test_pictures_need_no_other_library():
    """matplotlib is an extra; a notebook without it shows trees all the same."""
    import subprocess
    import sys

    script = (
        "import sys; from gametheory_core import load_game; load_game('kuhn_poker')._repr_svg_(); "
        "print('matplotlib' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
