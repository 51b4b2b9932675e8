"""Lemke's path from the prior to an equilibrium: in Python integers, or in floats once it is long.

The weight ``z`` of the prior enters first, falling from 1. Whenever a variable leaves the basis its
complement enters; the path ends where ``z`` falls to 0. Constants count as if each had the
infinitesimal of a basic variable of the start added (Charnes 1952), so that no basis comes twice
and the path ends.

Floats are many times faster on large trees, but their kernel takes a while to load. They may be
wrong: what they find is which sequences are played, and ``plans_on`` solves exactly for the weights
that keep the other player's sequences equally good. A certificate decides.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ONE, ZERO, FloatArray, NumberArray, freeze
from gametheory_core.strategies.sequences import PlayerSequences, RealizationPlan, SequenceForm
from solvers._programs.linear import Basis
from solvers._programs.perturbed import UNBOUNDED
from solvers._programs.rational_systems import Entries, SparseMatrix, factorized, solve_kernel
from solvers.solution import Meter
from solvers.trees.lemke_tableau import RIGHT, Row, Start, payoff_table
from solvers.trees.sequence_program import plan_constraints

if TYPE_CHECKING:
    from solvers._kernels.complementary_pivoting import Tableau


@dataclass
class ExactPath:
    """A basis on the way; modified by each step.

    Attributes:
        rows: As in ``Start``; a basic variable may have any positive coefficient.
        basic: The basic variable of each row.
        size: Number of sequences, the empty ones left out.
        order: Of infinitesimals.
        entering: The variable that enters next.
        is_done: Whether ``z`` is 0.
        words: How much arithmetic was done, in machine words.
    """

    rows: list[Row]
    basic: list[int]
    size: int
    order: tuple[int, ...]
    entering: int
    is_done: bool = False
    words: int = 0

    @property
    def weight(self) -> Fraction:
        """The weight ``z`` that the prior still has."""
        return self.values.get(2 * self.size, ZERO if self.is_done else ONE)

    @property
    def values(self) -> dict[int, Fraction]:
        """The basic variables."""
        return {
            v: Fraction(row.get(RIGHT, 0), row[v])
            for v, row in zip(self.basic, self.rows, strict=True)
        }


def exact_path(start: Start) -> ExactPath:
    """Take the first step from the prior: lower its weight until a slack falls to 0, or to 0."""
    rows = [dict(row) for row in start.rows]
    path = ExactPath(rows, list(start.basic), start.size, start.order, start.weight)
    row = _leaving_row(path)
    if row is None or rows[row].get(RIGHT, 0) >= rows[row][start.weight]:
        for own in rows:  # the replies to the prior are replies to each other
            own[RIGHT] = own.get(RIGHT, 0) - own.pop(start.weight, 0)
        path.is_done = True
        return path
    _exchange(path, row)
    turned = rows[row]  # from 1 - z to z
    whole = turned.pop(start.weight)
    path.rows[row] = {v: -value for v, value in turned.items()}
    path.rows[row][RIGHT] = whole - turned.get(RIGHT, 0)
    path.rows[row][start.weight] = whole
    return path


def step(path: ExactPath) -> None:
    """Let the entering variable grow until a basic one falls to 0."""
    row = _leaving_row(path)
    if row is None:
        raise ArithmeticError("no ray leaves the start: weights and slacks of replies are bounded")
    leaving = path.basic[row]
    _exchange(path, row)
    path.is_done = leaving == 2 * path.size


def _leaving_row(path: ExactPath) -> int | None:
    """Return the row whose variable first falls to 0; among ties the prior's weight, if it is one.

    The order of infinitesimals decides the other ties.
    """
    entering, rows = path.entering, path.rows
    candidates = [i for i, row in enumerate(rows) if row.get(entering, 0) > 0]
    if not candidates:
        return None
    tied = _least(rows, candidates, entering, RIGHT)
    for i in tied:
        if path.basic[i] == 2 * path.size:
            return i
    for v in path.order:
        if len(tied) == 1:
            break
        tied = _least(rows, tied, entering, v)
    return tied[0]


def _least(rows: list[Row], candidates: list[int], entering: int, v: int) -> list[int]:
    """Keep the rows with the least ratio of one coefficient to the entering variable's."""
    best: list[int] = []
    top, bottom = 0, 1
    for i in candidates:
        row = rows[i]
        value, entry = row.get(v, 0), row[entering]
        difference = value * bottom - top * entry if best else -1
        if difference < 0:
            best, top, bottom = [i], value, entry
        elif not difference:
            best.append(i)
    return best


def _exchange(path: ExactPath, index: int) -> None:
    """Make the entering variable basic in a row, and let the complement of the leaver enter."""
    entering, size = path.entering, path.size
    pivot_row = path.rows[index]
    pivot = pivot_row[entering]
    items = list(pivot_row.items())
    for i, row in enumerate(path.rows):
        entry = row.get(entering, 0)
        if entry and i != index:
            common = math.gcd(pivot, entry)
            path.rows[i] = _eliminated(row, items, pivot // common, entry // common)
            path.words += len(row) + len(items)
    leaving = path.basic[index]
    path.basic[index] = entering
    path.entering = leaving - size if leaving >= size else leaving + size


def _eliminated(row: Row, pivot_items: list[tuple[int, int]], scale: int, factor: int) -> Row:
    """Return ``scale * row - factor * pivot_row``, without zeros and common divisors."""
    out = row.copy() if scale == 1 else {v: value * scale for v, value in row.items()}
    for v, value in pivot_items:
        changed = out.get(v, 0) - factor * value
        if changed:
            out[v] = changed
        else:
            out.pop(v, None)
    common = math.gcd(*out.values())
    return out if common == 1 else {v: value // common for v, value in out.items()}


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
    from solvers._kernels import complementary_pivoting as kernel  # noqa: PLC0415 loads numba

    tableau = _tableau_of(path, start)
    size = path.size
    most = max(1, ENTRIES_BETWEEN_LOOKS // max(1, size * size))
    status = kernel.LIMIT_REACHED
    while status == kernel.LIMIT_REACHED and not meter.is_exhausted:
        before = int(tableau.state[1])
        status = kernel.follow(tableau, meter.at_most(most))
        meter.step(int(tableau.state[1]) - before)
    ends = {kernel.DONE: FloatEnd.DONE, kernel.LIMIT_REACHED: FloatEnd.BUDGET_ENDED}
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


def _tableau_of(path: ExactPath, start: Start) -> "Tableau":
    """Write the exact rows in floats, slacks in their units."""
    from solvers._kernels.complementary_pivoting import Tableau  # noqa: PLC0415 loads numba

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
    floors = [[UNBOUNDED] * own.num_sequences for own in form.players]
    found = weights_on(form, basic, floors)
    if found is None or any(min(rows[0]) < 0 for rows in found):
        return None
    first, second = (RealizationPlan(i, freeze(rows[0])) for i, rows in enumerate(found))
    return first, second


def weights_on(
    form: SequenceForm, basic: list[int], floors: Sequence[Sequence[int]]
) -> list[list[NumberArray]] | None:
    """Return the weights on given sequences that keep the opponent's given ones equally good.

    Args:
        form: Of two players.
        basic: Variables, numbered as in ``Start``.
        floors: Of each player, what every sequence has besides: ``epsilon**order``, or nothing
            where the order is ``UNBOUNDED``.

    Returns:
        Of each player, for each power of epsilon the coefficients of all weights, floors included.
        None if the sequences do not determine the weights.
    """
    size = sum(own.num_sequences - 1 for own in form.players)
    first = form.players[0].num_sequences
    played = (
        [v + 1 for v in basic if v < first - 1],
        [v - first + 2 for v in basic if first - 1 <= v < size],
    )
    one = _weights_of(form, 0, played, floors[0])
    other = None if one is None else _weights_of(form, 1, played, floors[1])
    return None if one is None or other is None else [one, other]


def _weights_of(
    form: SequenceForm, player: int, played: tuple[list[int], list[int]], floors: Sequence[int]
) -> list[NumberArray] | None:
    """Solve for one plan: its constraints, and equal pay for the other player's replies.

    Columns are own sequences, then the values of the other player's information sets; rows the own
    information sets, then the other player's sequences.
    """
    own, other, replies = form.players[player], form.players[1 - player], played[1 - player]
    payoffs = payoff_table(form, 1 - player)
    entries = _constraint_entries(own)
    num_own, num_other = len(own.infosets), len(other.infosets)
    right = [0] * (num_own + other.num_sequences)
    for k in np.flatnonzero(own.parent_sequence == 0).tolist():
        right[k] = 1
    entries += [(num_own + i, own.num_sequences + j, v) for j, i, v in _constraint_entries(other)]
    for t in replies:
        right[num_own + t] = payoffs[t].get(0, 0)
        entries += [(num_own + t, s, -value) for s, value in payoffs[t].items() if s]
    by_row: list[Entries] = [[] for _ in right]
    by_column: list[Entries] = [[] for _ in range(own.num_sequences + num_other)]
    for i, j, value in entries:
        by_row[i].append((j, value))
        by_column[j].append((i, value))
    basis = Basis(
        columns=(*played[player], *range(own.num_sequences, own.num_sequences + num_other)),
        rows=(*range(num_own), *(num_own + t for t in replies)),
    )
    if len(basis.columns) != len(basis.rows):
        return None
    try:
        kernel = factorized(SparseMatrix(by_row, by_column), basis)
    except ZeroDivisionError:  # rounding has chosen sequences that do not determine the weights
        return None
    rights = [right] + [[0] * len(right) for _ in range(max(0, *floors))]
    for i, j, value in entries:
        if 0 < j < own.num_sequences and floors[j] != UNBOUNDED:
            rights[floors[j]][i] -= value
    found: list[NumberArray] = []
    for order, amounts in enumerate(rights):
        weights = solve_kernel(kernel, amounts).fractions()[: own.num_sequences].copy()
        weights[0] = ZERO if order else ONE
        for s in range(1, own.num_sequences):
            weights[s] += floors[s] == order
        found.append(weights)
    return found


def _constraint_entries(own: PlayerSequences) -> list[tuple[int, int, int]]:
    """Return (information set, sequence, coefficient) of ``sum of x[I a] - x[parent(I)] = 0``.

    The empty sequence, of weight 1, is left to the right-hand side.
    """
    rows, sequences, values = (part.tolist() for part in plan_constraints(own))
    triples = zip(rows, sequences, values, strict=True)
    return [(row - 1, s, value) for row, s, value in triples if row and s]
