"""Lemke-Howson paths in many small games, exactly, in integers of several words.

The loops of ``solvers.bimatrix.pivoting`` and ``best_response_polytopes``: the same tableaus, the
same lexicographic rule, hence the same equilibria.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled, placed
from solvers._kernels.many_games import Games, lift_columns, place
from solvers._kernels.wide_integers import (
    compare_products,
    exchange_in_room,
    sign,
    tableau_words,
    to_float,
    write_word,
)

ENDED, TOO_LONG = 1, 0
_MOST_PIVOTS = 100_000


class Room(NamedTuple):
    """Arrays for one path, all modified in seat.

    ``numbers`` holds the first tableau, with a row for each reply and a column for each action of
    the row player, and one for right-hand sides; the second, the same for the column player; then
    for each the pivot before, a zero, and work space.
    """

    numbers: NDArray[np.uint64]
    nonbasic: NDArray[np.int64]  # (2, larger of m and n)
    basic: NDArray[np.int64]  # (2, larger of m and n)
    in_use: NDArray[np.int64]  # (2,): words
    orders: NDArray[np.int64]  # (2,): how many of a player's own variables are basic
    bits: NDArray[np.int64]  # (2,): of the largest entries
    tied: NDArray[np.int64]  # (larger of m and n,)


class Seat(NamedTuple):
    """Where one player's tableau is."""

    side: int
    table: int
    shape: tuple[int, int, int]  # rows, columns, words of an entry that are reserved
    unit: int
    zero: int
    work: int
    first_own: int  # labels
    first_slack: int


@compiled
def seat_of(
    capacity: tuple[int, int], side: int, index: int, num_rows: int, num_columns: int, words: int
) -> Seat:
    """Return where a tableau of a player is, of as many of each as there is room for."""
    first, second = capacity
    first_cells = num_columns * (num_rows + 1) * words
    second_cells = num_rows * (num_columns + 1) * words
    units = first * first_cells + second * second_cells
    zero = units + (first + second) * words
    if side == 0:
        shape = (num_columns, num_rows + 1, words)
        table, unit = index * first_cells, units + index * words
        return Seat(index, table, shape, unit, zero, zero + words, 0, num_rows)
    shape = (num_rows, num_columns + 1, words)
    table = first * first_cells + index * second_cells
    unit = units + (first + index) * words
    return Seat(first + index, table, shape, unit, zero, zero + words, num_rows, 0)


@partial(compiled, nogil=True)
def follow_paths(
    given: Games,
    initial_label: int,
    arrays: Room,
    row_weights: NDArray[np.uint64],
    column_weights: NDArray[np.uint64],
    row_strategies: NDArray[np.float64],
    column_strategies: NDArray[np.float64],
    status: NDArray[np.int8],
) -> None:
    """Follow the path of one label in every game whose numbers fit.

    Args:
        initial_label: ``0 .. m-1`` for an action of the row player, then the column player's.
        row_weights (num_games, m, words): Modified in place, as is all that follows.
        column_weights (num_games, n, words)
        row_strategies (num_games, m), column_strategies (num_games, n): Nearly the same, in floats.
        status (num_games,): ``ENDED`` or ``TOO_LONG``; as it was for games not looked at.
    """
    games, room = placed(given), placed(arrays)
    num_rows, num_columns = games.mantissas.shape[2], games.mantissas.shape[3]
    words = row_weights.shape[2]
    first = seat_of((1, 1), 0, 0, num_rows, num_columns, words)
    second = seat_of((1, 1), 1, 0, num_rows, num_columns, words)
    for game in range(games.fits.shape[0]):
        if not games.fits[game]:
            continue
        write_payoffs(games, game, room, first, second)
        begin(first, room)
        begin(second, room)
        status[game] = _follow(first, second, room, initial_label)
        if status[game] == ENDED:
            read_vertex(first, room, row_weights, row_strategies, game)
            read_vertex(second, room, column_weights, column_strategies, game)


@compiled
def write_payoffs(games: Games, game: int, room: Room, first: Seat, second: Seat) -> None:
    """Write what the replies to each player's actions earn."""
    num_rows, num_columns, words = second.shape[0], first.shape[0], first.shape[2]
    for i in range(num_rows):
        for j in range(num_columns):
            at = second.table + (i * (num_columns + 1) + j) * words
            shift = games.exponents[game, 0, i, j] + games.shifts[game, 0]
            place(games.mantissas[game, 0, i, j], shift, room.numbers, at, words)
            at = first.table + (j * (num_rows + 1) + i) * words
            shift = games.exponents[game, 1, i, j] + games.shifts[game, 1]
            place(games.mantissas[game, 1, i, j], shift, room.numbers, at, words)


@compiled
def begin(seat: Seat, room: Room) -> None:
    """Lay a tableau out at the vertex 0, once its payoffs are written."""
    rows, columns, words = seat.shape
    side = seat.side
    write_word(room.numbers, seat.zero, words, 0)
    write_word(room.numbers, seat.unit, words, 1)
    room.bits[side] = lift_columns(room.numbers, seat.table, seat.shape, columns - 1, words)
    for i in range(rows):
        at = seat.table + (i * columns + columns - 1) * words
        write_word(room.numbers, at, words, 1)
        room.basic[side, i] = seat.first_slack + i
    for j in range(columns - 1):
        room.nonbasic[side, j] = seat.first_own + j
    room.orders[side] = 0
    room.in_use[side] = tableau_words(0, room.bits[side], 1)


@compiled
def _follow(first: Seat, second: Seat, room: Room, initial_label: int) -> int:
    """Pivot until the label dropped first is picked up again."""
    label = initial_label
    is_first = label < second.first_own
    for _ in range(_MOST_PIVOTS):
        seat = first if is_first else second
        side = seat.side
        column = 0
        while room.nonbasic[side, column] != label:
            column += 1
        row = leaving_row(seat, room, column)
        leaving = room.basic[side, row]
        most = min(seat.shape[0], seat.shape[1] - 1)
        own_end = seat.first_own + seat.shape[1] - 1
        room.orders[side] += np.int64(seat.first_own <= label < own_end)
        room.orders[side] -= np.int64(seat.first_own <= leaving < own_end)
        room.in_use[side] = exchange_in_room(
            room.numbers,
            seat.table,
            seat.shape,
            row,
            column,
            seat.unit,
            (room.in_use[side], tableau_words(room.orders[side], room.bits[side], most)),
            seat.work,
        )
        room.basic[side, row], room.nonbasic[side, column] = label, leaving
        label = leaving
        if label == initial_label:
            return ENDED
        is_first = not is_first
    return TOO_LONG


@compiled
def leaving_row(seat: Seat, room: Room, column: int) -> int:
    """Return the one row whose variable first falls to zero, lexicographically."""
    rows, columns, reserved = seat.shape
    side = seat.side
    num_tied = 0
    for i in range(rows):
        at = seat.table + (i * columns + column) * reserved
        if sign(room.numbers, at, room.in_use[side]) > 0:
            room.tied[num_tied] = i
            num_tied += 1
    num_tied = _keep_least(seat, room, num_tied, columns - 1, -1, column)
    for label in range(seat.first_slack, seat.first_slack + rows):
        if num_tied == 1:
            break
        position = 0
        while position < columns - 1 and room.nonbasic[side, position] != label:
            position += 1
        if position == columns - 1:
            position = -1  # it is basic
        num_tied = _keep_least(seat, room, num_tied, position, label, column)
    return room.tied[0]


@compiled
def _keep_least(
    seat: Seat, room: Room, num_tied: int, position: int, label: int, column: int
) -> int:
    """Keep the tied rows whose numerators have the least ratio to their entries in a column.

    The numerators stand in a column, or, where it is -1, are the unit in the row of a label.
    """
    columns, reserved = seat.shape[1], seat.shape[2]
    words = room.in_use[seat.side]
    kept = 0
    least = best = 0
    for t in range(num_tied):
        i = room.tied[t]
        own = seat.table + (i * columns + column) * reserved
        if position >= 0:
            number = seat.table + (i * columns + position) * reserved
        else:
            number = seat.unit if room.basic[seat.side, i] == label else seat.zero
        order = -1
        if kept:
            order = compare_products(room.numbers, number, best, least, own, words, seat.work)
        if order < 0:
            room.tied[0] = i
            kept = 1
            least, best = number, own
        elif order == 0:
            room.tied[kept] = i
            kept += 1
    return kept


@compiled
def read_vertex(
    seat: Seat, room: Room, weights: NDArray[np.uint64], strategies: NDArray[np.float64], game: int
) -> None:
    """Write the values of a player's own variables, which are not normalised, and normalised."""
    rows, columns, reserved = seat.shape
    words = room.in_use[seat.side]
    weights[game] = np.uint64(0)
    strategies[game] = 0.0
    total = 0.0
    for i in range(rows):
        action = room.basic[seat.side, i] - seat.first_own
        if 0 <= action < columns - 1:
            at = seat.table + (i * columns + columns - 1) * reserved
            for k in range(words):
                weights[game, action, k] = room.numbers[at + k]
            strategies[game, action] = to_float(room.numbers, at, words)
            total += strategies[game, action]
    for action in range(columns - 1):
        strategies[game, action] /= total


def new_room(num_actions: tuple[int, int], words: int, capacity: tuple[int, int] = (1, 1)) -> Room:
    """Make room for so many tableaus of each player in a game with so many actions."""
    rows, columns = num_actions
    first, second = capacity
    places, most = first + second, max(rows, columns)
    cells = first * columns * (rows + 1) + second * rows * (columns + 1)
    return Room(
        numbers=np.zeros((cells + places + 1 + 6) * words, dtype=np.uint64),
        nonbasic=np.zeros((places, most), dtype=np.int64),
        basic=np.zeros((places, most), dtype=np.int64),
        in_use=np.zeros(places, dtype=np.int64),
        orders=np.zeros(places, dtype=np.int64),
        bits=np.zeros(places, dtype=np.int64),
        tied=np.zeros(most, dtype=np.int64),
    )
