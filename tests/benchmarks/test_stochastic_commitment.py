"""The benchmark's functions run, and its contenders agree, on a tiny size. Nothing is timed."""

import pytest

from tests.benchmarks.stochastic_commitment import by_histories, ours, rows


def test_contenders_find_the_same_bound():
    assert ours("prisoners_dilemma", 3) == pytest.approx(by_histories("prisoners_dilemma", 3))
    assert ours("prisoners_dilemma", 3) == -3


def test_rows_name_each_task_once():
    found = rows(lengths=(2,), rounds=1)
    assert len({row.task for row in found}) == len(found) == 2
    assert all(row.ours > 0 for row in found)
