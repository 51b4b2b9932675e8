"""Even distributions in floats, usable columns, and exact faces: against what must hold."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.certificates import Evenness
from solvers._programs.separable_convex import most_even, widest_support
from solvers.correlated.even_faces import nearest_on_face


def even(gains, evenness):
    return most_even(
        np.array(gains, dtype=float), evenness, proceed=lambda: True, tick=lambda: None
    )


@pytest.mark.parametrize("evenness", list(Evenness))
def test_without_rows_everything_is_alike(evenness):
    point = even(np.zeros((0, 4)), evenness)
    assert point.weights == pytest.approx(np.full(4, 0.25))


@pytest.mark.parametrize("evenness", list(Evenness))
def test_one_row_moves_weight_to_where_it_pays(evenness):
    """x_0 <= x_1 / 3 binds: 1 : 3 for the two, the rest as even as can be."""
    point = even([[1.0, -1 / 3, 0.0]], evenness)
    assert point.weights[1] == pytest.approx(3 * point.weights[0], rel=1e-6)
    assert point.multipliers[0] > 1e-3 > point.slacks[0]
    first, third = point.weights[0], point.weights[2]
    slope = (lambda x: np.log(x) + 1) if evenness is Evenness.ENTROPY else (lambda x: 2 * x)
    # moving weight within the tight row, 1 : 3, and to the third column changes nothing
    assert slope(first) / 4 + 3 * slope(3 * first) / 4 == pytest.approx(slope(third), abs=1e-6)


def test_columns_that_no_point_can_use_vanish():
    point = even([[1.0, 0.0, 0.0], [0.0, 1.0, -1.0]], Evenness.GINI)
    assert point.weights == pytest.approx([0, 0.5, 0.5], abs=1e-5)


def test_no_budget_leaves_the_start():
    point = most_even(
        np.array([[1.0, -1.0]]), Evenness.GINI, proceed=lambda: False, tick=lambda: None
    )
    assert point.steps == 0
    assert point.weights == pytest.approx([0.5, 0.5])


@given(st.integers(1, 5), st.integers(0, 5), st.data())
def test_usable_columns_are_proved(columns, rows, data):
    entries = st.integers(-2, 2)
    gains = np.array(
        [[data.draw(entries) for _ in range(columns)] for _ in range(rows)], dtype=float
    ).reshape(rows, columns)
    wide = widest_support(gains)
    charges = gains.T @ wide.witness
    others = np.setdiff1d(np.arange(columns), wide.columns)
    assert charges[wide.columns] == pytest.approx(0, abs=1e-7)
    assert (charges[others] > 1 - 1e-7).all()
    assert (wide.witness >= 0).all()


def rational(values):
    return [Fraction(value) for value in values]


def test_nearest_point_of_a_face_is_exact():
    """x_0 = 2 x_1 and the sum 1: (2, 1, c)/..., nearest to the origin."""
    rows = [[(0, 1), (1, -2)], [(0, 2), (1, -4)]]  # the second one says nothing new
    found = nearest_on_face(rows, [0, 1, 2], num_columns=4, target=([0, 0, 0], 1))
    x = found.weights.tolist()
    assert x[0] == 2 * x[1]
    assert (sum(x), x[3]) == (1, 0)
    # stationary: 2 x + B'm = 0, the dependent row without a multiplier
    assert found.multipliers[1] == 0
    gradient = [2 * v + found.level for v in x[:3]]
    gradient[0] += found.multipliers[0]
    gradient[1] -= 2 * found.multipliers[0]
    assert gradient == [0, 0, 0]


def test_target_on_the_face_stays():
    found = nearest_on_face([[(0, 1), (1, -2)]], [0, 1, 2], num_columns=3, target=([2, 1, 3], 6))
    assert found.weights.tolist() == rational(["1/3", "1/6", "1/2"])
    assert not any(found.multipliers)


def test_rows_that_exclude_every_distribution_are_told():
    everything = [[(0, 1), (1, 1)]]
    assert nearest_on_face(everything, [0, 1], num_columns=2, target=([1, 1], 2)) is None
