"""Polymatrix games as a complementarity problem with a path to follow.

With ``A_ij`` what player ``i`` is paid on its edge with ``j`` and a *prior* ``s``, let the weight
``z`` go from 1 to 0:

    sum x_i = 1 - z,  x >= 0,  r_i = v_i 1 - sum over j of A_ij (x_j + s_j z)  >= 0,  x_i'r_i = 0.

So ``x + s z`` is a profile of which ``x`` holds best replies only: at ``z = 1`` it is the prior, at
``z = 0`` an equilibrium (Howson 1972; with a prior, van den Elzen and Talman 1991). Payoffs are
linear in all others' strategies together, which is what makes the problem linear for any number of
players. No ray leaves the start: all weights are bounded, and a player of whom something is played
has a bounded ``v_i``.

Rows are those of ``solvers.trees.lemke_tableau``, whose path this is: at the start ``z = 1``, basic
are the best replies to the prior, which have weight 0, and the slacks ``r`` of the rest.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from gametheory_core.arrays import NumberArray, freeze, scaled_integers
from gametheory_core.compact import PolymatrixGame
from gametheory_core.compact.polymatrix import edge_table
from gametheory_core.strategies.mixed import MixedProfile
from solvers._programs.linear import Basis
from solvers._programs.rational_systems import Entries, SparseMatrix, factorized, solve_kernel
from solvers.trees.lemke_tableau import RIGHT, Row, Start


@dataclass(frozen=True, eq=False)
class Tables:
    """What players are paid along edges, in whole numbers.

    Attributes:
        firsts: The number of each player's first action, and that of all actions.
        paid: For each player and neighbor a table (own actions, the neighbor's), times a positive
            number that is the same for all tables of a player.
    """

    firsts: tuple[int, ...]
    paid: list[dict[int, list[list[int]]]]

    def actions(self, player: int) -> range:
        """Return the numbers of a player's actions."""
        return range(self.firsts[player], self.firsts[player + 1])


def tables_of(game: PolymatrixGame) -> Tables:
    """Return the payoffs of each player by own action and neighbor, divided by what they share."""
    numerators = game.scaled_payoffs.numerators
    paid: list[dict[int, Any]] = [{} for _ in game.players]
    for edge, (i, j) in enumerate(game.edges.tolist()):
        first, second = edge_table(game, numerators, edge)
        paid[i][j], paid[j][i] = first.tolist(), second.T.tolist()
    for own in paid:
        divisor = math.gcd(*(v for table in own.values() for row in table for v in row)) or 1
        for j, table in own.items():
            own[j] = [[value // divisor for value in row] for row in table]
    return Tables((0, *accumulate(game.num_actions)), paid)


def start_of(tables: Tables, prior: MixedProfile) -> Start:
    """Lay out the rows at the prior, which is exact; ties go to earlier actions."""
    scaled = [scaled_integers(own) for own in prior.strategies]
    whole = math.lcm(*(own.denominator for own in scaled))
    believed = [[w * (whole // own.denominator) for w in own.numerators.tolist()] for own in scaled]
    hoped = _hoped(tables, believed)
    players = range(len(tables.paid))
    replies = [max(range(len(hoped[i])), key=hoped[i].__getitem__) for i in players]
    size = tables.firsts[-1]
    weight = 2 * size
    rows: list[Row] = []
    basic: list[int] = []
    for i in players:  # the reply has what the others leave of 1 - z
        rows.append({**dict.fromkeys(tables.actions(i), 1), weight: -1})
        basic.append(tables.firsts[i] + replies[i])
    order = tuple(reversed(basic))
    units = [1] * size
    for i in players:
        forms = [_earned(tables, i, a, (hoped[i][a], whole), replies) for a in range(len(hoped[i]))]
        unit = max(abs(value) for form in forms for value in form.values()) or 1
        best = forms[replies[i]]
        best[size + tables.firsts[i] + replies[i]] = 1
        for a, form in enumerate(forms):
            k = tables.firsts[i] + a
            units[k] = unit
            if a != replies[i]:
                rows.append(_slack(form, best, size + k))
                basic.append(size + k)
    return Start(rows, basic, size, (*basic[len(order) :], *order), units)


def _hoped(tables: Tables, believed: list[list[int]]) -> list[list[int]]:
    """Return what each action earns against the prior, times its denominator."""
    return [
        [
            sum(
                v * w
                for j, table in own.items()
                for v, w in zip(table[a], believed[j], strict=True)
            )
            for a in range(len(tables.actions(i)))
        ]
        for i, own in enumerate(tables.paid)
    ]


def _earned(
    tables: Tables, player: int, action: int, prior: tuple[int, int], replies: Sequence[int]
) -> Row:
    """Write what an action earns as a linear form in nonbasic variables, in units of the prior.

    A neighbor's reply has weight ``(1 - z)`` less the weights of its other actions.
    """
    hoped, whole = prior
    size = tables.firsts[-1]
    form: Row = {RIGHT: hoped, 2 * size: -hoped}
    for j, table in tables.paid[player].items():
        row, first = table[action], tables.firsts[j]
        answered = row[replies[j]]
        form[2 * size] += answered * whole
        for b, value in enumerate(row):
            if value != answered:
                form[first + b] = (value - answered) * whole
    return form


def _slack(form: Row, best: Row, slack: int) -> Row:
    """State a slack: what the reply earns more, and its own slack."""
    row = dict(form)
    for v, value in best.items():
        row[v] = row.get(v, 0) - value
    row[RIGHT] = -row.get(RIGHT, 0)
    row[slack] = 1
    return {v: value for v, value in row.items() if value}


def profile_on(tables: Tables, basic: list[int]) -> MixedProfile | None:
    """Return the profile on given actions that makes these equally good for each player.

    Args:
        basic: Variables, numbered as in ``Start``.

    Returns:
        Exact; None if the actions do not determine one, or a weight is negative.
    """
    size, count = tables.firsts[-1], len(tables.paid)
    played = sorted(v for v in basic if v < size)
    by_row: list[Entries] = [[] for _ in range(count + size)]
    by_column: list[Entries] = [[] for _ in range(size + count)]
    kept = set(played)

    def put(row: int, column: int, value: int) -> None:
        if value:
            by_row[row].append((column, value))
            by_column[column].append((row, value))

    for i, own in enumerate(tables.paid):
        for a, k in enumerate(tables.actions(i)):
            put(i, k, 1)
            if k in kept:
                put(count + k, size + i, -1)
                for j, table in own.items():
                    for b, value in enumerate(table[a]):
                        put(count + k, tables.firsts[j] + b, value)
    columns = (*played, *range(size, size + count))
    rows = (*range(count), *(count + k for k in played))
    try:
        kernel = factorized(SparseMatrix(by_row, by_column), Basis(columns, rows))
    except ZeroDivisionError:  # rounding has chosen actions that do not determine the weights
        return None
    right = [1] * count + [0] * size
    weights = solve_kernel(kernel, right).fractions()[:size]
    if min(weights) < 0:
        return None
    return MixedProfile(_parts(tables, weights))


def _parts(tables: Tables, weights: NumberArray) -> tuple[NumberArray, ...]:
    return tuple(freeze(part.copy()) for part in np.split(weights, tables.firsts[1:-1]))


def point_of(
    tables: Tables, prior: MixedProfile, weights: NumberArray, left: Any
) -> tuple[NumberArray, ...]:
    """Return each player's weights at a point of the path, what is left of the prior added."""
    parts = zip(_parts(tables, weights), prior.strategies, strict=True)
    return tuple(own + left * was for own, was in parts)
