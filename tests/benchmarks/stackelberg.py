"""Strong Stackelberg solutions of random games: ours beside OpenSpiel's ``stackelberg_lp``.

Ours includes building the game from numbers, the exact solution and its certificate, and is
measured again with the certificate verified once more; the peer solves in floats, one linear
program for each of the follower's actions, with its game built beforehand.
"""

from typing import Any

import numpy as np

from gametheory_core import NormalFormGame
from solvers import strong_stackelberg, weak_stackelberg
from tests.benchmarks.measure import Row, interleaved

SEED = 11
PEER = "OpenSpiel stackelberg_lp, floats"


def payoffs_of(kind: str, size: int) -> np.ndarray:
    """Draw a game, shape (2, size, size): integer, normal, or nearly opposed payoffs."""
    rng = np.random.default_rng(SEED)
    if kind == "integers":
        return rng.integers(-100, 101, (2, size, size))
    normal = rng.standard_normal((2, size, size))
    if kind == "opposed":  # every answer is worth a look: no bound excludes any
        normal[1] = 0.6 * normal[1] - 0.8 * normal[0]
    return normal


def ours(payoffs: np.ndarray) -> float:
    """Return the leader's payoff; exact, then rounded."""
    return float(strong_stackelberg(NormalFormGame.from_payoffs(payoffs)).payoffs[0])


def ours_verified(payoffs: np.ndarray) -> None:
    """Verify once more what the solver returned, as a third party would."""
    strong_stackelberg(NormalFormGame.from_payoffs(payoffs)).certificate.verify()


def ours_weak(payoffs: np.ndarray) -> float:
    """Return the payoff when ties break against the leader."""
    return float(weak_stackelberg(NormalFormGame.from_payoffs(payoffs)).payoffs[0])


def peer_game(payoffs: np.ndarray) -> Any:
    """Build the game for OpenSpiel."""
    import pyspiel

    return pyspiel.create_matrix_game(*payoffs.astype(float).tolist())


def by_open_spiel(game: Any) -> float:
    """Return the leader's payoff in floats."""
    from open_spiel.python.algorithms import stackelberg_lp

    return float(stackelberg_lp.solve_stackelberg(game)[2])


def rows(*, size: int = 50, rounds: int = 3) -> list[Row]:
    """Measure each kind of game."""
    found: list[Row] = []
    for kind in ("integers", "normal", "opposed"):
        payoffs = payoffs_of(kind, size)
        game = peer_game(payoffs)
        best = interleaved(
            {
                "strong": lambda payoffs=payoffs: ours(payoffs),
                "strong and verified": lambda payoffs=payoffs: ours_verified(payoffs),
                "weak": lambda payoffs=payoffs: ours_weak(payoffs),
                PEER: lambda game=game: by_open_spiel(game),
            },
            rounds=rounds,
        )
        theirs = best.pop(PEER)
        found += [
            Row(f"{name} commitment, {size} x {size}, {kind}", seconds, PEER, theirs)
            for name, seconds in best.items()
        ]
    return found
