"""Tables of agents against bots, as heat maps."""

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from learners.roshambo import PayoffTable

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def drawn(table, **options):
    from matplotlib.figure import Figure

    from learners.figures import draw_payoff_table

    axes = draw_payoff_table(table, ax=Figure().add_subplot(), **options)
    axes.figure.canvas.draw()
    return axes


def test_a_small_table_has_its_numbers_and_names():
    table = PayoffTable(("a", "b"), ("x", "y", "z"), [[1, -40, 3], [4, 5.4, 36]], 1000)
    axes = drawn(table, title="Bots")
    assert [text.get_text() for text in axes.texts] == ["1", "-40", "3", "4", "5", "36"]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["x", "y", "z"]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["a", "b"]
    assert axes.get_xlabel() == "mean return of 1,000 matches, against"
    assert axes.get_title() == "Bots"
    image = axes.images[0]
    assert np.array_equal(image.get_array(), table.means)
    assert (image.norm.vmin, image.norm.vmax) == (-40, 40)


def test_a_large_table_has_colors_alone_and_one_match_is_no_matches():
    names = tuple(map(str, range(13)))
    axes = drawn(PayoffTable(names, names, np.zeros((13, 13)), 1))
    assert len(axes.texts) == 0
    assert axes.get_xlabel() == "mean return of 1 match, against"


def test_a_file_is_the_same_each_time():
    from learners.figures import payoff_table_png

    table = PayoffTable(("a",), ("x",), [[1]], 2)
    assert payoff_table_png(table) == payoff_table_png(table)


def test_what_is_no_table_is_not_drawn():
    with pytest.raises(InvalidArgument, match="PayoffTable"):
        drawn([[1, 2]])
