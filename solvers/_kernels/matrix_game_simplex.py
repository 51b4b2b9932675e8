"""The simplex method (Dantzig 1951) on the packing program of a positive payoff matrix ``B``.

    max sum u   subject to   B u <= 1,   u >= 0

has the column player's strategy in ``u / sum u``, and the row player's in its multipliers. The
tableau is kept condensed: a pivot exchanges a basic with a nonbasic variable in place. Devex
pricing (Harris 1973) chooses the entering column; among tied rows the one of the largest pivot
leaves. Where that makes no progress for long, Bland's rule (1977) takes over, which cannot cycle.

The stage games of a Markov game, many and small, are solved one after the other in one loop.
"""

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

NO_OPTIMUM = -1
_LEAST_RATE = 1e-11  # rates start at 1
_LEAST_PIVOT = 1e-9  # entries start between 1 and 2
_TIE = 1e-12  # of ratios
_LARGEST = 2.0**900  # that differences are taken of as they are


@compiled
def solve_matrix_game(
    payoffs: NDArray[np.float64],
    tableau: NDArray[np.float64],
    labels: NDArray[np.int64],
    row_strategy: NDArray[np.float64],
    column_strategy: NDArray[np.float64],
    in_row_support: NDArray[np.bool_],
    in_column_support: NDArray[np.bool_],
    limit: int,
    patience: int,
) -> int:
    """Find optimal strategies of both players.

    Args:
        payoffs (num_rows, num_columns): Of the row player; finite, of any sign and size.
        tableau (num_rows + 1, num_columns + 1): Work space. Modified in place.
        labels (num_rows + num_columns,): Work space: variables of the tableau's rows, then of its
            columns; ``j`` is the weight of column j, ``num_columns + i`` the slack of row i.
            Modified in place.
        row_strategy (num_rows,): Modified in place, as is all that follows.
        column_strategy (num_columns,)
        in_row_support (num_rows,): Whether a row belongs to the square that determines the
            strategies; as many do as columns.
        in_column_support (num_columns,)
        limit: Most pivots.
        patience: Pivots in a row without progress after which Bland's rule takes over.

    Returns:
        Pivots made, or ``NO_OPTIMUM`` if the limit came first or the numbers broke down.
    """
    num_rows, num_columns = payoffs.shape
    basic, nonbasic = labels[:num_rows], labels[num_rows:]
    _fill(payoffs, tableau, basic, nonbasic)
    pivots = _walk(tableau, basic, nonbasic, limit, patience)
    row_strategy[:] = 0.0
    column_strategy[:] = 0.0
    in_row_support[:] = False
    in_column_support[:] = False
    for row in range(num_rows):
        j = basic[row]
        if j < num_columns:
            column_strategy[j] = max(tableau[row, num_columns], 0.0)
            in_column_support[j] = True
    for column in range(num_columns):
        i = nonbasic[column] - num_columns
        if i >= 0:
            row_strategy[i] = max(-tableau[num_rows, column], 0.0)
            in_row_support[i] = True
    row_strategy /= max(row_strategy.sum(), _LEAST_RATE)
    column_strategy /= max(column_strategy.sum(), _LEAST_RATE)
    return pivots


@compiled
def _fill(
    payoffs: NDArray[np.float64],
    tableau: NDArray[np.float64],
    basic: NDArray[np.int64],
    nonbasic: NDArray[np.int64],
) -> None:
    """Write the first tableau and its labels, in place.

    ``B`` has entries from 1 to 2, a column of ones to its right, and below a row of rates, ones.
    """
    num_rows, num_columns = payoffs.shape
    low, high = payoffs.min(), payoffs.max()
    factor = 1.0 if max(-low, high) < _LARGEST else 1 / _LARGEST  # differences must not overflow
    low *= factor
    unit = high * factor - low
    if unit == 0.0:
        unit = 1.0
    for i in range(num_rows):
        for j in range(num_columns):
            tableau[i, j] = 1.0 + (payoffs[i, j] * factor - low) / unit
        tableau[i, num_columns] = 1.0
        basic[i] = num_columns + i
    for j in range(num_columns):
        tableau[num_rows, j] = 1.0
        nonbasic[j] = j
    tableau[num_rows, num_columns] = 0.0


@compiled
def _walk(
    tableau: NDArray[np.float64],
    basic: NDArray[np.int64],
    nonbasic: NDArray[np.int64],
    limit: int,
    patience: int,
) -> int:
    """Pivot to an optimum; all arrays are modified in place.

    In the end the last column holds the basic variables, and the last row minus the multipliers.
    """
    num_columns = nonbasic.shape[0]
    pivot_row = np.empty(num_columns + 1)
    weights = np.ones(num_columns)
    stalled = 0
    for pivots in range(limit + 1):
        column = _entering(tableau, nonbasic, weights, patience - stalled)
        if column < 0:
            return pivots
        if pivots == limit:
            break
        row = _leaving(tableau, basic, column, patience - stalled)
        if row < 0:
            return NO_OPTIMUM
        if tableau[row, num_columns] > _TIE * tableau[row, column]:
            stalled = 0
        else:
            stalled += 1
        _pivot(tableau, row, column, pivot_row)
        _reweight(weights, pivot_row, column)
        label = basic[row]
        basic[row] = nonbasic[column]
        nonbasic[column] = label
    return NO_OPTIMUM


@compiled
def _entering(
    tableau: NDArray[np.float64],
    nonbasic: NDArray[np.int64],
    weights: NDArray[np.float64],
    spare: int,
) -> int:
    """Return the column of largest rate; -1 if none is positive.

    With ``spare`` below 0, patience is over: return that of least label among positive rates.
    """
    last = tableau.shape[0] - 1
    best = -1
    largest = 0.0
    for column in range(nonbasic.shape[0]):
        rate = tableau[last, column]
        if rate > _LEAST_RATE:
            merit = rate * rate / weights[column] if spare >= 0 else -float(nonbasic[column])
            if best < 0 or merit > largest:
                best, largest = column, merit
    return best


@compiled
def _reweight(weights: NDArray[np.float64], pivot_row: NDArray[np.float64], column: int) -> None:
    """Update the reference weights of Devex pricing after a pivot, in place."""
    own = weights[column]
    for j in range(weights.shape[0]):
        weights[j] = max(weights[j], pivot_row[j] * pivot_row[j] * own)
    weights[column] = max(pivot_row[column] * pivot_row[column] * own, 1.0)


@compiled
def _leaving(
    tableau: NDArray[np.float64], basic: NDArray[np.int64], column: int, spare: int
) -> int:
    """Return the row of least ratio; among tied ones of largest pivot, or label if spare < 0."""
    last = tableau.shape[1] - 1
    best = -1
    least = np.inf
    for row in range(basic.shape[0]):
        element = tableau[row, column]
        if element > _LEAST_PIVOT:
            ratio = max(tableau[row, last], 0.0) / element
            if ratio < least - _TIE:
                best, least = row, ratio
            elif ratio <= least + _TIE and (
                (spare < 0 and basic[row] < basic[best])
                or (spare >= 0 and element > tableau[best, column])
            ):
                best, least = row, min(ratio, least)
    return best


@compiled
def _pivot(
    tableau: NDArray[np.float64], row: int, column: int, pivot_row: NDArray[np.float64]
) -> None:
    """Exchange the variables of a row and a column; ``tableau`` and ``pivot_row`` are modified."""
    width = tableau.shape[1]
    inverse = 1.0 / tableau[row, column]
    for j in range(width):
        pivot_row[j] = tableau[row, j] * inverse
    pivot_row[column] = inverse
    for i in range(tableau.shape[0]):
        if i != row:
            factor = tableau[i, column]
            if factor != 0.0:
                tableau[i, column] = 0.0
                for j in range(width):
                    tableau[i, j] -= factor * pivot_row[j]
    for j in range(width):
        tableau[row, j] = pivot_row[j]


_PIVOTS_PER_ACTION = 50  # as a limit; 2 to 5 are usual


@compiled
def solve_stages(
    payoffs: NDArray[np.float64],
    start: NDArray[np.int64],
    shape: NDArray[np.int64],
    place: NDArray[np.int64],
    tableau: NDArray[np.float64],
    labels: NDArray[np.int64],
    strategy: NDArray[np.float64],
    support: NDArray[np.bool_],
    value: NDArray[np.float64],
) -> int:
    """Solve every stage: by a saddle point if there is one, else by the simplex method.

    Args:
        payoffs (num_cells,): Of player 0; stage ``k`` has the cells ``start[k]`` to
            ``start[k + 1]``, row by row.
        start (num_stages + 1,)
        shape (num_stages, 2): Rows and columns.
        place (num_stages, 2): Where the strategies of players 0 and 1 begin in ``strategy``.
        tableau (largest (rows + 1) * (columns + 1),): Work space. Modified in place, as is all that
            follows.
        labels (largest rows + columns,): Work space.
        strategy (num_weights,)
        support (num_weights,): Whether an action belongs to the square that determines the
            strategies.
        value (num_stages,): The middle between what both strategies guarantee.

    Returns:
        The first stage whose numbers broke down, or -1.
    """
    for k in range(value.shape[0]):
        rows, columns = shape[k, 0], shape[k, 1]
        table = payoffs[start[k] : start[k + 1]].reshape(rows, columns)
        x = strategy[place[k, 0] : place[k, 0] + rows]
        y = strategy[place[k, 1] : place[k, 1] + columns]
        in_x = support[place[k, 0] : place[k, 0] + rows]
        in_y = support[place[k, 1] : place[k, 1] + columns]
        if _saddle(table, x, y, in_x, in_y):
            value[k] = _middle(table, x, y)
            continue
        pivots = solve_matrix_game(
            table,
            tableau[: (rows + 1) * (columns + 1)].reshape(rows + 1, columns + 1),
            labels[: rows + columns],
            x,
            y,
            in_x,
            in_y,
            _PIVOTS_PER_ACTION * (rows + columns),
            rows + columns,
        )
        if pivots == NO_OPTIMUM:
            return k
        value[k] = _middle(table, x, y)
    return -1


@compiled
def _saddle(
    table: NDArray[np.float64],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    in_x: NDArray[np.bool_],
    in_y: NDArray[np.bool_],
) -> bool:
    """Write down the first saddle point, if there is one; x, y, in_x and in_y are modified."""
    rows, columns = table.shape
    best_row, most = 0, -np.inf
    for i in range(rows):
        least = np.inf
        for j in range(columns):
            least = min(least, table[i, j])
        if least > most:
            best_row, most = i, least
    best_column, fewest = 0, np.inf
    for j in range(columns):
        largest = -np.inf
        for i in range(rows):
            largest = max(largest, table[i, j])
        if largest < fewest:
            best_column, fewest = j, largest
    if most != fewest:
        return False
    x[:] = 0.0
    y[:] = 0.0
    in_x[:] = False
    in_y[:] = False
    x[best_row] = 1.0
    y[best_column] = 1.0
    in_x[best_row] = True
    in_y[best_column] = True
    return True


@compiled
def _middle(table: NDArray[np.float64], x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Return the middle between what x and y guarantee."""
    rows, columns = table.shape
    low = np.inf
    for j in range(columns):
        total = 0.0
        for i in range(rows):
            total += x[i] * table[i, j]
        low = min(low, total)
    high = -np.inf
    for i in range(rows):
        total = 0.0
        for j in range(columns):
            total += table[i, j] * y[j]
        high = max(high, total)
    return 0.5 * (low + high)
