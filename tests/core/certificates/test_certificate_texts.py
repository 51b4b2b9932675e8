"""Long rationals in statements: short numbers on the safe side, so that the sentence stays true."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.certificates.certificate import LONGEST_NUMBER, at_least, at_most

LONG = st.builds(Fraction, st.integers(-(10**80), 10**80), st.integers(10**70, 10**90)) | st.builds(
    Fraction, st.integers(-(10**400), 10**400), st.integers(1, 10**5)
)


@given(LONG)
def test_long_numbers_are_rounded_to_the_safe_side(value):
    low, high = Fraction(at_least(value)), Fraction(at_most(value))
    assert low <= value <= high
    assert high - low <= abs(value) / 10**15
    assert max(len(at_least(value)), len(at_most(value))) <= LONGEST_NUMBER


@given(st.fractions(max_denominator=10**9))
def test_short_numbers_are_exact(value):
    assert at_least(value) == at_most(value) == str(value)
