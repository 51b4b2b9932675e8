"""All equilibria of random bimatrix games: ours beside lrsnash, QuantEcon and Gambit.

Games have integer payoffs in -100..100, or uniform floats. Each contender gets the same batch of
games in turn, in one run; CPU seconds, children included; the minimum over the rounds counts. Ours
includes building the game, an exact certificate for each equilibrium, and pairing; the kernel is
loaded and compiled before (a warm-up call). ``lrsnash`` is a program: one process a game, counted
whole, and again less what it takes on a 1 x 1 game, which is start-up alone. QuantEcon's vertex
enumeration and Gambit's ``enummixed`` in doubles are not exact; Gambit in rationals is.
"""

import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from gametheory_core import NormalFormGame
from solvers import vertex_enumeration
from tests.benchmarks.measure import Row, cpu_seconds, interleaved

SEED = 7
QUANTECON = "QuantEcon vertex_enumeration, floats"


def payoffs_of(size: int, count: int) -> list[np.ndarray]:
    """Draw games: integer arrays of shape (2, size, size)."""
    rng = np.random.default_rng(SEED)
    return [rng.integers(-100, 101, (2, size, size)) for _ in range(count)]


def ours(batch: list[np.ndarray]) -> list[int]:
    """Return the number of equilibria of each game."""
    return [
        len(vertex_enumeration(NormalFormGame.from_payoffs(payoffs)).equilibria)
        for payoffs in batch
    ]


def by_quantecon(batch: list[np.ndarray]) -> list[int]:
    """Floats, by Qhull."""
    from quantecon.game_theory import NormalFormGame as Peer
    from quantecon.game_theory import Player
    from quantecon.game_theory import vertex_enumeration as enumerate_vertices

    return [
        len(enumerate_vertices(Peer([Player(a.astype(float)), Player(b.T.astype(float))])))
        for a, b in batch
    ]


def by_gambit(batch: list[np.ndarray], *, rational: bool) -> list[int]:
    """Black box; doubles or rationals."""
    import pygambit

    return [
        len(
            pygambit.nash.enummixed_solve(
                pygambit.Game.from_arrays(a, b), rational=rational
            ).equilibria
        )
        for a, b in batch
    ]


def written(batch: list[np.ndarray], folder: Path) -> list[Path]:
    """Write each game as a file for lrsnash."""
    paths: list[Path] = []
    for number, payoffs in enumerate(batch):
        tables = "\n\n".join("\n".join(" ".join(map(str, r)) for r in t.tolist()) for t in payoffs)
        paths.append(folder / f"{payoffs.shape[1]}-{number}")
        paths[-1].write_text(f"{payoffs.shape[1]} {payoffs.shape[2]}\n\n{tables}\n")
    return paths


def by_lrsnash(paths: list[Path]) -> None:
    """One process a game."""
    for path in paths:
        subprocess.run(["lrsnash", str(path)], stdout=subprocess.DEVNULL, check=True)


def size_rows(size: int, *, count: int, rounds: int, gambit_rounds: int) -> list[Row]:
    """Measure integer games of one size; times are for one game.

    Gambit, which takes a thousand times longer, has rounds of its own.
    """
    batch = payoffs_of(size, count)
    with tempfile.TemporaryDirectory() as name:
        paths = written(batch, Path(name))
        trivial = written([np.zeros((2, 1, 1), dtype=int)], Path(name)) * count
        contenders: dict[str, Callable[[], object]] = {
            "ours": lambda: ours(batch),
            "lrsnash, whole process": lambda: by_lrsnash(paths),
            "start-up": lambda: by_lrsnash(trivial),
            QUANTECON: lambda: by_quantecon(batch),
        }
        best = interleaved(contenders, rounds=rounds)
    if gambit_rounds:
        best["Gambit enummixed, doubles"] = min(
            cpu_seconds(lambda: by_gambit(batch, rational=False)) for _ in range(gambit_rounds)
        )
    mine, start = best.pop("ours"), best.pop("start-up")
    best["lrsnash, less its start-up"] = best["lrsnash, whole process"] - start
    task = f"all equilibria, random {size} x {size}"
    return [Row(task, mine / count, peer, best[peer] / count) for peer in sorted(best)]


def float_rows(size: int, *, count: int, rounds: int) -> list[Row]:
    """Measure float games of one size, whose exact numbers do not fit machine words."""
    rng = np.random.default_rng(SEED)
    batch = [rng.random((2, size, size)) for _ in range(count)]
    best = interleaved(
        {"ours": lambda: ours(batch), QUANTECON: lambda: by_quantecon(batch)}, rounds=rounds
    )
    task = f"all equilibria, random {size} x {size}, floats"
    return [Row(task, best["ours"] / count, QUANTECON, best[QUANTECON] / count)]


def rows() -> list[Row]:
    """Measure all sizes."""
    return [
        *size_rows(10, count=20, rounds=5, gambit_rounds=2),
        *float_rows(10, count=20, rounds=5),
        *size_rows(12, count=1, rounds=5, gambit_rounds=1),
        *float_rows(12, count=5, rounds=3),
    ]
