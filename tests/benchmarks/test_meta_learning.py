"""The benchmark's contenders learn and play the same. Nothing is timed."""

import numpy as np
import pytest

from tests.benchmarks.meta_learning import (
    acceptance,
    compiled_contextual_q,
    gymnasium_episodes,
    leader_episodes,
    plain_contextual_q,
    rows,
    view_of,
)


@pytest.mark.parametrize("name", ["prisoners_dilemma", "chicken"])
def test_compiled_and_plain_learning_agree_bit_for_bit(name):
    view = view_of(name)
    compiled = compiled_contextual_q(view, episodes=400, seed=3).snapshot()["values"]
    plain = np.array(plain_contextual_q(view, episodes=400, seed=3)).reshape(compiled.shape)
    assert np.array_equal(compiled, plain)
    assert np.abs(plain).max() > 1


def test_both_kinds_of_episodes_pay_the_same_on_average():
    """Within 5.5 standard errors, as both draw at random; fails once in 26 million seeds."""
    pytest.importorskip("gymnasium")
    view = view_of("prisoners_dilemma")
    ours = leader_episodes(view, 4000)().returns[:, 0]
    theirs = np.array(gymnasium_episodes(view, 400)())
    error = np.sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
    assert abs(ours.mean() - theirs.mean()) < 5.5 * error


def test_rows_and_the_table_name_each_task_once():
    pytest.importorskip("gymnasium")
    found = rows(episodes=20, rounds=1)
    assert len({row.task for row in found}) == 2
    lines = acceptance(games=["battle"], seeds=[0]).splitlines()
    assert lines[2].startswith("| battle | 0 | 0 | 0 | 0 |")
