"""Rows of supports: payoff differences that vanish, or are at least 0, at an equilibrium.

Fix supports ``S_i`` and take each player's first supported action ``r_i`` for reference. The row of
another action ``a`` is ``v_r - v_a``, what ``r`` earns more: 0 at an equilibrium with these
supports if ``a`` is supported, an *equation*; at least 0 if not, an *inequality*. A row is
multilinear in the players' strategies and here given by its values at the joint actions of the
supports, in integers: payoffs times their least common denominator, a player's own. A row does not
depend on its player's own strategy.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, freeze, scaled_integers
from gametheory_core.games.normal_form import NormalFormGame

Supports: TypeAlias = tuple[tuple[int, ...], ...]
Integers: TypeAlias = NDArray[Any]  # of Python integers, or machine ones


@dataclass(frozen=True, eq=False)
class SupportRows:
    """The rows of some supports, equations first, in the order of players and actions.

    Attributes:
        tables: Of the game.
        supports: For each player.
        actions: Player and action of each row.
        num_equations: How many rows are equations.
        shifts (R,): So that floats are at most 1.
    """

    tables: "DifferenceTables"
    supports: Supports
    actions: tuple[tuple[int, int], ...]
    num_equations: int
    shifts: tuple[int, ...]

    @cached_property
    def values(self) -> Integers:
        """(R, *sizes): At the joint actions of the supports, as Python integers."""
        return self._filled(self.tables.exact, object)

    @cached_property
    def floats(self) -> FloatArray:
        """(R, *sizes): The same times ``2**-shifts``, each rounded once."""
        return self._filled(self.tables.floats, np.float64)

    def _filled(
        self, table_of: Callable[[int, int], NDArray[Any]], dtype: type[Any]
    ) -> NDArray[Any]:
        found = np.empty((len(self.actions), *map(len, self.supports)), dtype=dtype)
        at = 0
        for player, rest in groupby(self.actions, key=itemgetter(0)):
            chosen = [action for _, action in rest]
            reference = self.supports[player][0]
            others = enumerate(self.supports, start=1)
            index = (
                _along(0, len(self.supports), tuple(chosen)),
                *(
                    _along(j, len(self.supports), (0,) if j == player + 1 else own)
                    for j, own in others
                ),
            )
            found[at : at + len(chosen)] = table_of(player, reference)[index]
            at += len(chosen)
        return found


@lru_cache(maxsize=4096)
def _along(axis: int, last: int, entries: tuple[int, ...]) -> NDArray[np.intp]:
    """Return indices that lie along one of the axes up to the last one."""
    shape = [1] * (last + 1)
    shape[axis] = len(entries)
    return freeze(np.array(entries, dtype=np.intp).reshape(shape))


class DifferenceTables:
    """What actions earn more than others of their player, at all joint actions of the others.

    Attributes:
        game: The game.
        scaled: For each player, payoffs as integers; the player's own axis comes first.
        denominators: For each player, what these are divided by.
        shifts: For each player, the bits of the largest difference.
    """

    def __init__(self, game: NormalFormGame) -> None:
        """Write payoffs as integers."""
        self.game = game
        scaled = [scaled_integers(payoffs) for payoffs in game.given_payoffs]
        self.scaled = [np.moveaxis(own.numerators, i, 0) for i, own in enumerate(scaled)]
        self.denominators = [own.denominator for own in scaled]
        self.shifts = [
            int(np.max(own.max(axis=0) - own.min(axis=0))).bit_length() for own in self.scaled
        ]
        self._exact: dict[tuple[int, int], Integers] = {}
        self._floats: dict[tuple[int, int], FloatArray] = {}
        self._all_floats: dict[int, FloatArray] = {}
        self._rows: dict[tuple[int, tuple[int, ...]], Any] = {}

    def exact(self, player: int, reference: int) -> Integers:
        """Return what a reference earns more than each action; the player's own axis has length 1.

        The shape is (actions, *num_actions), but for that axis.
        """
        key = player, reference
        if key not in self._exact:
            own = self.scaled[player]
            self._exact[key] = np.expand_dims(own[reference] - own, player + 1)
        return self._exact[key]

    def floats(self, player: int, reference: int) -> FloatArray:
        """Return the same times ``2**-shifts[player]``, each rounded once."""
        key = player, reference
        if key not in self._floats:
            exact, unit = self.exact(player, reference), 1 << self.shifts[player]
            values = np.array([value / unit for value in exact.ravel().tolist()])
            self._floats[key] = values.reshape(exact.shape)
        return self._floats[key]

    def all_floats(self, player: int) -> FloatArray:
        """Return ``floats`` for all references: (actions, actions, others' joint actions)."""
        if player not in self._all_floats:
            references = range(self.game.num_actions[player])
            flat = [self.floats(player, own).reshape(len(references), -1) for own in references]
            self._all_floats[player] = np.stack(flat)
        return self._all_floats[player]

    def rows(self, supports: Supports) -> SupportRows:
        """Return the rows of supports."""
        equations: list[tuple[int, int]] = []
        inequalities: list[tuple[int, int]] = []
        for player, own in enumerate(supports):
            played, others = self._own_rows(player, own)
            equations += played
            inequalities += others
        actions = (*equations, *inequalities)
        shifts = tuple([self.shifts[player] for player, _ in actions])
        return SupportRows(self, supports, actions, len(equations), shifts)

    def _own_rows(
        self, player: int, own: tuple[int, ...]
    ) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Return a player's actions whose rows are equations, and the others."""
        key = player, own
        if key not in self._rows:
            others = [a for a in range(self.game.num_actions[player]) if a not in own]
            self._rows[key] = [(player, a) for a in own[1:]], [(player, a) for a in others]
        return self._rows[key]


def at_corners(values: Integers, matrices: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Evaluate rows at joint corners: along each player's axis, sum over actions.

    Args:
        values (R, *sizes)
        matrices: For each player, corners x actions.
    """
    for axis, matrix in enumerate(matrices, start=1):
        if matrix.shape != (1, 1):  # who plays one action plays it
            values = (values.swapaxes(axis, -1) @ matrix.T).swapaxes(axis, -1)
    return values
