"""Numbers as people hold them: whatever holds the same numbers is read as the same array."""

from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import gametheory_core as gt
from gametheory_core.array_likes import axes_of, places_of, plain
from gametheory_core.arrays import number_array, to_fraction

ROWS = [[3, 0.5], ["1/3", Decimal("0.1")]]
READ = [[3, Fraction(1, 2)], [Fraction(1, 3), Fraction(1, 10)]]


class ArrayLike:
    """What has nothing but ``__array__``."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)


class Tensor:
    """On a device and with a gradient: no array before ``detach`` and ``cpu``."""

    def __init__(self, values, is_here=False, is_free=False):  # noqa: FBT002
        self.values, self.is_here, self.is_free = values, is_here, is_free

    def detach(self):
        return Tensor(self.values, self.is_here, is_free=True)

    def cpu(self):
        return Tensor(self.values, is_here=True, is_free=self.is_free)

    def __array__(self, dtype=None, copy=None):
        if not (self.is_here and self.is_free):
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        return np.array(self.values, dtype=dtype)


class Strange(Tensor):
    """Of a kind of floats that numpy does not know."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Got unsupported ScalarType BFloat16")

    def tolist(self):
        return self.values

    def detach(self):
        return self

    cpu = detach


@pytest.mark.parametrize(
    "values",
    [
        ROWS,
        tuple(map(tuple, ROWS)),
        [deque(row) for row in ROWS],
        np.array(ROWS, dtype=object),
        [np.array(row, dtype=object) for row in ROWS],
        ArrayLike(ROWS).__class__(np.array(ROWS, dtype=object)),
    ],
)
def test_nested_numbers_are_read_exactly(values):
    assert number_array(values).tolist() == READ


@pytest.mark.parametrize("wrap", [np.asarray, ArrayLike, Tensor, Strange])
def test_floats_in_any_array_mean_the_same(wrap):
    values = [[0.1, 0.2], [0.3, 0.4]]
    read = number_array(wrap(values))
    assert [list(map(Fraction, row)) for row in read.tolist()] == [
        list(map(Fraction, row)) for row in values
    ]
    assert (read.dtype == float) == (wrap is not Strange)


@given(arrays(np.float32, (2, 3), elements=st.floats(-1e6, 1e6, width=32)))
def test_short_floats_are_what_they_are(values):
    assert (number_array(ArrayLike(values)) == values).all()


def test_scalars_in_arrays_of_no_axis_are_numbers():
    assert to_fraction(ArrayLike(0.25)) == number_array([ArrayLike(0.25)])[0] == Fraction(1, 4)


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        (np.ma.array([1, 2], mask=[False, True]), "a number in each place, but some .* masked"),
        (Tensor([1]).detach, "not a number"),
        ([[1, 2], range(3)], "rows of one length"),
        (["x", np.float32(1)], "needs a finite number"),
        (object(), "not a number"),
    ],
)
def test_what_is_no_array_is_refused(values, complaint):
    with pytest.raises(gt.InvalidGame, match=complaint):
        number_array(values, where="here")


def test_an_array_that_cannot_be_read_is_shown():
    class Broken(ArrayLike):
        def __array__(self, dtype=None, copy=None):
            raise ValueError("no data")

    with pytest.raises(gt.InvalidGame, match=r"here: needs an array that numpy can read.*no data"):
        plain(Broken(1), where="here")


def test_labels_are_matched_whatever_their_order():
    assert places_of(("b", "a"), ("a", "b"), kind="action", where="x") == [1, 0]
    with pytest.raises(gt.InvalidGame, match="labels 'a', 'b', in any order, but got 'a', 'c'"):
        places_of(("a", "b"), ("a", "c"), kind="action", where="x")
    with pytest.raises(gt.InvalidGame, match="'a' stands at positions 1 and 2"):
        places_of(("a", "b"), ("a", "a"), kind="action", where="x")


def test_frames_show_labels_and_counted_indices_do_not():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame([[1, 2]], index=["up"], columns=pd.Index(["l", 2], name="Bob"))
    assert axes_of(frame) == ((("up",), ""), (("l", "2"), "Bob"))
    assert axes_of(pd.Series([1, 2])) == ((None, ""),)
    assert axes_of(pd.Series([1, 2], index=[1, 2])) == ((("1", "2"), ""),)
    assert axes_of(pd.Series([1, 2], index=[False, True]))[0].labels == ("False", "True")
    assert axes_of([[1, 2]]) == axes_of("ab") == axes_of(np.ones(2)) == ()


def test_integers_beside_floats_in_frames_stay_exact():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [2**60 + 1], "b": [0.5], "c": ["1/3"], "d": [Fraction(1, 7)]})
    assert number_array(frame).tolist() == [
        [2**60 + 1, Fraction(1, 2), Fraction(1, 3), Fraction(1, 7)]
    ]
    assert number_array(frame[["a", "b"]]).tolist() == [[2**60 + 1, Fraction(1, 2)]]
    assert number_array(frame[["b"]]).dtype == float
    with pytest.raises(gt.InvalidGame, match=r"entry \(0, 0\): needs a finite number"):
        number_array(pd.DataFrame({"a": [None], "b": [1]}))


def test_tensors_of_torch_are_arrays():
    torch = pytest.importorskip("torch")
    for kind in (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64):
        tensor = torch.tensor([[1, 2], [3, 5]], dtype=kind, requires_grad=kind.is_floating_point)
        game = gt.NormalFormGame.zero_sum(tensor)
        assert game.exact_payoffs[0].tolist() == [[1, 2], [3, 5]]
