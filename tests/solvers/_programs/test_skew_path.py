"""The central path of skew matrices ends where probabilities and shortfalls part."""

import numpy as np
import pytest

from solvers._programs.central_paths import solve_skew_game
from tests.solvers.zero_sum.evaluation_matrices import FAMILIES


def solved(matrix):
    steps = []
    point = solve_skew_game(matrix, tick=lambda: steps.append(0))
    return point, len(steps)


@pytest.mark.parametrize("size", [1, 2, 5, 20, 60])
@pytest.mark.parametrize("name", FAMILIES)
def test_products_vanish_and_sums_do_not(name, size):
    matrix = FAMILIES[name](size, np.random.default_rng([size, 1]))
    matrix /= np.abs(matrix).max() or 1.0
    point, steps = solved(matrix)
    assert steps <= 40
    assert point.strategy.sum() == pytest.approx(1.0)
    assert point.strategy @ matrix == pytest.approx(point.shortfalls, abs=1e-8)
    assert (point.strategy * point.shortfalls).max() < 1e-10
    assert (point.strategy + point.shortfalls).min() > 1e-7


def test_ties_are_played_all():
    point, _ = solved(np.zeros((4, 4)))
    assert point.strategy == pytest.approx([0.25] * 4)


def test_a_budget_may_stop_it():
    def stop():
        raise TimeoutError("enough")

    with pytest.raises(TimeoutError, match="enough"):
        solve_skew_game(FAMILIES["ties"](9, np.random.default_rng(0)), tick=stop)
