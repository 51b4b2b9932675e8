"""Numbers are read exactly, or refused by name."""

import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.arrays import (
    as_exact,
    as_float,
    exact_array,
    exact_from_floats,
    is_exact,
    number_array,
    scaled_integers,
    to_fraction,
)
from gametheory_core.errors import InvalidGame
from gametheory_core.testing.generators import rationals


@pytest.mark.parametrize(
    "half", [0.5, "1/2", "0.5", "5e-1", Decimal("0.5"), Fraction(1, 2), np.float32(0.5)]
)
def test_to_fraction_reads_one_half(half):
    assert to_fraction(half) == Fraction(1, 2)


@pytest.mark.parametrize("wide", [np.int8(127), np.uint8(127), 127, "127", np.int64(127)])
def test_to_fraction_reads_integers_without_overflow(wide):
    assert to_fraction(wide) + to_fraction(wide) == 254


def test_to_fraction_reads_a_float_as_the_dyadic_it_is():
    assert to_fraction(0.1) == Fraction(3602879701896397, 2**55)
    assert to_fraction("0.1") == Fraction(1, 10)
    assert to_fraction(Decimal("1e400")) == 10**400


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (float("nan"), "is not a finite number: nan"),
        (float("inf"), "is not a finite number: inf"),
        (Decimal("NaN"), "is not a finite number"),
        (Decimal("-Infinity"), "is not a finite number"),
        ("one", "is not a finite number: 'one'"),
        ("1/0", "has a zero denominator: '1/0'"),
        (True, "is not a number: True (type bool)"),
        (np.bool_(True), "is not a number: True (type bool)"),
        (None, "is not a number: None (type NoneType)"),
        (1j, "is not a number: 1j (type complex)"),
        ([1], "is not a number: [1] (type list)"),
    ],
)
def test_to_fraction_refuses_what_is_no_number(value, problem):
    with pytest.raises(InvalidGame, match=f"^here: needs a finite number, .*{re.escape(problem)}"):
        to_fraction(value, where="here")


def test_ragged_rows_are_refused_with_both_indices():
    with pytest.raises(InvalidGame, match=r"entry \(0, 0\) has shape \(1,\).*\(0, 1\) .* \(2,\)"):
        number_array([[[1], [2, 3]]])


@pytest.mark.parametrize("values", [[[1, "x"]], [[1, True]], [[1, None]]])
def test_a_bad_entry_is_named_by_its_index(values):
    with pytest.raises(InvalidGame, match=r"^numbers: entry \(0, 1\): needs a finite number"):
        number_array(values)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_float_array_with_no_number_is_refused_by_index(bad):
    with pytest.raises(InvalidGame, match=r"entry \(1, 0\) is (nan|inf|-inf)"):
        number_array(np.array([[0.0, 1.0], [bad, 1.0]]))


def test_zero_dimensional_arrays_inside_a_list_are_numbers():
    found = number_array([np.array(1), np.array(0.5)])
    assert found.tolist() == [1, Fraction(1, 2)]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_integer_arrays_become_exact(dtype):
    found = number_array(np.array([[100, 100]], dtype=dtype))
    assert is_exact(found)
    assert all(isinstance(x, Fraction) for x in found.ravel())
    assert found.sum() == 200


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_float_arrays_stay_floats(dtype):
    found = number_array(np.array([0.25, 2], dtype=dtype))
    assert found.dtype == np.float64
    assert as_exact(found).tolist() == [Fraction(1, 4), 2]


def test_arrays_are_copied_in_and_read_only():
    given_values = np.array([1.0, 2.0])
    found = number_array(given_values)
    given_values[0] = 7
    assert found.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 3
    with pytest.raises(ValueError, match="read-only"):
        exact_array([1])[0] = 3


def test_equal_entries_share_one_object():
    found = exact_array([1, "1", 1.0, Fraction(1)])
    assert len({id(x) for x in found}) == 1


def test_a_rational_too_large_for_a_float_is_refused_with_its_size():
    with pytest.raises(InvalidGame, match=r"below 1.8e308 .* about 1e400\. Rescale"):
        as_float(exact_array([1, Decimal("-1e400")]))


@given(st.lists(rationals(), min_size=1, max_size=6))
def test_scaled_integers_are_the_entries_over_the_least_denominator(values):
    scaled = scaled_integers(exact_array(values))
    assert [Fraction(n, scaled.denominator) for n in scaled.numerators] == values
    common = np.gcd.reduce([*scaled.numerators.tolist(), scaled.denominator])
    assert common == 1


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=6))
def test_floats_survive_the_way_through_fractions(values):
    exact = exact_from_floats(np.array(values))
    assert exact.tolist() == [Fraction(x) for x in values]
    assert as_float(exact).tolist() == values
