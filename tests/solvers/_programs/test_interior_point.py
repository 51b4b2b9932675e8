"""Interior points of matrix games: optimal, positive, and with one zero in every pair at most."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers._programs.interior_point import solve_matrix_game
from solvers._programs.linear import FloatOutcome, LinearProgram, solve_float


def skew(matrix):
    return matrix - matrix.T


def families(size, seed):
    """Matrices of a size, generic and degenerate, by name."""
    generator = np.random.default_rng(seed)
    uniform, ratings = generator.random((size, size)), generator.normal(size=size)
    plane = generator.normal(size=(size, 2))
    return {
        "uniform": uniform,
        "normal": generator.normal(size=(size, size)),
        "ties": np.rint(3 * uniform),
        "thirtieths": np.rint(30 * uniform) / 30,
        "antisymmetric": skew(uniform),
        "antisymmetric signs": skew(np.triu(np.sign(generator.normal(size=(size, size))), 1)),
        "duplicate rows": np.vstack([uniform, uniform]),
        "duplicate columns": np.hstack([uniform, uniform[:, :1]]),
        "dominated rows": np.vstack([uniform, uniform - 0.1]),
        "transitive": np.tanh(np.subtract.outer(ratings, ratings)),
        "strict order": np.sign(np.subtract.outer(ratings, ratings)),
        "cyclic plane": plane @ np.array([[0.0, 1.0], [-1.0, 0.0]]) @ plane.T,
        "saddle point": np.add.outer(ratings, ratings),
        "identity": np.eye(size),
        "wide": generator.random((3, 20 * size)),
        "tall": generator.random((20 * size, 3)),
        "many sizes": 10.0 ** generator.uniform(-12, 0, (size, size)),
        "tiny": uniform * 1e-300,
        "denormal": np.rint(100 * uniform) * 5e-324,
        "huge": (2 * uniform - 1) * 1e308,
        "far from zero": uniform + 1e6,
    }


NAMES = tuple(families(2, 0))


def covering_value(payoffs):
    """Return the value by the simplex method of HiGHS."""
    rows, columns = payoffs.shape
    table = np.block([[-payoffs.T, np.ones((columns, 1))], [np.ones((1, rows)), np.zeros((1, 1))]])
    places, variables = np.nonzero(table)
    solution = solve_float(
        LinearProgram(
            objective=np.append(np.zeros(rows), 1.0),
            rows=places.astype(np.int32),
            columns=variables.astype(np.int32),
            values=table[places, variables],
            bounds=np.append(np.zeros(columns), 1.0),
            is_equation=np.arange(columns + 1) == columns,
            is_free=np.arange(rows + 1) == rows,
        )
    )
    assert solution.outcome is FloatOutcome.OPTIMAL
    return solution.primal[-1]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 25])
@pytest.mark.parametrize("name", NAMES)
def test_strategies_are_optimal_and_complementary(name, size):
    payoffs = families(size, seed=size)[name]
    point = solve_matrix_game(payoffs)
    x, y = point.row_strategy, point.column_strategy
    half_span = payoffs.max() / 2 - payoffs.min() / 2
    assert x.min() > 0
    assert y.min() > 0
    assert [x.sum(), y.sum()] == pytest.approx([1, 1])
    paid, earned = payoffs @ y, x @ payoffs
    # of evaluating payoffs in floats
    noise = 1e-14 * np.abs(payoffs).max() + sum(payoffs.shape) * np.finfo(float).smallest_subnormal
    assert paid.max() - earned.min() <= 1e-9 * half_span + noise
    assert earned.min() - noise <= point.value + 1e-9 * half_span
    assert point.value - 1e-9 * half_span <= paid.max() + noise
    assert paid + point.row_slacks == pytest.approx(point.value, abs=1e-8 * half_span + noise)
    assert earned - point.column_slacks == pytest.approx(point.value, abs=1e-8 * half_span + noise)
    if half_span:
        for weights, slacks in ((x, point.row_slacks), (y, point.column_slacks)):
            share, slack = weights / weights.max(), slacks / half_span
            assert np.minimum(share, slack).max() < 1e-6


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(NAMES[:14]), st.integers(1, 12), st.integers(0, 10**6))
def test_value_is_that_of_the_simplex_method(name, size, seed):
    payoffs = families(size, seed)[name]
    assert solve_matrix_game(payoffs).value == pytest.approx(covering_value(payoffs), abs=1e-7)


def test_supports_are_the_largest():
    """All three copies of a row are used, and a row that is optimal only in the limit is not."""
    payoffs = np.array([[1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0], [-1.0, 0.0]])
    point = solve_matrix_game(payoffs)
    assert point.row_support == (0, 1, 2, 3)
    assert point.row_strategy[1:4] == pytest.approx([1 / 6] * 3)


def test_results_do_not_depend_on_the_unit():
    payoffs = families(20, 1)["uniform"]
    one, other = solve_matrix_game(payoffs), solve_matrix_game(payoffs * 2.0**900)
    assert np.array_equal(one.row_strategy, other.row_strategy)
    assert one.iterations == other.iterations
    assert other.value == one.value * 2.0**900


def test_sides_can_be_exchanged():
    payoffs = families(9, 2)["wide"]
    one, other = solve_matrix_game(payoffs), solve_matrix_game(-payoffs.T)
    assert one.row_strategy == pytest.approx(other.column_strategy, abs=1e-9)
    assert one.row_slacks == pytest.approx(other.column_slacks, abs=1e-9)
    assert one.value == pytest.approx(-other.value)


def test_limits_are_kept():
    payoffs = families(20, 3)["uniform"]
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
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_matrix_game(families(20, 4)["uniform"], tick=tick)
    assert len(calls) == 3
