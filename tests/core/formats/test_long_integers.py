"""Integers of any length are written and read as Python does it without its limit."""

import sys
from collections.abc import Generator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.formats.long_integers import MOST_BITS, SHORT, integer_from, integer_text

LENGTHS = [1, MOST_BITS, 2 * MOST_BITS, SHORT * 4, 20_000]


@pytest.fixture(autouse=True, scope="module")
def unlimited() -> Generator[None]:
    """Let Python read and write them too."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(limit)


@given(st.sampled_from(LENGTHS).flatmap(lambda bits: st.integers(-(2**bits), 2**bits)))
def test_any_integer(whole):
    assert integer_text(whole) == str(whole)
    assert integer_from(str(whole)) == whole


@pytest.mark.parametrize("length", [1, SHORT - 1, SHORT, SHORT + 1, 2 * SHORT, 5 * SHORT + 3])
def test_lengths_where_they_are_cut(length):
    for whole in (10**length, 10**length - 1, 10**length + 1, 7 * 10**length):
        for signed in (whole, -whole):
            assert integer_text(signed) == str(signed)
            assert integer_from(str(signed)) == signed


def test_beyond_the_limit_of_python():
    sys.set_int_max_str_digits(640)
    try:
        assert integer_from(integer_text(3**40_000)) == 3**40_000
    finally:
        sys.set_int_max_str_digits(0)
