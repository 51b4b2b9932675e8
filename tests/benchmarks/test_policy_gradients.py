"""The benchmark's functions run, and its contenders agree, on a small size. Nothing is timed."""

import numpy as np
import pytest

from tests.benchmarks.policy_gradients import compiled, rational, rows, vectorised


@pytest.mark.parametrize("steps", [2, 10])
def test_contenders_agree(steps):
    exact = np.array(rational(steps)(), dtype=float)
    assert compiled(steps)() == pytest.approx(exact, abs=1e-12)
    assert vectorised(steps)() == pytest.approx(exact, abs=1e-12)


def test_rows_name_each_pair_once():
    found = rows(lengths=(3,), calls=2, rounds=1)
    assert len({(row.task, row.peer_name) for row in found}) == len(found) == 2
    assert all(row.ours > 0 for row in found)
