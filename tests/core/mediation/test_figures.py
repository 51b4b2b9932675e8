"""Pictures of fairness show every number, in its place."""

from fractions import Fraction

import pytest

from gametheory_core import InvalidArgument

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

RUNS = {"full": [18, 24, 24], "pre-final": [Fraction(18), 21.0, 21]}
TABLE = {
    "dilemma": {"fixed": -8, "vote": Fraction(-7, 4), "full": 6},
    "chicken": {"vote": Fraction(57, 4), "full": 24, "fixed": 8},
    "red or green": {"full": 8, "fixed": 8, "vote": 8},
}


def drawn(draw, given, **options):
    import matplotlib.pyplot as plt

    from gametheory_core.mediation import figures as fairness

    axes = getattr(fairness, draw)(given, **options)
    axes.figure.canvas.draw()
    plt.close(axes.figure)
    return axes


@pytest.mark.parametrize(("label", "options"), [("", {}), ("full", {}), ("", {"optimum": 2})])
def test_legend_is_left_out_where_no_line_has_a_label(label, options):
    axes = drawn("draw_fairness_rounds", {label: [1, 2]}, **options)
    assert (axes.get_legend() is None) == (label == "" and not options)


def test_rounds_show_start_and_every_round():
    axes = drawn("draw_fairness_rounds", RUNS, optimum=24, title="Chicken")
    first, second, level = axes.lines
    assert first.get_xydata().tolist() == [[0, 18], [1, 24], [2, 24]]
    assert second.get_xydata().tolist() == [[0, 18], [1, 21], [2, 21]]
    assert set(level.get_ydata()) == {24.0}
    assert [line.get_label() for line in axes.lines] == ["full", "pre-final", "optimum 24"]
    assert (axes.get_title(), axes.get_xlabel()) == ("Chicken", "rounds of updates")
    assert first.get_color() != second.get_color()


def test_many_runs_differ_in_color_or_style():
    axes = drawn("draw_fairness_rounds", {str(k): [k] for k in range(24)})
    assert len({(line.get_color(), line.get_linestyle()) for line in axes.lines}) == 24


def test_cells_hold_the_values_of_their_row_and_column():
    axes = drawn("draw_fairness_table", TABLE, title="Fairness")
    columns = [label.get_text() for label in axes.get_xticklabels()]
    rows = [label.get_text() for label in axes.get_yticklabels()]
    assert (columns, rows) == (["fixed", "vote", "full"], list(TABLE))
    found = {
        (rows[round(y)], columns[round(x)]): text.get_text()
        for text in axes.texts
        for x, y in [text.get_position()]
    }
    assert found == {
        (name, column): str(value).replace("-", "\N{MINUS SIGN}")
        for name, own in TABLE.items()
        for column, value in own.items()
    }


def test_shades_compare_within_a_row():
    (image,) = drawn("draw_fairness_table", TABLE).images
    shades = image.get_array().tolist()
    assert shades[0] == [0, pytest.approx(25 / 56), 1]
    assert shades[1] == [0, pytest.approx(25 / 64), 1]
    assert shades[2] == [1, 1, 1]


def test_texts_keep_apart_and_stay_in_the_picture():
    wide = {f"game number {i}": {f"variant {j}": 1000 * i + j for j in range(8)} for i in range(9)}
    axes = drawn("draw_fairness_table", wide)
    boxes = [text.get_window_extent() for text in axes.texts]
    boxes += [label.get_window_extent() for label in axes.get_xticklabels()]
    boxes += [label.get_window_extent() for label in axes.get_yticklabels()]
    picture = axes.figure.bbox
    for i, box in enumerate(boxes):
        assert picture.x0 <= box.x0 < box.x1 <= picture.x1
        assert picture.y0 <= box.y0 < box.y1 <= picture.y1
        assert not any(box.overlaps(other) for other in boxes[:i])


def test_axes_given_are_used():
    from matplotlib.figure import Figure

    from gametheory_core.mediation.figures import draw_fairness_rounds, draw_fairness_table

    for draw, given in ((draw_fairness_rounds, RUNS), (draw_fairness_table, TABLE)):
        axes = Figure().add_subplot()
        assert draw(given, ax=axes) is axes


@pytest.mark.parametrize(
    ("draw", "given", "options", "complaint"),
    [
        ("draw_fairness_rounds", [1, 2], {}, r"needs runs to be a mapping, but got \[1, 2\]"),
        ("draw_fairness_rounds", {}, {}, "needs 1 to 24 runs, but got 0"),
        ("draw_fairness_rounds", {str(k): [k] for k in range(25)}, {}, "but got 25"),
        ("draw_fairness_rounds", {"a": []}, {}, "needs finite numbers, but 'a' is empty"),
        ("draw_fairness_rounds", {"a": [1, "x"]}, {}, "but 'a' has 'x'"),
        ("draw_fairness_rounds", {"a": [float("nan")]}, {}, "but 'a' has nan"),
        ("draw_fairness_rounds", {"a": 3}, {}, "needs 'a' to be a sequence"),
        ("draw_fairness_rounds", RUNS, {"optimum": "24"}, "needs a finite optimum"),
        ("draw_fairness_table", None, {}, "needs table to be a mapping, but got None"),
        ("draw_fairness_table", {"a": [1]}, {}, "needs row 'a' to be a mapping"),
        ("draw_fairness_table", {}, {}, "but got 0 and 0"),
        ("draw_fairness_table", {"a": {}}, {}, "but got 1 and 0"),
        ("draw_fairness_table", {str(k): {"x": 1} for k in range(31)}, {}, "but got 31 and 1"),
        ("draw_fairness_table", {"a": {"x": 1}, "b": {"y": 1}}, {}, "same columns in all rows"),
        ("draw_fairness_table", {"a": {"x": None}}, {}, "but 'a' has None"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, given, options, complaint):
    with pytest.raises(InvalidArgument, match=f"{draw}: .*{complaint}"):
        drawn(draw, given, **options)
