"""``draw``: pictures of matrices, trees and turns, whole or not at all."""

import sys

import pytest

from gametheory_core.__main__ import main
from gametheory_core.catalog import load
from gametheory_core.formats import tree_tikz

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def refusal(capsys, *arguments):
    assert main(["draw", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.fixture(autouse=True)
def close_figures():
    from matplotlib import pyplot as plt

    yield
    plt.close("all")


@pytest.mark.parametrize(
    "name", ["one_card_poker", "random_order_team", "chicken", "iterated_hero"]
)
@pytest.mark.parametrize(
    ("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")]
)
def test_matrices_trees_and_turns_are_drawn(capsys, tmp_path, name, suffix, start):
    path = tmp_path / f"picture{suffix}"
    assert main(["draw", name, str(path)]) == 0
    assert capsys.readouterr().out == f"wrote {path}\n"
    assert path.read_bytes().startswith(start)
    assert len(path.read_bytes()) > 1000
    assert list(tmp_path.iterdir()) == [path]


def test_a_tree_becomes_tikz_without_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    path = tmp_path / "horse.tex"
    assert main(["draw", "selten_horse", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == tree_tikz(load("selten_horse"))


def width_of(path):
    return int.from_bytes(path.read_bytes()[16:20], "big")  # as a PNG's header has it


def test_dots_per_inch_decide_how_large_a_png_is(tmp_path):
    widths = {}
    for dpi in (None, 50, 100, 200):
        path = tmp_path / f"{dpi}.png"
        options = [] if dpi is None else ["--dpi", str(dpi)]
        assert main(["draw", "chicken", str(path), *options]) == 0
        widths[dpi] = width_of(path)
    assert widths[None] == widths[100]
    assert widths[200] == 2 * widths[100] == 4 * widths[50]


@pytest.mark.parametrize("suffix", [".pdf", ".svg", ".png"])
def test_the_same_game_gives_the_same_bytes(tmp_path, suffix):
    paths = [tmp_path / f"{k}{suffix}" for k in range(2)]
    for path in paths:
        assert main(["draw", "one_card_poker", str(path)]) == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert b"CreationDate" not in paths[0].read_bytes()
    assert b"dc:date" not in paths[0].read_bytes()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("kuhn_poker", "picture.jpg"), ".pdf, .svg, .png or .tex, but it ends in '.jpg'"),
        (("kuhn_poker", "picture"), ".pdf, .svg, .png or .tex, but it has no ending"),
        (("kuhn_poker", "a.svg", "--dpi", "300"), "a .svg is made of lines. Leave out --dpi"),
        (("kuhn_poker", "a.png", "--dpi", "9999"), "draw: needs a picture of at most 60,000,000"),
        (("chicken", "picture.tex"), "draw: needs a tree for a .tex, which is TikZ, but 'Chicken'"),
        (("leduc_poker", "picture.tex"), "tree_tikz: needs at most 48 leaves"),
        (
            ("three.nfg", "picture.png"),
            "draw: needs a payoff matrix of one or two players, a tree or an AEC game, but",
        ),
        (("three.nfg", "picture.png"), "first gametheory convert GAME FILE.efg."),
        (("tiger", "picture.png"), "first gametheory convert GAME FILE.json --to aec"),
        (("soccer", "picture.png"), "Policies of a leader are drawn (draw_leader_policies) for"),
        (("mediated_chicken", "picture.png"), "draw_fairness_rounds in gametheory_core.mediation"),
        (("leduc_poker", "picture.png"), "draw_tree: needs at most 48 leaves"),
        (("reversing_order", "picture.png", "--max-states", "9"), "needs at most --max-states = 9"),
        (("one_card_poker", "none/picture.png"), "No such file"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_nothing_written(
    capsys, tmp_path, monkeypatch, arguments, complaint
):
    monkeypatch.chdir(tmp_path)
    three = tmp_path / "three.nfg"
    three.write_text('NFG 1 R "Three" { "A" "B" "C" } { 1 1 1 } 1 2 3', encoding="utf-8")
    assert complaint in refusal(capsys, *arguments)
    assert list(tmp_path.iterdir()) == [three]


@pytest.mark.parametrize(
    "options", [("game.json", "--to", "aec"), ("game.efg", "--horizon", "1")], ids=["turns", "tree"]
)
def test_advice_for_a_posg_leads_to_a_picture(capsys, tmp_path, monkeypatch, options):
    monkeypatch.chdir(tmp_path)
    assert main(["convert", "tiger", *options]) == 0
    assert main(["draw", options[0], "picture.png"]) == 0
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["guarded_targets", "house_patrol"])
def test_advice_for_games_of_leaders_leads_to_a_picture(capsys, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    advice = "first gametheory convert GAME FILE.nfg."
    assert advice in refusal(capsys, name, "picture.png")
    assert main(["convert", name, "game.nfg"]) == 0
    assert main(["draw", "game.nfg", "picture.png"]) == 0
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_missing_extra_is_named(capsys, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("gametheory_core.figures")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    shown = refusal(capsys, "one_card_poker", str(tmp_path / "picture.png"))
    assert "pip install 'gametheory-core[figures]'" in shown
