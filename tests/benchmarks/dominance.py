"""Dominated actions of random games: ours beside QuantEcon's linear programs and Gambit.

Ours includes building the game from numbers, all rounds of elimination, an exact proof of each
elimination and of why each remaining action stays, and the core's check of all that. QuantEcon does
one round in floats without proof, both players; Gambit one round by pure strategies. Compiled
kernels of all are loaded before.
"""

import importlib

import numpy as np

from gametheory_core import NormalFormGame
from gametheory_core.certificates import DominatedBy
from solvers import iterated_dominance
from tests.benchmarks.measure import Row, interleaved

SEED = 13
QUANTECON = "QuantEcon dominated_actions, floats, one round"
GAMBIT = "Gambit undominated_strategies_solve, one round"
KINDS = ("normal", "uneven", "mixtures")


def payoffs_of(kind: str, size: int) -> np.ndarray:
    """Draw a game, shape (2, size, size).

    Normal: hardly anything is dominated. Uneven: actions differ much, and nearly all go. Mixtures:
    two thirds of the first player's actions lie below mixtures of the others.
    """
    rng = np.random.default_rng(SEED)
    payoffs = rng.standard_normal((2, size, size))
    if kind == "uneven":
        payoffs[0] += 2 * rng.standard_normal((size, 1))
        payoffs[1] += 2 * rng.standard_normal((1, size))
    if kind == "mixtures":
        good = -(-size // 3)
        weights = rng.dirichlet(np.ones(3), size - good)
        for row, weight in zip(range(good, size), weights, strict=True):
            payoffs[0, row] = weight @ payoffs[0, rng.choice(good, 3)] - 0.01
    return payoffs


def ours(payoffs: np.ndarray, *, by: DominatedBy = DominatedBy.MIXED) -> list[int]:
    """Return how many actions go in the first round, of each player."""
    game = NormalFormGame.from_payoffs(payoffs)
    found = iterated_dominance(game, dominated_by=by)
    first = [e.player for e in found.eliminations if e.round_number == 1]
    return [first.count(player) for player in range(2)]


def by_quantecon(payoffs: np.ndarray) -> list[int]:
    """Return how many actions are dominated by mixed strategies, of each player."""
    from quantecon.game_theory import Player

    sides = payoffs[0], np.ascontiguousarray(payoffs[1].T)
    return [len(Player(side).dominated_actions()) for side in sides]


def by_gambit(payoffs: np.ndarray) -> list[int]:
    """Return how many actions are dominated by pure strategies, of each player."""
    import pygambit

    game = pygambit.Game.from_arrays(*payoffs)
    left = pygambit.supports.undominated_strategies_solve(game, strict=True)
    return [sum(s not in left for s in player.strategies) for player in game.players]


def rows(*, sizes: tuple[int, ...] = (10, 30, 100), rounds: int = 3) -> list[Row]:
    """Measure each kind of game."""
    importlib.import_module("solvers._kernels.matrix_game_simplex")
    found: list[Row] = []
    for kind in KINDS:
        for size in sizes:
            payoffs = payoffs_of(kind, size)
            best = interleaved(
                {
                    "mixed": lambda payoffs=payoffs: ours(payoffs),
                    "pure": lambda payoffs=payoffs: ours(payoffs, by=DominatedBy.PURE),
                    QUANTECON: lambda payoffs=payoffs: by_quantecon(payoffs),
                    GAMBIT: lambda payoffs=payoffs: by_gambit(payoffs),
                },
                rounds=rounds,
            )
            for name, peer in (("mixed", QUANTECON), ("pure", GAMBIT)):
                task = f"iterated dominance by {name} strategies, {size} x {size}, {kind}"
                found.append(Row(task, best[name], peer, best[peer]))
    return found
