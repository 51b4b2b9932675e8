"""Faces of optimal strategies: a working set to begin with must not change them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.zero_sum.optimal_faces import optimal_faces


def everything(matrix):
    return tuple(np.arange(count, dtype=np.int32) for count in matrix.shape)


def faces(matrix, working):
    return optimal_faces(matrix, working, symmetric=False, tick=lambda: None)


@given(st.integers(2, 5), st.integers(2, 4), st.data())
def test_working_set_does_not_change_the_faces(rows, columns, data):
    drawn = data.draw(st.lists(st.integers(-3, 3), min_size=20, max_size=20))
    matrix = np.array(drawn[: rows * columns]).reshape(rows, columns) / 3
    first = data.draw(st.integers(1, rows))
    working = (np.arange(first, dtype=np.int32), np.arange(columns, dtype=np.int32))
    for found, whole in zip(faces(matrix, working), faces(matrix, everything(matrix)), strict=True):
        assert found.support.tolist() == whole.support.tolist()
        assert found.point.strategy == pytest.approx(whole.point.strategy, abs=1e-6)


def test_action_that_beats_only_the_most_entropic_strategy_is_taken_in():
    """Without the last two rows the third column may have up to 1/3, and 1/3 is most entropic.

    The last row allows 1/4; it earns too little against strategies further inside the face to be
    noticed there.
    """
    matrix = np.array([[-1, 3, -1], [-2, -2, 1], [-1, 2, -2], [-2, 1, 2]]) / 3
    working = (np.array([0, 1], dtype=np.int32), np.arange(3, dtype=np.int32))
    _, second = faces(matrix, working)
    assert second.support.tolist() == [0, 2]
    assert second.point.strategy == pytest.approx([3 / 4, 1 / 4], abs=1e-9)
