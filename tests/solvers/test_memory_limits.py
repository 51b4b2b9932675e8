"""What needs more memory than the cap is refused, or ends with what was found, within the cap.

They run in a process of their own, whose peak is measured after each: a process that held too much
says so even if it gave the memory back.
"""

import json
import subprocess
import sys

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.conversions import aec_to_tabular, posg_to_tabular
from gametheory_core.memory import memory_limit
from solvers import Budget, lemke_howson, minimax, solve, vertex_enumeration
from solvers.solution import Meter

CAP = 60_000_000
BASE = 90_000_000  # of imports and compiled loops, which no cap counts
SECONDS = 600  # compiling for the first time, on a busy machine

PROBE = """
import json, sys
from pathlib import Path
import numpy as np
import gametheory_core as gt
import solvers
from gametheory_core.memory import memory_limit, resident_memory
from solvers.solver import declarations

def floats(*counts):
    return gt.NormalFormGame.from_payoffs(np.random.default_rng(1).random((len(counts), *counts)))

def duel(size):
    matrix = np.random.default_rng(1).random((size, size))
    return gt.NormalFormGame.from_payoffs(np.stack([matrix, -matrix]))

def peak():  # of this program alone: getrusage also counts the one that started it
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024

functions = {own.name: own.function for own in declarations()}

def run(name, game, **options):
    function = functions[name]
    before = resident_memory()
    try:
        function(game, **options, budget=solvers.Budget(seconds=seconds, memory=CAP))
        how = "answered"
    except gt.UnsupportedGame as error:
        how = f"refused: {error}"
    except gt.NotConverged as error:
        how = f"ended: {error}"
    print(json.dumps([peak() - before, how]))
"""

REFUSED = {
    "alpha_rank_limit": "run('alpha_rank_limit', floats(25, 25, 25))",
    "correlated_commitment": "run('correlated_commitment', floats(150, 150))",
    "correlated_equilibrium": "run('correlated_equilibrium', floats(150, 150))",
    "counterfactual_regret": "run('counterfactual_regret', gt.load_game('leduc_poker:ranks=8'))",
    "fictitious_play": "run('fictitious_play', floats(400, 400), steps=10)",
    "hedge": "run('hedge', floats(50, 50, 50), steps=10)",
    "iterated_dominance": "run('iterated_dominance', floats(*[2] * 16))",
    "mixed_integer": "run('mixed_integer', floats(750, 750))",
    "minimax": "run('minimax', duel(750))",
    "sequence_form_lcp": "run('sequence_form_lcp', gt.load_game('leduc_poker:ranks=6'))",
    "sequence_form_lp": "run('sequence_form_lp', gt.load_game('leduc_poker:ranks=6'))",
    "strong_stackelberg": "run('strong_stackelberg', floats(600, 600))",
}
ENDED = {
    "bayes_nash_enumeration": "run('bayes_nash_enumeration', "
    "gt.load_game('house_patrol:houses=6,length=5,types=6'))"
}


@pytest.fixture(scope="module")
def measured():
    """Return for each case by how much the peak so far is above what was held, and how it ended."""
    cases = REFUSED | ENDED
    probe = PROBE.replace("CAP", str(CAP))
    script = [probe, f"seconds = {SECONDS}", *REFUSED.values(), "seconds = 4", *ENDED.values()]
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join(script)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    return dict(zip(cases, map(json.loads, ran.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_before_it_is_allocated(name, measured):
    added, how = measured[name]
    assert how.startswith("refused")
    assert "of memory for" in how
    assert "57.22 MiB may be taken" in how
    assert added < CAP + BASE


@pytest.mark.parametrize("name", ENDED)
def test_long_searches_hold_no_lists_of_what_they_try(name, measured):
    added, how = measured[name]
    assert how.startswith("ended")
    assert added < CAP + BASE


def test_tables_of_rules_are_refused_while_they_are_made():
    rules = gt.load_game("fish_war:fishers=4,stock=30,rounds=20")
    with (
        memory_limit(1_000_000),
        pytest.raises(gt.UnsupportedGame, match="posg_to_tabular: needs .* a table of Fish war"),
    ):
        posg_to_tabular(rules)
    moves = gt.load_game("take_away")
    with (
        memory_limit(1_000_000),
        pytest.raises(gt.UnsupportedGame, match="aec_to_tabular: needs .* a table of .*entries"),
    ):
        aec_to_tabular(moves)


GROWING = """
from solvers import Budget
from solvers.solution import BudgetOver, Meter

held = []
meter = Meter(Budget(memory=20_000_000), "steps")
assert not meter.is_exhausted
try:
    while len(held) < 100:  # a hundred million bytes
        held.append(b"1" * 1_000_000 + str(len(held)).encode())
        meter.next_look = 0.0  # looks at once
        meter.tick()
except BudgetOver as over:
    assert not str(over)
print(len(held))
held.clear()
assert meter.is_exhausted  # what is freed is no reason to go on
assert meter.seconds_left == 0.0
"""


def test_search_that_grows_ends_as_if_time_were_up():
    """In a process of its own: one that has freed much grows no more."""
    command = [sys.executable, "-c", GROWING]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
    assert 10 < int(ran.stdout) < 60


def test_cap_of_a_budget_is_handed_on():
    meter = Meter(Budget(seconds=5, memory=10**9), "steps")
    assert meter.left.memory == 10**9


@pytest.mark.parametrize("memory", [0, -5, 1.5, True, "1G"])
def test_budgets_of_no_bytes_are_refused(memory):
    with pytest.raises(gt.InvalidArgument, match="whole number of bytes"):
        Budget(memory=memory)


def test_the_innermost_cap_holds_and_ends_with_the_call():
    one, other = np.random.default_rng(1).random((2, 2, 3, 3))
    afresh = gt.NormalFormGame.from_payoffs  # a game keeps its payoffs as fractions
    with memory_limit(10):
        assert solve(afresh(one), "nash", budget=Budget(memory=10**8)).solutions
        assert vertex_enumeration(afresh(one), budget=Budget(memory=10**8)).is_complete
        with pytest.raises(gt.UnsupportedGame, match="at most 10 bytes"):
            lemke_howson(afresh(other))
    assert lemke_howson(afresh(other)).certificate.epsilon == 0


def test_memory_that_the_machine_refuses_is_a_refusal(monkeypatch):
    def exhausted(*_, **__):
        raise MemoryError

    monkeypatch.setattr("solvers.zero_sum.matrix_games.open_meter", exhausted)
    with pytest.raises(gt.UnsupportedGame, match="minimax: needs more memory than the machine"):
        minimax(gt.load_game("matching_pennies"))
