"""Strategies that equalize, in floats and in rationals, and squares that have none."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core.arrays import exact_array
from solvers.zero_sum.matrix_vertex import equalizing, equalizing_exactly


def integers(rows):
    array = np.empty((len(rows), len(rows[0])), dtype=object)
    array[:] = rows
    return array


GAME = [[9, 9, 9], [2, 9, -1], [-1, 9, 1]]
ROWS, COLUMNS = (1, 2), (0, 2)


def test_weights_outside_the_square_are_zero():
    x, y = equalizing(np.array(GAME, dtype=float), ROWS, COLUMNS)
    assert x == pytest.approx([0, 2 / 5, 3 / 5])
    assert y == pytest.approx([2 / 5, 0, 3 / 5])


def test_rational_weights_are_exact():
    columns = equalizing_exactly(integers(GAME), ROWS, COLUMNS)
    rows = equalizing_exactly(integers(GAME).T, COLUMNS, ROWS)
    assert columns.tolist() == [Fraction(2, 5), 0, Fraction(3, 5)]
    assert rows.tolist() == [0, Fraction(2, 5), Fraction(3, 5)]


@pytest.mark.parametrize("sign", [1, -1])
def test_negative_weights_are_none(sign):
    payoffs = [[sign * 3, sign * 1], [sign * 2, sign * 5]]
    assert equalizing_exactly(integers(payoffs), (0, 1), (0, 1)) is not None
    payoffs = [[sign * 3, sign * 1], [sign * 4, sign * 0]]
    assert equalizing_exactly(integers(payoffs), (0, 1), (0, 1)) is not None
    payoffs = [[sign * 3, sign * 1], [sign * 5, sign * 2]]
    assert equalizing_exactly(integers(payoffs), (0, 1), (0, 1)) is None


def test_singular_squares_have_no_weights():
    same = [[1, 2], [1, 2]]
    assert equalizing_exactly(integers(same), (0, 1), (0, 1)) is None
    assert equalizing(np.array(same, dtype=float), (0, 1), (0, 1)) is None


def test_single_entries_are_pure():
    assert (
        equalizing_exactly(integers(GAME), (0,), (1,)).tolist() == exact_array([0, 1, 0]).tolist()
    )


def test_float_weights_do_not_depend_on_unit_and_zero():
    payoffs = np.random.default_rng(0).random((6, 6))
    every = tuple(range(6))
    one, other = equalizing(payoffs, every, every), equalizing(1e200 * payoffs, every, every)
    if min(one[0].min(), one[1].min()) > 0:
        assert other[0] == pytest.approx(one[0])
    shifted = equalizing(payoffs + 1e6, every, every)
    assert shifted[1] == pytest.approx(one[1], abs=1e-6)


def test_float_weights_sum_to_one_where_some_are_cut_off():
    cut = 0
    for seed in range(40):
        payoffs = np.random.default_rng(seed).random((4, 4))
        found = equalizing(payoffs, tuple(range(4)), tuple(range(4)))
        assert all(min(own) >= 0 for own in found)
        assert [own.sum() for own in found] == pytest.approx([1, 1])
        cut += any(0 in own for own in found)
    assert cut > 10
