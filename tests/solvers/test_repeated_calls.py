"""The same call gives the same answer: again and again, in any order, in any process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gametheory_core import NormalFormGame
from solvers import minimax
from tests.solvers.repeated_calls import digests, solvers_of_games

ROOT = Path(__file__).parents[2]


def in_fresh_process(seed, *, seconds, most):
    done = subprocess.run(
        [sys.executable, "-m", "tests.solvers.repeated_calls", str(seed), str(seconds), str(most)],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def require_one_answer_each(processes):
    answered = {key.split(" / ")[0] for key in processes[0]}
    assert answered == set(solvers_of_games())
    assert len({frozenset(process) for process in processes}) == 1
    for key in processes[0]:
        assert len({digest for process in processes for digest in process[key]}) == 1, key


def test_same_call_gives_the_same_answer():
    many, once = (
        in_fresh_process(seed, seconds=0.01, most=most) for seed, most in ((1, 500), (2, 1))
    )
    require_one_answer_each([many, once])


@pytest.mark.slow
def test_same_call_gives_the_same_answer_500_times():
    processes = [in_fresh_process(seed, seconds=2.0, most=500) for seed in (3, 4, 5)]
    require_one_answer_each(processes)


def test_a_game_that_two_engines_answer_differently_keeps_its_answer():
    """A 36 x 36 game once changed its answer at call 305, when another engine took over."""
    rng = np.random.default_rng(0)
    games = [NormalFormGame.zero_sum(rng.integers(-2, 3, (size, size))) for size in (36, 24, 5)]
    first = [minimax(game).profile for game in games]
    for _ in range(10):
        assert [minimax(game).profile for game in games] == first


def test_an_engine_that_is_picked_by_what_was_called_before_is_noticed():
    spent = []

    def solve(game):
        spent.append(game)
        return minimax(game, tolerance=1.0 if len(spent) > 9 else None).certificate

    game = NormalFormGame.zero_sum(np.random.default_rng(1).random((26, 26)))
    found = digests({("solve", "game"): (solve, game, {})}, seed=0, seconds=0.0, most=2)
    assert len(found["solve / game"]) == 1
    found = digests({("solve", "game"): (solve, game, {})}, seed=0, seconds=9.0, most=12)
    assert len(found["solve / game"]) == 2
