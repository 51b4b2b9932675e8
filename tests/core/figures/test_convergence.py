"""Histories of runs as lines on logarithmic axes; what cannot be drawn so is named."""

import math
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument, MixedProfile
from gametheory_core.catalog import load
from solvers import counterfactual_regret
from solvers.dynamics import regret_matching
from tests.core.figures.drawing import drawer

RUNS = {"CFR": [(1, 1.0), (10, Fraction(1, 3)), (100, 0.1)], "CFR+": [(2, 0.5), (200, 0.0)]}


drawn = drawer("gametheory_core.figures.runs", "draw_convergence")


def test_every_run_is_a_line_on_logarithmic_axes():
    axes = drawn(RUNS, title="Leduc poker", measure="NashConv", tolerance=0.01)
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    first, second, level = axes.lines
    assert first.get_xydata().tolist() == [[1, 1], [10, 1 / 3], [100, 0.1]]
    assert second.get_xydata().tolist() == [[2, 0.5]]
    assert set(np.ravel(level.get_ydata())) == {0.01}
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    assert texts == ["CFR", "CFR+", "tolerance 0.01"]
    assert (axes.get_title(), axes.get_ylabel()) == ("Leduc poker", "NashConv")
    assert len({line.get_color() for line in axes.lines}) == 3


def test_a_distance_of_zero_is_a_circle_on_the_lower_edge():
    circles = drawn(RUNS).collections
    assert [c.get_offsets().tolist() for c in circles] == [[], [[200, 0]]]


def test_a_run_that_starts_exact_is_drawn():
    axes = drawn({"at once": [(1, 0)]})
    assert axes.collections[0].get_offsets().tolist() == [[1, 0]]


def test_a_history_may_be_an_array_or_read_once():
    for history in (np.array([[1, 1.0], [10, 0.5]]), zip([1, 10], [1.0, 0.5], strict=True)):
        assert drawn({"run": history}).lines[0].get_xydata().tolist() == [[1, 1], [10, 0.5]]


def test_many_runs_are_told_apart():
    axes = drawn({f"run {n}": [(1, n + 1.0), (2, n + 0.5)] for n in range(24)})
    looks = {(line.get_color(), line.get_linestyle()) for line in axes.lines}
    assert len(looks) == 24


def test_axes_given_are_used():
    from matplotlib.figure import Figure

    from gametheory_core.figures import draw_convergence

    axes = Figure().add_subplot()
    assert draw_convergence(RUNS, ax=axes) is axes


@pytest.mark.parametrize(
    ("runs", "options", "complaint"),
    [
        ({}, {}, "needs 1 to 24 runs, but got 0"),
        ({str(n): [(1, 1.0)] for n in range(25)}, {}, "but got 25"),
        ({"a": []}, {}, "run 'a': needs a point"),
        ({"a": [(0, 1.0)]}, {}, "iterations from 1 that increase, but point 1 has 0"),
        ({"a": [(2, 1.0), (2, 0.5)]}, {}, "but point 2 has 2"),
        ({"a": [(1, -0.5)]}, {}, "distances of at least 0, but point 1 has -0.5"),
        ({"a": [(1, math.nan)]}, {}, "but point 1 has nan"),
        ({"a": [(1, math.inf)]}, {}, "but point 1 has inf"),
        (RUNS, {"tolerance": 0}, "a tolerance above 0"),
        (RUNS, {"tolerance": "x"}, "a tolerance above 0"),
        (None, {}, "needs a mapping of labels to histories, but got None"),
        ([(1, 1.0)], {}, "needs a mapping of labels to histories, but got .*type list"),
        ({"a": None}, {}, "needs run 'a' to be a sequence, but got None.*Give pairs"),
        ({"a": "xy"}, {}, "needs run 'a' to be a sequence, but got 'xy'"),
        ({"a": [(1, 1.0, 2)]}, {}, r"run 'a': needs pairs .* but point 1 is \(1, 1.0, 2\)"),
        ({"a": [(1, 1.0), 5]}, {}, "run 'a': needs pairs .* but point 2 is 5"),
        ({"a": [("x", 1.0)]}, {}, "iterations from 1 that increase, but point 1 has 'x'"),
        ({"a": [(1, 1j)]}, {}, "distances of at least 0, but point 1 has 1j"),
    ],
)
def test_what_cannot_be_drawn_is_refused(runs, options, complaint):
    with pytest.raises(InvalidArgument, match=f"draw_convergence: .*{complaint}"):
        drawn(runs, **options)


def test_runs_are_drawn_as_their_curves():
    poker, throws = load("kuhn_poker"), load("shapley_cycle")
    start = MixedProfile((np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])))
    learned = counterfactual_regret(poker, steps=100)
    played = regret_matching(throws, initial=start, steps=50)
    axes = drawn({"CFR+": learned, "play": played, "other": [(1, 1.0)]})
    for line, run in zip(axes.lines[:2], (learned, played), strict=True):
        assert [tuple(point) for point in line.get_xydata().tolist()] == list(run.curve)
