"""The picture of a leader's flow shows paths where they are, from their start to a dot."""

from fractions import Fraction

import pytest

from gametheory_core import InvalidArgument

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

PATH = [[0.5, 0.5], [0.5, 0.25], [0.25, 0.0]]
BLUE, VERMILION = "#0072B2", "#D55E00"


def drawn(*arguments, **options):
    import matplotlib.pyplot as plt

    from gametheory_core.leaders import draw_leader_flow

    axes = draw_leader_flow(*arguments, **options)
    axes.figure.canvas.draw()
    plt.close(axes.figure)
    return axes


def lines_of(axes, color):
    return [line for line in axes.lines if line.get_color() == color]


def arrows_of(axes):
    return [text for text in axes.texts if not text.get_text()]


def test_path_goes_to_a_dot_with_an_arrow():
    axes = drawn({"hidden": [PATH]}, labels=("after C", "after D"), title="Flows")
    path, end = lines_of(axes, BLUE)
    assert path.get_xydata().tolist() == PATH
    assert end.get_xydata().tolist() == PATH[-1:]
    assert (path.get_marker(), end.get_marker()) == ("None", "o")
    (arrow,) = arrows_of(axes)
    assert arrow.arrow_patch is not None
    start, tip = arrow.xyann, arrow.xy
    assert tip[1] < start[1]  # downwards, as the path goes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("after C", "after D")
    assert axes.get_title() == "Flows"


def test_each_kind_has_its_color_and_one_label():
    axes = drawn({"hidden": [PATH, PATH[::-1]], "queried": [PATH]})
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["hidden", "queried"]
    assert len(lines_of(axes, BLUE)) == 4
    assert len(lines_of(axes, VERMILION)) == 2


def test_region_is_shaded():
    corners = [(0, Fraction(1, 2)), (Fraction(1, 2), 1), (0, 1)]
    axes = drawn({"hidden": [PATH]}, region=corners)
    (shaded,) = axes.patches
    assert shaded.get_xy()[:3].tolist() == [[0, 0.5], [0.5, 1], [0, 1]]
    assert not drawn({"hidden": [PATH]}).patches


def test_points_that_stay_have_no_arrow():
    axes = drawn({"rest": [[[0.5, 0.5]], [[0.1, 0.1], [0.1, 0.101]]]})
    assert not arrows_of(axes)
    assert len(lines_of(axes, BLUE)) == 4


@pytest.mark.parametrize(
    ("paths", "problem"),
    [
        ({}, "needs 1 to .* kinds of paths, but got 0"),
        ({"a": [[0.5, 0.5]]}, r"path 1 of 'a' has the shape \(2,\)"),
        ({"a": [PATH, [[0.5, 0.2, 0.3]]]}, r"path 2 of 'a' has the shape \(1, 3\)"),
        ({"a": [["x"]]}, r"path 1 of 'a' has the shape \(0, 0\)"),
        ({"a": [[[0.5, 1.5]]]}, r"from 0 to 1, but path 1 of 'a' has \[0.5, 1.5\]"),
        ({"a": [[[float("nan"), 0.5]]]}, "from 0 to 1, but path 1 of 'a'"),
        ([PATH], "needs paths to be of type Mapping"),
    ],
)
def test_what_is_no_path_is_refused(paths, problem):
    with pytest.raises(InvalidArgument, match=problem):
        drawn(paths)


def test_wrong_regions_are_refused():
    with pytest.raises(InvalidArgument, match="but the region has the shape"):
        drawn({"a": [PATH]}, region=[0.5, 0.5])


def test_axes_given_are_used():
    from matplotlib.figure import Figure

    from gametheory_core.leaders import draw_leader_flow

    axes = Figure().add_subplot()
    assert draw_leader_flow({"a": [PATH]}, ax=axes) is axes
