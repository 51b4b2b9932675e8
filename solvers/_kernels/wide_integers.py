"""Integers of several words, in two's complement, as wide as a bound proves enough.

All stand in one array, each at its own place, the lowest of its words of 64 bits first. Sums and
products wrap, as those of machine integers do; what is right modulo ``2^(64 words)`` is right, if
it is known to fit. So quotients need no long division where nothing remains: an odd divisor has an
inverse modulo ``2^64`` (Jebelean 1993).

Determinants of ``n x n`` matrices with entries from 0 to ``M`` are at most ``M^n h(n)`` in size,
with ``h(n) = (n + 1)^((n + 1) / 2) / 2^n`` (Hadamard 1893): so widths are known beforehand.
"""

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled
from solvers._kernels.wide_products import (
    LONGEST,
    WORD,
    compare_2,
    compare_3,
    compare_4,
    compare_words,
    cross_2,
    cross_3,
    cross_4,
    cross_5,
    multiply_add,
    shifted_words,
)

Words = NDArray[np.uint64]

_ZERO, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
_TOP = np.uint64(63)
_HADAMARD_BITS = np.array([0, 0, 1, 1, 2, 3, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 21])
MOST_ORDER = len(_HADAMARD_BITS) - 1


@compiled
def tableau_words(order: int, bits: int, most: int) -> int:
    """Return how many words hold the numbers of a tableau, with their signs.

    These are minors of the matrix, of one more than the order at most, and of the matrix bordered
    by a row or a column of ones.

    Args:
        order: How often the basis differs from the first.
        bits: Of the largest entry.
        most: The smaller of the numbers of rows and columns.
    """
    inner = min(order + 1, most)
    longest = max(inner * bits + _HADAMARD_BITS[inner], order * bits + _HADAMARD_BITS[order + 1])
    return longest // WORD + 1


@compiled
def sign(numbers: Words, at: int, words: int) -> int:
    """Return -1, 0 or 1."""
    if numbers[at + words - 1] >> _TOP == _ONE:
        return -1
    for k in range(at, at + words):
        if numbers[k] != _ZERO:
            return 1
    return 0


@compiled
def write_word(numbers: Words, at: int, words: int, word: int) -> None:
    """Write a number of one word that is not negative."""
    numbers[at] = np.uint64(word)
    for k in range(at + 1, at + words):
        numbers[k] = _ZERO


@compiled
def widen(numbers: Words, at: int, words: int, wider: int) -> None:
    """Carry the sign of a number on to more words, in place."""
    fill = _ALL if numbers[at + words - 1] >> _TOP == _ONE else _ZERO
    for k in range(at + words, at + wider):
        numbers[k] = fill


@compiled
def negate(numbers: Words, at: int, words: int) -> None:
    """Change the sign of a number, in place."""
    carry = _ONE
    for k in range(at, at + words):
        flipped = ~numbers[k] + carry
        carry = _ONE if carry == _ONE and flipped == _ZERO else _ZERO
        numbers[k] = flipped


@compiled
def subtract(numbers: Words, at: int, other: int, words: int) -> None:
    """Subtract another number from one, in place."""
    borrow = _ZERO
    for k in range(words):
        above, below = numbers[at + k], numbers[other + k]
        difference = above - below
        lent = _ONE if above < below or difference < borrow else _ZERO
        numbers[at + k] = difference - borrow
        borrow = lent


@compiled
def compare(numbers: Words, first: int, second: int, words: int) -> int:
    """Return -1, 0 or 1: the sign of the difference of two numbers."""
    a, b = np.int64(numbers[first + words - 1]), np.int64(numbers[second + words - 1])
    if a != b:
        return 1 if a > b else -1
    for k in range(words - 2, -1, -1):
        if numbers[first + k] != numbers[second + k]:
            return 1 if numbers[first + k] > numbers[second + k] else -1
    return 0


@compiled
def multiply(numbers: Words, first: int, second: int, words: int, wide: int, result: int) -> None:
    """Write the lowest ``wide`` words of a product, at most twice as many as the factors have."""
    for k in range(result, result + wide):
        numbers[k] = _ZERO
    for i in range(words):
        factor = numbers[first + i]
        if factor == _ZERO:
            continue
        carry = _ZERO
        for j in range(min(words, wide - i)):
            at = result + i + j
            numbers[at], carry = multiply_add(factor, numbers[second + j], numbers[at], carry)
        if i + words < wide:
            numbers[result + i + words] = carry
    if wide > words:  # as if without signs: a negative factor was 2^(64 words) too large
        if numbers[first + words - 1] >> _TOP == _ONE:
            subtract(numbers, result + words, second, wide - words)
        if numbers[second + words - 1] >> _TOP == _ONE:
            subtract(numbers, result + words, first, wide - words)


@compiled
def compare_products(numbers: Words, a: int, b: int, c: int, d: int, words: int, work: int) -> int:
    """Return the sign of ``a * b - c * d``; 4 times as many words at ``work`` are overwritten."""
    if words == 1:
        return compare_words(numbers[a], numbers[b], numbers[c], numbers[d])
    if words == 2:
        return compare_2(numbers, a, b, c, d)
    if words == 3:
        return compare_3(numbers, a, b, c, d)
    if words == 4:
        return compare_4(numbers, a, b, c, d)
    multiply(numbers, a, b, words, 2 * words, work)
    multiply(numbers, c, d, words, 2 * words, work + 2 * words)
    return compare(numbers, work, work + 2 * words, 2 * words)


@compiled
def bit_length(numbers: Words, at: int, words: int) -> int:
    """Return how many bits a number has that is not negative."""
    for k in range(words - 1, -1, -1):
        if numbers[at + k] != _ZERO:
            return WORD * k + length(numbers[at + k])
    return 0


@compiled
def length(word: int) -> int:
    """Return how many bits a word has that is not zero."""
    size = np.uint64(word)
    bits = 1
    step = 32
    while step:
        if size >> np.uint64(step):
            size >>= np.uint64(step)
            bits += step
        step //= 2
    return bits


@compiled
def to_float(numbers: Words, at: int, words: int) -> float:
    """Return a number that is not negative as a float, up to a unit or two in its last place."""
    value = 0.0
    for k in range(at + words - 1, at - 1, -1):
        value = value * 18446744073709551616.0 + float(numbers[k])
    return value


@compiled
def trailing_zeros(numbers: Words, at: int) -> int:
    """Return how often two divides a number that is not zero."""
    k = 0
    while numbers[at + k] == _ZERO:
        k += 1
    left = numbers[at + k]
    return WORD * k + length(left & (~left + _ONE)) - 1


@compiled
def shift_right(numbers: Words, at: int, words: int, bits: int, result: int) -> None:
    """Write the words of ``number / 2^bits`` that remain, as if the number were not negative."""
    whole, part = bits // WORD, np.uint64(bits % WORD)
    for k in range(words - whole):
        low = numbers[at + k + whole] >> part
        if part != _ZERO and k + whole + 1 < words:
            low |= numbers[at + k + whole + 1] << (np.uint64(WORD) - part)
        numbers[result + k] = low


@compiled
def inverse(odd: int) -> np.uint64:
    """Return the inverse of an odd word modulo 2^64: each step doubles the bits that are right."""
    word = np.uint64(odd)
    found = word * np.uint64(3) ^ np.uint64(2)
    for _ in range(4):
        found *= np.uint64(2) - word * found
    return found


@compiled
def divide(
    numbers: Words, at: int, divisor: int, divisor_inverse: int, words: int, result: int
) -> None:
    """Write a quotient that leaves nothing, from the lowest word on; uses up the number.

    Args:
        divisor: Odd.
        divisor_inverse: Of its lowest word.
    """
    for i in range(words):
        quotient = numbers[at + i] * np.uint64(divisor_inverse)
        numbers[result + i] = quotient
        if quotient == _ZERO:
            continue
        low, carry = multiply_add(quotient, numbers[divisor], _ZERO, _ZERO)
        for j in range(1, words - i):
            low, carry = multiply_add(quotient, numbers[divisor + j], carry, _ZERO)
            above = numbers[at + i + j]
            numbers[at + i + j] = above - low
            if above < low:
                carry += _ONE


@compiled
def exchange(
    numbers: Words,
    table: int,
    shape: tuple[int, int, int],
    row: int,
    column: int,
    unit: int,
    words: int,
    work: int,
) -> None:
    """Exchange the basic variable of a row with the nonbasic one of a column, free of fractions.

    Every entry is a minor over the pivot before (Edmonds 1967, Bareiss 1968), so that divisions by
    that pivot leave nothing.

    Args:
        numbers: Modified in place.
        table: Where the tableau begins.
        shape: Rows, columns, and words of an entry that are reserved.
        row, column: Where the pivot is, which is positive.
        unit: Where the pivot before is; becomes this one.
        words: In use; enough for the minors of the next order.
        work: Where 5 times as many may be overwritten.
    """
    num_rows, num_columns, width = shape
    pivot = table + (row * num_columns + column) * width
    zeros = trailing_zeros(numbers, unit)
    divisor = work + 4 * words
    write_word(numbers, divisor, words, 0)
    shift_right(numbers, unit, words, zeros, divisor)
    divisor_inverse = inverse(numbers[divisor])
    if 1 < words <= LONGEST:
        write_word(numbers, work, words, 1)
        divide(numbers, work, divisor, divisor_inverse, words, divisor + words)
    for i in range(num_rows):
        if i == row:
            continue
        own_row, pivot_row = table + i * num_columns * width, table + row * num_columns * width
        factor = own_row + column * width
        if words == 1:
            for at in range(0, num_columns * width, width):
                cross = shifted_words(
                    numbers[pivot],
                    numbers[own_row + at],
                    numbers[factor],
                    numbers[pivot_row + at],
                    np.uint64(zeros),
                )
                if own_row + at != factor:
                    numbers[own_row + at] = cross * np.uint64(divisor_inverse)
        else:
            for at in range(0, num_columns * width, width):
                if own_row + at != factor:
                    _cross_divide(
                        numbers,
                        (pivot, own_row + at, factor, pivot_row + at),
                        divisor,
                        zeros,
                        divisor_inverse,
                        words,
                        work,
                    )
        negate(numbers, factor, words)
    for k in range(words):
        numbers[pivot + k], numbers[unit + k] = numbers[unit + k], numbers[pivot + k]


@compiled
def exchange_in_room(
    numbers: Words,
    table: int,
    shape: tuple[int, int, int],
    row: int,
    column: int,
    unit: int,
    words: tuple[int, int],
    work: int,
) -> int:
    """Widen all numbers of a tableau as far as the next basis needs, and ``exchange``.

    Args:
        words: In use before, and after.

    Returns:
        The words in use after.
    """
    before, after = words
    if after > before:
        for at in range(table, table + shape[0] * shape[1] * shape[2], shape[2]):
            widen(numbers, at, before, after)
        widen(numbers, unit, before, after)
    exchange(numbers, table, shape, row, column, unit, max(before, after), work)
    return after


@compiled
def _cross_divide(
    numbers: Words,
    places: tuple[int, int, int, int],
    divisor: int,
    zeros: int,
    divisor_inverse: int,
    words: int,
    work: int,
) -> None:
    """Write ``(pivot * own - factor * beside) / (2^zeros * divisor)`` over ``own``."""
    pivot, own, factor, beside = places
    if zeros < WORD and words <= LONGEST:
        if words == 2:
            cross_2(numbers, pivot, own, factor, beside, divisor + words, zeros)
        elif words == 3:
            cross_3(numbers, pivot, own, factor, beside, divisor + words, zeros)
        elif words == 4:
            cross_4(numbers, pivot, own, factor, beside, divisor + words, zeros)
        else:
            cross_5(numbers, pivot, own, factor, beside, divisor + words, zeros)
        return
    wide = words + (zeros + WORD - 1) // WORD
    product = work + 2 * words
    multiply(numbers, pivot, own, words, wide, work)
    if sign(numbers, factor, words):
        multiply(numbers, factor, beside, words, wide, product)
        subtract(numbers, work, product, wide)
    if zeros:
        shift_right(numbers, work, wide, zeros, work)
    divide(numbers, work, divisor, divisor_inverse, words, own)
