"""The picture of a matrix shows every payoff, every best response and every pure equilibrium."""

from collections import Counter

import numpy as np
import pytest

from gametheory_core import InvalidArgument, NormalFormGame, UnsupportedGame
from gametheory_core.catalog import load
from tests.core.figures.drawing import drawer, require_apart

drawn = drawer("gametheory_core.figures.matrix", "draw_payoffs")


def numbers_of(axes):
    return axes.texts[:-1]  # the last text is the caption


def test_dilemma_is_drawn_whole():
    axes = drawn(load("prisoners_dilemma"))
    shown = [(t.get_text(), t.get_fontweight() == "bold") for t in numbers_of(axes)]
    assert shown == [
        ("3", False), ("3", False), ("0", False), ("5", True),
        ("5", True), ("0", False), ("1", True), ("1", True),
    ]  # fmt: skip
    assert [axes.get_title(), axes.get_xlabel(), axes.get_ylabel()] == [
        "Prisoner's dilemma", "player 2", "player 1",
    ]  # fmt: skip
    for axis in (axes.xaxis, axes.yaxis):
        assert [t.get_text() for t in axis.get_ticklabels()] == ["cooperate", "defect"]
    (frame,) = axes.patches
    assert frame.get_xy() == pytest.approx((0.56, 0.56))
    assert axes.texts[-1].get_text() == (
        "below: player 1, above: player 2\nbold: best response; framed: equilibrium"
    )


def test_first_player_stands_below_on_the_left():
    places = {
        t.get_text(): t.get_position() for t in numbers_of(drawn(load("battle_of_the_sexes")))
    }
    axes = drawn(NormalFormGame.bimatrix([[7]], [[8]]))
    places = {t.get_text(): t.get_position() for t in numbers_of(axes)}
    assert places["7"][0] < 0 < places["8"][0]
    assert places["8"][1] < 0 < places["7"][1]
    assert axes.yaxis_inverted()  # so more is below


@pytest.mark.parametrize("player", [0, 1])
def test_colors_are_the_payoffs_of_the_player(player):
    game = load("battle_of_the_sexes")
    axes = drawn(game, player=player)
    (image,) = axes.images
    assert image.get_array().tolist() == game.payoffs[player].tolist()
    bar = next(other for other in axes.figure.axes if other is not axes)
    assert bar.get_ylabel() == f"payoff of {game.players[player]}"


@pytest.mark.parametrize(
    "name", ["prisoners_dilemma", "rock_paper_scissors", "battle_of_the_sexes", "degenerate"]
)
def test_texts_keep_apart_and_stay_in_the_picture(name):
    axes = drawn(load(name))
    picture = axes.figure.bbox
    for box in require_apart(axes.texts):
        assert picture.x0 <= box.x0 < box.x1 <= picture.x1
        assert picture.y0 <= box.y0 < box.y1 <= picture.y1


def test_numbers_of_twelve_actions_keep_apart():
    rng = np.random.default_rng(0)
    axes = drawn(NormalFormGame.from_payoffs(rng.integers(-999, 1000, (2, 12, 12))))
    assert len(require_apart(numbers_of(axes))) == 288


def test_long_numbers_are_rounded_and_keep_apart():
    rng = np.random.default_rng(0)
    axes = drawn(NormalFormGame.from_payoffs(rng.standard_normal((2, 5, 8))))
    require_apart(numbers_of(axes))
    assert numbers_of(axes)[0].get_text() == "0.1257"  # of 0.12573...
    assert axes.texts[-1].get_text().endswith("framed: equilibrium; rounded")


def test_ordinary_numbers_have_no_exponent():
    axes = drawn(NormalFormGame.bimatrix([[200.04, 890.03], [1000.3, 299]], [[1, 2.5e9], [3, 4]]))
    shown = [text.get_text() for text in numbers_of(axes)]
    assert shown == ["200", "1", "890", "2.5e9", "1000", "3", "299", "4"]


@pytest.mark.parametrize(("size", "scale"), [(2, 10.0), (6, 1e3), (12, 1e5), (12, 1e-6)])
def test_wide_numbers_stay_in_their_cells(size, scale):
    rng = np.random.default_rng(1)
    payoffs = rng.uniform(-scale, scale, (2, size, size))
    axes = drawn(NormalFormGame.from_payoffs(payoffs))
    for number, text in enumerate(numbers_of(axes)):
        row, column = divmod(number // 2, size)
        box = text.get_window_extent().transformed(axes.transData.inverted())
        assert column - 0.5 < box.x0 < box.x1 < column + 0.5
        assert row - 0.5 < min(box.y0, box.y1) < max(box.y0, box.y1) < row + 0.5


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        (("go left", "go right"), ["go left", "go right"]),
        (("defend the north", "defend the south"), ["defend the\nnorth", "defend the\nsouth"]),
        (
            ("undefendable-north", "undefendable-south"),
            ["undefendable-north", "undefendable-south"],
        ),
        (tuple(f"go to target {i}" for i in range(12)), None),
    ],
)
def test_labels_of_columns_keep_apart(labels, shown):
    size = len(labels)
    actions = (tuple(str(i) for i in range(2)), labels)
    axes = drawn(NormalFormGame.bimatrix(np.eye(2, size), np.eye(2, size), actions=actions))
    texts = axes.xaxis.get_ticklabels()
    if shown is not None:
        assert [text.get_text() for text in texts] == shown
    assert len(require_apart(texts)) == size


def test_large_matrices_have_no_numbers_and_too_large_ones_no_labels():
    rng = np.random.default_rng(0)
    axes = drawn(NormalFormGame.from_payoffs(rng.standard_normal((2, 13, 41))), player=1)
    assert not axes.texts
    assert len(axes.yaxis.get_ticklabels()) == 13
    assert not axes.xaxis.get_ticklabels()
    assert axes.images[0].get_array().shape == (13, 41)


def test_one_player_has_one_column():
    axes = drawn(NormalFormGame.from_payoffs([[1, 2, 2]], players=("Ann",), title="Alone"))
    shown = [(t.get_text(), t.get_fontweight() == "bold") for t in numbers_of(axes)]
    assert shown == [("1", False), ("2", True), ("2", True)]
    assert len(axes.patches) == 2
    assert axes.get_xlabel() == ""
    assert axes.texts[-1].get_text() == "bold: best response; framed: equilibrium"


def test_long_and_empty_labels():
    game = NormalFormGame.bimatrix(
        [[1, 2]], [[3, 4]], actions=(("",), ("x" * 40, "y")), players=("Ann", "B" * 40)
    )
    axes = drawn(game)
    assert [t.get_text() for t in axes.yaxis.get_ticklabels()] == ["#1"]
    assert [t.get_text() for t in axes.xaxis.get_ticklabels()] == ["x" * 10 + "…" + "x" * 9, "y"]
    assert axes.get_xlabel() == "B" * 10 + "…" + "B" * 9


def test_equal_payoffs_can_be_drawn():
    axes = drawn(load("indifference:size=2"))
    assert Counter(t.get_text() for t in numbers_of(axes)) == {"0": 8}
    assert len(axes.patches) == 4


def test_axes_given_are_used():
    from matplotlib.figure import Figure

    from gametheory_core.figures import draw_payoffs

    axes = Figure().add_subplot()
    assert draw_payoffs(load("chicken"), ax=axes) is axes


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(UnsupportedGame, match="draw_payoffs: needs one or two players, but"):
        drawn(NormalFormGame.from_payoffs(np.zeros((3, 2, 2, 2))))
    with pytest.raises(InvalidArgument, match="draw_payoffs: needs a player of .* but got 2"):
        drawn(load("chicken"), player=2)
