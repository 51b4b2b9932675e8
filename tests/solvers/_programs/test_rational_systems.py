"""Rational systems: consistent or not, unique or not, decided exactly."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.arrays import exact_array
from solvers._programs import rational_systems
from solvers._programs.linear import Basis
from solvers._programs.rational_systems import SparseMatrix, factorized, solve_rational

NUMBERS = st.fractions(-3, 3, max_denominator=3)


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_a_solution_solves_and_a_planted_one_is_admitted(rows, columns, data):
    matrix = [[data.draw(NUMBERS) for _ in range(columns)] for _ in range(rows)]
    planted = [data.draw(NUMBERS) for _ in range(columns)]
    right = [sum(a * b for a, b in zip(row, planted, strict=True)) for row in matrix]
    found = solve_rational(exact_array(matrix), right)
    assert found.is_consistent
    assert found.only in (None, planted)


@pytest.mark.parametrize(
    ("matrix", "right", "is_consistent", "only"),
    [
        ([[1, 1], [1, -1]], [1, 0], True, [Fraction(1, 2), Fraction(1, 2)]),
        ([[1, 1], [2, 2]], [1, 2], True, None),
        ([[1, 1], [2, 2]], [1, 3], False, None),
        ([[0]], [0], True, None),
        ([[0]], [1], False, None),
        ([[1], [2]], [1, 2], True, [Fraction(1)]),
        ([[1], [2]], [1, 1], False, None),
        ([[1, 0, 0]], [1], True, None),
    ],
)
def test_systems_of_all_kinds(matrix, right, is_consistent, only):
    found = solve_rational(exact_array(matrix), [Fraction(value) for value in right])
    assert (found.is_consistent, found.only) == (is_consistent, only)


def test_core_beyond_memory_is_refused_with_the_estimate(monkeypatch):
    monkeypatch.setattr(rational_systems, "BYTES_PER_CORE_ENTRY", 2**60)
    matrix = SparseMatrix([[(0, 2)]], [[(0, 2)]])
    with pytest.raises(
        gt.UnsupportedGame, match="an exact system of 1 equations.*Give a tolerance"
    ):
        factorized(matrix, Basis((0,), (0,)))
