"""Many small matrix games, one after the other: those of a Markov game, one for each state."""

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled
from solvers._kernels.matrix_game_simplex import NO_OPTIMUM, solve_matrix_game

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
