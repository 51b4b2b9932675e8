"""Where in a payoff tensor nobody, or one player at least, could do better alone."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import NumberArray

BoolArray: TypeAlias = NDArray[np.bool_]


def best_replies(payoffs: NumberArray) -> BoolArray:
    """Mark the cells in which a player's action is a best response to the others' actions.

    Args:
        payoffs (num_players, *num_actions): Exact or float; compared as they are, without
            tolerance.

    Returns:
        Entry ``[i, a_0, ..., a_{n-1}]``: whether player ``i`` gains nothing by changing ``a_i``.
        Where it holds for all players, the cell is a pure equilibrium.

    >>> best_replies(np.array([[3.0, 1.0]])).tolist()
    [[True, False]]
    """
    marks = np.empty(payoffs.shape, dtype=bool)
    for player, own in enumerate(payoffs):
        marks[player] = own >= own.max(axis=player, keepdims=True)
    return marks
