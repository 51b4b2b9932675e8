"""The benchmark's functions run, and its contenders agree, on a small size. Nothing is timed."""

import pytest

from tests.benchmarks.regret_minimizers import in_numpy, open_spiel, ours, rows, utilities


@pytest.mark.parametrize("name", ["regret matching", "regret matching+", "Hedge"])
def test_contenders_agree(name):
    given = utilities(50, 30)
    assert ours(name, given) == pytest.approx(in_numpy(name, given), abs=1e-9)


@pytest.mark.peer
def test_peer_comes_near_equilibrium():
    pytest.importorskip("open_spiel.python.algorithms.regret_matching")
    assert open_spiel(300)[0] == pytest.approx([1 / 3] * 3, abs=0.05)


def test_rows_name_each_task_once():
    found = rows(batch=4, steps=2, plays=2, rounds=1)
    assert len({row.task for row in found}) == len(found) >= 5
    assert all(row.ours > 0 for row in found)
