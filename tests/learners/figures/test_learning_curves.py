"""Curves with bands and a target, as they are asked for; what cannot be drawn is named."""

from dataclasses import replace

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from learners.experiments.comparisons import LearningCurve

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

ONE = LearningCurve("Q", 3, (1, 5), (1.0, 0.5), (0.5, -0.25), (1.5, 0.75))
TWO = LearningCurve("PPO", 1, (1, 5), (2.0, 0.25), (2.0, 0.25), (2.0, 0.25))


def drawn(curves, **options):
    from matplotlib import pyplot as plt

    from learners.figures import Scale, draw_learning_curves

    if "scale" in options and isinstance(options["scale"], str):
        options["scale"] = Scale(options["scale"])
    axes = draw_learning_curves(curves, **options)
    axes.figure.canvas.draw()
    plt.close(axes.figure)
    return axes


def test_every_learner_is_a_line_with_a_band():
    axes = drawn([ONE, TWO], measure="NashConv", target=0, title="Kuhn poker")
    first, second, level = axes.lines
    assert first.get_xydata().tolist() == [[1, 1], [5, 0.5]]
    assert second.get_xydata().tolist() == [[1, 2], [5, 0.25]]
    assert set(np.ravel(level.get_ydata())) == {0.0}
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    assert texts == ["Q, 3 seeds", "PPO, 1 seed", "exact target"]
    assert (axes.get_title(), axes.get_ylabel()) == ("Kuhn poker", "NashConv")
    assert axes.get_yscale() == "linear"
    assert len({line.get_color() for line in axes.lines}) == 3
    corners = axes.collections[0].get_paths()[0].vertices.tolist()
    assert [1, 0.5] in corners
    assert [5, 0.0] in corners  # no lower, for what cannot be negative
    assert [5, 0.75] in corners


def test_logarithmic_axis_cuts_bands_below_zero():
    axes = drawn([ONE], scale="log", target=0.1)
    assert axes.get_yscale() == "log"
    corners = axes.collections[0].get_paths()[0].vertices
    assert corners[:, 1].min() == 0.05  # a tenth of the lowest mean


def test_target_may_have_another_name():
    texts = drawn([ONE], target=1, target_label="value").get_legend().get_texts()
    assert texts[-1].get_text() == "value"


def test_many_curves_are_told_apart():
    from dataclasses import replace

    axes = drawn([replace(ONE, label=f"{n}") for n in range(24)])
    assert len({(line.get_color(), line.get_linestyle()) for line in axes.lines}) == 24


@pytest.mark.parametrize(
    ("curves", "options", "message"),
    [
        ([], {}, "needs 1 to 24 curves, but got 0"),
        ([ONE] * 25, {}, "needs 1 to 24 curves, but got 25"),
        (3, {}, "needs curves to be a sequence"),
        ([LearningCurve("Q", 1, (), (), (), ())], {}, "needs points with a mean and a band"),
        ([LearningCurve("Q", 1, (1, 2), (1.0,), (1.0,), (1.0,))], {}, "curve 'Q' has \\[1, 2\\]"),
        ([LearningCurve("Q", 1, (1,), (1.0,), (-np.inf,), (1.0,))], {}, "low of curve 'Q' has"),
        ([ONE], {"target": float("nan")}, "needs a finite target, or None"),
        ([ONE], {"target": 0, "scale": "log"}, "needs a finite target above 0"),
        ([ONE], {"scale": 3}, "needs a member of Scale"),
        ([ONE], {"measure": 3}, "measure"),
    ],
)
def test_what_cannot_be_drawn_is_refused(curves, options, message):
    with pytest.raises(InvalidArgument, match=message):
        drawn(curves, **options)


@pytest.mark.parametrize(
    ("measure", "lowest"), [("exploitability", 0.0), ("epsilon/row", 0.0), ("return", -0.25)]
)
def test_bands_end_at_zero_only_for_what_cannot_be_negative(measure, lowest):
    edge = drawn([ONE], measure=measure).collections[0].get_paths()[0].vertices[:, 1].min()
    assert edge == lowest


def test_the_legend_stands_beside_the_curves():
    axes = drawn([ONE, TWO])
    assert axes.get_legend().get_window_extent().x0 >= axes.get_window_extent().x1


def test_learners_that_differ_in_the_middle_are_told_apart():
    names = [f"{'a' * 30} {seed} {'b' * 30}" for seed in range(3)]
    texts = drawn([replace(ONE, label=name) for name in names]).get_legend().get_texts()
    assert len({text.get_text() for text in texts}) == 3
