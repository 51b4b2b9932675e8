"""One equilibrium of general-sum trees: ours beside Gambit's Lemke method on the sequence form.

Trees start with a move of chance; two players move in turn and learn roughly what the other did.
Ours includes the exact solution and its certificate. The peer is given its tree beforehand, and
runs in floats and in rationals; trees twice as large take it minutes.
"""

import io
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core import Chance, Decision, ExtensiveFormGame, Terminal
from gametheory_core.catalog import load
from gametheory_core.formats import format_efg
from gametheory_core.games import lay_out
from solvers import sequence_form_lcp
from tests.benchmarks.measure import Row, interleaved

SEED = 1
FLOATS, RATIONALS = "Gambit lcp_solve, floats", "Gambit lcp_solve, rationals"
SIZES = ((4, 2), (5, 2), (4, 3))  # moves in a row, actions each


def general_sum_tree(depth: int, width: int) -> ExtensiveFormGame:
    """Draw payoffs in -1000..1000; of the other's actions players learn the half they are in."""
    rng = np.random.default_rng(SEED)

    def expand(past: tuple[int, ...]) -> Any:
        if not past:
            return Chance({str(c): (Fraction(1, 3), (c,)) for c in range(3)})
        played = past[1:]
        if len(played) == depth:
            return Terminal(rng.integers(-1000, 1001, 2).tolist())
        mover = len(played) % 2
        known = tuple(a if i % 2 == mover else a * 2 // width for i, a in enumerate(played))
        signal = past[0] % 2 if mover == 0 else past[0] // 2
        children = {str(a): (*past, a) for a in range(width)}
        return Decision(mover, (signal, known), children)

    return lay_out((), expand=expand, players=("Ann", "Bob"))


def trees() -> dict[str, ExtensiveFormGame]:
    """Name the trees of the benchmark."""
    drawn = {f"{depth} moves of {width}": general_sum_tree(depth, width) for depth, width in SIZES}
    return {"Kuhn poker": load("kuhn_poker"), **drawn}


def peer_tree(game: ExtensiveFormGame) -> Any:
    """Build the tree for Gambit."""
    import pygambit

    return pygambit.read_efg(io.StringIO(format_efg(game)))


def by_gambit(game: Any, *, rational: bool) -> Any:
    """Return what Gambit finds."""
    import pygambit

    return pygambit.nash.lcp_solve(game, rational=rational).equilibria


def rows(*, sizes: tuple[tuple[int, int], ...] = SIZES, rounds: int = 3) -> list[Row]:
    """Measure each tree."""
    kept = {"Kuhn poker", *(f"{depth} moves of {width}" for depth, width in sizes)}
    found: list[Row] = []
    for name, game in trees().items():
        if name not in kept:
            continue
        theirs = peer_tree(game)
        contenders = {
            "ours": lambda game=game: sequence_form_lcp(game),
            FLOATS: lambda theirs=theirs: by_gambit(theirs, rational=False),
            RATIONALS: lambda theirs=theirs: by_gambit(theirs, rational=True),
        }
        best = interleaved(contenders, rounds=rounds)
        ours = best.pop("ours")
        task = f"{name}, {game.num_nodes:,} nodes, exact and certified"
        found += [Row(task, ours, peer, seconds) for peer, seconds in best.items()]
    return found
