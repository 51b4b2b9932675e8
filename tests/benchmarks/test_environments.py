"""The benchmark of environments compares like with like: contenders pay the same for the same."""

import numpy as np
import pytest

from gametheory_core.adapters.pettingzoo import parallel_env
from learners.batches.game import batched
from learners.batches.sampled_play import mean_returns, rollouts
from tests.benchmarks import environments as bench

STEPS = 40


def our_total():
    """Return what the first player earns by the actions that peers get."""
    actions = np.random.default_rng(bench.SEED).integers(3, size=(STEPS, 2))
    play = batched(bench.GAME, episodes=1, seed=bench.SEED)
    play.reset()
    return sum(play.step(joint[None]).rewards[0, 0] for joint in actions)


@pytest.mark.peer
def test_all_environments_pay_the_same_for_the_same_actions():
    pytest.importorskip("pygame")
    pytest.importorskip("pyspiel")
    from pettingzoo.classic import rps_v2

    theirs = rps_v2.parallel_env(max_cycles=bench.ROUNDS)
    totals = [
        bench.parallel_steps(theirs, STEPS),
        bench.parallel_steps(parallel_env(bench.GAME), STEPS),
        bench.open_spiel_steps(bench.open_spiel_env(), STEPS),
    ]
    assert totals == [our_total()] * 3
    assert our_total() != 0


def test_recorded_plays_earn_what_mean_returns_says():
    play = batched(bench.GAME, episodes=1, seed=bench.SEED)
    tables = bench.lottery_tables(play)
    found = mean_returns(play, tables, episodes=3, seed=bench.SEED)
    kept = rollouts(play, tables, episodes=3, seed=bench.SEED)
    assert np.array_equal(kept.returns.mean(axis=0), found.means)
    assert found.steps == 3 * bench.ROUNDS


@pytest.mark.peer
def test_rows_have_a_peer_and_a_time_each():
    pytest.importorskip("pygame")
    pytest.importorskip("pyspiel")
    rows = bench.rows(episodes=2, batch=8, rounds=1)
    assert len(rows) == 10
    assert all(row.ours > 0 and row.peer > 0 for row in rows)
