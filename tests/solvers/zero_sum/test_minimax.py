"""Matrix games: exact values against Shapley and Snow's kernels, limits, refusals."""

from fractions import Fraction
from itertools import combinations

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, NotConverged, UnsupportedGame
from gametheory_core.testing import PayoffKind, zero_sum_games
from solvers import Budget, minimax
from tests.sample_sizes import many


def kernel_value(payoffs):
    """Return the value by Shapley and Snow (1950): some square submatrix equalises both sides."""
    rows, columns = payoffs.shape
    for size in range(1, min(rows, columns) + 1):
        for chosen in combinations(range(rows), size):
            for against in combinations(range(columns), size):
                value = equalised(payoffs, chosen, against)
                if value is not None:
                    return value
    raise AssertionError("no kernel")


def equalised(payoffs, chosen, against):
    block = payoffs[np.ix_(chosen, against)]
    x = equaliser(block.T)
    y = equaliser(block)
    if x is None or y is None or min(x[:-1]) < 0 or min(y[:-1]) < 0:
        return None
    guaranteed = min(x[:-1] @ payoffs[list(chosen), :])
    conceded = max(payoffs[:, list(against)] @ y[:-1])
    return guaranteed if guaranteed == conceded else None


def equaliser(block):
    """Solve ``block p = v``, ``sum p = 1`` for (p, v)."""
    size = len(block)
    entries = [[*map(rational, row), flint.fmpq(-1)] for row in block.tolist()]
    entries.append([flint.fmpq(1)] * size + [flint.fmpq(0)])
    right = flint.fmpq_mat([[flint.fmpq(0)]] * size + [[flint.fmpq(1)]])
    try:
        solved = flint.fmpq_mat(entries).solve(right)
    except ZeroDivisionError:
        return None
    out = np.empty(size + 1, dtype=object)
    out[:] = [Fraction(int(v.p), int(v.q)) for v in solved.entries()]
    return out


def rational(value):
    return flint.fmpq(value.numerator, value.denominator)


ALL_KINDS = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL, PayoffKind.FLOAT)


@many
@given(zero_sum_games(max_actions=5, kinds=ALL_KINDS))
def test_value_is_exact(game):
    solution = minimax(game)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.certificate.game_value == kernel_value(game.exact_payoffs[0])
    assert solution.payoffs == (solution.certificate.lower, -solution.certificate.lower)


@given(zero_sum_games(max_actions=6, kinds=ALL_KINDS), st.sampled_from([1e-3, 1e-7]))
def test_tolerance_is_kept(game, tolerance):
    solution = minimax(game, tolerance=tolerance)
    solution.certificate.verify()
    assert solution.certificate.epsilon <= Fraction(tolerance)


@pytest.mark.parametrize(
    "payoffs",
    [
        [[10**15 + 1, 10**15], [10**15, 10**15 + 2]],
        [[1 + Fraction(1, 10**12), 1], [1, 1 + Fraction(2, 10**12)]],
        [[Fraction(10) ** 300, 1], [0, Fraction(1, 10**300)]],
        [[Fraction(1, 10**300), 0], [0, Fraction(2, 10**300)]],
        [[0, 10**400], [10**400 + 1, 0]],
    ],
)
def test_badly_scaled_payoffs_come_out_exact(payoffs):
    game = NormalFormGame.zero_sum(payoffs)
    solution = minimax(game)
    assert solution.certificate.epsilon == 0
    assert solution.certificate.game_value == kernel_value(game.exact_payoffs[0])


def test_payoffs_of_extreme_floats_come_out_exact():
    game = NormalFormGame.zero_sum(np.array([[1e300, -1e308], [5e-324, 1e-300]]))
    assert minimax(game).certificate.epsilon == 0
    assert minimax(game, tolerance=1e-3).certificate.epsilon <= Fraction(1, 1000)


def test_constant_sum_splits_the_sum():
    game = NormalFormGame.bimatrix([[3, 1], [1, 3]], [[2, 4], [4, 2]])
    assert minimax(game).payoffs == (2, 3)


def test_ended_budget_gives_the_best_so_far():
    game = NormalFormGame.zero_sum(np.random.default_rng(1).integers(-50, 50, (12, 12)).tolist())
    with pytest.raises(NotConverged, match="the budget ended with epsilon") as caught:
        minimax(game, budget=Budget(iterations=0))
    uniform = caught.value.best.certificate
    uniform.verify()
    with pytest.raises(NotConverged, match="exact solution") as caught:
        minimax(game, budget=Budget(iterations=minimax(game).run.iterations - 1))
    caught.value.best.certificate.verify()
    assert 0 <= caught.value.best.certificate.epsilon < uniform.epsilon / 1000


def test_progress_is_reported():
    seen = []
    minimax(NormalFormGame.zero_sum([[2, -1], [-1, 1]]), on_iteration=seen.append)
    assert seen[-1].done > 0
    assert seen[-1].unit == "pivots"


def test_third_player_is_refused():
    with pytest.raises(UnsupportedGame, match="minimax: needs two players"):
        minimax(NormalFormGame.from_payoffs(np.zeros((3, 1, 1, 1)).tolist()))


def test_changing_sum_is_refused_with_the_cell():
    with pytest.raises(UnsupportedGame, match=r"joint action \('1', '2'\) sum to 5"):
        minimax(NormalFormGame.bimatrix([[3, 0], [5, 1]], [[3, 5], [0, 1]]))


@pytest.mark.parametrize("tolerance", [0.0, -1.0, float("inf"), float("nan")])
def test_tolerance_that_promises_nothing_is_refused(tolerance):
    with pytest.raises(InvalidArgument, match="minimax: needs a finite tolerance above 0"):
        minimax(NormalFormGame.zero_sum([[1]]), tolerance=tolerance)
