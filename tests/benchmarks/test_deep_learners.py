"""The benchmark's functions run, and its contenders make as many steps. Nothing is timed."""

import pytest

from tests.benchmarks.deep_learners import rows
from tests.benchmarks.stable_baselines import CONTENDERS, STEPS

pytestmark = pytest.mark.peer
pytest.importorskip("stable_baselines3")


@pytest.mark.filterwarnings("ignore")  # the peer's own, and those of what it imports
def test_contenders_make_the_steps_they_are_asked_for():
    for algorithm in STEPS:
        for play in CONTENDERS.values():
            ends = play(algorithm, seed=1, steps=512)
            assert 300 < ends[-1][0] <= 512 + 40  # rollouts are made whole


@pytest.mark.filterwarnings("ignore")
def test_rows_name_each_task_once():
    found = rows(steps=64, rounds=1)
    assert len({row.task for row in found}) == len(found) == 3
    assert all(row.ours > 0 for row in found)
