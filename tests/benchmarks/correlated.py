"""Correlated equilibria of random games: ours beside OpenSpiel's meta-solvers.

Ours includes building the game from numbers, the exact solution and its certificate; the peer
solves in floats, by the convex programs of its JPSRO module (through cvxpy, with ECOS if that is
installed, else with Clarabel).
"""

from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from gametheory_core import NormalFormGame
from gametheory_core.certificates import CorrelatedKind
from solvers import correlated_equilibrium, max_gini_correlated_equilibrium
from tests.benchmarks.measure import Row, interleaved

SEED = 0
PEER = "OpenSpiel JPSRO, floats"
SOLVERS = {
    CorrelatedKind.CORRELATED: correlated_equilibrium,
    CorrelatedKind.COARSE: partial(correlated_equilibrium, kind=CorrelatedKind.COARSE),
}


def payoffs_of(shape: tuple[int, ...], *, seed: int = SEED) -> np.ndarray:
    """Draw integer payoffs, shape (num_players, *shape)."""
    rng = np.random.default_rng(seed)
    return rng.integers(-100, 101, (len(shape), *shape))


def ours(payoffs: np.ndarray, kind: CorrelatedKind, *, tolerance: float | None = None) -> float:
    """Return the most welfare; exact, or certified within the tolerance."""
    game = NormalFormGame.from_payoffs(payoffs)
    return float(sum(SOLVERS[kind](game, tolerance=tolerance).payoffs))


def ours_even(payoffs: np.ndarray, kind: CorrelatedKind) -> float:
    """Return the most Gini impurity, exact."""
    game = NormalFormGame.from_payoffs(payoffs)
    return float(max_gini_correlated_equilibrium(game, kind=kind).certificate.optimality.value)


def _peer() -> Any:
    from open_spiel.python.algorithms import jpsro

    if find_spec("ecos") is None:
        jpsro.DEFAULT_ECOS_SOLVER_KWARGS = {"solver": "CLARABEL"}
    return jpsro


def by_open_spiel(payoffs: np.ndarray, kind: CorrelatedKind) -> float:
    """Return the most welfare in floats."""
    peer = _peer()
    solver = peer._mwcce if kind is CorrelatedKind.COARSE else peer._mwce
    distribution, _ = solver(payoffs.astype(float), [np.ones(n) for n in payoffs.shape[1:]])
    return float((payoffs.sum(axis=0) * distribution).sum())


def even_by_open_spiel(payoffs: np.ndarray, kind: CorrelatedKind) -> float:
    """Return the most Gini impurity in floats."""
    peer = _peer()
    solver = peer._mgcce if kind is CorrelatedKind.COARSE else peer._mgce
    distribution, _ = solver(payoffs.astype(float), [np.ones(n) for n in payoffs.shape[1:]])
    return float(1 - (distribution**2).sum())


def rows(
    *,
    shapes: tuple[tuple[int, ...], ...] = ((40, 40), (10, 10, 10)),
    even_shapes: tuple[tuple[int, ...], ...] = ((10, 10),),
    rounds: int = 3,
) -> list[Row]:
    """Measure welfare for the first shapes, evenness for the others."""
    found: list[Row] = []
    for shape in shapes:
        size = " x ".join(map(str, shape))
        payoffs = payoffs_of(shape)
        for kind in CorrelatedKind:
            best = interleaved(
                {
                    "exact": lambda p=payoffs, k=kind: ours(p, k),
                    "within 1e-6": lambda p=payoffs, k=kind: ours(p, k, tolerance=1e-6),
                    PEER: lambda p=payoffs, k=kind: by_open_spiel(p, k),
                },
                rounds=rounds,
            )
            theirs = best.pop(PEER)
            found += [
                Row(f"{kind.value}, welfare, {size}, {name}", seconds, PEER, theirs)
                for name, seconds in best.items()
            ]
    for shape in even_shapes:
        size = " x ".join(map(str, shape))
        payoffs = payoffs_of(shape)
        for kind in CorrelatedKind:
            best = interleaved(
                {
                    "exact": lambda p=payoffs, k=kind: ours_even(p, k),
                    PEER: lambda p=payoffs, k=kind: even_by_open_spiel(p, k),
                },
                rounds=rounds,
            )
            task = f"{kind.value}, Gini impurity, {size}, exact"
            found.append(Row(task, best["exact"], PEER, best[PEER]))
    return found
