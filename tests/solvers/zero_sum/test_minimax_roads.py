"""Minimax by every road of the float solver, and when the float solver is wrong."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import NormalFormGame, NotConverged
from solvers import Budget, minimax
from solvers.zero_sum import float_matrix_game as matrix_game
from solvers.zero_sum import matrix_games as minimax_module
from solvers.zero_sum.float_matrix_game import MatrixOptimum
from tests.solvers.matrix_families import FAMILIES, half_span, matrix_families


def take_kernel(monkeypatch):
    monkeypatch.setattr(matrix_game, "MOST_PLAIN_CELLS", 0)


def take_interior_point(monkeypatch):
    monkeypatch.setattr(matrix_game, "MOST_PLAIN_CELLS", 0)
    monkeypatch.setattr(matrix_game, "MOST_KERNEL_CELLS", 0)


def take_plain_pivots(monkeypatch):
    monkeypatch.setattr(matrix_game, "MOST_PLAIN_CELLS", 10**9)


def take_program(monkeypatch):
    monkeypatch.setattr(minimax_module, "solve_matrix_in_floats", lambda *_, **__: None)


def exact_value(payoffs, take):
    with pytest.MonkeyPatch.context() as monkeypatch:
        take(monkeypatch)
        certificate = minimax(NormalFormGame.zero_sum(payoffs)).certificate
    certificate.verify()
    assert certificate.epsilon == 0
    return certificate.game_value


@pytest.mark.parametrize("size", [2, 9])
@pytest.mark.parametrize("name", FAMILIES)
def test_all_roads_lead_to_the_exact_value(name, size):
    payoffs = matrix_families(size, seed=size)[name]
    roads = (take_kernel, take_interior_point, take_plain_pivots, take_program)
    assert len({exact_value(payoffs, take) for take in roads}) == 1


@pytest.mark.parametrize("take", [take_kernel, take_interior_point, take_plain_pivots])
@pytest.mark.parametrize("name", FAMILIES)
def test_tolerances_are_kept_on_every_road(name, take, monkeypatch):
    take(monkeypatch)
    payoffs = matrix_families(20, seed=1)[name]
    tolerance = float(half_span(payoffs) * 1e-9) or 1e-9
    solution = minimax(NormalFormGame.zero_sum(payoffs), tolerance=tolerance)
    solution.certificate.verify()
    assert solution.certificate.epsilon <= Fraction(tolerance)
    x, y = solution.profile.strategies
    paid = x @ NormalFormGame.zero_sum(payoffs).exact_payoffs[0] @ y
    assert solution.payoffs == (paid, -paid)


def test_large_float_games_are_certified_closely(monkeypatch):
    take_interior_point(monkeypatch)
    payoffs = np.random.default_rng(4).random((150, 90))
    certificate = minimax(NormalFormGame.zero_sum(payoffs), tolerance=1e-6).certificate
    certificate.verify()
    assert certificate.epsilon < 1e-13


WRONG = {
    "strategies": MatrixOptimum(
        row_strategy=np.array([1.0, 0.0]),
        column_strategy=np.array([0.0, 1.0]),
        in_row_support=np.array([True, False]),
        in_column_support=np.array([False, True]),
        iterations=1,
    ),
    "no supports": MatrixOptimum(
        row_strategy=np.array([0.5, 0.5]),
        column_strategy=np.array([0.5, 0.5]),
        in_row_support=np.array([False, False]),
        in_column_support=np.array([False, False]),
        iterations=1,
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("tolerance", [None, 1e-6])
def test_wrong_float_answers_are_put_right(wrong, tolerance, monkeypatch):
    monkeypatch.setattr(minimax_module, "solve_matrix_in_floats", lambda *_, **__: WRONG[wrong])
    solution = minimax(
        NormalFormGame.zero_sum(np.array([[2.0, -1.0], [-1.0, 1.0]])), tolerance=tolerance
    )
    solution.certificate.verify()
    assert solution.certificate.epsilon <= (tolerance or 0)
    assert float(solution.certificate.game_value) == pytest.approx(0.2)


def test_best_so_far_comes_from_the_interior_when_steps_run_out(monkeypatch):
    take_interior_point(monkeypatch)
    game = NormalFormGame.zero_sum(np.random.default_rng(2).random((30, 30)))
    gaps = []
    for steps in (0, 4, 6):
        with pytest.raises(NotConverged, match="the budget ended with epsilon") as caught:
            minimax(game, tolerance=1e-9, budget=Budget(iterations=steps))
        caught.value.best.certificate.verify()
        gaps.append(caught.value.best.certificate.epsilon)
    assert gaps[0] > 5 * gaps[1] > 25 * gaps[2]


def test_payoffs_beyond_floats_are_solved_exactly():
    game = NormalFormGame.zero_sum([[0, 10**400], [10**400 + 1, 0]])
    value = minimax(game).certificate.game_value
    assert value == Fraction(10**400 * (10**400 + 1), 2 * 10**400 + 1)


def test_ties_that_floats_cannot_tell_apart_are_solved_exactly():
    """Both rows are one float row; only the second is optimal."""
    tied = [[10**20, 10**20], [10**20 + 1, 10**20 + 1]]
    solution = minimax(NormalFormGame.zero_sum(tied))
    assert solution.certificate.game_value == 10**20 + 1
    assert solution.profile.strategies[0].tolist() == [0, 1]
