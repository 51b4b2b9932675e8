"""Most entropic equilibria of evaluation matrices: ours beside OpenSpiel's ``nash_averaging``.

Ours includes building the game from numbers and the certificate, and is measured again with the
certificate verified once more; the peer solves a convex program in floats (cvxpy), with its game
built beforehand. The last rows solve all leading submatrices in turn, as self-play does when a
policy is added: each from the answer before, beside all from scratch.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gametheory_core import NormalFormGame
from solvers import max_entropy
from tests.benchmarks.measure import Row, cpu_seconds, interleaved
from tests.solvers.zero_sum.evaluation_matrices import FAMILIES

SEED = 7
PEER = "OpenSpiel nash_averaging, floats"
SCRATCH = "ours, each from scratch"


def payoffs_of(family: str, size: int) -> np.ndarray:
    """Draw a skew matrix of a family."""
    return FAMILIES[family](size, np.random.default_rng([SEED, size]))


def ours(payoffs: np.ndarray) -> np.ndarray:
    """Return the strategy, rounded to floats."""
    solution = max_entropy(NormalFormGame.zero_sum(payoffs))
    return solution.profile.strategies[0].astype(float)


def ours_verified(payoffs: np.ndarray) -> None:
    """Verify once more what the solver returned, as a third party would."""
    max_entropy(NormalFormGame.zero_sum(payoffs)).certificate.verify()


def peer_game(payoffs: np.ndarray) -> Any:
    """Build the game for OpenSpiel."""
    import pyspiel

    return pyspiel.create_matrix_game(payoffs, -payoffs)


def by_open_spiel(game: Any) -> np.ndarray:
    """Return the strategy in floats; zeros if the peer's program fails, as it does at times."""
    import cvxpy
    from open_spiel.python.algorithms import nash_averaging

    try:
        return np.ravel(nash_averaging.nash_averaging(game)[0])
    except (cvxpy.error.SolverError, AttributeError):
        return np.zeros(game.num_rows())


def growing(payoffs: np.ndarray, *, warm: bool) -> float:
    """Solve all leading submatrices; return the sum of the largest probabilities."""
    found, start = 0.0, None
    for size in range(1, len(payoffs) + 1):
        game = NormalFormGame.zero_sum(payoffs[:size, :size])
        solution = max_entropy(game, start=start)
        start = solution if warm else None
        found += float(max(solution.profile.strategies[0]))
    return found


def rows(
    *,
    size: int = 300,
    growth: int = 332,
    rounds: int = 3,
    families: Sequence[str] = tuple(FAMILIES),
) -> list[Row]:
    """Measure each family; growing ones once."""
    found: list[Row] = []
    for family in families:
        payoffs = payoffs_of(family, size)
        game = peer_game(payoffs)
        best = interleaved(
            {
                "max-entropy": lambda payoffs=payoffs: ours(payoffs),
                "max-entropy, verified": lambda payoffs=payoffs: ours_verified(payoffs),
                PEER: lambda game=game: by_open_spiel(game),
            },
            rounds=rounds,
        )
        theirs = best.pop(PEER)
        found += [
            Row(f"{name}, {size} x {size}, {family}", seconds, PEER, theirs)
            for name, seconds in best.items()
        ]
    for family in families:
        payoffs = payoffs_of(family, growth)
        warm = cpu_seconds(lambda payoffs=payoffs: growing(payoffs, warm=True))
        cold = cpu_seconds(lambda payoffs=payoffs: growing(payoffs, warm=False))
        found.append(Row(f"sizes 1 to {growth}, warm, {family}", warm, SCRATCH, cold))
    return found
