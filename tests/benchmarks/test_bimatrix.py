"""The benchmark's contenders agree. Nothing is timed."""

import numpy as np
import pytest

from tests.benchmarks import bimatrix
from tests.benchmarks.bimatrix import (
    best_welfare,
    by_highs,
    by_kernel,
    by_quantecon,
    certified,
    exact,
    path_rows,
    payoffs_of,
    peer_games,
    welfare_rows,
)

pytestmark = pytest.mark.peer


@pytest.mark.parametrize("size", [5, 20])
def test_contenders_find_the_same_equilibria(size):
    pytest.importorskip("quantecon")
    batch = payoffs_of(size, 5)
    theirs = by_quantecon(peer_games(batch))
    for ours in (certified(batch), exact(batch)):
        assert np.allclose(ours, theirs, atol=1e-9)
    assert min(by_kernel(batch)) > 0


def test_contenders_find_the_same_welfare():
    batch = payoffs_of(5, 3)
    assert best_welfare(batch) == pytest.approx(by_highs(batch), abs=1e-6)


def test_rows_name_each_task_once():
    pytest.importorskip("quantecon")
    found = path_rows(4, count=2, rounds=1) + welfare_rows(4, count=1, rounds=1)
    assert len({row.task for row in found}) == len(found) == 4
    assert all(row.ours > 0 for row in found)
    assert bimatrix.PEER in {row.peer_name for row in found}
