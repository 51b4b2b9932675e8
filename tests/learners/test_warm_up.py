"""``gametheory warm-up`` leaves nothing to compile, and no loop is forgotten."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gametheory_core.commands.verbs import run
from learners import warm_up
from learners.roshambo.bots import embedded_bots
from learners.warm_up import declared_loops, listed
from tests.solvers._kernels.test_compile import in_fresh_process

ROOT = Path(__file__).parents[2]
SAMPLE = ("matrix_game_simplex", "_kernels.play.", "rollouts")
WARM = """
import json
from gametheory_core.commands.verbs import run
assert run(["warm-up", *WORDS, "--quiet"]) == 0
print(json.dumps("done"))
"""
WORK = """
import json
from numba.core import event
from solvers._kernels.compile import LOOPS

class Recorder(event.Listener):
    met = []
    def on_start(self, event):
        self.met.append(event.data["dispatcher"].py_func.__qualname__)
    def on_end(self, event):
        pass

event.register("numba:compile", Recorder())
import numpy as np
from gametheory_core import NormalFormGame, load_game
from learners.experiments import config_from, run
from solvers import minimax
rng = np.random.Generator(np.random.PCG64(0))
game = NormalFormGame.zero_sum(rng.integers(-9, 9, (60, 60)).tolist())
minimax(game)
config = {
    "output": "runs",
    "game": {"name": "kuhn_poker"},
    "learner": {"name": "LEARNER"},
    "training": {"iterations": 3},
}
run(config_from(config, path="test"), 1)
entered = [name for name, loop in LOOPS.items() if loop.stats.cache_hits]
print(json.dumps([Recorder.met, entered]))
"""


@pytest.mark.parametrize(
    ("words", "learner"),
    [(SAMPLE, "ActorCritic"), pytest.param((), "QLearning", marks=pytest.mark.slow)],
)
def test_solves_and_a_training_compile_nothing_after_it(tmp_path, words, learner):
    kept = {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    for package in ("gametheory_core", "solvers", "learners"):
        (tmp_path / package).symlink_to(ROOT / package)
    in_fresh_process(WARM.replace("WORDS", repr(words)), tmp_path, **kept)
    work = WORK.replace("LEARNER", learner)
    compiled, loaded = in_fresh_process(work, tmp_path, **kept)
    assert compiled == []
    assert {name.split(".")[-2] for name in loaded} >= {"matrix_game_simplex", "play"}


def test_every_loop_is_listed_or_called_by_a_loop():
    """Where this fails, record what calls the loop: see ``tools/record_loops.py``."""
    loops = declared_loops()
    assert len(loops) > 150
    assert sorted(set(loops) - called_by_loops() - set(listed())) == []


def called_by_loops():
    """Names of loops that other loops, or throws of bots, call."""
    loops = declared_loops()
    names = {id(loop): name for name, loop in loops.items()}
    callers = [loop.py_func for loop in loops.values()]
    callers += [recipe.family.throw for recipe in embedded_bots()]
    return {
        name
        for caller in callers
        for used in caller.__code__.co_names
        if (name := names.get(id(caller.__globals__.get(used)))) is not None
        and loops[name].py_func is not caller
    }


def test_no_loop_is_listed_that_is_gone():
    assert set(listed()) <= set(declared_loops())


def test_a_second_run_finds_all_there(capsys):
    shown = []
    for _ in range(2):
        assert run(["warm-up", "stationary", "bots.back_off"]) == 0
        shown.append(capsys.readouterr().out)
    loops = re.match(r"0 of (\d+) loops compiled, \1 were there", shown[1])
    assert loops is not None, shown[1]
    assert int(loops[1]) > 1
    assert "learners-loops-" in shown[1]


def test_words_that_name_no_loop_are_refused(capsys):
    assert run(["warm-up", "no_such_loop"]) == 2
    assert "needs a word in the name of a loop, but got 'no_such_loop'" in capsys.readouterr().err


def test_it_is_refused_where_nothing_can_be_kept(tmp_path):
    (tmp_path / "file").touch()
    done = subprocess.run(
        [sys.executable, "-m", "gametheory_core", "warm-up", "stationary"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"NUMBA_CACHE_DIR": str(tmp_path / "file"), "PATH": ""},
    )
    assert done.returncode == 2
    assert "Set NUMBA_CACHE_DIR to one." in done.stderr.splitlines()[-1]


def test_the_list_is_read_without_numba():
    code = "import sys, learners.warm_up as w; w.listed(); print('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout == "False\n"
    assert json.loads(warm_up.LIST.read_text(encoding="utf-8"))
