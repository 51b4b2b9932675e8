"""Rational points of faces: solved exactly, or refined beyond the digits of floats."""

from fractions import Fraction

import numpy as np
import pytest

from solvers._programs.entropy_face import face_equations
from solvers._programs.exact_face import (
    exact_face_point,
    near_fraction,
    refined_weights,
    simple_fraction,
    simple_point,
)
from solvers._programs.rational_systems import solve_square

TABLE = [[3, 0, 1], [0, 7, 1], [1, 1, 1]]
TIGHT = np.array([0, 1], dtype=np.int32)


def test_a_single_point_is_solved_exactly():
    equations = face_equations(np.array([[3.0, 0.0], [0.0, 7.0]]), TIGHT)
    point = exact_face_point([[3, 0], [0, 7]], equations, np.array([0.7, 0.3]))
    assert point == [Fraction(7, 10), Fraction(3, 10)]


def test_free_probabilities_become_simple_fractions():
    equations = face_equations(np.array(TABLE, dtype=float)[:, :2], TIGHT)
    third = 1 / 3
    point = exact_face_point([row[:2] for row in TABLE], equations, np.array([7 / 15, 0.2, third]))
    assert point == [Fraction(7, 15), Fraction(1, 5), Fraction(1, 3)]


def test_a_point_off_the_simplex_is_no_point():
    equations = face_equations(np.array([[1.0, 0.0], [2.0, 0.0]]), TIGHT)
    assert exact_face_point([[1, 0], [2, 0]], equations, np.array([0.5, 0.5])) is None


def test_refinement_adds_digits():
    equations = face_equations(np.array([[3.0, 0.0], [0.0, 7.0]]), TIGHT)

    def residuals(weights):
        first, second = (Fraction(w, 2**96) for w in weights)
        return np.array([float(7 * second - 3 * first), float(first + second - 1)])

    found = refined_weights(equations, np.array([0.7, 0.3]), residuals, bits=96)
    assert abs(Fraction(found[0], 2**96) - Fraction(7, 10)) < Fraction(1, 2**93)


def test_refinement_goes_on_where_equations_are_nearly_dependent():
    """The second difference is the first but for a ten-millionth."""
    near = 2.0**-23
    table = np.array([[0, 1, 1 + near], [0, -1, near - 1], [0, 0, -2 * near]])
    equations = face_equations(table, np.arange(3, dtype=np.int32))
    exact = [[Fraction(value) for value in row] for row in table.tolist()]

    def residuals(weights):
        point = [Fraction(w, 2**96) for w in weights]
        paid = [sum(p * row[j] for p, row in zip(point, exact, strict=True)) for j in range(3)]
        return np.array([float(paid[1] - paid[0]), float(paid[2] - paid[0]), float(sum(point) - 1)])

    start = np.array([1 / 3 + 1e-6, 1 / 3, 1 / 3 - 1e-6])
    found = refined_weights(equations, start, residuals, bits=96)
    assert max(abs(Fraction(w, 2**96) - Fraction(1, 3)) for w in found) < Fraction(1, 2**88)


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(999, 1000), Fraction(0), Fraction(1)])
def test_simple_fractions_are_recognized(value):
    assert simple_fraction(float(value)) == value
    assert near_fraction(float(value)) == value


def test_other_numbers_are_kept_to_sixty_bits():
    assert simple_fraction(np.log(2)) is None
    assert abs(near_fraction(np.log(2)) - Fraction(np.log(2))) <= Fraction(1, 2**60)


def test_simple_points_must_sum_to_one():
    assert simple_point(np.array([0.5, 1 / 3, 1 / 6])) == [
        Fraction(1, 2),
        Fraction(1, 3),
        Fraction(1, 6),
    ]
    assert simple_point(np.array([0.5, 1 / 3])) is None
    assert simple_point(np.array([0.0, 1.0])) is None
    assert simple_point(np.array([np.log(2), 1 - np.log(2)])) is None


def test_square_systems_are_solved_or_singular():
    assert solve_square([[2, 1], [1, -1]], [1, 0]).tolist() == [Fraction(1, 3)] * 2
    assert solve_square([[1, 1], [2, 2]], [1, 0]) is None
    assert solve_square([], []).tolist() == []
