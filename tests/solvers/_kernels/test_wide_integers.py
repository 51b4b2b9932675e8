"""Integers of several words do what Python's do, at every width and up to the bounds."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers._kernels import wide_integers as wide
from solvers._kernels.many_games import place
from tests.sample_sizes import many

WORD = 64


def words_of(number, words):
    whole = number % 2 ** (WORD * words)
    return [(whole >> (WORD * k)) % 2**WORD for k in range(words)]


def number_in(array, at, words):
    whole = sum(int(array[at + k]) << (WORD * k) for k in range(words))
    return whole - (whole >> (WORD * words - 1)) * 2 ** (WORD * words)


def array_of(*numbers, words, room=0):
    flat = [word for number in numbers for word in words_of(number, words)]
    return np.array(flat + [0] * room, dtype=np.uint64)


@st.composite
def numbers(draw, count, *, positive=False):
    words = draw(st.integers(1, 8))
    most = 2 ** (WORD * words - 1) - 1
    edges = [0, 1, 2, most, most - 1, 2**63 % (most + 1), 2 ** (32 * words) - 1]
    sizes = st.integers(0, most) | st.sampled_from(edges) | st.integers(0, 2**40)
    signs = st.just(1) if positive else st.sampled_from([1, -1])
    return words, [draw(sizes) * draw(signs) for _ in range(count)]


@many
@given(numbers(4))
def test_products_compare_as_in_python(drawn):
    words, (a, b, c, d) = drawn
    array = array_of(a, b, c, d, words=words, room=4 * words)
    places = [k * words for k in range(4)]
    order = wide.compare_products(array, *places, words, 4 * words)
    assert order == (a * b > c * d) - (a * b < c * d)


@many
@given(numbers(2), st.data())
def test_products_are_right_in_their_lowest_words(drawn, data):
    words, (a, b) = drawn
    wider = data.draw(st.integers(words, 2 * words))
    array = array_of(a, b, words=words, room=wider)
    wide.multiply(array, 0, words, words, wider, 2 * words)
    assert number_in(array, 2 * words, wider) % 2 ** (WORD * wider) == a * b % 2 ** (WORD * wider)


@many
@given(numbers(2))
def test_differences_signs_and_orders(drawn):
    words, (a, b) = drawn
    array = array_of(a, b, words=words)
    assert wide.compare(array, 0, words, words) == (a > b) - (a < b)
    assert wide.sign(array, 0, words) == (a > 0) - (a < 0)
    wide.subtract(array, 0, words, words)
    wide.negate(array, words, words)
    modulus = 2 ** (WORD * words)
    assert number_in(array, 0, words) % modulus == (a - b) % modulus
    assert number_in(array, words, words) % modulus == -b % modulus


@many
@given(numbers(1, positive=True), st.integers(1, 3))
def test_sizes_zeros_and_floats(drawn, more):
    words, (a,) = drawn
    array = array_of(a, words=words, room=more)
    assert wide.bit_length(array, 0, words) == a.bit_length()
    assert wide.to_float(array, 0, words) == pytest.approx(float(a), rel=1e-15)
    if a:
        assert wide.trailing_zeros(array, 0) == (a & -a).bit_length() - 1
    wide.widen(array, 0, words, words + more)
    assert number_in(array, 0, words + more) == a


@many
@given(st.integers(-(2**63), 2**63 - 1), st.integers(0, 300))
def test_a_float_is_placed_exactly(mantissa, shift):
    array = np.zeros(6, dtype=np.uint64)
    place(mantissa, shift, array, 0, 6)
    assert number_in(array, 0, 6) == mantissa << shift


@many
@given(numbers(2, positive=True))
def test_division_that_leaves_nothing(drawn):
    words, (quotient, divisor) = drawn
    divisor |= 1
    product = quotient * divisor % 2 ** (WORD * words)
    array = array_of(product, divisor, 0, words=words)
    odd = np.uint64(wide.inverse(array[words]))
    wide.divide(array, 0, words, odd, words, 2 * words)
    assert number_in(array, 2 * words, words) == quotient


@st.composite
def tableaus(draw):
    """Fraction-free tableaus with a pivot before, as pivots from a matrix of integers make them."""
    size = draw(st.integers(2, 4))
    bits = draw(st.sampled_from([1, 3, 20, 53, 64, 100, 190]))
    step = 2 ** draw(st.sampled_from([0, 0, 1, 5, 64, 70]))  # trailing zeros
    entries = st.integers(0, 2**bits - 1).map(lambda entry: entry * step)
    return [[draw(entries) for _ in range(size)] for _ in range(size)], bits + step.bit_length()


def exchanged(table, unit, row, column):
    pivot = table[row][column]
    new = [
        [
            Fraction(pivot * old - own[column] * beside, unit)
            for old, beside in zip(own, table[row], strict=True)
        ]
        for own in table
    ]
    for i, own in enumerate(table):
        new[i][column] = -own[column]
    new[row] = list(table[row])
    new[row][column] = unit
    assert all(Fraction(entry).denominator == 1 for own in new for entry in own)
    return [[int(entry) for entry in own] for own in new], pivot


@many
@given(tableaus(), st.data())
def test_exchanges_are_those_of_python_and_fit_the_bound(drawn, data):
    table, bits = drawn
    size = len(table)
    reserved = int(wide.tableau_words(size, bits, size))
    cells = size * size * reserved
    array = np.zeros(cells + reserved * 8, dtype=np.uint64)
    for k, entry in enumerate(entry for own in table for entry in own):
        array[k * reserved : (k + 1) * reserved] = words_of(entry, reserved)
    array[cells] = 1
    unit, in_use, used = 1, int(wide.tableau_words(0, bits, size)), set()
    for order in range(1, size + 1):
        choices = [
            (i, j)
            for i in range(size)
            for j in range(size)
            if table[i][j] > 0 and i not in used and (j + size) not in used
        ]
        if not choices:
            break
        row, column = data.draw(st.sampled_from(choices))
        used |= {row, column + size}
        table, unit = exchanged(table, unit, row, column)
        after = int(wide.tableau_words(order, bits, size))
        in_use = wide.exchange_in_room(
            array,
            0,
            (size, size, reserved),
            row,
            column,
            cells,
            (in_use, after),
            cells + 2 * reserved,
        )
        found = [
            [number_in(array, (i * size + j) * reserved, in_use) for j in range(size)]
            for i in range(size)
        ]
        assert found == table
        assert number_in(array, cells, in_use) == unit


@pytest.mark.parametrize("order", range(1, wide.MOST_ORDER))
def test_words_hold_the_largest_determinants(order):
    """Sylvester's matrices reach Hadamard's bound for orders 1, 3, 7 and 15."""
    signs = np.array([[1]], dtype=object)
    while len(signs) <= order:
        signs = np.block([[signs, signs], [signs, -signs]])
    matrix = (1 - signs[1 : order + 1, 1 : order + 1]) // 2
    determinant = abs(int(exact_determinant(matrix)))
    for bits in range(1, 65):
        largest = (2**bits - 1) ** order * determinant
        assert largest < 2 ** (WORD * int(wide.tableau_words(order, bits, order)) - 1)
        bordered = (2**bits - 1) ** (order - 1) * determinant
        words = int(wide.tableau_words(order - 1, bits, order - 1))
        assert bordered < 2 ** (WORD * words - 1)


def exact_determinant(matrix):
    table = [list(map(Fraction, own)) for own in matrix]
    size, value = len(table), Fraction(1)
    for k in range(size):
        pivot = next((i for i in range(k, size) if table[i][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            table[k], table[pivot], value = table[pivot], table[k], -value
        value *= table[k][k]
        for i in range(k + 1, size):
            factor = table[i][k] / table[k][k]
            table[i] = [a - factor * b for a, b in zip(table[i], table[k], strict=True)]
    return value
