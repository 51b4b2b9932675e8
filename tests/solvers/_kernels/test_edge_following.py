"""The kernel's one operation recovers exact integers up to its bound, and its set holds keys."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from solvers._kernels.edge_following import (
    Traversal,
    _combine,
    _divisor,
    _find_ratios,
    _fits,
    _pivot,
    insert,
    insert_all,
)
from tests.sample_sizes import many


def wrapped(value):
    return (value + 2**63) % 2**64 - 2**63


def integer_of_length(random, bits):
    return random.choice((-1, 1)) * (random.getrandbits(bits) | 1 << bits >> 1)


@many
@given(
    size_bits=st.integers(0, 112),
    divisor_bits=st.integers(1, 100),
    shift=st.integers(0, 50),
    result_bits=st.integers(0, 112),
    random=st.randoms(use_true_random=False),
)
def test_combine_is_exact_whenever_it_fits(size_bits, divisor_bits, shift, result_bits, random):
    """With ``c = 1`` and ``d = a b - p r``, the operation must give back ``r``."""
    shift = min(shift, divisor_bits - 1)
    divisor = (random.getrandbits(divisor_bits - shift) | 1) << shift
    a_bits = random.randint(0, size_bits + divisor_bits)
    a = integer_of_length(random, a_bits)
    b = integer_of_length(random, size_bits + divisor_bits - a_bits)
    result = integer_of_length(random, min(result_bits, size_bits))
    d = a * b - divisor * result
    found_shift, inverse = _divisor(wrapped(divisor))
    assert found_shift == shift
    residue, estimate, size = _combine(
        wrapped(a),
        float(a),
        wrapped(b),
        float(b),
        1,
        1.0,
        wrapped(d),
        float(d),
        1.0 / float(divisor),
        found_shift,
        inverse,
    )
    assume(_fits(size, shift))
    assert residue == wrapped(result)
    assert estimate == float(result)


def test_combine_finds_zero_where_floats_cancel():
    """Products of 150 bits that differ in no bit: the float difference is rounding alone."""
    a, b = 3**47 + 2, 5**33 + 4
    factor = 7**9
    residue, estimate, size = _combine(
        wrapped(a * factor),
        float(a * factor),
        wrapped(b),
        float(b),
        wrapped(a),
        float(a),
        wrapped(b * factor),
        float(b * factor),
        1.0 / float(2**80 + 1),
        *_divisor(wrapped(2**80 + 1)),
    )
    assert _fits(size, 0)
    assert (residue, estimate) == (0, 0.0)


def test_size_past_the_bound_does_not_fit():
    assert _fits(2.0**99, 0)
    assert not _fits(2.0**100, 0)
    assert not _fits(2.0**95, 20)


def test_set_tells_new_keys_from_known_ones():
    seen = np.zeros(64, dtype=np.int64)
    keys = [1 << k for k in range(30)]
    assert [insert(seen, key) for key in keys] == [True] * 30
    assert [insert(seen, key) for key in keys] == [False] * 30
    larger = np.zeros(256, dtype=np.int64)
    insert_all(larger, seen)
    assert sorted(larger[larger != 0].tolist()) == keys


def two_rows():
    """A traversal with room for the tableau in hand and one more: labels 1 and 2 basic, 0 not."""
    return Traversal(
        residues=np.zeros((2, 2, 2), dtype=np.int64),
        estimates=np.zeros((2, 2, 2)),
        determinant_residues=np.ones(2, dtype=np.int64),
        determinant_estimates=np.ones(2),
        basic=np.array([[1, 2], [0, 0]]),
        nonbasic=np.array([[0], [0]]),
        positions=np.empty(3, dtype=np.int64),
        ratios=np.empty((2, 2)),
        bounds=np.empty(2),
        num_candidates=np.empty(2, dtype=np.int64),
        candidates=np.zeros(2, dtype=np.int64),
        seen=np.zeros(4, dtype=np.int64),
        found_labels=np.empty(1, dtype=np.int64),
        found_basic=np.empty((1, 2), dtype=np.int64),
        found_residues=np.empty((1, 2), dtype=np.int64),
        found_estimates=np.empty((1, 2)),
        counts=np.zeros(3, dtype=np.int64),
    )


def put(arrays, rows):
    arrays.residues[0] = [[wrapped(value) for value in row] for row in rows]
    arrays.estimates[0] = rows


def test_pivot_says_whether_its_numbers_fit():
    arrays = two_rows()
    for bits, fits in ((20, True), (49, True), (51, False), (60, False)):
        a, b = 2**bits + 1, 2**bits - 1
        put(arrays, [[a, b], [b, a]])
        assert _pivot(arrays, 1, 0, 0, *_divisor(1)) == fits
        if fits:
            assert arrays.residues[1, 1].tolist() == [-b, wrapped(a * a - b * b)]
            assert arrays.residues[1, 0].tolist() == [1, b]


def test_equal_ratios_are_candidates_however_their_estimates_round():
    """Two rows of one ratio, the second a multiple of the first too long for a float."""
    arrays = two_rows()
    rounded_apart = 0
    for power in range(30):
        factor = 7**power
        arrays.estimates[0] = [[5.0**20, 3.0**30], [float(factor * 5**20), float(factor * 3**30)]]
        _find_ratios(arrays)
        assert arrays.num_candidates[0] == 2
        assert arrays.candidates[0] == 1
        rounded_apart += arrays.ratios[0, 0] != arrays.ratios[1, 0]
    assert rounded_apart > 0
    arrays.estimates[0, 1, 1] *= 1.001
    _find_ratios(arrays)
    assert (arrays.num_candidates[0], arrays.candidates[0]) == (1, 0)
