"""Vertices of a small matrix game: by simplex pivots in plain Python, or from their squares.

For a positive matrix ``B``, in integers or floats,

    max sum u   subject to   B u <= 1,   u >= 0

has the column player's optimal strategy in ``u / sum u``, and the row player's in its multipliers.
The tableau is condensed and free of fractions (Edmonds 1967, Bareiss 1968): every entry is a minor
of ``B``, bordered by ones, over the pivot before, so that on integers each division is exact. A
small game is solved before compiled code is even found on disk.

A known support needs one linear system (Shapley and Snow 1950). With ``C`` the payoffs of as many
rows as columns, the weights ``x`` and ``y`` and the value ``v`` of the smaller game are determined
by

    C'x = v,   sum x = 1,      C y = v,   sum y = 1,

if the bordered matrix is regular. Every optimal vertex of a game comes from such a square.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import flint
import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, FloatArray, freeze

Number: TypeAlias = int | float

LEAST_RATE = 1e-11  # in floats; rates start at 1
LEAST_PIVOT = 1e-9  # in floats; entries start between 1 and 2
TIE = 1e-12  # of ratios, in floats


@dataclass(frozen=True)
class PackingOptimum:
    """An optimal basis of the program; exact where the matrix is.

    Attributes:
        row_weights, column_weights: Optimal strategies, times ``total``.
        total: What either weights sum to.
        unit: The value of the game is ``unit / total``.
        rows, columns: A square that determines the strategies.
        pivots: Steps made.
    """

    row_weights: list[Number]
    column_weights: list[Number]
    total: Number
    unit: Number
    rows: list[int]
    columns: list[int]
    pivots: int


def solve_packing(matrix: list[list[Number]], *, limit: int) -> PackingOptimum | None:
    """Solve the program of a positive matrix; None if the limit on pivots, or rounding, ends it.

    Dantzig's rule chooses the entering column. Where that has made no progress for as many pivots
    as there are actions, Bland's rule (1977) takes over, which cannot cycle.

    Args:
        matrix (num_rows, num_columns): All integers, or all floats; positive.
        limit: Most pivots.
    """
    num_rows, num_columns = len(matrix), len(matrix[0])
    is_exact = type(matrix[0][0]) is int
    least_rate, least_pivot = (0, 0) if is_exact else (LEAST_RATE, LEAST_PIVOT)
    tie = 0 if is_exact else TIE
    ones: list[Number] = [1] * num_columns
    table: list[list[Number]] = [[*row, 1] for row in matrix] + [[*ones, 0]]
    nonbasic = list(range(num_columns))  # label j is the weight of column j, and
    basic = list(range(num_columns, num_columns + num_rows))  # num_columns + i the slack of row i
    unit: Number = 1  # what all entries are over
    stalled = 0
    pivots = 0
    while True:
        patient = stalled <= num_rows + num_columns
        rates = table[num_rows]
        column = _entering(rates, nonbasic, least_rate * unit, patient=patient)
        if column < 0:
            break
        if pivots == limit:
            return None
        row = _leaving(table, basic, column, (least_pivot * unit, tie), patient=patient)
        if row < 0:
            return None
        pivots += 1
        own = table[row]
        pivot = own[column]
        stalled = 0 if own[-1] > tie * pivot else stalled + 1
        for i, other in enumerate(table):
            factor = other[column]
            if i != row:
                if is_exact:
                    table[i] = [
                        (a * pivot - factor * b) // unit for a, b in zip(other, own, strict=True)
                    ]
                else:
                    table[i] = [
                        (a * pivot - factor * b) / unit for a, b in zip(other, own, strict=True)
                    ]
                table[i][column] = -factor
        own[column] = unit
        unit = pivot
        basic[row], nonbasic[column] = nonbasic[column], basic[row]
    row_weights: list[Number] = [0] * num_rows
    column_weights: list[Number] = [0] * num_columns
    for label, entry in zip(nonbasic, table[num_rows], strict=False):  # the last is the objective
        if label >= num_columns:
            row_weights[label - num_columns] = max(-entry, 0)
    for label, entries in zip(basic, table, strict=False):  # the last row has no label
        if label < num_columns:
            column_weights[label] = max(entries[-1], 0)
    return PackingOptimum(
        row_weights=row_weights,
        column_weights=column_weights,
        total=-table[num_rows][-1],
        unit=unit,
        rows=sorted(label - num_columns for label in nonbasic if label >= num_columns),
        columns=sorted(label for label in basic if label < num_columns),
        pivots=pivots,
    )


def _entering(rates: list[Number], nonbasic: list[int], least: Number, *, patient: bool) -> int:
    """Return the column of largest rate, or by Bland's rule; -1 at the optimum."""
    if patient:
        largest = max(rates[:-1])
        return rates.index(largest) if largest > least else -1
    rising = [(label, j) for j, label in enumerate(nonbasic) if rates[j] > least]
    return min(rising)[1] if rising else -1


def _leaving(
    table: list[list[Number]],
    basic: list[int],
    column: int,
    least: tuple[Number, Number],
    *,
    patient: bool,
) -> int:
    """Return the row of least ratio; of tied ones that of largest pivot, or by Bland's rule.

    ``least`` is the least pivot, and the relative difference up to which ratios are tied.
    """
    best, best_last, best_pivot = -1, 0, 1
    for row in range(len(basic)):
        pivot = table[row][column]
        if pivot > least[0]:
            last = max(table[row][-1], 0)
            scale = pivot * best_pivot
            behind = last * best_pivot - best_last * pivot  # of the ratios, times the scale
            is_tied = best >= 0 and abs(behind) <= least[1] * scale
            if (
                best < 0
                or (behind < 0 and not is_tied)
                or (is_tied and (pivot > best_pivot if patient else basic[row] < basic[best]))
            ):
                best, best_last, best_pivot = row, last, pivot
    return best


def equalizing(
    payoffs: FloatArray, rows: tuple[int, ...], columns: tuple[int, ...]
) -> tuple[FloatArray, FloatArray] | None:
    """Return equalizing strategies of all rows and columns in floats; None if there are none.

    Args:
        payoffs (num_rows, num_columns)
        rows, columns: Equally many.
    """
    size = len(rows)
    block = payoffs[np.ix_(rows, columns)]
    center, unit = block.mean(), float(np.abs(payoffs).max()) or 1.0
    bordered = np.ones((size + 1, size + 1))
    bordered[:size, :size] = (block - center) / unit
    bordered[size, size] = 0.0
    last = np.zeros(size + 1)
    last[size] = 1.0
    try:
        inverse = np.linalg.inv(bordered)
    except np.linalg.LinAlgError:
        return None
    strategies: list[FloatArray] = []
    for matrix, solver, support, count in (
        (bordered.T, inverse.T, rows, payoffs.shape[0]),
        (bordered, inverse, columns, payoffs.shape[1]),
    ):
        solved = solver @ last
        solved += solver @ (last - matrix @ solved)  # one refinement
        if not np.all(np.isfinite(solved)):
            return None
        weights = np.zeros(count)
        weights[list(support)] = np.maximum(solved[:size], 0.0)
        strategies.append(weights / weights.sum())
    return strategies[0], strategies[1]


def guarantee_gap(payoffs: FloatArray, x: FloatArray, y: FloatArray) -> float:
    """Return what two strategies guarantee apart from each other, up to rounding."""
    return float((payoffs @ y).max() - (x @ payoffs).min())


def equalizing_exactly(
    payoffs: ExactArray, rows: tuple[int, ...], columns: tuple[int, ...]
) -> ExactArray | None:
    """Return the rational weights of the columns that equalize the rows.

    Args:
        payoffs (num_rows, num_columns): Transposed for the weights of rows.
        rows, columns: Equally many.

    Returns:
        (num_columns,): Zero outside ``columns``; None if there are no such weights, or one is
        negative.
    """
    size = len(rows)
    entries = [[*row, 1] for row in payoffs[np.ix_(rows, columns)].tolist()]
    bordered: Any = flint.fmpz_mat([*entries, [1] * size + [0]])
    try:
        solved = bordered.solve(flint.fmpz_mat(size + 1, 1, [0] * size + [1]))
    except ZeroDivisionError:
        return None
    numerators, denominator = solved.numer_denom()
    parts = [int(part) for part in numerators.entries()[:size]]
    whole = int(denominator)
    if min(parts) < 0:  # the denominator is positive
        return None
    weights = np.full(payoffs.shape[1], ZERO, dtype=object)
    weights[list(columns)] = [Fraction(part, whole) for part in parts]
    return freeze(weights)
