"""CFR+ over ranges of hands: a step beside trees and peers, bytes a node, and games beyond trees.

Peers, and we on trees, keep something for every node or information set of the tree. Bytes a node
are the growth of a process of its own at its peak, from after everything is imported until some
steps are played. The table of large games comes after the rows; nobody else holds them.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from gametheory_core.catalog import leduc_poker_ranges, liars_dice_ranges, load
from gametheory_core.games import PublicStateGame, public_layout
from solvers.counterfactual.public_engine import PublicEngine
from solvers.counterfactual.regret_rules import RegretSettings, UpdateOrder
from solvers.local_rules import RegretMatchingPlus
from tests.benchmarks.counterfactual_regret import LITE_EFG, OPEN_SPIEL, engine_of, lite_efg_step
from tests.benchmarks.measure import Row, interleaved

TREE = "our CFR+ on the tree"
GAMES = {
    "liar's dice 1 x 6": (liars_dice_ranges(sides=6), "liars_dice:sides=6", "liars_dice"),
    "Leduc poker": (leduc_poker_ranges(), "leduc_poker", "leduc_poker"),
}
STEPS = 200  # of ours in a timing
PEER_SHARE = 50  # so many steps of ours to one of theirs
LARGE = (
    ("liars_dice_ranges(sides=10)", 300),
    ("leduc_poker_ranges(ranks=60)", 1000),
    ("leduc_poker_ranges(ranks=120)", 1000),
    ("leduc_poker_ranges(ranks=250)", 500),
    ("kuhn_poker_ranges(cards=10_000)", 5000),
)

MEASURED = """
import json, time, os
from pathlib import Path
def peak():
    status = Path('/proc/self/status').read_text().split('VmHWM:')[1]
    return int(status.split()[0]) * 1024
"""
OURS = """
from gametheory_core.catalog import *
from solvers.counterfactual import range_counterfactual_regret
range_counterfactual_regret(kuhn_poker_ranges(), steps=2)
before = peak()
game = {game}
start = time.process_time()
run = range_counterfactual_regret(game, steps={steps}, rule=None)
seconds = time.process_time() - start
grown = peak() - before
start = time.process_time()
run.certificate.verify()
print(json.dumps(dict(
    game=game.title, nodes=game.num_nodes, histories=game.num_histories,
    sequences=sum(game.num_sequences), bytes=grown, step=seconds / {steps}, steps={steps},
    epsilon=float(run.epsilon), value=float(run.certificate.game_value),
    proof=time.process_time() - start)))
"""
BYTES_OF = {
    "over ranges": """
from gametheory_core.catalog import *
from solvers.counterfactual import range_counterfactual_regret
range_counterfactual_regret(kuhn_poker_ranges(), steps=2)
before = peak()
run = range_counterfactual_regret({ranges}, steps=3)
""",
    TREE: """
from gametheory_core import load_game
from solvers import counterfactual_regret
counterfactual_regret(load_game("liars_dice:sides=3"), steps=1000)
before = peak()
counterfactual_regret(load_game("{name}"), steps=3)
""",
    OPEN_SPIEL: """
import pyspiel
before = peak()
solver = pyspiel.CFRPlusSolver(pyspiel.load_game("{peer}"))
for _ in range(3):
    solver.evaluate_and_update_policy()
""",
    LITE_EFG: """
import contextlib, io
import LiteEFG, pyspiel
from LiteEFG.baselines.CFRplus import graph
before = peak()
with contextlib.redirect_stdout(io.StringIO()):
    environment = LiteEFG.OpenSpielEnv(pyspiel.load_game("{peer}"), traverse_type="Enumerate")
    rule = graph()
    environment.set_graph(rule)
for _ in range(3):
    rule.update_graph(environment)
    environment.update_strategy(rule.current_strategy())
""",
}


def measured(script: str) -> Any:
    """Return what a script prints last, run in a process and a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:  # LiteEFG leaves files
        found = subprocess.run(
            [sys.executable, "-c", MEASURED + script],
            capture_output=True,
            text=True,
            check=True,
            cwd=folder,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    return json.loads(found.stdout.splitlines()[-1])


def bytes_per_node(name: str, ranges: str, tree: str, peer: str, nodes: int) -> float:
    """Return by how much a contender's process grows, for each node."""
    script = BYTES_OF[name].format(ranges=ranges, name=tree, peer=peer)
    return measured(f"{script}\nprint(json.dumps(peak() - before))") / nodes


def range_step(game: PublicStateGame, steps: int) -> Any:
    """Return a function that plays steps of ours."""
    settings = RegretSettings(RegretMatchingPlus(), UpdateOrder.ALTERNATING, power=1.0)
    engine = PublicEngine(game, public_layout(game), settings)
    work = engine.start(None)
    return lambda: engine.advance(work, steps)


def step_rows(title: str, *, steps: int = STEPS, rounds: int = 5) -> list[Row]:
    """Measure one step of each contender on a game that all can hold."""
    import pyspiel

    game, tree, peer = GAMES[title]
    engine = engine_of(load(tree))
    work = engine.start(None)
    few = max(1, steps // PEER_SHARE)
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(peer))
    peers: dict[str, Any] = {TREE: lambda: engine.advance(work, 1)}
    peers[OPEN_SPIEL] = solver.evaluate_and_update_policy
    with contextlib.suppress(ImportError):
        peers[LITE_EFG] = lite_efg_step(peer)
    contenders = {"ours": range_step(game, steps)}
    for name, step in peers.items():
        contenders[name] = lambda step=step: [step() for _ in range(few)]
    best = interleaved(contenders, rounds=rounds)
    ours = best.pop("ours") / steps
    task = f"one step of CFR+ over ranges, {title}"
    return [Row(task, ours, name, seconds / few) for name, seconds in best.items()]


def rows(*, rounds: int = 5) -> list[Row]:
    """Measure steps on both games."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return [row for title in GAMES for row in step_rows(title, rounds=rounds)]


def memory_table() -> str:
    """Return bytes a node of all on one game, as a Markdown table."""
    game = liars_dice_ranges(sides=6)
    lines = ["| liar's dice 1 x 6 | bytes a node |", "|---|--:|"]
    for name in BYTES_OF:
        call = ("liars_dice_ranges(sides=6)", "liars_dice:sides=6", "liars_dice")
        with contextlib.suppress(subprocess.CalledProcessError):  # a peer that is not installed
            lines.append(f"| {name} | {bytes_per_node(name, *call, game.num_nodes):.0f} |")
    return "\n".join(lines)


def large_table(games: tuple[tuple[str, int], ...] = LARGE) -> str:
    """Return what games beyond trees take, as a Markdown table."""
    columns = ("nodes", "sequences", "bytes a node", "a step", "the same, a node")
    names = " | ".join(("game", *columns, "steps", "epsilon", "proof"))
    lines = [f"| {names} |", f"|---|{'--:|' * 8}"]
    for game, steps in games:
        found = measured(OURS.format(game=game, steps=steps))
        lines.append(
            f"| {found['game']} | {found['nodes']:,} | {found['sequences']:,} "
            f"| {found['bytes'] / found['nodes']:.2g} | {found['step'] * 1e3:.3g} ms "
            f"| {found['step'] / found['nodes'] * 1e9:.2g} ns | {steps:,} "
            f"| {found['epsilon']:.2g} | {found['proof']:.2g} s |"
        )
    return "\n".join(lines)


def remarks() -> str:
    """Return both tables."""
    return f"{memory_table()}\n\n{large_table()}"
