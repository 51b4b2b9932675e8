"""Exact products of a float matrix with integer weights, at the speed of float products.

A float is a dyadic rational. Entries and weights are cut into *digits* of 20 bits,

    A = sum over k of D_k 2**(E - 20 k),      w = sum over l of d_l 2**(20 l),

with whole ``|D_k|, |d_l| < 2**20``. A float64 product of digits over at most 2**13 columns adds up
whole numbers below 2**53, so that it is exact in whatever order it is summed. The sums are then
carried in int64 and put together as Python integers. Where exponents range over more bits than a
few digits hold, Python integers do the whole work.
"""

import math
from typing import cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ExactArray, FloatArray, ScaledIntegers, freeze, scaled_integers

DIGIT_BITS = 20
MOST_DIGITS = 8  # of a matrix entry
MOST_COLUMNS = 2**13  # in one float product: 2 * 20 + 13 = 53 bits
MOST_PRODUCTS = 2**7  # of them in one int64 sum, which times MOST_DIGITS adds 10 bits
BLOCK_ENTRIES = 2**16  # rows are taken together while they stay in the cache
SAFE_EXPONENT = -500  # above it, powers of two of all digits are normal floats
_PAIR_BYTES = 5  # two digits
_MASK = 2**DIGIT_BITS - 1

DigitSums = NDArray[np.int64]


def exact_product(matrix: FloatArray, weights: ScaledIntegers) -> ScaledIntegers:
    """Return ``matrix @ weights`` exactly, as integers over a common denominator.

    Args:
        matrix (num_rows, num_columns): Finite; any memory layout, so a transpose costs nothing.
        weights (num_columns,): Of either sign.

    Returns:
        (num_rows,): Not in lowest terms.

    >>> from gametheory_core.arrays import exact_array, scaled_integers
    >>> thirds = scaled_integers(exact_array(["1/3", "2/3"]))
    >>> product = exact_product(np.array([[0.5, 3.0]]), thirds)
    >>> product.numerators[0] * 6 == 13 * product.denominator
    True
    """
    used = np.flatnonzero(weights.numerators)
    numerators = cast("list[int]", weights.numerators[used].tolist())
    num_rows, num_columns = len(matrix), len(used)
    largest = max(float(matrix.max(initial=0.0)), -float(matrix.min(initial=0.0)))
    if not num_columns or not largest:
        return _product(ScaledIntegers(_integer_array([0] * num_rows), 1), weights)
    if len(used) < matrix.shape[1]:
        matrix = matrix[:, used]
    if num_columns > MOST_COLUMNS * MOST_PRODUCTS:
        return _product_in_integers(matrix, numerators, weights)
    exponent = math.frexp(largest)[1]
    digits = _digits_of(numerators)
    sums = _digit_sums(matrix, exponent, digits)
    if sums is None:
        return _product_in_integers(matrix, numerators, weights)
    unit = exponent - DIGIT_BITS * (sums.shape[1] - digits.shape[1] + 1)  # place of the last digit
    totals = _carried(sums)
    if unit > 0:
        totals = [total << unit for total in totals]
    return _product(ScaledIntegers(_integer_array(totals), 1 << max(0, -unit)), weights)


def _product(product: ScaledIntegers, weights: ScaledIntegers) -> ScaledIntegers:
    return ScaledIntegers(product.numerators, product.denominator * weights.denominator)


def _product_in_integers(
    matrix: FloatArray, numerators: list[int], weights: ScaledIntegers
) -> ScaledIntegers:
    scaled = scaled_integers(matrix)
    totals = scaled.numerators @ _integer_array(numerators)
    return _product(ScaledIntegers(freeze(totals), scaled.denominator), weights)


def _digit_sums(matrix: FloatArray, exponent: int, digits: FloatArray) -> DigitSums | None:
    """Return the sums of digit products by place, the last place first; None if they are many.

    The shape is (rows, digits of an entry + digits of a weight - 1).
    """
    num_rows, num_columns = matrix.shape
    rows_at_once = max(1, BLOCK_ENTRIES // num_columns)
    # allocated once: fresh memory costs more than the arithmetic
    rest_room, part_room = (
        np.empty_like(matrix[:rows_at_once]),
        np.empty_like(matrix[:rows_at_once]),
    )
    products: list[list[DigitSums]] = []
    for start in range(0, num_rows, rows_at_once):
        block = matrix[start : start + rows_at_once]
        rest, part = rest_room[: len(block)], part_room[: len(block)]
        rest[:] = block
        found = _block_products(rest, part, exponent, digits)
        if found is None:
            return None
        products.append(found)
    longest = max(1, *map(len, products))
    sums = np.zeros((num_rows, longest + digits.shape[1] - 1), dtype=np.int64)
    for start, found in zip(range(0, num_rows, rows_at_once), products, strict=True):
        for depth, product in enumerate(found, start=1):
            place = longest - depth
            sums[start : start + len(product), place : place + digits.shape[1]] += product
    return sums


def _block_products(
    rest: FloatArray, part: FloatArray, exponent: int, digits: FloatArray
) -> list[DigitSums] | None:
    """Multiply the digits of some rows, the leading ones first; None if they are many.

    ``rest``, the rows, and ``part``, of the same shape, are modified in place.
    """
    if exponent < SAFE_EXPONENT:
        rest *= math.ldexp(1.0, -SAFE_EXPONENT)  # exact upwards
        exponent -= SAFE_EXPONENT
    products: list[DigitSums] = []
    while rest.any():
        if len(products) == MOST_DIGITS:
            return None
        place = exponent - DIGIT_BITS * (len(products) + 1)
        np.multiply(rest, math.ldexp(1.0, -place), out=part)
        np.trunc(part, out=part)
        products.append(_whole_product(part, digits))
        part *= math.ldexp(1.0, place)
        rest -= part  # exact: the leading bits go
    return products


def _whole_product(part: FloatArray, digits: FloatArray) -> DigitSums:
    total = np.zeros((len(part), digits.shape[1]), dtype=np.int64)
    for start in range(0, part.shape[1], MOST_COLUMNS):
        stop = start + MOST_COLUMNS
        total += (part[:, start:stop] @ digits[start:stop]).astype(np.int64)
    return total


def _digits_of(integers: list[int]) -> FloatArray:
    """Cut integers into signed digits, the last digit first, shape (integers, digits)."""
    bits = max(value.bit_length() for value in integers)
    num_pairs = -(-bits // (2 * DIGIT_BITS))
    size = num_pairs * _PAIR_BYTES
    raw = b"".join(abs(value).to_bytes(size, "little") for value in integers)
    octets = np.frombuffer(raw, dtype=np.uint8).reshape(len(integers), num_pairs, _PAIR_BYTES)
    pairs = np.zeros((len(integers), num_pairs, 8), dtype=np.uint8)
    pairs[:, :, :_PAIR_BYTES] = octets
    words = pairs.view("<i8")[:, :, 0]
    digits = np.empty((len(integers), 2 * num_pairs))
    digits[:, 0::2] = words & _MASK
    digits[:, 1::2] = words >> DIGIT_BITS
    digits *= np.array([-1.0 if value < 0 else 1.0 for value in integers])[:, None]
    return digits[:, : -(-bits // DIGIT_BITS)]


def _carried(sums: DigitSums) -> list[int]:
    """Add up ``sums[:, place] * 2**(20 place)``; ``sums`` is modified in place."""
    num_rows, width = sums.shape
    num_pairs = -(-width // 2)
    words = np.zeros((num_rows, num_pairs), dtype="<i8")
    carry = np.zeros(num_rows, dtype=np.int64)
    for place in range(width):
        carry += sums[:, place]
        low = carry & _MASK
        words[:, place // 2] |= low << (DIGIT_BITS * (place % 2))
        carry >>= DIGIT_BITS
    octets = words.view(np.uint8).reshape(num_rows, num_pairs, 8)[:, :, :_PAIR_BYTES]
    raw = np.ascontiguousarray(octets).tobytes()
    size = num_pairs * _PAIR_BYTES
    top = DIGIT_BITS * width
    return [
        int.from_bytes(raw[row * size : (row + 1) * size], "little") + (high << top)
        for row, high in enumerate(carry.tolist())
    ]


def _integer_array(values: list[int]) -> ExactArray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return freeze(array)
