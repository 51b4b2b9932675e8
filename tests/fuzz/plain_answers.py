"""Answers worked out once more, from the definitions, in fractions, by code of its own.

Nothing here is quick. A linear program is solved by Bland's rule on a table of fractions.
"""

from fractions import Fraction
from itertools import product

import numpy as np

from gametheory_core import NormalFormGame
from tests.core import naive_trees

MOST_PLANS = 2_000  # of one player of a tree


def largest(objective, at_most=(), equal=()):
    """Return the largest ``objective @ x`` for x >= 0 with rows (coefficients, bound).

    None where nothing satisfies the rows. All programs asked for here are bounded.
    """
    n, m = len(objective), len(at_most) + len(equal)
    table, basis = [], []
    for k, (row, bound) in enumerate((*at_most, *equal)):
        line = [Fraction(x) for x in (*row, *(0,) * (2 * m), bound)]
        if k < len(at_most):
            line[n + k] = Fraction(1)
        if line[-1] < 0:
            line = [-x for x in line]
        if k < len(at_most) and line[n + k] == 1:
            basis.append(n + k)
        else:
            line[n + m + k] = Fraction(1)
            basis.append(n + m + k)
        table.append(line)
    artificial = [Fraction(-(j >= n + m)) for j in range(n + 2 * m)]
    if _climb(table, basis, artificial, n + 2 * m) != 0:
        return None
    for k, j in enumerate(basis):  # artificial ones at 0 leave, or their row says nothing
        if j >= n + m:
            instead = next((i for i in range(n + m) if table[k][i]), None)
            if instead is not None:
                _pivot(table, basis, k, instead)
    return _climb(table, basis, [Fraction(c) for c in objective] + [Fraction(0)] * 2 * m, n + m)


def _climb(table, basis, gains, columns):
    while True:
        reduced = [
            gains[j]
            - sum(
                (gains[b] * row[j] for b, row in zip(basis, table, strict=True) if row[j]),
                Fraction(0),
            )
            for j in range(columns)
        ]
        entering = next((j for j in range(columns) if reduced[j] > 0 and j not in basis), None)
        if entering is None:
            return sum(
                (gains[b] * row[-1] for b, row in zip(basis, table, strict=True)), Fraction(0)
            )
        ratios = [
            (row[-1] / row[entering], b, k)
            for k, (row, b) in enumerate(zip(table, basis, strict=True))
            if row[entering] > 0
        ]
        _pivot(table, basis, min(ratios)[2], entering)


def _pivot(table, basis, k, j):
    head = table[k][j]
    table[k] = [x / head for x in table[k]]
    for i, row in enumerate(table):
        if i != k and row[j]:
            factor = row[j]
            table[i] = [x - factor * y if y else x for x, y in zip(row, table[k], strict=True)]
    basis[k] = j


# --- normal forms -------------------------------------------------------------------------------


def action_payoffs(game, profile, player):
    """What each action of a player earns against the others' strategies."""
    earned = np.moveaxis(game.exact_payoffs[player], player, 0)
    for other in reversed([i for i in range(game.num_players) if i != player]):
        earned = (earned * profile.strategies[other]).sum(axis=-1)
    return earned.tolist()


def gains(game, profile):
    """What each player gains by the best deviation; of trees, over all pure plans."""
    if not isinstance(game, NormalFormGame):
        paid = naive_trees.payoffs(game, profile)
        best = [
            max(naive_trees.pure_payoffs(game, profile, i).values())
            for i in range(game.num_players)
        ]
        return [b - p for b, p in zip(best, paid, strict=True)]
    found = []
    for player in range(game.num_players):
        earned = action_payoffs(game, profile, player)
        own = sum(w * e for w, e in zip(profile.strategies[player], earned, strict=True))
        found.append(max(earned) - own)
    return found


def can_list_plans(game):
    """Whether the plans of each player are few."""
    counts = [1] * game.num_players
    for infoset in game.infosets:
        if infoset.player >= 0:
            counts[infoset.player] *= len(infoset.actions)
    return max(counts) <= MOST_PLANS


def pure_equilibria(game):
    """List the cells in which nobody gains."""
    table = game.exact_payoffs
    return {
        cell
        for cell in product(*map(range, game.num_actions))
        if all(
            table[(i, *cell)] >= table[(i, *cell[:i], a, *cell[i + 1 :])]
            for i, count in enumerate(game.num_actions)
            for a in range(count)
        )
    }


def minimax_value(payoffs):
    """Return what the row player of a matrix can secure: the largest v with x'A >= v."""
    rows, columns = payoffs.shape
    least = min(payoffs.ravel())
    moved = payoffs - least
    return least + largest(
        [0] * rows + [1],
        [([*(-moved[:, j]), 1], 0) for j in range(columns)],
        [([1] * rows + [0], 1)],
    )


def commitment_value(own, others):
    """Return what the row player of a bimatrix can get who commits, ties broken well."""
    rows, columns = own.shape
    values = [
        largest(
            list(own[:, j]),
            [(list(others[:, k] - others[:, j]), 0) for k in range(columns) if k != j],
            [([1] * rows, 1)],
        )
        for j in range(columns)
    ]
    return max(value for value in values if value is not None)


def correlated_welfare(game, *, coarse):
    """Return the largest sum of payoffs in a (coarse) correlated equilibrium."""
    cells = list(product(*map(range, game.num_actions)))
    rows = []
    for i, count in enumerate(game.num_actions):
        swaps = [(None, b) for b in range(count)] if coarse else product(range(count), repeat=2)
        for told, played in swaps:
            row = [
                game.exact_payoffs[(i, *c[:i], played, *c[i + 1 :])] - game.exact_payoffs[(i, *c)]
                if told in (None, c[i])
                else Fraction(0)
                for c in cells
            ]
            if any(row):
                rows.append((row, 0))
    return largest(game.exact_payoffs.sum(axis=0).ravel().tolist(), rows, [([1] * len(cells), 1)])


def undominated(game):
    """Return the actions that survive iterated strict dominance by mixed strategies."""
    kept = [list(range(count)) for count in game.num_actions]
    while True:
        table = game.exact_payoffs[(slice(None), *np.ix_(*kept))]
        found = next(
            (
                (i, a)
                for i in range(game.num_players)
                for a in range(len(kept[i]))
                if _is_dominated(np.moveaxis(table[i], i, 0).reshape(len(kept[i]), -1), a)
            ),
            None,
        )
        if found is None:
            return tuple(map(tuple, kept))
        kept[found[0]].pop(found[1])


def _is_dominated(rows, action):
    """Tell whether a mixture of the other rows is larger everywhere."""
    others = [k for k in range(len(rows)) if k != action]
    return bool(others) and minimax_value(rows[others] - rows[action]) > 0


def is_mixture(point, corners):
    """Tell whether a vector is a mixture of others."""
    rows = [(list(values), value) for value, *values in zip(point, *corners, strict=True)]
    return largest([0] * len(corners), (), [*rows, ([1] * len(corners), 1)]) is not None
