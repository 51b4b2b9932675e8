"""Counterfactual regret minimization: ours beside OpenSpiel's C++ and LiteEFG's, on the same trees.

A step of CFR+ lets both players learn once, one after the other, with linear averages; all
contenders play OpenSpiel's own game, which is unfolded for us. CPU seconds, the minimum over the
rounds, contenders in turn. The floor is a copy of as many bytes as a step must read and write.
Whole solves are timed in processes of their own, from the rules to a proved (peers: measured)
exploitability, interpreter start and imports apart.
"""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
from typing import Any

import numpy as np

from gametheory_core import ExtensiveFormGame
from solvers.counterfactual import UpdateOrder
from solvers.counterfactual.regret_engine import RegretEngine
from solvers.counterfactual.regret_rules import RegretSettings
from solvers.counterfactual.sequence_tables import sequence_tables
from solvers.local_rules import RegretMatchingPlus
from tests.benchmarks.measure import Row, interleaved

GOOFSPIEL = "goofspiel(num_cards=5,imp_info=True,points_order=descending,players=2)"
GAMES = {"Leduc poker": "leduc_poker", "liar's dice 1 x 6": "liars_dice", "goofspiel 5": GOOFSPIEL}
STEPS = {"Leduc poker": 1_000, "liar's dice 1 x 6": 40, "goofspiel 5": 400}  # of ours, in a timing
OPEN_SPIEL, LITE_EFG = "OpenSpiel CFRPlusSolver, C++", "LiteEFG CFR+, C++"
PEER_SHARE = 20  # so many steps of ours to one of theirs in a timing
COPY = "numpy copy of as many bytes"
MOST_COMPILATION = 15.0  # seconds that were allowed
FLOAT, INDEX = 8, 4  # bytes

OURS = """
import time
from gametheory_core.catalog.poker import leduc_poker
from solvers.counterfactual.full_width import counterfactual_regret
before = time.process_time()
run = counterfactual_regret(leduc_poker(), tolerance=2e-4)  # both players' gains: twice 1e-4
print(time.process_time() - before)
"""
BY_OPEN_SPIEL = """
import time, pyspiel
before = time.process_time()
game = pyspiel.load_game("leduc_poker")
solver, gains = pyspiel.CFRPlusSolver(game), 1.0
while gains > 2e-4:
    for _ in range(100):
        solver.evaluate_and_update_policy()
    gains = pyspiel.nash_conv(game, solver.average_policy())
print(time.process_time() - before)
"""
BY_LITE_EFG = """
import time, contextlib, io
import LiteEFG, pyspiel
from LiteEFG.baselines.CFRplus import graph
before = time.process_time()
with contextlib.redirect_stdout(io.StringIO()):
    environment = LiteEFG.OpenSpielEnv(pyspiel.load_game("leduc_poker"))
    rule, gains = graph(), 1.0
    environment.set_graph(rule)
    while gains > 2e-4:
        for _ in range(100):
            rule.update_graph(environment)
            environment.update_strategy(rule.current_strategy())
        gains = sum(environment.exploitability(rule.current_strategy(), "linear-avg-iterate"))
print(time.process_time() - before)
"""


def tree_of(name: str) -> ExtensiveFormGame:
    """Unfold OpenSpiel's game."""
    from gametheory_core.adapters import open_spiel_tree

    return open_spiel_tree(peer_game(name))


def peer_game(name: str) -> Any:
    """Load a game for the peers, who want players to take turns."""
    import pyspiel

    game = pyspiel.load_game(name)
    is_simultaneous = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    return pyspiel.convert_to_turn_based(game) if is_simultaneous else game


def engine_of(tree: ExtensiveFormGame) -> RegretEngine:
    """Prepare our CFR+."""
    settings = RegretSettings(RegretMatchingPlus(), UpdateOrder.ALTERNATING, power=1.0)
    return RegretEngine(sequence_tables(tree), settings, records=False)


def bytes_moved(engine: RegretEngine) -> int:
    """Return how much a step must read and write if each number moves once, for both players.

    Payoffs and their columns are read; gradients written and read; of memories, behavior, plans and
    totals each is read and written; information sets read where they start and what is above.
    """
    moved = 0
    for rows, treeplex in zip(engine.tables.payoffs, engine.tables.treeplexes, strict=True):
        sequences, infosets = len(rows.first_entry) - 1, len(treeplex.parent_sequence)
        moved += len(rows.values) * (FLOAT + INDEX) + sequences * (INDEX + 10 * FLOAT)
        moved += infosets * 2 * INDEX
    return moved


def lite_efg_step(name: str) -> Any:
    """Return a function that plays one step of LiteEFG's CFR+."""
    import LiteEFG
    from LiteEFG.baselines.CFRplus import graph

    with contextlib.redirect_stdout(io.StringIO()):
        environment = LiteEFG.OpenSpielEnv(peer_game(name), traverse_type="Enumerate")
        rule = graph()
        environment.set_graph(rule)

    def step() -> None:
        rule.update_graph(environment)
        environment.update_strategy(rule.current_strategy())

    return step


def step_rows(title: str, *, steps: int, rounds: int) -> list[Row]:
    """Measure one step of each contender on a game, and the copy that is the floor."""
    import pyspiel

    name = GAMES.get(title, title)
    engine = engine_of(tree_of(name))
    work = engine.start(None)
    solver = pyspiel.CFRPlusSolver(peer_game(name))
    source = np.zeros(bytes_moved(engine) // 2 // FLOAT)  # a copy reads and writes
    target = np.empty_like(source)
    contenders = {
        "ours": lambda: engine.advance(work, steps),
        COPY: lambda: [np.copyto(target, source) for _ in range(steps)],
    }
    peers = {OPEN_SPIEL: solver.evaluate_and_update_policy}
    with contextlib.suppress(ImportError):
        peers[LITE_EFG] = lite_efg_step(name)
    few = max(1, steps // PEER_SHARE)  # more than one, so that their caches are warm too
    for peer, step in peers.items():
        contenders[peer] = lambda step=step: [step() for _ in range(few)]
    best = interleaved(contenders, rounds=rounds)
    ours = best.pop("ours") / steps
    copied = best.pop(COPY) / steps
    times = {COPY: copied, **{peer: time / few for peer, time in best.items()}}
    return [Row(f"one step of CFR+, {title}", ours, peer, time) for peer, time in times.items()]


def timed(script: str, **environment: str) -> float:
    """Return the seconds that a script prints, run in a process of its own."""
    found = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
    )
    return float(found.stdout.split()[-1])


def solve_rows(*, rounds: int) -> list[Row]:
    """Measure whole solves of Leduc poker, and ours where nothing is compiled yet."""
    scripts = {OPEN_SPIEL: BY_OPEN_SPIEL}
    with contextlib.suppress(ImportError):
        import LiteEFG  # noqa: F401 only to know whether it is there

        scripts[LITE_EFG] = BY_LITE_EFG
    timed(OURS)  # fills the cache
    ours = min(timed(OURS) for _ in range(rounds))
    with tempfile.TemporaryDirectory() as cache:
        cold = timed(OURS, NUMBA_CACHE_DIR=cache)
    task = "Leduc poker to exploitability 1e-4, from the rules"
    rows = [Row(task, ours, peer, timed(script)) for peer, script in scripts.items()]
    return [*rows, Row("the same, loops compiled first", cold, "limit", MOST_COMPILATION)]


def rows(*, rounds: int = 5) -> list[Row]:
    """Measure steps on all games, and whole solves of one."""
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # LiteEFG leaves files
        for title in GAMES:
            found += step_rows(title, steps=STEPS[title], rounds=rounds)
        found += solve_rows(rounds=rounds)
    return found
