"""The benchmark's functions run, and its contenders agree, on a tiny size. Nothing is timed."""

import numpy as np
import pytest

from tests.benchmarks.max_entropy import by_open_spiel, growing, ours, payoffs_of, peer_game, rows
from tests.solvers.zero_sum.evaluation_matrices import FAMILIES

pytestmark = pytest.mark.peer


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_contenders_find_the_same_strategy(family):
    pytest.importorskip("pyspiel")
    pytest.importorskip("cvxpy")
    payoffs = payoffs_of(family, 5)
    assert np.abs(ours(payoffs) - by_open_spiel(peer_game(payoffs))).max() < 5e-3


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_growing_games_have_the_same_answers_from_either_start(family):
    payoffs = payoffs_of(family, 8)
    assert growing(payoffs, warm=True) == pytest.approx(growing(payoffs, warm=False), abs=1e-9)


def test_rows_name_each_task_once():
    pytest.importorskip("pyspiel")
    pytest.importorskip("cvxpy")
    found = rows(size=3, growth=3, rounds=1, families=("ties", "late"))
    assert len({row.task for row in found}) == len(found) == 6
    assert all(row.ours > 0 for row in found)
