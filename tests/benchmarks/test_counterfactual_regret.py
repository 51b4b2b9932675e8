"""The benchmark's functions run, and its contenders agree, on a tiny game. Nothing is timed."""

import contextlib

import numpy as np
import pytest

from solvers.counterfactual.counterfactual_regret import counterfactual_regret
from tests.benchmarks.counterfactual_regret import (
    bytes_moved,
    engine_of,
    lite_efg_step,
    peer_game,
    step_rows,
    tree_of,
)

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")


def test_contenders_find_the_same_average():
    solver = pyspiel.CFRPlusSolver(peer_game("kuhn_poker"))
    for _ in range(20):
        solver.evaluate_and_update_policy()
    run = counterfactual_regret(tree_of("kuhn_poker"), steps=20)
    theirs = pyspiel.nash_conv(peer_game("kuhn_poker"), solver.average_policy())
    assert float(run.epsilon) == pytest.approx(theirs, abs=1e-9)


def test_simultaneous_games_take_turns_for_all_contenders():
    game = "goofspiel(num_cards=3,imp_info=True,points_order=descending,players=2)"
    solver = pyspiel.CFRPlusSolver(peer_game(game))
    for _ in range(5):
        solver.evaluate_and_update_policy()
    run = counterfactual_regret(tree_of(game), steps=5)
    theirs = pyspiel.nash_conv(peer_game(game), solver.average_policy())
    assert float(run.epsilon) == pytest.approx(theirs, abs=1e-9)


def test_the_floor_counts_each_number_once():
    engine = engine_of(tree_of("kuhn_poker"))
    numbers = 2 * 30 * 12 + 2 * 13 * (4 + 80) + 2 * 6 * 8
    assert bytes_moved(engine) == numbers


def test_rows_name_each_task_once(tmp_path):
    with contextlib.chdir(tmp_path):
        found = step_rows("kuhn_poker", steps=2, rounds=1)
    assert len({(row.task, row.peer_name) for row in found}) == len(found) >= 2
    assert all(row.ours > 0 for row in found)


def test_lite_efg_plays_where_it_is_installed(tmp_path):
    pytest.importorskip("LiteEFG")
    with contextlib.chdir(tmp_path):
        step = lite_efg_step("kuhn_poker")
        assert np.all([step() is None for _ in range(3)])
