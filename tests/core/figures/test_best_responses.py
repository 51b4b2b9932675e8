"""The picture of a 2 x 2 game shows both correspondences where they are, and the equilibria."""

from itertools import pairwise

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.catalog import load
from solvers import solve, vertex_enumeration
from tests.core.figures.drawing import drawer

drawn = drawer("gametheory_core.figures.matrix", "draw_best_responses")


def line_of(axes, player):
    name = ("player 1", "player 2")[player]
    (line,) = (one for one in axes.lines if one.get_label() == f"best responses of {name}")
    return list(zip(line.get_xdata(), line.get_ydata(), strict=True))


def test_chicken_turns_where_the_other_is_indifferent():
    axes = drawn(load("chicken"))
    assert line_of(axes, 0) == [(1, 0), (1, 0.9), (0, 0.9), (0, 1)]
    assert line_of(axes, 1) == [(0, 1), (0.9, 1), (0.9, 0), (1, 0)]
    assert axes.get_xlabel() == "player 1: probability of 'swerve'"
    assert axes.get_ylabel() == "player 2: probability of 'swerve'"
    assert axes.get_title() == "Chicken"


def test_dominant_action_is_a_straight_line():
    axes = drawn(load("prisoners_dilemma"))
    assert line_of(axes, 0) == [(0, 0), (0, 1)]
    assert line_of(axes, 1) == [(0, 0), (1, 0)]


@pytest.mark.parametrize(
    ("rows", "corners"),
    [
        ([[1, 0], [1, 1]], [(0, 0), (0, 1), (1, 1)]),  # as good when the other plays the first
        ([[1, 1], [0, 1]], [(0, 0), (1, 0), (1, 1)]),  # or the second
        ([[1, 1], [1, 0]], [(1, 0), (1, 1), (0, 1)]),
        ([[0, 1], [1, 1]], [(1, 0), (0, 0), (0, 1)]),
    ],
)
def test_lines_turn_in_corners_of_degenerate_games(rows, corners):
    axes = drawn(gt.NormalFormGame.bimatrix(rows, [[0, 1], [0, 1]]))
    assert line_of(axes, 0) == corners


def test_line_is_the_correspondence_in_random_games():
    """Every point of the line is a best response, and no strategy of the other is left out."""
    rng = np.random.default_rng(4)
    for _ in range(12):
        game = gt.NormalFormGame.from_payoffs(rng.integers(-2, 3, (2, 2, 2)))
        axes = drawn(game)
        for player, own in enumerate((game.payoffs[0], game.payoffs[1].T)):
            if (own[0] == own[1]).all():
                assert len(axes.patches) >= 1
                continue
            points = line_of(axes, player)
            theirs = [point[1 - player] for point in points]
            assert theirs in (sorted(theirs), sorted(theirs, reverse=True))
            assert {min(theirs), max(theirs)} == {0, 1}
            for start, end in pairwise(points):
                for share in (0, 0.5, 1):
                    x = (1 - share) * start[player] + share * end[player]
                    y = (1 - share) * start[1 - player] + share * end[1 - player]
                    first, second = own @ (y, 1 - y)
                    assert x * first + (1 - x) * second == pytest.approx(max(first, second))


def test_indifferent_player_has_the_whole_square():
    axes = drawn(gt.NormalFormGame.bimatrix([[0, 1], [0, 1]], [[1, 0], [0, 1]]))
    (area,) = axes.patches
    assert area.get_bbox().bounds == (0, 0, 1, 1)
    assert area.get_label() == "best responses of player 1"


def test_equilibria_given_are_marked():
    game = load("chicken")
    axes = drawn(game, equilibria=[gt.pure_profile(game, (0, 1)), gt.uniform_profile(game)])
    dots = [
        (*line.get_xdata(), *line.get_ydata()) for line in axes.lines if len(line.get_xdata()) == 1
    ]
    assert dots == [(1, 0), (0.5, 0.5)]
    assert [t.get_text() for t in axes.get_legend().get_texts()][-1] == "equilibrium"
    assert len(drawn(game).get_legend().get_texts()) == 2


def test_texts_stay_in_the_picture():
    long = gt.NormalFormGame.bimatrix(
        [[1, 0], [0, 1]], [[1, 0], [0, 1]], players=("A" * 30, "B" * 30), title="W" * 60
    )
    axes = drawn(long, equilibria=[gt.uniform_profile(long)])
    picture = axes.figure.bbox
    texts = [axes.title, axes.xaxis.label, axes.yaxis.label, *axes.get_legend().get_texts()]
    for box in (text.get_window_extent() for text in texts[1:]):
        assert picture.x0 <= box.x0 < box.x1 <= picture.x1
        assert picture.y0 <= box.y0 < box.y1 <= picture.y1


def test_axes_given_are_used():
    from matplotlib.figure import Figure

    from gametheory_core.figures import draw_best_responses

    axes = Figure().add_subplot()
    assert draw_best_responses(load("chicken"), ax=axes) is axes


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(gt.UnsupportedGame, match="two players with two actions each"):
        drawn(load("rock_paper_scissors"))
    with pytest.raises(gt.InvalidStrategy, match="profile: needs strategies over"):
        drawn(load("chicken"), equilibria=[gt.uniform_profile(load("rock_paper_scissors"))])


def test_solutions_are_marked_however_they_are_given():
    game = load("chicken")
    found = vertex_enumeration(game)
    profiles = [one.profile for one in found.equilibria]
    answers = [profiles, found.equilibria, list(found.equilibria), found]
    dots = [dots_of(drawn(game, equilibria=answer)) for answer in answers]
    assert len(dots[0]) == 3
    assert all(own == dots[0] for own in dots)
    assert dots_of(drawn(game, equilibria=found.equilibria[0])) == dots[0][:1]
    assert len(dots_of(drawn(game, equilibria=solve(game)))) == len(solve(game).solutions)


def dots_of(axes):
    return [line.get_xydata().tolist() for line in axes.lines if line.get_markersize() == 8]
