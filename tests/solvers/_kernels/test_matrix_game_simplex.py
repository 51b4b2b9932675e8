"""The compiled simplex method on matrix games: optimal under every pivot rule, within its limit."""

import numpy as np
import pytest

from solvers._kernels.matrix_game_simplex import NO_OPTIMUM, solve_matrix_game
from tests.solvers.matrix_families import FAMILIES, gap, half_span, matrix_families, rounding

ALWAYS_BLAND = -1


def solved(payoffs, *, limit=10_000, patience=100):
    rows, columns = payoffs.shape
    x, y = np.empty(rows), np.empty(columns)
    in_rows, in_columns = np.empty(rows, dtype=bool), np.empty(columns, dtype=bool)
    tableau, labels = np.empty((rows + 1, columns + 1)), np.empty(rows + columns, dtype=np.int64)
    pivots = solve_matrix_game(payoffs, tableau, labels, x, y, in_rows, in_columns, limit, patience)
    return pivots, x, y, in_rows, in_columns


@pytest.mark.parametrize("patience", [100, 0, ALWAYS_BLAND])
@pytest.mark.parametrize("size", [1, 3, 10, 40])
@pytest.mark.parametrize("name", FAMILIES)
def test_every_pivot_rule_finds_an_optimum(name, size, patience):
    payoffs = matrix_families(size, seed=size)[name]
    pivots, x, y, in_rows, in_columns = solved(payoffs, patience=patience)
    assert pivots > 0
    assert gap(payoffs, x, y) <= 1e-12 * half_span(payoffs) + rounding(payoffs)
    assert in_rows.sum() == in_columns.sum() > 0
    assert not x[~in_rows].any()
    assert not y[~in_columns].any()


def test_supports_of_generic_games_are_where_strategies_are_positive():
    _, x, y, in_rows, in_columns = solved(matrix_families(15, seed=0)["uniform"])
    assert (x > 0).tolist() == in_rows.tolist()
    assert (y > 0).tolist() == in_columns.tolist()


def test_limit_is_on_pivots():
    payoffs = matrix_families(15, seed=0)["uniform"]
    needed = solved(payoffs)[0]
    assert solved(payoffs, limit=needed)[0] == needed
    assert solved(payoffs, limit=needed - 1)[0] == NO_OPTIMUM
