"""The compiled simplex method on matrix games: optimal under every pivot rule, within its limit."""

import numpy as np
import pytest

from solvers._kernels.matrix_game_simplex import NO_OPTIMUM, solve_matrix_game
from tests.solvers._programs.matrix_families import (
    FAMILIES,
    gap,
    half_span,
    matrix_families,
    rounding,
)

ALWAYS_BLAND = -1


def solved(payoffs, *, limit=10_000, patience=100):
    rows, columns = payoffs.shape
    basic, nonbasic = np.empty(rows, dtype=np.int64), np.empty(columns, dtype=np.int64)
    x, y = np.empty(rows), np.empty(columns)
    tableau = np.empty((rows + 1, columns + 1))
    pivots = solve_matrix_game(payoffs, tableau, basic, nonbasic, x, y, limit, patience)
    return pivots, x, y, basic, nonbasic


@pytest.mark.parametrize("patience", [100, 0, ALWAYS_BLAND])
@pytest.mark.parametrize("size", [1, 3, 10, 40])
@pytest.mark.parametrize("name", FAMILIES)
def test_every_pivot_rule_finds_an_optimum(name, size, patience):
    payoffs = matrix_families(size, seed=size)[name]
    pivots, x, y, _, _ = solved(payoffs, patience=patience)
    assert pivots > 0
    assert gap(payoffs, x, y) <= 1e-12 * half_span(payoffs) + rounding(payoffs)


def test_labels_tell_the_basis():
    payoffs = matrix_families(15, seed=0)["uniform"]
    _, x, y, basic, nonbasic = solved(payoffs)
    assert sorted([*basic, *nonbasic]) == list(range(30))
    assert np.flatnonzero(y).tolist() == sorted(basic[basic < 15])
    assert np.flatnonzero(x).tolist() == sorted(nonbasic[nonbasic >= 15] - 15)


def test_limit_is_on_pivots():
    payoffs = matrix_families(15, seed=0)["uniform"]
    needed = solved(payoffs)[0]
    assert solved(payoffs, limit=needed)[0] == needed
    assert solved(payoffs, limit=needed - 1)[0] == NO_OPTIMUM
