"""Numbers come in exactly or not at all."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidGame
from gametheory_core.arrays import (
    as_exact,
    as_float,
    exact_array,
    exact_from_floats,
    exact_sum,
    freeze,
    is_exact,
    number_array,
    scaled_integers,
    to_fraction,
)

FINITE = st.floats(allow_nan=False, allow_infinity=False)
THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("given_value", "meaning"),
    [
        (2, Fraction(2)),
        (-0.0, Fraction(0)),
        (0.1, Fraction(0.1)),
        (THIRD, THIRD),
        ("1/3", THIRD),
        (" -2/6 ", -THIRD),
        ("0.1", Fraction(1, 10)),
        ("1e-2", Fraction(1, 100)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Decimal("1e400"), Fraction(10**400)),
        (np.int8(-128), Fraction(-128)),
        (np.uint64(2**64 - 1), Fraction(2**64 - 1)),
        (np.float32(0.1), Fraction(float(np.float32(0.1)))),
    ],
    ids=repr,
)
def test_to_fraction_reads_each_kind_exactly(given_value, meaning):
    found = to_fraction(given_value)
    assert type(found) is Fraction
    assert found == meaning


@pytest.mark.parametrize(
    ("given_value", "complaint"),
    [
        (True, r"is not a number: True \(type bool\)"),
        (np.True_, r"is not a number: True \(type bool\)"),
        (None, "is not a number: None"),
        (1j, "is not a number: 1j"),
        ([1], r"is not a number: \[1\]"),
        ("a third", "is not a finite number: 'a third'"),
        ("", "is not a finite number: ''"),
        ("1/0", "has a zero denominator: '1/0'"),
        (float("nan"), "is not a finite number: nan"),
        (float("-inf"), "is not a finite number: -inf"),
        (Decimal("NaN"), "is not a finite number"),
        (Decimal("-Infinity"), "is not a finite number"),
    ],
    ids=repr,
)
def test_to_fraction_refuses_what_is_no_finite_number(given_value, complaint):
    with pytest.raises(InvalidGame, match=rf"^payoff of Ann: .*{complaint}"):
        to_fraction(given_value, where="payoff of Ann")


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([[1, 2], [3]], r"entry \(0,\) has shape \(2,\) and entry \(1,\) has shape \(1,\)"),
        ([1, [2]], r"entry \(0,\) has shape \(\) and entry \(1,\) has shape \(1,\)"),
        ([[1], [[2]]], r"ragged rows"),
        ([[[1, 2]], [[3, 4], [5, 6]]], r"ragged rows"),
        ([np.array([1, 2]), np.array([1])], r"ragged rows"),
    ],
)
def test_ragged_rows_are_refused(rows, complaint):
    with pytest.raises(InvalidGame, match=complaint):
        number_array(rows)


def test_the_first_bad_entry_is_named_by_its_index():
    with pytest.raises(InvalidGame, match=r"^payoffs: entry \(1, 0\): needs a finite number"):
        number_array([[1, 2], [float("inf"), None]], where="payoffs")


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_float_arrays_name_entries_that_are_not_finite(bad):
    with pytest.raises(InvalidGame, match=r"entry \(0, 1\) is -?(nan|inf)"):
        number_array(np.array([[1.0, bad]]))


def test_arrays_of_truth_values_are_refused():
    with pytest.raises(InvalidGame, match=r"not a number: True"):
        number_array(np.array([[True, False]]))


def test_small_integer_types_do_not_overflow():
    low = number_array(np.array([-128, 127], dtype=np.int8))
    assert (-low).tolist() == [128, -127]
    assert (low * low).tolist() == [16384, 16129]


def test_arrays_without_dimensions_count_as_numbers_in_rows():
    assert exact_array([np.array(3), np.array(0.5)]).tolist() == [3, Fraction(1, 2)]


def test_float_arrays_stay_floats_and_lists_become_exact():
    assert number_array(np.array([0.5], dtype=np.float32)).dtype == np.float64
    assert is_exact(number_array([0.5]))
    assert is_exact(number_array(np.array([1, 2])))
    assert is_exact(number_array(np.array([0.5, "1/3"], dtype=object)))


@pytest.mark.skipif(
    np.can_cast(np.longdouble, np.float64), reason="long floats are no longer here than floats"
)
def test_floats_longer_than_floats_are_exact():
    long = np.longdouble(1) + np.longdouble(2) ** -60
    for values in (np.array([long]), [long], np.array([long], dtype=object)):
        assert number_array(values).tolist() == [1 + Fraction(1, 2**60)]
    assert number_array(np.array([np.longdouble(2) ** 2000])).tolist() == [2**2000]
    for bad in ("nan", "inf"):
        with pytest.raises(InvalidGame, match=r"entry \(0,\): needs a finite number"):
            number_array(np.array([np.longdouble(bad)]))


def test_equal_numbers_share_one_object():
    numbers = exact_array([[1, 1.0], ["1", Fraction(1)]])
    assert len({id(number) for number in numbers.flat}) == 1


@pytest.mark.parametrize("values", [[1.5, 2.5], np.array([1.5, 2.5]), np.array([1, 2])])
def test_arrays_are_copied_in_and_read_only(values):
    numbers = number_array(values)
    before = numbers.tolist()
    values[0] = 7
    assert numbers.tolist() == before
    with pytest.raises(ValueError, match="read-only"):
        numbers[0] = 7


def test_a_read_only_view_of_changing_numbers_is_copied_too():
    source = np.array([Fraction(1), Fraction(2)], dtype=object)
    view = source.view()
    numbers = exact_array(freeze(view))
    source[0] = Fraction(9)
    assert numbers.tolist() == [1, 2]


@given(st.lists(FINITE, max_size=8))
def test_floats_survive_the_way_to_rationals_and_back(values):
    floats = np.array(values, dtype=np.float64)
    exact = exact_from_floats(floats)
    assert all(type(value) is Fraction for value in exact)
    assert exact.tolist() == [Fraction(value) for value in values]
    assert as_float(exact).tolist() == values


@given(st.lists(st.fractions(), max_size=8))
def test_scaled_integers_are_the_numbers_over_their_least_denominator(values):
    scaled = scaled_integers(exact_array(values))
    assert all(type(n) is int for n in scaled.numerators)
    assert [Fraction(n, scaled.denominator) for n in scaled.numerators] == values
    denominators = [value.denominator for value in values]
    assert all(scaled.denominator % d == 0 for d in denominators)
    assert not any(
        all((scaled.denominator // p) % d == 0 for d in denominators)
        for p in range(2, min(scaled.denominator, 50) + 1)
        if scaled.denominator % p == 0
    )


def test_as_exact_and_as_float_return_what_is_already_so():
    exact, floats = exact_array([1]), number_array(np.array([1.0]))
    assert as_exact(exact) is exact
    assert as_float(floats) is floats


@pytest.mark.parametrize("digits", [400, 5_000])
def test_as_float_refuses_numbers_beyond_floats_by_their_size(digits):
    with pytest.raises(InvalidGame, match=rf"below 1\.8e308 .* about 1e{digits}\. Rescale"):
        as_float(exact_array([Decimal(f"-1e{digits}")]))


def test_tiny_rationals_round_to_zero_as_floats():
    assert as_float(exact_array([Decimal("1e-400")])).tolist() == [0.0]


@given(st.lists(FINITE, min_size=1, max_size=8))
def test_scaled_integers_of_floats_are_those_of_their_exact_values(values):
    floats = scaled_integers(number_array(np.array(values)))
    exact = scaled_integers(exact_array(values))
    assert floats.numerators.tolist() == exact.numerators.tolist()
    assert floats.denominator == exact.denominator


def test_a_truth_value_is_refused_beside_the_number_it_equals():
    with pytest.raises(InvalidGame, match=r"entry \(1,\): .*not a number: True"):
        exact_array([1, True])


@pytest.mark.parametrize("build", [list, lambda values: freeze(np.array(values, dtype=object))])
def test_fractions_of_numpy_integers_are_rebuilt_so_that_they_cannot_wrap(build):
    table = exact_array(build([Fraction(np.int64(2**62)), Fraction(1, 3)]))
    assert {type(entry.numerator) for entry in table} == {int}
    assert table[0] * 4 == Fraction(2**64)
    assert to_fraction(Fraction(np.int64(2**62), 3)) * 4 == Fraction(2**64, 3)


@given(st.lists(st.fractions()))
def test_sums_over_one_denominator(values):
    assert exact_sum(values) == sum(values)
