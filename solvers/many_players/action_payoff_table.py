"""A player's remaining actions as rows of numbers: exact integers, ranks, and floats near one.

Dominance does not change when what can be earned against one joint action of the others is shifted
or scaled. So each column is shifted to least entry 0 and divided by a power of two that brings its
largest entry to between 1/2 and 1, which keeps float programs well scaled whatever the payoffs.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ExactArray, FloatArray, IntArray, is_exact
from gametheory_core.games.normal_form import NormalFormGame

FLOAT_BITS = 60  # kept of numbers that are too large for floats


@dataclass(frozen=True, eq=False)
class RankedPayoffs:
    """One player's payoffs in the whole game.

    Attributes:
        numerators (num_actions of every player): Payoffs times a common denominator.
        ranks: Place of each payoff among the different ones, from 0: compares as payoffs do.
    """

    numerators: ExactArray
    ranks: IntArray


@dataclass(frozen=True, eq=False)
class ActionPayoffTable:
    """What a player's actions earn in what is left of the game.

    Rows are own actions left, columns joint actions of the others left, in the order of
    ``itertools.product``.

    Attributes:
        exact (num_rows, num_columns)
        ranks (num_rows, num_columns)
        floats (num_rows, num_columns): Shifted and scaled by columns, between 0 and 1.
        exponents (num_columns,): Column ``s`` was divided by ``2**exponents[s]``.
    """

    exact: ExactArray
    ranks: IntArray
    floats: FloatArray
    exponents: NDArray[np.int64]


def ranked_payoffs(game: NormalFormGame, player: int) -> RankedPayoffs:
    """Rank all payoffs of a player."""
    given = game.given_payoffs[player]
    numerators = game.scaled_payoffs[player].numerators
    comparable = numerators if is_exact(given) else given
    _, codes = np.unique(comparable, return_inverse=True)
    return RankedPayoffs(numerators, codes.reshape(given.shape).astype(np.int32))


def action_payoff_table(
    payoffs: RankedPayoffs, left: tuple[tuple[int, ...], ...], player: int
) -> ActionPayoffTable:
    """Cut out what is left of the game, and scale it for floats."""
    cells = np.ix_(*left)
    rows = len(left[player])
    exact = np.moveaxis(payoffs.numerators[cells], player, 0).reshape(rows, -1)
    ranks = np.moveaxis(payoffs.ranks[cells], player, 0).reshape(rows, -1)
    shifted = exact - exact.min(axis=0)
    bits = np.array([span.bit_length() for span in shifted.max(axis=0).tolist()], dtype=np.int64)
    excess = np.maximum(bits - FLOAT_BITS, 0)
    floats = (shifted >> excess.astype(object)).astype(np.float64)
    return ActionPayoffTable(exact, ranks, np.ldexp(floats, excess - bits), bits)
