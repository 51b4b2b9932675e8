"""Payoffs of many games, as they are given, to integers of several words.

A payoff is ``mantissa * 2^exponent``: integers have exponent 0. The payoffs of one player are
multiplied by the least power of two that makes all of them integers.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled
from solvers._kernels.wide_integers import (
    WORD,
    Words,
    bit_length,
    compare,
    length,
    negate,
    subtract,
    tableau_words,
    write_word,
)

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Games(NamedTuple):
    """What loops over games of two players are given; of matrix games the row player's payoffs."""

    mantissas: NDArray[np.int64]  # (num_games, num_players, m, n)
    exponents: NDArray[np.int32]  # (num_games, num_players, m, n)
    shifts: NDArray[np.int64]  # (num_games, num_players): powers of two that make them integers
    fits: NDArray[np.bool_]  # (num_games,): games to be looked at


@partial(compiled, nogil=True)
def measure(
    mantissas: NDArray[np.int64],
    exponents: NDArray[np.int32],
    shifts: NDArray[np.int64],
    bits: NDArray[np.int64],
) -> None:
    """Find the power of two for each player, and how large the integers then are.

    Args:
        mantissas, exponents (num_games, num_players, num_cells): Trailing zeros of the mantissas
            are moved to the exponents where these are negative, in place.
        shifts (num_games, num_players): Exponents of the powers. Modified in place.
        bits (num_games, num_players): Of the largest difference of two payoffs. Modified in place.
    """
    for game in range(shifts.shape[0]):
        for player in range(shifts.shape[1]):
            shift, most = 0, 0
            for cell in range(mantissas.shape[2]):
                mantissa = mantissas[game, player, cell]
                exponent = np.int64(exponents[game, player, cell])
                if mantissa == 0:
                    exponents[game, player, cell] = 0
                    continue
                while exponent < 0 and mantissa & 1 == 0:
                    mantissa >>= 1
                    exponent += 1
                mantissas[game, player, cell] = mantissa
                exponents[game, player, cell] = exponent
                shift = max(shift, -exponent)
                size = np.uint64(abs(mantissa))
                most = max(most, exponent + length(size))
            shifts[game, player] = shift
            bits[game, player] = most + shift + 1


@compiled
def place(mantissa: int, shift: int, numbers: Words, at: int, words: int) -> None:
    """Write ``mantissa * 2^shift``."""
    write_word(numbers, at, words, 0)
    size = np.uint64(abs(mantissa))
    whole, part = shift // WORD, np.uint64(shift % WORD)
    if whole < words:
        numbers[at + whole] = size << part
    if part != _ZERO and whole + 1 < words:
        numbers[at + whole + 1] = size >> (np.uint64(WORD) - part)
    if mantissa < 0:
        negate(numbers, at, words)


@compiled
def place_payoffs(
    games: Games, game: int, player: int, shift: int, numbers: Words, start: int, words: int
) -> None:
    """Write a player's payoffs times ``2^shift``, row after row."""
    rows, columns = games.mantissas.shape[2], games.mantissas.shape[3]
    for i in range(rows):
        for j in range(columns):
            up = games.exponents[game, player, i, j] + shift
            at = start + (i * columns + j) * words
            place(games.mantissas[game, player, i, j], up, numbers, at, words)


@compiled
def lift_columns(
    numbers: Words, table: int, shape: tuple[int, int, int], num_columns: int, words: int
) -> int:
    """Subtract from each column what is least in it, and lift columns of zeros to 1.

    Args:
        numbers: Modified in place.
        table, shape: Where the table begins; its rows, columns, and words of an entry.
        num_columns: How many columns are meant; the others stay.
        words: In use.

    Returns:
        The bits of the largest entry.
    """
    bits = 1
    down = shape[1] * shape[2]
    end = table + shape[0] * down
    for first in range(table, table + num_columns * shape[2], shape[2]):
        least = first
        for at in range(first + down, end, down):
            if compare(numbers, at, least, words) < 0:
                least = at
        longest = 0
        for at in range(first, end, down):
            if at != least:
                subtract(numbers, at, least, words)
                longest = max(longest, bit_length(numbers, at, words))
        write_word(numbers, least, words, 0)
        if longest == 0:
            for at in range(first, end, down):
                numbers[at] = _ONE
        bits = max(bits, longest)
    return bits


@compiled
def lift_above_zero(numbers: Words, table: int, shape: tuple[int, int, int], base: int) -> int:
    """Add what makes the least entry of a table 1, but for the last row and column.

    Args:
        numbers: Modified in place.
        table, shape: Where the table begins; its rows, columns, and words of an entry.
        base: Where twice as many words may be overwritten.

    Returns:
        The bits of the largest entry.
    """
    rows, columns, words = shape
    least = table
    for i in range(rows - 1):
        for j in range(columns - 1):
            at = table + (i * columns + j) * words
            if compare(numbers, at, least, words) < 0:
                least = at
    for k in range(words):
        numbers[base + k] = numbers[least + k]
    write_word(numbers, base + words, words, 1)
    subtract(numbers, base, base + words, words)
    bits = 1
    for i in range(rows - 1):
        for j in range(columns - 1):
            at = table + (i * columns + j) * words
            subtract(numbers, at, base, words)
            bits = max(bits, bit_length(numbers, at, words))
    return bits


@compiled
def words_of_games(bits: NDArray[np.int64], order: int, most: int) -> NDArray[np.int64]:
    """Return how many words the tableaus of each game need at most, as ``tableau_words``."""
    words = np.empty(bits.shape[0], dtype=np.int64)
    for game in range(bits.shape[0]):
        words[game] = tableau_words(order, bits[game], most)
    return words
