"""A matrix game that grows by rows and columns, and the simplex method that keeps up with it.

The packing program of a positive matrix ``B``,

    max sum u   subject to   B u + s == 1,   u, s >= 0,

is kept as a condensed tableau of an optimal basis. A new column leaves the basis feasible, so that
primal pivots go on (Dantzig 1951); a new row leaves the rates right, so that dual pivots do (Lemke
1954). A few pivots suffice where solving anew takes several an action.

Row 0 of the tableau holds the rates, column 0 the values of the basic variables. Labels are ``2 j``
for the weight of column j and ``2 i + 1`` for the slack of row i, so that none changes by growth.
"""

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

NO_OPTIMUM = -1
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
    at = columns + 1
    tableau[0, at] = 1.0
    for r in range(rows):
        label = basic[r]
        tableau[r + 1, at] = entries[label // 2] if label % 2 else 0.0
    for q in range(columns):
        label = nonbasic[q]
        if label % 2:
            entry = entries[label // 2]
            for r in range(rows + 1):
                tableau[r, at] += tableau[r, q + 1] * entry
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
    """Pivot to an optimum: dual pivots while rates allow, then primal ones; all in place.

    Returns:
        Pivots made, or ``NO_OPTIMUM`` if the limit came first or the numbers broke down.
    """
    rows, columns = size[0], size[1]
    pivot_row = np.empty(columns + 1)
    patience = rows + columns
    for pivots in range(limit):
        is_patient = pivots < patience
        row = _violated(tableau, basic, size, is_patient)
        if row >= 0:
            column = _dual_entering(tableau, nonbasic, row, columns, is_patient)
        else:
            column = _entering(tableau, nonbasic, size, pivot_row, is_patient)
            if column < 0:
                return pivots
            row = _leaving(tableau, basic, column, rows, is_patient)
        if row < 0 or column < 0:
            return NO_OPTIMUM
        _pivot(tableau, row, column, rows, columns, pivot_row)
        label = basic[row - 1]
        basic[row - 1] = nonbasic[column - 1]
        nonbasic[column - 1] = label
    return NO_OPTIMUM


@compiled
def _violated(
    tableau: NDArray[np.float64], basic: NDArray[np.int64], size: NDArray[np.int64], is_patient: bool
) -> int:
    """Return the negative row of the steepest edge, or of the least label; -1 if there is none."""
    best, steepest = -1, 0.0
    for r in range(1, size[0] + 1):
        value = tableau[r, 0]
        if value < -_LEAST_RATE:
            if is_patient:
                squares = 1.0
                for q in range(1, size[1] + 1):
                    squares += tableau[r, q] * tableau[r, q]
                merit = value * value / squares
            else:
                merit = 1.0 / (basic[r - 1] + 1)
            if merit > steepest:
                best, steepest = r, merit
    return best


@compiled
def _dual_entering(
    tableau: NDArray[np.float64],
    nonbasic: NDArray[np.int64],
    row: int,
    columns: int,
    is_patient: bool,
) -> int:
    """Return the column of least ratio of rates; among tied ones of the largest pivot."""
    best, least = -1, np.inf
    for q in range(1, columns + 1):
        element = -tableau[row, q]
        if element > _LEAST_PIVOT:
            ratio = max(-tableau[0, q], 0.0) / element
            if ratio < least - _TIE:
                best, least = q, ratio
            elif ratio <= least + _TIE and (
                element > -tableau[row, best] if is_patient else nonbasic[q - 1] < nonbasic[best - 1]
            ):
                best, least = q, min(ratio, least)
    return best


@compiled
def _entering(
    tableau: NDArray[np.float64],
    nonbasic: NDArray[np.int64],
    size: NDArray[np.int64],
    squares: NDArray[np.float64],
    is_patient: bool,
) -> int:
    """Return the rising column of the steepest edge, or of the least label; -1 if there is none.

    ``squares`` is work space, modified in place.
    """
    rising = 1 + np.flatnonzero(tableau[0, 1 : size[1] + 1] > _LEAST_RATE)
    if is_patient:
        squares[rising] = 1.0
        for r in range(1, size[0] + 1):
            for q in rising:
                squares[q] += tableau[r, q] * tableau[r, q]
    best, steepest = -1, 0.0
    for q in rising:
        rate = tableau[0, q]
        merit = rate * rate / squares[q] if is_patient else 1.0 / (nonbasic[q - 1] + 1)
        if merit > steepest:
            best, steepest = q, merit
    return best


@compiled
def _leaving(
    tableau: NDArray[np.float64], basic: NDArray[np.int64], column: int, rows: int, is_patient: bool
) -> int:
    """Return the row of least ratio; among tied ones of the largest pivot, or the least label."""
    best, least = -1, np.inf
    for r in range(1, rows + 1):
        element = tableau[r, column]
        if element > _LEAST_PIVOT:
            ratio = max(tableau[r, 0], 0.0) / element
            if ratio < least - _TIE:
                best, least = r, ratio
            elif ratio <= least + _TIE and (
                element > tableau[best, column] if is_patient else basic[r - 1] < basic[best - 1]
            ):
                best, least = r, min(ratio, least)
    return best


@compiled
def _pivot(
    tableau: NDArray[np.float64],
    row: int,
    column: int,
    rows: int,
    columns: int,
    pivot_row: NDArray[np.float64],
) -> None:
    """Exchange the variables of a row and a column; ``tableau`` and ``pivot_row`` are modified."""
    inverse = 1.0 / tableau[row, column]
    for q in range(columns + 1):
        pivot_row[q] = tableau[row, q] * inverse
    pivot_row[column] = inverse
    for r in range(rows + 1):
        if r != row:
            factor = tableau[r, column]
            if factor != 0.0:
                tableau[r, column] = 0.0
                for q in range(columns + 1):
                    tableau[r, q] -= factor * pivot_row[q]
    for q in range(columns + 1):
        tableau[row, q] = pivot_row[q]
