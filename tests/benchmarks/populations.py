"""Dynamics and rankings of populations: ours beside OpenSpiel's and QuantEcon's.

Ours includes building the game, the trajectory and exact certificates; peers return floats.
"""

import numpy as np

from gametheory_core import NormalFormGame
from solvers import alpha_rank, fictitious_play, regret_matching
from solvers.dynamics import Play, projected_replicator
from solvers.populations import AlphaRank, alpha_rank_limit
from tests.benchmarks.measure import Row, interleaved

SEED = 12
SPIEL = "OpenSpiel"
QUANTECON = "QuantEcon"
EXPLORATION = 1e-3


def payoffs_of(size: int, *, zero_sum: bool = False) -> np.ndarray:
    """Draw a game of integer payoffs, shape (2, size, size)."""
    payoffs = np.random.default_rng(SEED).integers(-9, 10, (2, size, size)).astype(float)
    if zero_sum:
        payoffs[1] = -payoffs[0]
    return payoffs


def ours_ranked(payoffs: np.ndarray) -> AlphaRank:
    """Rank at a moderate strength of selection."""
    return alpha_rank(NormalFormGame.from_payoffs(payoffs), alpha=0.05)


def spiel_ranked(payoffs: np.ndarray) -> np.ndarray:
    """Return the peer's distribution at the same strength."""
    from open_spiel.python.egt import alpharank

    return np.asarray(alpharank.compute(list(payoffs), m=50, alpha=0.05)[2])


def ours_limit(payoffs: np.ndarray) -> np.ndarray:
    """Return the exact, certified limit as floats."""
    found = alpha_rank_limit(NormalFormGame.from_payoffs(payoffs)).distribution
    return found.tensor.ravel().astype(float)


def spiel_limit(payoffs: np.ndarray) -> np.ndarray:
    """Return what the peer's halving of the noise converges to."""
    from open_spiel.python.egt import alpharank

    return np.asarray(alpharank.sweep_pi_vs_epsilon(list(payoffs)))


def ours_projected(payoffs: np.ndarray, steps: int) -> Play:
    """Take projected replicator steps."""
    return projected_replicator(
        NormalFormGame.from_payoffs(payoffs),
        exploration=EXPLORATION * payoffs.shape[1],
        step_size=1e-3,
        steps=steps,
    )


def spiel_projected(payoffs: np.ndarray, steps: int) -> list[np.ndarray]:
    """Take the same steps."""
    from open_spiel.python.algorithms import projected_replicator_dynamics as peer

    return peer.projected_replicator_dynamics(
        list(payoffs), prd_iterations=steps, prd_dt=1e-3, prd_gamma=EXPLORATION
    )


def ours_matching(payoffs: np.ndarray, steps: int) -> Play:
    """Play regret matching."""
    return regret_matching(NormalFormGame.from_payoffs(payoffs), steps=steps)


def spiel_matching(payoffs: np.ndarray, steps: int) -> list[np.ndarray]:
    """Play regret matching, with as little exploration as the peer allows."""
    from open_spiel.python.algorithms import regret_matching as peer

    return peer.regret_matching(list(payoffs), iterations=steps, gamma=0.0)


def ours_fictitious(payoffs: np.ndarray, steps: int) -> Play:
    """Play fictitious play."""
    return fictitious_play(NormalFormGame.from_payoffs(payoffs), steps=steps)


def quantecon_fictitious(payoffs: np.ndarray, steps: int) -> tuple[np.ndarray, ...]:
    """Play fictitious play."""
    from quantecon import game_theory

    players = [game_theory.Player(payoffs[0]), game_theory.Player(payoffs[1].T)]
    play = game_theory.FictitiousPlay(game_theory.NormalFormGame(players))
    return play.play(init_actions=(0, 0), num_reps=steps)


def rows(*, size: int = 10, steps: int = 50_000, rounds: int = 3) -> list[Row]:
    """Measure each task."""
    general, zero_sum = payoffs_of(size), payoffs_of(size, zero_sum=True)
    few = max(1, steps // 10)
    contests = [
        (
            f"alpha-rank, {size} x {size}, alpha 0.05",
            lambda: ours_ranked(general),
            SPIEL,
            lambda: spiel_ranked(general),
        ),
        (
            f"infinite alpha, vanishing noise, {size} x {size}, exact",
            lambda: ours_limit(general),
            SPIEL,
            lambda: spiel_limit(general),
        ),
        (
            f"projected replicator, {few} steps, {size} x {size}",
            lambda: ours_projected(general, few),
            SPIEL,
            lambda: spiel_projected(general, few),
        ),
        (
            f"regret matching, {few} steps, {size} x {size}",
            lambda: ours_matching(zero_sum, few),
            SPIEL,
            lambda: spiel_matching(zero_sum, few),
        ),
        (
            f"fictitious play, {steps} steps, {size} x {size}",
            lambda: ours_fictitious(zero_sum, steps),
            QUANTECON,
            lambda: quantecon_fictitious(zero_sum, steps),
        ),
    ]
    found: list[Row] = []
    for task, ours, peer_name, peer in contests:
        best = interleaved({"ours": ours, peer_name: peer}, rounds=rounds)
        found.append(Row(task, best["ours"], peer_name, best[peer_name]))
    return found
