"""One equilibrium of random float games, and the best one: ours beside QuantEcon and HiGHS.

Payoffs are uniform floats. Kernels are loaded and compiled before (a warm-up call).

Lemke-Howson is measured three times, all with label 0. The *kernel* makes room, follows the path
and returns floats, on a game built beforehand, as QuantEcon's ``lemke_howson`` does, except that
its result is not yet divided by its sum. *Certified* builds the game too, and certifies the float
strategies with their rational epsilon. *Exact* builds the game, and returns and certifies a
rational equilibrium. The best equilibrium is compared with the mixed-integer program of Sandholm,
Gilpin and Conitzer as HiGHS solves it, in floats and without a proof.
"""

import sys
from pathlib import Path as FilePath

import numpy as np

sys.path.insert(0, str(FilePath(__file__).parents[2]))

from gametheory_core import NormalFormGame
from solvers import lemke_howson, mixed_integer
from solvers._kernels import complementary_pivoting
from solvers.bimatrix.equilibrium_program import propose
from solvers.bimatrix.pivoting import new_path
from tests.benchmarks.measure import Row, interleaved

SEED = 13
TOLERANCE = 1e-9  # payoffs lie in [0, 1]
NO_LIMIT = 10**9
PEER = "QuantEcon `lemke_howson`, floats"


def payoffs_of(size: int, count: int) -> list[np.ndarray]:
    """Draw games: float arrays of shape (2, size, size), uniform in [0, 1]."""
    rng = np.random.default_rng(SEED)
    return [rng.random((2, size, size)) for _ in range(count)]


def by_kernel(batch: list[np.ndarray]) -> list[int]:
    """Follow each path in floats; return the numbers of pivots."""
    found: list[int] = []
    for payoffs in batch:
        path = new_path(payoffs.shape[1:])
        complementary_pivoting.start_path(payoffs, path, 0, NO_LIMIT)
        found.append(int(path.state[2]))
    return found


def certified(batch: list[np.ndarray]) -> list[np.ndarray]:
    """Return the row players' strategies, within the tolerance."""
    return [
        lemke_howson(NormalFormGame.from_payoffs(payoffs), tolerance=TOLERANCE)
        .profile.strategies[0]
        .astype(float)
        for payoffs in batch
    ]


def exact(batch: list[np.ndarray]) -> list[np.ndarray]:
    """Return the row players' strategies of exact equilibria, rounded."""
    return [
        lemke_howson(NormalFormGame.from_payoffs(payoffs)).profile.strategies[0].astype(float)
        for payoffs in batch
    ]


def peer_games(batch: list[np.ndarray]) -> list[object]:
    """Build the games for QuantEcon."""
    from quantecon.game_theory import NormalFormGame as Peer
    from quantecon.game_theory import Player

    return [Peer([Player(a), Player(np.ascontiguousarray(b.T))]) for a, b in batch]


def by_quantecon(games: list[object]) -> list[np.ndarray]:
    """Return the row players' strategies."""
    from quantecon.game_theory import lemke_howson as peer

    return [peer(game)[0] for game in games]


def best_welfare(batch: list[np.ndarray]) -> list[float]:
    """Return the largest sum of payoffs of an equilibrium, exact and proved, then rounded."""
    return [
        float(mixed_integer(NormalFormGame.from_payoffs(payoffs)).certificate.value)
        for payoffs in batch
    ]


def by_highs(batch: list[np.ndarray]) -> list[float]:
    """Return the same by the mixed-integer program."""
    return [propose((a, b), payoff_weights=(1.0, 1.0)).value for a, b in batch]


def path_rows(size: int, *, count: int, rounds: int) -> list[Row]:
    """Measure Lemke-Howson; times are for one game."""
    batch = payoffs_of(size, count)
    games = peer_games(batch)
    best = interleaved(
        {
            "kernel": lambda: by_kernel(batch),
            f"certified within {TOLERANCE:g}": lambda: certified(batch),
            "exact": lambda: exact(batch),
            PEER: lambda: by_quantecon(games),
        },
        rounds=rounds,
    )
    theirs = best.pop(PEER)
    return [
        Row(f"Lemke-Howson, {size} x {size}, {name}", seconds / count, PEER, theirs / count)
        for name, seconds in best.items()
    ]


def welfare_rows(size: int, *, count: int, rounds: int) -> list[Row]:
    """Measure the equilibrium of largest welfare; times are for one game."""
    batch = payoffs_of(size, count)
    best = interleaved(
        {"ours": lambda: best_welfare(batch), "HiGHS": lambda: by_highs(batch)}, rounds=rounds
    )
    task = f"largest welfare, {size} x {size}, exact and proved"
    return [Row(task, best["ours"] / count, "HiGHS' MILP, floats", best["HiGHS"] / count)]


def rows() -> list[Row]:
    """Measure all sizes."""
    return [
        *path_rows(5, count=200, rounds=5),
        *path_rows(10, count=200, rounds=5),
        *path_rows(30, count=50, rounds=5),
        *path_rows(100, count=20, rounds=3),
        *welfare_rows(8, count=10, rounds=2),
        *welfare_rows(12, count=5, rounds=2),
    ]
