"""Labels of arrays: hashable, equal when the arrays are, readable."""

import numpy as np
import pytest

from gametheory_core import UnsupportedGame
from gametheory_core.adapters.views import label_of


def test_equal_arrays_have_equal_labels():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    label = label_of(array)
    assert label == label_of(np.asfortranarray(array))
    assert hash(label) == hash(label_of(array.copy()))


@pytest.mark.parametrize(
    "other",
    [
        np.arange(6, dtype=np.float64).reshape(2, 3),
        np.arange(6, dtype=np.float32).reshape(3, 2),
        np.arange(1, 7, dtype=np.float32).reshape(2, 3),
    ],
)
def test_different_arrays_have_different_labels(other):
    assert label_of(other) != label_of(np.arange(6, dtype=np.float32).reshape(2, 3))


def test_label_does_not_follow_the_array():
    array = np.zeros(3)
    label = label_of(array)
    array[0] = 1
    assert label.array().tolist() == [0, 0, 0]
    label.array()[1] = 1
    assert label.array().tolist() == [0, 0, 0]


def test_both_zeros_are_one_label():
    assert label_of(np.array([-0.0])) == label_of(np.array([0.0]))


@pytest.mark.parametrize(
    ("observation", "shown"),
    [
        (np.array([0.5, 2.0], dtype=np.float32), "float32[2](0.5 2)"),
        (np.eye(5, dtype=np.int8), "int8[5, 5] with 1 at [0, 6, 12, 18, 24]"),
        (np.zeros(20), "float64[20] of 0"),
        (np.arange(40), f"int64[40]({' '.join(map(str, range(16)))} ... 974986b10f3296a2)"),
        ({"b": np.int64(3), "a": [True, None]}, "(('a', (True, None)), ('b', 3))"),
    ],
)
def test_label_reads_well(observation, shown):
    assert repr(label_of(observation)) == shown


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (np.arange(40), np.append(np.arange(39), 0)),
        (np.array([1 / 3]), np.array([0.333333])),
        (np.array([1e-9, np.nan]), np.array([1.0000001e-9, np.nan])),
    ],
)
def test_labels_of_different_arrays_read_differently(first, other):
    assert repr(label_of(first)) != repr(label_of(other))


def test_what_cannot_be_a_label_is_refused():
    with pytest.raises(UnsupportedGame, match=r"arrays of numbers.*type set"):
        label_of({"x": {1, 2}})
    with pytest.raises(UnsupportedGame, match="type ndarray"):
        label_of(np.array([object()]))
