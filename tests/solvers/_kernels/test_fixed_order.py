"""Arithmetic in a fixed order: right up to rounding, and honest about singular systems."""

import math

import numpy as np
import pytest

from solvers._kernels.logit_path import exponentials, solve, total


@pytest.mark.parametrize("size", range(1, 9))
def test_solution_and_sign_agree_with_the_library(size):
    rng = np.random.default_rng(size)
    for _ in range(20):
        matrix, right = rng.standard_normal((size, size)), rng.standard_normal(size)
        solution = np.zeros(size)
        assert solve(matrix, right, solution) == np.linalg.slogdet(matrix)[0]
        np.testing.assert_allclose(matrix @ solution, right, atol=1e-9)


def test_zero_pivots_are_passed_by():
    solution = np.zeros(2)
    assert solve(np.array([[0.0, 2.0], [3.0, 0.0]]), np.array([4.0, 9.0]), solution) == -1
    assert solution.tolist() == [3, 2]


@pytest.mark.parametrize("entry", [0.0, math.nan])
def test_singular_systems_have_no_sign(entry):
    matrix = np.array([[1.0, 1.0], [1.0, 1.0 + entry]])
    assert solve(matrix, np.ones(2), np.zeros(2)) == 0


def test_sums_are_added_from_the_left():
    terms = np.array([1e16, 1.0, -1e16] + [1.0] * 20)
    assert total(terms) == 20  # the 1 is lost beside 1e16; in pairs, others would be


def test_exponentials_are_those_of_the_language():
    exponents = np.linspace(-40, 1, 50)
    assert exponentials(exponents).tolist() == [math.exp(x) for x in exponents]
