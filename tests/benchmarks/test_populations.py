"""The benchmark's functions run, and its contenders agree, on a tiny size. Nothing is timed."""

import numpy as np
import pytest

from tests.solvers.populations.test_meta_game import populations as bench

pytestmark = pytest.mark.peer


@pytest.fixture(autouse=True)
def _peers():
    pytest.importorskip("pyspiel")
    pytest.importorskip("quantecon")


def test_rankings_agree():
    payoffs = bench.payoffs_of(3)
    assert bench.ours_ranked(payoffs).distribution == pytest.approx(
        bench.spiel_ranked(payoffs), abs=1e-8
    )
    assert bench.ours_limit(payoffs) == pytest.approx(bench.spiel_limit(payoffs), abs=1e-3)


def test_projected_paths_agree():
    payoffs = bench.payoffs_of(3)
    ours = bench.ours_projected(payoffs, 30)
    theirs = bench.spiel_projected(payoffs, 30)
    for own, peer in zip(ours.average.strategies, theirs, strict=True):
        assert own.astype(float) == pytest.approx(peer, abs=1e-2)


def test_learners_find_the_same_value():
    payoffs = bench.payoffs_of(3, zero_sum=True)
    ours = [
        bench.ours_matching(payoffs, 3000).average.to_float().strategies,
        bench.ours_fictitious(payoffs, 3000).average.to_float().strategies,
    ]
    theirs = [bench.spiel_matching(payoffs, 3000), bench.quantecon_fictitious(payoffs, 3000)]
    values = [float(x @ payoffs[0] @ y) for x, y in [*ours, *theirs]]
    assert np.ptp(values) < 0.5


def test_rows_name_each_task_once():
    found = bench.rows(size=3, steps=20, rounds=1)
    assert len({row.task for row in found}) == len(found) == 5
    assert all(row.ours > 0 for row in found)
