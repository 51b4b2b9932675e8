"""Every road to a float solution of a matrix game: optimal, and a vertex where it says so."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solvers.zero_sum import float_matrix_game as matrix_game
from solvers.zero_sum.float_matrix_game import solve_matrix_in_floats
from tests.solvers.matrix_families import FAMILIES, gap, half_span, matrix_families, rounding


def by_kernel(payoffs, monkeypatch):
    monkeypatch.setattr(matrix_game, "MOST_PLAIN_CELLS", 0)
    return solve_matrix_in_floats(payoffs)


def by_interior_point(payoffs, monkeypatch):
    monkeypatch.setattr(matrix_game, "MOST_PLAIN_CELLS", 0)
    monkeypatch.setattr(matrix_game, "MOST_KERNEL_CELLS", 0)
    return solve_matrix_in_floats(payoffs)


def by_plain_pivots(payoffs, monkeypatch):
    monkeypatch.setattr(matrix_game, "MOST_PLAIN_CELLS", 10**9)
    return solve_matrix_in_floats(payoffs)


ROADS = {"kernel": by_kernel, "interior point": by_interior_point, "plain": by_plain_pivots}
ACCURACY = {"kernel": 1e-13, "interior point": 1e-10, "plain": 1e-13}


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("size", [1, 2, 5, 30])
@pytest.mark.parametrize("name", FAMILIES)
def test_strategies_are_optimal(name, size, road, monkeypatch):
    payoffs = matrix_families(size, seed=size)[name]
    found = ROADS[road](payoffs, monkeypatch)
    x, y = found.row_strategy, found.column_strategy
    assert min(x.min(), y.min()) >= 0
    assert [x.sum(), y.sum()] == pytest.approx([1, 1], abs=1e-12)
    assert gap(payoffs, x, y) <= 2 * ACCURACY[road] * half_span(payoffs) + rounding(payoffs)
    if found.is_vertex:
        assert x[~found.in_row_support].max(initial=0.0) <= 1e-5
        assert y[~found.in_column_support].max(initial=0.0) <= 1e-5
        assert len(found.rows) == len(found.columns) > 0


@pytest.mark.parametrize("road", ["kernel", "interior point"])
def test_vertices_are_solved_afresh(road, monkeypatch):
    payoffs = matrix_families(120, seed=5)["uniform"]
    found = ROADS[road](payoffs, monkeypatch)
    assert found.is_vertex
    assert gap(payoffs, found.row_strategy, found.column_strategy) <= 4e-15


@example("tall", 12, 60340)  # the curvature of short steps once led astray here, and below
@example("wide", 25, 1795282194)
@example("tall", 24, 1795282239)
@given(st.sampled_from(FAMILIES), st.integers(1, 12), st.integers(0, 10**6))
def test_roads_agree_on_the_value(name, size, seed):
    payoffs = matrix_families(size, seed)[name]
    values = []
    with pytest.MonkeyPatch.context() as monkeypatch:
        for road in (by_kernel, by_interior_point):
            found = road(payoffs, monkeypatch)
            values.append(found.row_strategy @ payoffs @ found.column_strategy)
    assert values[0] == pytest.approx(
        values[1], abs=1e-9 * half_span(payoffs) + rounding(payoffs), rel=0
    )


def test_the_size_alone_picks_the_road(monkeypatch):
    taken = []
    for road in ("plain_pivots", "kernel", "interior_point"):
        monkeypatch.setattr(matrix_game, f"by_{road}", lambda *_, road=road: taken.append(road))
    for _ in range(2):
        for size in (8, 9, 1000):
            solve_matrix_in_floats(np.ones((size, size)))
    assert taken == ["plain_pivots", "kernel", "interior_point"] * 2


def test_limits_end_the_search(monkeypatch):
    payoffs = matrix_families(30, seed=1)["uniform"]
    monkeypatch.setattr(matrix_game, "MOST_PLAIN_CELLS", 0)
    assert solve_matrix_in_floats(payoffs, iteration_limit=2) is None
    monkeypatch.setattr(matrix_game, "MOST_KERNEL_CELLS", 0)
    for limits in ({"iteration_limit": 2}, {"time_limit": 0.0}):
        rough = solve_matrix_in_floats(payoffs, **limits)
        assert rough.rows == rough.columns == ()
        assert rough.iterations <= 2
    monkeypatch.setattr(matrix_game, "MOST_PLAIN_CELLS", 10**9)
    assert solve_matrix_in_floats(payoffs, iteration_limit=2) is None
