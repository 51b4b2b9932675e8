"""Lemke's path in floats, from a basis that is known exactly, and the exact solution at its end.

Floats are many times faster on large trees, but their kernel takes a while to load. They may be
wrong: what they find is which sequences are played, and ``plans_on`` solves exactly for the weights
that keep the other player's sequences equally good. A certificate decides.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ZERO, FloatArray
from gametheory_core.strategies.sequence_form import PlayerSequences, RealizationPlan, SequenceForm
from solvers._kernels.lemke_pivoting import DONE, LIMIT_REACHED, Tableau, follow
from solvers._programs.kernel import Entries, SparseMatrix, factorized, solve_kernel
from solvers._programs.linear import Basis
from solvers.solution import Meter
from solvers.trees.lemke_path import ExactPath
from solvers.trees.lemke_tableau import RIGHT, Start, payoff_table

ENTRIES_BETWEEN_LOOKS = 30_000_000  # of the tableau, updated between looks at the budget


class FloatEnd(Enum):
    """How a path in floats ended; the value says what it means."""

    DONE = "the weight of the prior has fallen to 0, up to floating-point error"
    BUDGET_ENDED = "the budget ended first"
    LOST = "rounding has led where no variable leaves, or back to an earlier basis"


@dataclass(frozen=True, eq=False)
class FloatPath:
    """Where floats have come.

    Attributes:
        weights (num_sequences,): Of all sequences but the empty ones.
        weight: The prior's.
        basic: The basic variables.
    """

    end: FloatEnd
    weights: FloatArray
    weight: float
    basic: list[int]


def float_path(path: ExactPath, start: Start, meter: Meter) -> FloatPath:
    """Follow the path in floats from where it stands, until it ends or the budget does.

    The exact path is left alone.

    Raises:
        OverflowError: If coefficients are too far apart for floats.
    """
    tableau = _tableau_of(path, start)
    size = path.size
    most = max(1, ENTRIES_BETWEEN_LOOKS // max(1, size * size))
    status = LIMIT_REACHED
    while status == LIMIT_REACHED and not meter.is_exhausted:
        left = meter.left.iterations
        before = int(tableau.state[1])
        status = follow(tableau, most if left is None else min(most, left))
        meter.step(int(tableau.state[1]) - before)
    ends = {DONE: FloatEnd.DONE, LIMIT_REACHED: FloatEnd.BUDGET_ENDED}
    values = np.zeros(2 * size + 1)
    values[tableau.basic] = tableau.entries[:, -1]
    return FloatPath(
        end=ends.get(status, FloatEnd.LOST),
        weights=np.maximum(values[:size], 0.0),
        weight=max(0.0, float(values[-1])),
        basic=tableau.basic.tolist(),
    )


def _scattered(count: int) -> NDArray[np.int64]:
    """Return numbers without pattern, so that sets have sums of their own: splitmix64's [1]_.

    .. [1] G. Steele, D. Lea, C. Flood (2014), "Fast splittable pseudorandom number generators".
    """
    z = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))).view(np.int64)


def _tableau_of(path: ExactPath, start: Start) -> Tableau:
    """Write the exact rows in floats, slacks in their units."""
    size = path.size
    units = [1] * size + start.units + [1]
    places = np.full(2 * size + 1, -1, dtype=np.int64)
    places[path.basic] = -1 - np.arange(size)
    nonbasic = sorted(set(range(2 * size + 1)) - set(path.basic))
    places[nonbasic] = np.arange(size + 1)
    entries = np.zeros((size, size + 2))
    for i, (row, basic) in enumerate(zip(path.rows, path.basic, strict=True)):
        whole = row[basic] * units[basic]
        entries[i, -1] = row.get(RIGHT, 0) / whole
        for v, value in row.items():
            if v not in {basic, RIGHT}:
                entries[i, places[v]] = value * units[v] / whole
    keys = _scattered(2 * size + 1)
    return Tableau(
        entries=entries,
        basic=np.array(path.basic, dtype=np.int64),
        places=places,
        order=np.array(path.order, dtype=np.int64),
        live=np.zeros(size + 2, dtype=np.int64),
        keys=keys,
        state=np.array(
            [path.entering, 0, np.bitwise_xor.reduce(keys[path.basic]), 0, 1], dtype=np.int64
        ),
    )


def plans_on(
    form: SequenceForm, basic: list[int]
) -> tuple[RealizationPlan, RealizationPlan] | None:
    """Return the plans on given sequences that keep the opponent's given ones equally good.

    Args:
        form: Of two players.
        basic: Variables, numbered as in ``Start``.

    Returns:
        Exact; None if there are none, or a weight is negative.
    """
    size = sum(own.num_sequences - 1 for own in form.players)
    first = form.players[0].num_sequences
    played = (
        [v + 1 for v in basic if v < first - 1],
        [v - first + 2 for v in basic if first - 1 <= v < size],
    )
    plans: list[RealizationPlan] = []
    for i in range(2):
        weights = _weights_on(form, i, played[i], played[1 - i])
        if weights is None:
            return None
        plans.append(RealizationPlan(i, weights))
    return plans[0], plans[1]


def _weights_on(
    form: SequenceForm, player: int, played: list[int], replies: list[int]
) -> np.ndarray | None:
    """Solve for one plan: its constraints, and equal pay for the other player's replies.

    Columns are own sequences, then the values of the other player's information sets; rows the own
    information sets, then the other player's sequences.
    """
    own, other = form.players[player], form.players[1 - player]
    payoffs = payoff_table(form, 1 - player)
    entries = [(i, j, v) for i, j, v in _constraints(own)]
    num_own, num_other = len(own.infosets), len(other.infosets)
    right = [0] * (num_own + other.num_sequences)
    for k in np.flatnonzero(own.parent_sequence == 0).tolist():
        right[k] = 1
    for j, i, v in _constraints(other):
        if i:
            entries.append((num_own + i, own.num_sequences + j, v))
    for t in replies:
        right[num_own + t] = payoffs[t].get(0, 0)
        entries += [(num_own + t, s, -value) for s, value in payoffs[t].items() if s]
    by_row: list[Entries] = [[] for _ in right]
    by_column: list[Entries] = [[] for _ in range(own.num_sequences + num_other)]
    for i, j, value in entries:
        by_row[i].append((j, value))
        by_column[j].append((i, value))
    basis = Basis(
        columns=(*played, *range(own.num_sequences, own.num_sequences + num_other)),
        rows=(*range(num_own), *(num_own + t for t in replies)),
    )
    if len(basis.columns) != len(basis.rows):
        return None
    try:
        solved = solve_kernel(factorized(SparseMatrix(by_row, by_column), basis), right)
    except ZeroDivisionError:  # rounding has chosen sequences that do not determine the weights
        return None
    weights = solved.fractions()[: own.num_sequences].copy()
    weights[0] = ZERO + 1
    return weights if min(weights) >= 0 else None


def _constraints(own: PlayerSequences) -> list[tuple[int, int, int]]:
    """Return (information set, sequence, coefficient) of ``sum of x[I a] - x[parent(I)] = 0``.

    The empty sequence, of weight 1, is left to the right-hand side.
    """
    parents: list[int] = own.parent_sequence.tolist()
    found = [(k, parent, -1) for k, parent in enumerate(parents) if parent]
    for k in range(len(parents)):
        found += [(k, s, 1) for s in range(own.first_sequence[k], own.first_sequence[k + 1])]
    return found
