"""Rows of supports: payoff differences that vanish, or are at least 0, at an equilibrium.

Fix supports ``S_i`` and take each player's first supported action ``r_i`` for reference. The row of
another action ``a`` is ``v_r - v_a``, what ``r`` earns more: 0 at an equilibrium with these
supports if ``a`` is supported, an *equation*; at least 0 if not, an *inequality*. A row is
multilinear in the players' strategies and here given by its values at the joint actions of the
supports, in integers: payoffs times their least common denominator, a player's own. A row does not
depend on its player's own strategy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, scaled_integers
from gametheory_core.games.normal_form import NormalFormGame

Supports: TypeAlias = tuple[tuple[int, ...], ...]
Integers: TypeAlias = NDArray[Any]  # of Python integers, or machine ones


@dataclass(frozen=True, eq=False)
class SupportRows:
    """The rows of some supports, equations first, in the order of players and actions.

    Attributes:
        supports: For each player.
        actions: Player and action of each row.
        num_equations: How many rows are equations.
        values (R, *sizes): At the joint actions of the supports, as Python integers.
        floats (R, *sizes): The same times ``2**-shifts[player]``, each rounded once.
        shifts (R,): So that floats are at most 1.
    """

    supports: Supports
    actions: tuple[tuple[int, int], ...]
    num_equations: int
    values: Integers
    floats: FloatArray
    shifts: tuple[int, ...]


class DifferenceTables:
    """What actions earn more than others of their player, at all joint actions of the others."""

    def __init__(self, game: NormalFormGame) -> None:
        """Take the differences of all pairs of actions."""
        self.game = game
        self.exact: list[Integers] = []
        self.floats: list[FloatArray] = []
        self.shifts: list[int] = []
        self.denominators: list[int] = []
        for player, payoffs in enumerate(game.given_payoffs):
            scaled = scaled_integers(payoffs)
            table = np.moveaxis(scaled.numerators, player, 0)
            differences = table[:, np.newaxis] - table[np.newaxis]
            flat = differences.ravel().tolist()
            shift = max(map(int.bit_length, flat), default=0)
            floats = np.array([value / (1 << shift) for value in flat])
            self.exact.append(np.expand_dims(differences, player + 2))
            self.floats.append(np.expand_dims(floats.reshape(differences.shape), player + 2))
            self.shifts.append(shift)
            self.denominators.append(scaled.denominator)

    def rows(self, supports: Supports) -> SupportRows:
        """Return the rows of supports."""
        parts: list[tuple[bool, int, list[int]]] = []
        for is_inequality in (False, True):
            for player, own in enumerate(supports):
                rest = (
                    [a for a in range(self.game.num_actions[player]) if a not in own]
                    if is_inequality
                    else list(own[1:])
                )
                if rest:
                    parts.append((is_inequality, player, rest))
        sizes = tuple(map(len, supports))
        count = sum(len(rest) for _, _, rest in parts)
        values = np.empty((count, *sizes), dtype=object)
        floats = np.empty((count, *sizes))
        at = 0
        for _, player, rest in parts:
            index = np.ix_(rest, *[[0] if j == player else own for j, own in enumerate(supports)])
            end, reference = at + len(rest), supports[player][0]
            values[at:end] = self.exact[player][reference][index]
            floats[at:end] = self.floats[player][reference][index]
            at = end
        actions = tuple((player, a) for _, player, rest in parts for a in rest)
        equations = sum(len(rest) for is_inequality, _, rest in parts if not is_inequality)
        shifts = tuple(self.shifts[player] for player, _ in actions)
        return SupportRows(supports, actions, equations, values, floats, shifts)


def at_corners(values: Integers, matrices: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Evaluate rows at joint corners: along each player's axis, sum over actions.

    Args:
        values (R, *sizes)
        matrices: For each player, corners x actions.
    """
    for axis, matrix in enumerate(matrices, start=1):
        if matrix.shape != (1, 1):  # who plays one action plays it
            values = np.moveaxis(np.tensordot(values, matrix, axes=(axis, 1)), -1, axis)
    return values
