"""The benchmark's functions run, and its contenders agree, on tiny sizes. Nothing is timed."""

import pytest

from tests.benchmarks.security import (
    by_target,
    correlated,
    dense_correlated,
    expanded,
    ours,
    random_form,
    random_security,
    rows,
)


@pytest.mark.parametrize(("targets", "resources"), [(5, 2), (6, 1), (4, 0)])
def test_contenders_find_the_same_cover(targets, resources):
    game = random_security(targets, resources)
    assert ours(game) == expanded(game)
    assert by_target(game) == pytest.approx(ours(game), abs=1e-6)


def test_contenders_find_the_same_lottery():
    game = random_form(3)
    assert dense_correlated(game) == pytest.approx(correlated(game), abs=1e-6)


def test_rows_name_each_task_once():
    found = rows(small=(3, 1), middle=(4, 2), large=(5, 2), actions=2, rounds=1)
    assert len({row.task for row in found}) == len(found) == 4
    assert all(row.ours > 0 for row in found)
