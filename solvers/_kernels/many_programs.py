"""Linear programs of many small games, exactly: correlated equilibria, and strict dominance.

A correlated equilibrium of largest welfare solves

    max sum p(s) w(s)   subject to   gains of every swap <= 0,   sum p <= 1,   p >= 0,

where ``w``, lifted above zero, makes the sum 1. It starts where all is slack. An action is strictly
dominated if the matrix game of what others earn more, against what the opponent does, has a
positive value (Luce and Raiffa 1957).
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled, placed
from solvers._kernels.many_games import Games, lift_above_zero, place_payoffs
from solvers._kernels.many_packings import Room, solve_packing, walk
from solvers._kernels.wide_integers import (
    bit_length,
    compare,
    multiply,
    negate,
    sign,
    subtract,
    to_float,
    widen,
    write_word,
)

ALONE, TIED = 1, 2
_ONE = np.int64(1)


@partial(compiled, nogil=True)
def find_correlated(
    given: Games,
    arrays: Room,
    payoffs: NDArray[np.uint64],
    weights: NDArray[np.uint64],
    strategies: NDArray[np.float64],
    status: NDArray[np.int8],
) -> None:
    """Find the correlated equilibrium of largest welfare.

    Args:
        payoffs (2 * m * n * words,): Work space.
        weights (num_games, m, n, words): Modified in place, as is all that follows.
        strategies (num_games, m, n): Nearly the same, in floats.
        status (num_games,): ``ALONE`` where no other is as good; ``TIED`` where one may be; as it
            was for games not looked at.
    """
    games, room = placed(given), placed(arrays)
    num_rows, num_columns = games.mantissas.shape[2], games.mantissas.shape[3]
    words = weights.shape[3]
    cells = num_rows * num_columns
    swaps = num_rows * (num_rows - 1) + num_columns * (num_columns - 1)
    shape = (swaps + 2, cells + 1, words)
    width = (cells + 1) * words
    for game in range(games.fits.shape[0]):
        if not games.fits[game]:
            continue
        shift = max(games.shifts[game, 0], games.shifts[game, 1])
        for player in range(2):
            place_payoffs(games, game, player, shift, payoffs, player * cells * words, words)
        _write_swaps(room, shape, payoffs, num_rows, num_columns)
        last = (swaps + 1) * width
        for cell in range(cells):  # welfare
            at = last + cell * words
            for k in range(words):
                room.numbers[at + k] = payoffs[(cells + cell) * words + k]
            negate(room.numbers, at, words)
            _subtract_from(payoffs, cell * words, room.numbers, at, words)
            write_word(room.numbers, swaps * width + cell * words, words, 1)
        one_row = (2, cells + 1, words)
        bits = lift_above_zero(room.numbers, last, one_row, shape[0] * width + 8 * words)
        for i in range(swaps + 2):
            write_word(room.numbers, i * width + cells * words, words, np.int64(i == swaps))
        for at in range(0, swaps * width, words):
            bits = max(bits, _size(room.numbers, at, words))
        in_use = walk(room, shape, bits + 1, min(swaps + 2, cells))
        if not in_use:
            continue
        status[game] = ALONE
        weights[game] = np.uint64(0)
        strategies[game] = 0.0
        for j in range(cells):
            if sign(room.numbers, last + j * words, in_use) == 0:
                status[game] = TIED
        total = 0.0
        for i in range(swaps + 1):
            if room.basic[i] < cells:
                row, column = room.basic[i] // num_columns, room.basic[i] % num_columns
                at = i * width + cells * words
                for k in range(in_use):
                    weights[game, row, column, k] = room.numbers[at + k]
                strategies[game, row, column] = to_float(room.numbers, at, in_use)
                total += strategies[game, row, column]
        for row in range(num_rows):
            for column in range(num_columns):
                strategies[game, row, column] /= total


@compiled
def _write_swaps(
    room: Room,
    shape: tuple[int, int, int],
    payoffs: NDArray[np.uint64],
    num_rows: int,
    num_columns: int,
) -> None:
    """Write what each swap of a recommended action gains in each cell."""
    width, words = shape[1] * shape[2], shape[2]
    cells = num_rows * num_columns
    for at in range((shape[0] - 2) * width):
        room.numbers[at] = np.uint64(0)
    row = 0
    for player in range(2):
        own, others = (num_rows, num_columns) if player == 0 else (num_columns, num_rows)
        step, across = (num_columns, 1) if player == 0 else (1, num_columns)
        for action in range(own):
            for swap in range(own):
                if swap == action:
                    continue
                for other in range(others):
                    cell = action * step + other * across
                    swapped = swap * step + other * across
                    at = row * width + cell * words
                    for k in range(words):
                        room.numbers[at + k] = payoffs[(player * cells + cell) * words + k]
                    _subtract_from(
                        payoffs, (player * cells + swapped) * words, room.numbers, at, words
                    )
                row += 1


@compiled
def _subtract_from(
    others: NDArray[np.uint64], other: int, numbers: NDArray[np.uint64], at: int, words: int
) -> None:
    """Write a number of another array less the one at a place, there."""
    borrow = np.uint64(0)
    for k in range(words):
        above, below = others[other + k], numbers[at + k]
        difference = above - below
        lent = np.uint64(above < below or difference < borrow)
        numbers[at + k] = difference - borrow
        borrow = lent


@compiled
def _size(numbers: NDArray[np.uint64], at: int, words: int) -> int:
    """Return the bits of a number without its sign."""
    if sign(numbers, at, words) >= 0:
        return bit_length(numbers, at, words)
    negate(numbers, at, words)
    bits = bit_length(numbers, at, words)
    negate(numbers, at, words)
    return bits


@partial(compiled, nogil=True)
def eliminate(
    given: Games,
    arrays: Room,
    payoffs: NDArray[np.uint64],
    words: int,
    left: NDArray[np.int64],
    status: NDArray[np.int8],
) -> None:
    """Eliminate strictly dominated actions, round by round, mixed strategies may dominate.

    Args:
        payoffs (2 * m * n * words,): Work space.
        words: Of a number.
        left (num_games, 2): Bit sets of the actions that stay. Modified in place, as is all that
            follows.
        status (num_games,): ``ALONE`` where the loop came to an end.
    """
    games, room = placed(given), placed(arrays)
    num_rows, num_columns = games.mantissas.shape[2], games.mantissas.shape[3]
    cells = num_rows * num_columns
    for game in range(games.fits.shape[0]):
        if not games.fits[game]:
            continue
        for player in range(2):
            shift, start = games.shifts[game, player], player * cells * words
            place_payoffs(games, game, player, shift, payoffs, start, words)
        left[game, 0], left[game, 1] = (_ONE << num_rows) - 1, (_ONE << num_columns) - 1
        status[game] = ALONE
        is_changed = True
        while is_changed and status[game] == ALONE:
            before_first, before_second = left[game, 0], left[game, 1]
            for player in range(2):
                own, others = (num_rows, num_columns) if player == 0 else (num_columns, num_rows)
                step, across = (num_columns, 1) if player == 0 else (1, num_columns)
                start = player * cells
                mine = before_first if player == 0 else before_second
                theirs = before_second if player == 0 else before_first
                sides = (start, step, across, own, others, words)
                for action in range(own):
                    if not mine >> action & 1:
                        continue
                    verdict = _is_dominated(room, payoffs, sides, mine, theirs, action)
                    if verdict < 0:
                        status[game] = 0
                    elif verdict:
                        left[game, player] ^= _ONE << action
            is_changed = left[game, 0] != before_first or left[game, 1] != before_second


@compiled
def _is_dominated(
    room: Room,
    payoffs: NDArray[np.uint64],
    sides: tuple[int, int, int, int, int, int],
    mine: int,
    theirs: int,
    action: int,
) -> int:
    """Tell whether a mixture of other actions earns more against everything; -1 if unknown."""
    start, step, across, own, others, words = sides
    if mine == _ONE << action:
        return 0
    for other in range(others):  # a best reply to something is not dominated
        if theirs >> other & 1:
            at = (start + action * step + other * across) * words
            is_best = True
            for rival in range(own):
                rival_at = (start + rival * step + other * across) * words
                if mine >> rival & 1 and compare(payoffs, rival_at, at, words) > 0:
                    is_best = False
            if is_best:
                return 0
    num_rows = num_columns = 0
    for rival in range(own):
        num_rows += mine >> rival & 1
    num_rows -= 1
    for other in range(others):
        num_columns += theirs >> other & 1
    shape = (num_rows + 1, num_columns + 1, words)
    row = 0
    for rival in range(own):
        if rival == action or not mine >> rival & 1:
            continue
        column = 0
        for other in range(others):
            if not theirs >> other & 1:
                continue
            at = (row * (num_columns + 1) + column) * words
            for k in range(words):
                room.numbers[at + k] = payoffs[(start + action * step + other * across) * words + k]
            _subtract_from(
                payoffs, (start + rival * step + other * across) * words, room.numbers, at, words
            )
            column += 1
        row += 1
    return _has_positive_value(room, shape)


@compiled
def _has_positive_value(room: Room, shape: tuple[int, int, int]) -> int:
    """Tell the sign of a matrix game's value; -1 if there are too many pivots."""
    in_use = solve_packing(room, shape)
    if not in_use:
        return -1
    rows, columns, words = shape
    corner, unit = (rows * columns - 1) * words, rows * columns * words
    base, product = unit + 8 * words, unit + 2 * words
    wide = max(in_use, words)
    widen(room.numbers, corner, in_use, wide)
    widen(room.numbers, unit, in_use, wide)
    widen(room.numbers, unit, wide, 2 * wide)
    multiply(room.numbers, corner, base, wide, 2 * wide, product)  # minus the total, times base
    subtract(room.numbers, unit, product, 2 * wide)
    return 1 if sign(room.numbers, unit, 2 * wide) > 0 else 0
