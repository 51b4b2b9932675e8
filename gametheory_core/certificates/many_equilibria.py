"""Check equilibria of many two-player games at once, exactly, from the definition.

Weights, not normalised, are an equilibrium if whatever has weight pays as much as anything else,
against the other player's weights. All sums are of integers: machine integers where they are
proved not to overflow, Python's otherwise.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import CertificateRejected

_MANTISSA = 53
_LARGEST = 2**62


def require_equilibria(payoffs: NDArray[Any], weights: Sequence[NDArray[Any]]) -> None:
    """Refuse weights of which one is not an equilibrium of its game.

    Args:
        payoffs (num_games, 2, m, n): int64, or float64, taken as the rationals they are.
        weights ((num_games, m), (num_games, n)): Integers, of numpy's or Python's.

    Raises:
        CertificateRejected: Names the first such game, by its number, and what is wrong.

    >>> pennies = np.array([[[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]]])
    >>> require_equilibria(pennies, [np.array([[2, 2]]), np.array([[3, 3]])])
    >>> require_equilibria(pennies, [np.array([[2, 1]]), np.array([[3, 3]])])
    Traceback (most recent call last):
    gametheory_core.errors.CertificateRejected: needs an equilibrium of each game, but player 1 \
of game 0 plays action 0, and action 1 pays more. Do not use these answers.
    """
    for player, own in enumerate(weights):
        bad = (own < 0).any(axis=1) | ~(own > 0).any(axis=1)
        if bad.any():
            game = int(np.argmax(bad))
            raise _rejected(game, f"the weights of player {player} of game {game} are no strategy")
        tables = _integers(payoffs[:, player])
        tables = np.swapaxes(tables, 1, 2) if player else tables
        others = weights[1 - player]
        if object not in (tables.dtype, others.dtype) and tables.size:
            largest = int(np.abs(tables).max()) * int(others.max()) * others.shape[1]
            if largest >= _LARGEST:
                tables = tables.astype(object)
        earned = (tables * others[:, np.newaxis, :]).sum(axis=2)
        best = earned.max(axis=1)
        short = (earned < best[:, np.newaxis]) & (own > 0)
        if short.any():
            game, action = (int(k) for k in np.argwhere(short)[0])
            better = int(np.argmax(earned[game] == best[game]))
            raise _rejected(
                game,
                f"player {player} of game {game} plays action {action}, and action {better} pays "
                "more",
            )


def _rejected(game: int, found: str) -> CertificateRejected:
    return CertificateRejected(
        needs="an equilibrium of each game",
        found=found,
        remedy="Do not use these answers.",
        witness=game,
    )


def _integers(payoffs: NDArray[Any]) -> NDArray[Any]:
    """Multiply each game's payoffs by a power of two that makes them integers."""
    if payoffs.dtype != np.float64:
        return payoffs
    fractions, powers = np.frexp(payoffs)
    mantissas = np.ldexp(fractions, _MANTISSA).astype(np.int64).astype(object)
    powers = np.where(payoffs == 0, powers.max(initial=0), powers)
    above = powers - powers.min(axis=(1, 2), keepdims=True)
    return mantissas * np.left_shift(1, above.astype(object))
