"""Correlated equilibria straight from the definition, by the exact simplex method from scratch.

Rows are written with plain loops over joint actions, and no float ever helps.
"""

from itertools import product

import numpy as np

from gametheory_core.arrays import exact_array, scaled_integers
from gametheory_core.certificates import CorrelatedKind
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import Basis, LinearProgram


def deviations(game, kind):
    """List, for each deviation, its gain at every joint action."""
    joint = list(product(*map(range, game.num_actions)))
    found = []
    for player, count in enumerate(game.num_actions):
        own = game.exact_payoffs[player]
        swaps = (
            [(None, b) for b in range(count)]
            if kind is CorrelatedKind.COARSE
            else [(a, b) for a in range(count) for b in range(count) if a != b]
        )
        for swapped, played in swaps:
            gains = []
            for actions in joint:
                instead = (*actions[:player], played, *actions[player + 1 :])
                moved = swapped is None or actions[player] == swapped
                gains.append(own[instead] - own[actions] if moved else 0)
            found.append(gains)
    return found


def most(game, kind, values, *, floors=None):
    """Return the largest expectation of ``values`` (flat, one a joint action)."""
    rows = deviations(game, kind)
    for player, least in (floors or {}).items():
        rows.append([least - value for value in game.exact_payoffs[player].ravel()])
    size = len(values)
    table = np.array([list(scaled_integers(exact_array(row)).numerators) for row in rows] or [])
    table = np.vstack([table.reshape(-1, size), np.ones((1, size), dtype=object)]).astype(object)
    places = np.nonzero(table)
    scaled = scaled_integers(exact_array(list(values)))
    program = LinearProgram(
        objective=scaled.numerators,
        rows=places[0].astype(np.int32),
        columns=places[1].astype(np.int32),
        values=np.array([int(value) for value in table[places]], dtype=object),
        bounds=np.array([0] * (len(table) - 1) + [1], dtype=object),
        is_equation=np.arange(len(table)) == len(table) - 1,
        is_free=np.zeros(size, dtype=bool),
    )
    optimum = solve_exactly(program, Basis((0,), (len(table) - 1,)))
    return optimum.value / scaled.denominator
