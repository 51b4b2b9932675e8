"""Coverage of segments: what is called covered is so at every point."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.certificates import PayoffSegment
from gametheory_core.certificates.extensive_stackelberg_frontiers import is_covered
from tests.sample_sizes import examples

SMALL = st.integers(0, 4).map(Fraction)
PAIRS = st.tuples(SMALL, SMALL)
STEPS = 60


@st.composite
def segments(draw):
    low, high = sorted((draw(PAIRS), draw(PAIRS)))
    return PayoffSegment(low, high)


def points(segment):
    for step in range(STEPS + 1):
        share = Fraction(step, STEPS)
        yield tuple(a + share * (b - a) for a, b in zip(segment.low, segment.high, strict=True))


def has_as_good(segment, point):
    """Whether some point is as good for both: the ends, or where the follower gets the same."""
    (low, first), (high, second) = segment.low, segment.high
    candidates = [segment.low, segment.high]
    if low < point[0] < high:
        leader = first + (second - first) * (point[0] - low) / (high - low)
        candidates.append((point[0], leader))
    return any(pair[0] >= point[0] and pair[1] >= point[1] for pair in candidates)


@examples(300)
@given(segments(), st.lists(segments(), min_size=1, max_size=4))
def test_covered_segments_are_covered_everywhere(segment, others):
    everywhere = all(any(has_as_good(other, p) for other in others) for p in points(segment))
    if is_covered(segment, tuple(others)):
        assert everywhere


@examples(300)
@given(segments(), segments())
def test_one_segment_covers_what_lies_below_it(segment, other):
    """Of two straight lines, comparing at the points decides."""
    everywhere = all(has_as_good(other, p) for p in points(segment))
    assert is_covered(segment, (other,)) == everywhere


def test_halves_cover_a_segment_and_one_half_does_not():
    ends = [(Fraction(0), Fraction(4)), (Fraction(2), Fraction(2)), (Fraction(4), Fraction(0))]
    whole = PayoffSegment(ends[0], ends[2])
    first, second = PayoffSegment(ends[0], ends[1]), PayoffSegment(ends[1], ends[2])
    assert is_covered(whole, (first, second))
    assert not is_covered(whole, (first,))
    assert not is_covered(whole, (second,))
