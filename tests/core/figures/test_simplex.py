"""The picture of the simplex shows trajectories where they are, from ring to dot."""

from fractions import Fraction

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core import InvalidStrategy, MixedProfile
from gametheory_core.catalog import load
from solvers import minimax, solve
from solvers.dynamics import replicator
from tests.core.figures.drawing import drawer

PATH = [[1, 0, 0], [0.5, 0.5, 0], [0, 0, 1]]


drawn = drawer("gametheory_core.figures.runs", "draw_simplex")


def points_of(line):
    return [
        (pytest.approx(x), pytest.approx(y))
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    ]


def lines_of(axes, color):
    return [line for line in axes.lines if line.get_color() == color]


def test_corners_are_the_actions():
    axes = drawn(actions=("rock", "paper", "scissors"), title="Throws")
    places = {text.get_text(): text.get_position() for text in axes.texts}
    assert set(places) == {"rock", "paper", "scissors"}
    assert places["rock"] == pytest.approx((0, -0.03))
    assert places["paper"] == pytest.approx((1, -0.03))
    assert places["scissors"] == pytest.approx((0.5, 3**0.5 / 2 + 0.03))
    assert axes.get_title() == "Throws"


def test_path_goes_from_ring_to_dot_with_an_arrow():
    axes = drawn([PATH])
    path, start, end = lines_of(axes, "#0072B2")
    assert points_of(path) == [(0, 0), (0.5, 0), (0.5, 3**0.5 / 2)]
    assert points_of(start) == [(0, 0)]
    assert start.get_markerfacecolor() == "white"
    assert points_of(end) == [(0.5, 3**0.5 / 2)]
    assert end.get_markerfacecolor() == "#0072B2"
    assert len([text for text in axes.texts if not text.get_text()]) == 1


def test_each_path_has_its_color():
    axes = drawn([PATH, PATH[::-1]])
    assert len(lines_of(axes, "#0072B2")) == len(lines_of(axes, "#D55E00")) == 3


def test_exact_numbers_and_single_steps_are_taken():
    third = Fraction(1, 3)
    exact = np.array([[third, third, third]], dtype=object)
    axes = drawn([exact])
    assert points_of(lines_of(axes, "#0072B2")[0]) == [(0.5, 3**0.5 / 6)]
    assert not [text for text in axes.texts if not text.get_text()]


def test_points_are_marked():
    axes = drawn(points=[[0, 1, 0], [Fraction(1, 3)] * 3])
    marked = [line for line in axes.lines if line.get_marker() == "D"]
    assert [points_of(line)[0] for line in marked] == [(1, 0), (0.5, 3**0.5 / 6)]


def test_long_labels_are_cut():
    axes = drawn(actions=("x" * 30, "b", "c"))
    assert axes.texts[0].get_text() == "x" * 9 + "…" + "x" * 8


def test_texts_stay_in_the_picture():
    axes = drawn([PATH], actions=("x" * 18, "y" * 18, "z" * 18), title="Title")
    picture = axes.figure.bbox
    for text in axes.texts:
        box = text.get_window_extent()
        if text.get_text():
            assert picture.x0 <= box.x0 < box.x1 <= picture.x1
            assert picture.y0 <= box.y0 < box.y1 <= picture.y1


@pytest.mark.parametrize(
    ("trajectories", "problem"),
    [
        ([[[0.5, 0.5]]], r"trajectory 1 has the shape \(1, 2\)"),
        ([PATH, [[]]], r"trajectory 2 has the shape \(1, 0\)"),
        ([[0.2, 0.3, 0.5]], r"trajectory 1 has the shape \(3,\)"),
        ([[[1, 0, 0], [0, 1]]], r"trajectory 1 has the shape \(0, 0\)"),
        ([[[1, 0, 0], [0.5, 0.5, 0.5]]], r"sum to 1, but step 2 of trajectory 1 is \[0.5, 0.5"),
        ([[[1.5, -0.5, 0]]], r"sum to 1, but step 1 of trajectory 1"),
        ([[[float("nan"), 0.5, 0.5]]], r"sum to 1, but step 1 of trajectory 1"),
    ],
)
def test_what_is_no_strategy_is_refused(trajectories, problem):
    with pytest.raises(InvalidStrategy, match=problem):
        drawn(trajectories)


def test_wrong_points_and_labels_are_refused():
    with pytest.raises(InvalidStrategy, match="step 1 of point 1"):
        drawn(points=[[1, 1, 1]])
    with pytest.raises(InvalidStrategy, match="needs labels of three actions, but got 2"):
        drawn(actions=("a", "b"))


def test_axes_given_are_used():
    from matplotlib.figure import Figure

    from gametheory_core.figures import draw_simplex

    axes = Figure().add_subplot()
    assert draw_simplex(ax=axes) is axes


def test_runs_and_solutions_are_drawn_by_the_player_asked_for():
    game = load("rock_paper_scissors")
    start = MixedProfile((np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])))
    run = replicator(game, initial=start, steps=40)
    for player in (0, 1):
        given = drawn(
            [run.trajectories[player]], points=[[1 / 3] * 3], actions=game.actions[player]
        )
        for runs, points in (([run], solve(game)), (run, minimax(game)), (run, [minimax(game)])):
            axes = drawn(runs, points=points, player=player)
            assert [own.get_xydata().tolist() for own in axes.lines] == [
                own.get_xydata().tolist() for own in given.lines
            ]
            assert [t.get_text() for t in axes.texts] == [t.get_text() for t in given.texts]
    assert [t.get_text() for t in drawn(run, actions=("a", "b", "c")).texts][:3] == ["a", "b", "c"]


def test_a_player_that_is_not_there_is_refused():
    game = load("rock_paper_scissors")
    with pytest.raises(gt.InvalidArgument, match="needs a player from 0 to 1, but got 2"):
        drawn(replicator(game, steps=4), player=2)
    with pytest.raises(gt.InvalidArgument, match="player"):
        drawn(replicator(game, steps=4), player=-1)
