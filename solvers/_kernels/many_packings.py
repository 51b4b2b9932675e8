"""Minimax strategies of many small matrix games, exactly, in integers of several words.

The loop of ``solvers.zero_sum.matrix_vertex``: the same program, the same rules for pivots, hence
the same strategies.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled, placed
from solvers._kernels.many_games import Games, lift_above_zero, place
from solvers._kernels.wide_integers import (
    compare,
    compare_products,
    exchange_in_room,
    negate,
    sign,
    tableau_words,
    to_float,
    write_word,
)

ENDED, TOO_LONG = 1, 0
_MOST_PIVOTS = 10_000


class Room(NamedTuple):
    """Arrays for one game, all modified in place.

    ``numbers`` holds the tableau, with one more row and column than the matrix; the pivot before, a
    zero, and work space. Where a shape is asked for, it is that of the tableau: rows, columns, and
    words of a number that are reserved.
    """

    numbers: NDArray[np.uint64]
    nonbasic: NDArray[np.int64]  # (n,): label j is the weight of column j,
    basic: NDArray[np.int64]  # (m,): and n + i the slack of row i


@partial(compiled, nogil=True)
def solve_packings(
    given: Games,
    arrays: Room,
    row_weights: NDArray[np.uint64],
    column_weights: NDArray[np.uint64],
    row_strategies: NDArray[np.float64],
    column_strategies: NDArray[np.float64],
    status: NDArray[np.int8],
) -> None:
    """Solve every game whose numbers fit.

    Args:
        row_weights (num_games, m, words): Modified in place, as is all that follows.
        column_weights (num_games, n, words)
        row_strategies (num_games, m), column_strategies (num_games, n): Nearly the same, in floats.
        status (num_games,): ``ENDED`` or ``TOO_LONG``; as it was for games not looked at.
    """
    games, room = placed(given), placed(arrays)
    rows, columns = games.mantissas.shape[2] + 1, games.mantissas.shape[3] + 1
    words = row_weights.shape[2]
    shape = (rows, columns, words)
    for game in range(games.fits.shape[0]):
        if not games.fits[game]:
            continue
        for i in range(rows - 1):
            for j in range(columns - 1):
                shift = games.exponents[game, 0, i, j] + games.shifts[game, 0]
                at = (i * columns + j) * words
                place(games.mantissas[game, 0, i, j], shift, room.numbers, at, words)
        in_use = solve_packing(room, shape)
        status[game] = ENDED if in_use else TOO_LONG
        if not in_use:
            continue
        row_weights[game] = np.uint64(0)
        column_weights[game] = np.uint64(0)
        row_strategies[game] = 0.0
        column_strategies[game] = 0.0
        corner = (rows * columns - 1) * words
        negate(room.numbers, corner, in_use)
        total = to_float(room.numbers, corner, in_use)
        for j in range(columns - 1):
            i = room.nonbasic[j] - (columns - 1)
            at = ((rows - 1) * columns + j) * words
            if i >= 0 and sign(room.numbers, at, in_use) < 0:
                negate(room.numbers, at, in_use)
                for k in range(in_use):
                    row_weights[game, i, k] = room.numbers[at + k]
                row_strategies[game, i] = to_float(room.numbers, at, in_use) / total
        for i in range(rows - 1):
            j = room.basic[i]
            at = (i * columns + columns - 1) * words
            if j < columns - 1:
                for k in range(in_use):
                    column_weights[game, j, k] = room.numbers[at + k]
                column_strategies[game, j] = to_float(room.numbers, at, in_use) / total


@compiled
def solve_packing(room: Room, shape: tuple[int, int, int]) -> int:
    """Lift the payoffs that are written, and pivot.

    Returns:
        The words in use, 0 if there are too many pivots. What was added to all payoffs, less the
        least one, is 1; minus that sum stands after the work space.
    """
    rows, columns, words = shape
    unit = rows * columns * words
    base = unit + 8 * words
    bits = lift_above_zero(room.numbers, 0, shape, base)
    for i in range(rows):
        write_word(room.numbers, (i * columns + columns - 1) * words, words, 1)
    for j in range(columns - 1):
        write_word(room.numbers, ((rows - 1) * columns + j) * words, words, 1)
    write_word(room.numbers, (rows * columns - 1) * words, words, 0)
    return walk(room, shape, bits, min(rows, columns) - 1)


@compiled
def walk(room: Room, shape: tuple[int, int, int], bits: int, most: int) -> int:
    """Pivot from the first basis, where all is slack, to an optimum.

    Args:
        room: The tableau is written, constants in its last column and rates in its last row.
            Modified in place.
        bits: Of the largest entry.
        most: Largest order of minors that have no row or column of zeros and ones.

    Returns:
        The words in use, 0 if there are too many pivots.
    """
    rows, columns, words = shape
    unit = rows * columns * words
    work = unit + 2 * words
    write_word(room.numbers, unit, words, 1)
    write_word(room.numbers, unit + words, words, 0)
    for i in range(rows - 1):
        room.basic[i] = columns - 1 + i
    for j in range(columns - 1):
        room.nonbasic[j] = j
    in_use = tableau_words(0, bits, 1)
    order = stalled = 0
    for _ in range(_MOST_PIVOTS):
        spare = rows + columns - 2 - stalled
        column = _entering(room, shape, in_use, spare)
        if column < 0:
            return in_use
        row = _leaving(room, shape, in_use, column, spare)
        last = (row * columns + columns - 1) * words
        stalled = 0 if sign(room.numbers, last, in_use) > 0 else stalled + 1
        order += np.int64(room.nonbasic[column] < columns - 1)
        order -= np.int64(room.basic[row] < columns - 1)
        after = tableau_words(order, bits, most)
        in_use = exchange_in_room(room.numbers, 0, shape, row, column, unit, (in_use, after), work)
        label = room.basic[row]
        room.basic[row], room.nonbasic[column] = room.nonbasic[column], label
    return 0


@compiled
def _entering(room: Room, shape: tuple[int, int, int], in_use: int, spare: int) -> int:
    """Return the column of largest rate, -1 at the optimum; by Bland's rule if none is to spare."""
    rows, columns, words = shape
    best = -1
    largest = rows * columns * words + words  # a zero
    for column in range(columns - 1):
        rate = ((rows - 1) * columns + column) * words
        if spare >= 0:
            if compare(room.numbers, rate, largest, in_use) > 0:
                best, largest = column, rate
        elif sign(room.numbers, rate, in_use) > 0 and (
            best < 0 or room.nonbasic[column] < room.nonbasic[best]
        ):
            best = column
    return best


@compiled
def _leaving(room: Room, shape: tuple[int, int, int], in_use: int, column: int, spare: int) -> int:
    """Return the row of least ratio; of tied ones that of largest pivot, or by Bland's rule."""
    rows, columns, words = shape
    work = (rows * columns + 2) * words
    best = -1
    best_last = best_pivot = 0
    for row in range(rows - 1):
        pivot = (row * columns + column) * words
        if sign(room.numbers, pivot, in_use) <= 0:
            continue
        last = (row * columns + columns - 1) * words
        behind = -1
        if best >= 0:
            behind = compare_products(
                room.numbers, last, best_pivot, best_last, pivot, in_use, work
            )
        if behind == 0:
            if spare >= 0:
                behind = -compare(room.numbers, pivot, best_pivot, in_use)
            else:
                behind = room.basic[row] - room.basic[best]
        if behind < 0:
            best, best_last, best_pivot = row, last, pivot
    return best


def new_room(num_actions: tuple[int, int], words: int) -> Room:
    """Make room for a game with so many actions."""
    rows, columns = num_actions
    cells = (rows + 1) * (columns + 1)
    return Room(
        numbers=np.zeros((cells + 2 + 6 + 2) * words, dtype=np.uint64),
        nonbasic=np.zeros(columns, dtype=np.int64),
        basic=np.zeros(rows, dtype=np.int64),
    )
