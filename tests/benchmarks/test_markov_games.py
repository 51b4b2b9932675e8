"""The benchmark's functions run, and its contenders agree, on a tiny size. Nothing is timed."""

import numpy as np
import pytest

from solvers.markov.shapley import shapley_value_iteration
from solvers.markov.stage_games import stage_nash_induction
from tests.benchmarks.markov_games import (
    float_tables,
    plain_induction,
    plain_value_iteration,
    rows,
    soccer_view,
)


def test_contenders_find_the_same_values():
    view = soccer_view(2, 4)
    peer = plain_value_iteration(float_tables(view), view, 3.0)
    ours = np.array(shapley_value_iteration(view).certificate.values, dtype=float)
    assert np.abs(peer - ours).max() <= 3.0


def test_contenders_find_the_same_values_of_stopped_games():
    view = soccer_view(2, 4)
    peer = plain_induction(float_tables(view), view, 2)
    stopped = stage_nash_induction(soccer_view(2, 4, horizon=2)).certificate
    for state, _ in view.initial:
        assert peer[state] == pytest.approx(float(stopped.values[0][state][0]), abs=1e-9)


def test_rows_name_each_task_once():
    found = rows(field=(2, 4), tolerance=10.0, steps=1, rounds=1)
    assert len({row.task for row in found}) == len(found) == 4
    assert all(row.ours > 0 for row in found)
