"""A matrix game that grows by rows and columns, and the simplex method that keeps up with it.

The packing program of a positive matrix ``B``,

    max sum u   subject to   B u + s == 1,   u, s >= 0,

is kept as a condensed tableau of an optimal basis. A new column leaves the basis feasible, so that
primal pivots go on (Dantzig 1951); a new row leaves the rates right, so that dual pivots do (Lemke
1954). A few pivots suffice where solving anew takes several an action.

A pivot subtracts the product of a column and a row. Some of them are kept pending; only rates,
values, and the rows and columns that are looked at are brought up to date at once.

Row 0 of the tableau holds the rates, column 0 the values of the basic variables. Labels are ``2 j``
for the weight of column j and ``2 i + 1`` for the slack of row i, so that none changes by growth.
"""

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

NO_OPTIMUM = -1
PENDING = 16  # pivots carried out while the tableau passes through the cache; a multiple of 4
_LEAST_RATE = 1e-11  # rates start at 1
_LEAST_PIVOT = 1e-9  # entries start between 1 and 2
_TIE = 1e-12  # of ratios


@compiled
def append_column(
    tableau: NDArray[np.float64],
    basic: NDArray[np.int64],
    nonbasic: NDArray[np.int64],
    size: NDArray[np.int64],
    entries: NDArray[np.float64],
) -> None:
    """Append a column of ``B`` as a nonbasic variable.

    Args:
        tableau (most rows + 1, most columns + 1): Modified in place, as is all but ``entries``.
        basic (most rows,), nonbasic (most columns,): Labels.
        size (2,): Rows and columns of ``B``.
        entries (num_rows,): The column.
    """
    rows, columns = size[0], size[1]
    weights = np.zeros(columns + 1)  # of the columns that are slacks
    for q in range(columns):
        if nonbasic[q] % 2:
            weights[q + 1] = entries[nonbasic[q] // 2]
    for r in range(rows + 1):
        label = basic[r - 1]
        total = 1.0 if r == 0 else entries[label // 2] if label % 2 else 0.0
        for q in range(1, columns + 1):
            total += tableau[r, q] * weights[q]
        tableau[r, columns + 1] = total
    nonbasic[columns] = 2 * columns
    size[1] += 1


@compiled
def append_row(
    tableau: NDArray[np.float64],
    basic: NDArray[np.int64],
    nonbasic: NDArray[np.int64],
    size: NDArray[np.int64],
    entries: NDArray[np.float64],
) -> None:
    """Append a row of ``B``, whose slack becomes basic; as ``append_column``.

    Args:
        entries (num_columns,): The row.
    """
    rows, columns = size[0], size[1]
    new = tableau[rows + 1]
    new[0] = 1.0
    for q in range(columns):
        label = nonbasic[q]
        new[q + 1] = 0.0 if label % 2 else entries[label // 2]
    for r in range(rows):
        label = basic[r]
        if label % 2 == 0:
            entry = entries[label // 2]
            for q in range(columns + 1):
                new[q] -= tableau[r + 1, q] * entry
    basic[rows] = 2 * rows + 1
    size[0] += 1


@compiled
def reoptimize(
    tableau: NDArray[np.float64],
    basic: NDArray[np.int64],
    nonbasic: NDArray[np.int64],
    size: NDArray[np.int64],
    limit: int,
) -> int:
    """Pivot to an optimum: dual pivots while a value is negative, else primal ones; all in place.

    Returns:
        Pivots made, or ``NO_OPTIMUM`` if the limit came first or the numbers broke down.
    """
    rows, columns = size[0], size[1]
    left, right = np.empty((PENDING, rows + 1)), np.empty((PENDING, columns + 1))
    row_weights, column_weights = np.ones(rows + 1), np.ones(columns + 1)
    own_column, own_row = np.empty(rows + 1), np.empty(columns + 1)
    values = tableau[: rows + 1, 0].copy()  # column 0, which is far apart in memory
    pending, status = 0, NO_OPTIMUM
    for pivots in range(limit + 1):
        spare = rows + columns - pivots
        row = _violated(values, basic, row_weights, spare)
        if row >= 0:
            _current_row(tableau, left, right, pending, row, own_row)
            own_row[0] = values[row]
            column = _dual_entering(tableau[0], nonbasic, own_row, spare)
            if column < 0:
                break
            _current_row(tableau.T, right, left, pending, column, own_column)
        else:
            column = _entering(tableau[0], nonbasic, column_weights, spare)
            if column < 0:
                status = pivots
                break
            _current_row(tableau.T, right, left, pending, column, own_column)
            row = _leaving(values, basic, own_column, spare)
            if row < 0:
                break
            _current_row(tableau, left, right, pending, row, own_row)
            own_row[0] = values[row]
        if pivots == limit:
            break
        _exchange(own_row, own_column, row, column, row_weights, column_weights)
        for j in range(columns + 1):
            right[pending, j] = own_row[j]
            tableau[0, j] -= own_column[0] * own_row[j]
        left[pending, 0] = own_column[0]
        for i in range(1, rows + 1):
            left[pending, i] = own_column[i]
            values[i] -= own_column[i] * own_row[0]
        label = basic[row - 1]
        basic[row - 1] = nonbasic[column - 1]
        nonbasic[column - 1] = label
        pending += 1
        if pending == PENDING:
            _flush(tableau, left, right, pending)
            pending = 0
    _flush(tableau, left, right, pending)
    for i in range(1, rows + 1):
        tableau[i, 0] = values[i]
    return status


@compiled
def _exchange(
    row: NDArray[np.float64],
    column: NDArray[np.float64],
    r: int,
    q: int,
    row_weights: NDArray[np.float64],
    column_weights: NDArray[np.float64],
) -> None:
    """Make a pivot a product: the tableau less ``column`` times ``row`` has exchanged r and q.

    All arrays are modified in place. Weights are those of Devex pricing (Harris 1973).
    """
    element = row[q]
    reference = row_weights[r]
    for i in range(1, column.shape[0]):
        share = column[i] / element
        row_weights[i] = max(row_weights[i], share * share * reference)
    row_weights[r] = max(reference / (element * element), 1.0)
    reference = column_weights[q]
    for j in range(row.shape[0]):
        row[j] /= element
        column_weights[j] = max(column_weights[j], row[j] * row[j] * reference)
    column_weights[q] = max(reference / (element * element), 1.0)
    column[r] = element - 1.0
    row[q] = 1.0 + 1.0 / element


@compiled
def _current_row(
    tableau: NDArray[np.float64],
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    pending: int,
    row: int,
    found: NDArray[np.float64],
) -> None:
    """Write a row with all pending products subtracted into ``found``; value first.

    A column is a row of the transpose, whose ``left`` is ``right``.
    """
    for j in range(found.shape[0]):
        found[j] = tableau[row, j]
    for k in range(pending):
        factor = left[k, row]
        for j in range(1, found.shape[0]):
            found[j] -= factor * right[k, j]


@compiled
def _flush(
    tableau: NDArray[np.float64],
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    pending: int,
) -> None:
    """Subtract all pending products, a row at a time, so that it stays near; in place."""
    for k in range(pending, (pending + 3) // 4 * 4):
        left[k] = 0.0
        right[k] = 0.0
    width = right.shape[1]
    for i in range(1, left.shape[1]):
        own = tableau[i, :width]
        for k in range(0, pending, 4):
            a, b, c, d = left[k, i], left[k + 1, i], left[k + 2, i], left[k + 3, i]
            first, second, third, fourth = right[k], right[k + 1], right[k + 2], right[k + 3]
            for j in range(1, width):
                own[j] -= a * first[j] + b * second[j] + c * third[j] + d * fourth[j]


@compiled
def _violated(
    values: NDArray[np.float64], basic: NDArray[np.int64], weights: NDArray[np.float64], spare: int
) -> int:
    """Return the row of the worst negative value; -1 if there is none.

    With ``spare`` below 0, patience is over, here and below: return that of least label.
    """
    best, largest = -1, -np.inf
    for r in range(1, values.shape[0]):
        value = values[r]
        if value < -_LEAST_RATE:
            merit = value * value / weights[r] if spare >= 0 else -float(basic[r - 1])
            if merit > largest:
                best, largest = r, merit
    return best


@compiled
def _entering(
    rates: NDArray[np.float64],
    nonbasic: NDArray[np.int64],
    weights: NDArray[np.float64],
    spare: int,
) -> int:
    """Return the column of the best positive rate; -1 if there is none."""
    best, largest = -1, -np.inf
    for q in range(1, weights.shape[0]):
        if rates[q] > _LEAST_RATE:
            merit = rates[q] * rates[q] / weights[q] if spare >= 0 else -float(nonbasic[q - 1])
            if merit > largest:
                best, largest = q, merit
    return best


@compiled
def _dual_entering(
    rates: NDArray[np.float64], nonbasic: NDArray[np.int64], row: NDArray[np.float64], spare: int
) -> int:
    """Return the column of least ratio of rates; among tied ones of the largest pivot."""
    best, least = -1, np.inf
    for q in range(1, row.shape[0]):
        if row[q] < -_LEAST_PIVOT:
            ratio = min(rates[q], 0.0) / row[q]
            if ratio < least - _TIE:
                best, least = q, ratio
            elif ratio <= least + _TIE and (
                row[q] < row[best] if spare >= 0 else nonbasic[q - 1] < nonbasic[best - 1]
            ):
                best, least = q, min(ratio, least)
    return best


@compiled
def _leaving(
    values: NDArray[np.float64], basic: NDArray[np.int64], column: NDArray[np.float64], spare: int
) -> int:
    """Return the row of least ratio of values; among tied ones of the largest pivot."""
    best, least = -1, np.inf
    for r in range(1, column.shape[0]):
        if column[r] > _LEAST_PIVOT:
            ratio = max(values[r], 0.0) / column[r]
            if ratio < least - _TIE:
                best, least = r, ratio
            elif ratio <= least + _TIE and (
                column[r] > column[best] if spare >= 0 else basic[r - 1] < basic[best - 1]
            ):
                best, least = r, min(ratio, least)
    return best
