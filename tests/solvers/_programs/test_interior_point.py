"""Interior points of matrix games: optimal, positive, and with one zero in every pair at most."""

import numpy as np
import pytest

from solvers._kernels.matrix_game_simplex import solve_matrix_game as solve_by_pivots
from solvers._programs.interior_point import solve_matrix_game
from tests.solvers.matrix_families import FAMILIES, half_span, matrix_families, rounding


@pytest.mark.parametrize("size", [1, 2, 3, 7, 25])
@pytest.mark.parametrize("name", FAMILIES)
def test_strategies_are_optimal_and_complementary(name, size):
    payoffs = matrix_families(size, seed=size)[name]
    point = solve_matrix_game(payoffs)
    x, y = point.row_strategy, point.column_strategy
    unit, noise = half_span(payoffs), rounding(payoffs)
    assert x.min() > 0
    assert y.min() > 0
    assert [x.sum(), y.sum()] == pytest.approx([1, 1])
    paid, earned = payoffs @ y, x @ payoffs
    assert paid.max() - earned.min() <= 1e-9 * unit + noise
    assert earned.min() - noise <= point.value + 1e-9 * unit
    assert point.value - 1e-9 * unit <= paid.max() + noise
    assert paid + point.row_slacks == pytest.approx(point.value, abs=1e-8 * unit + noise)
    assert earned - point.column_slacks == pytest.approx(point.value, abs=1e-8 * unit + noise)
    if unit:
        for weights, slacks in ((x, point.row_slacks), (y, point.column_slacks)):
            share, slack = weights / weights.max(), slacks / unit
            assert np.minimum(share, slack).max() < 1e-6


def test_supports_are_the_largest():
    """All three copies of a row are used, and a row that is optimal only in the limit is not."""
    payoffs = np.array([[1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0], [-1.0, 0.0]])
    point = solve_matrix_game(payoffs)
    assert point.row_support == (0, 1, 2, 3)
    assert point.row_strategy[1:4] == pytest.approx([1 / 6] * 3)


@pytest.mark.parametrize("name", ["uniform", "antisymmetric", "thirtieths"])
def test_large_games_are_solved_closely_with_clear_supports(name):
    """Against the simplex method, whose supports are those of the one optimal pair."""
    payoffs = matrix_families(300, seed=1)[name]
    point = solve_matrix_game(payoffs)
    assert point.gap <= 4e-11
    x, y = np.empty(300), np.empty(300)
    flags = np.empty(300, dtype=bool), np.empty(300, dtype=bool)
    labels = np.empty(600, dtype=np.int64)
    solve_by_pivots(payoffs, np.empty((301, 301)), labels, x, y, *flags, 30_000, 600)
    assert point.row_support == tuple(np.flatnonzero(flags[0]))
    assert point.column_support == tuple(np.flatnonzero(flags[1]))


def test_results_do_not_depend_on_the_unit():
    payoffs = matrix_families(20, 1)["uniform"]
    one, other = solve_matrix_game(payoffs), solve_matrix_game(payoffs * 2.0**900)
    assert np.array_equal(one.row_strategy, other.row_strategy)
    assert one.iterations == other.iterations
    assert other.value == one.value * 2.0**900


def test_sides_can_be_exchanged():
    payoffs = matrix_families(9, 2)["wide"]
    one, other = solve_matrix_game(payoffs), solve_matrix_game(-payoffs.T)
    assert one.row_strategy == pytest.approx(other.column_strategy, abs=1e-9)
    assert one.row_slacks == pytest.approx(other.column_slacks, abs=1e-9)
    assert one.value == pytest.approx(-other.value)


def test_limits_are_kept():
    payoffs = matrix_families(20, 3)["uniform"]
    rough = solve_matrix_game(payoffs, iteration_limit=2)
    assert rough.iterations == 2
    assert rough.gap > 1e-4
    assert (
        solve_matrix_game(payoffs, accuracy=1e-3).iterations < solve_matrix_game(payoffs).iterations
    )


def test_tick_may_stop_the_walk():
    calls = []

    def tick():
        calls.append(None)
        if len(calls) == 3:
            raise TimeoutError("three steps are enough")

    with pytest.raises(TimeoutError, match="three steps"):
        solve_matrix_game(matrix_families(20, 4)["uniform"], tick=tick)
    assert len(calls) == 3
