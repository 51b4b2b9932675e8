"""Frontiers of subtrees: the few mixtures that are made are as good as all of them."""

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NotConverged
from gametheory_core.certificates import PayoffSegment
from gametheory_core.certificates.extensive_stackelberg_frontiers import is_covered
from solvers.stackelberg import extensive_frontiers
from solvers.stackelberg.extensive_frontiers import Point, Stretch, mixtures, passed_on, pruned

PAIRS = st.tuples(st.integers(-9, 9), st.integers(-9, 9))
CHILDREN = st.lists(st.lists(st.tuples(PAIRS, PAIRS), min_size=1, max_size=5), max_size=4)


def nothing():
    """Go on."""


def stretch_between(low, high):
    (a, b), (c, d) = sorted((low, high))
    return Stretch(Point(Fraction(a), Fraction(b)), Point(Fraction(c), Fraction(d)))


def lone(pair):
    return stretch_between(pair, pair)


def segment_of(stretch):
    ends = [(end.follower, end.leader) for end in (stretch.low, stretch.high)]
    return PayoffSegment(min(ends), max(ends))


def frontier_of(children):
    mixed = list(mixtures(children, tick=nothing))
    whole = [passed_on(child, stretch) for child, own in children for stretch in own]
    return [segment_of(stretch) for stretch in pruned(whole + mixed, tick=nothing)]


def all_mixtures(children):
    ends = [
        {pair for stretch in own for pair in (segment_of(stretch).low, segment_of(stretch).high)}
        for _, own in children
    ]
    for first, second in combinations(ends, 2):
        for v, w in product(first, second):
            yield PayoffSegment(min(v, w), max(v, w))


@given(CHILDREN, st.booleans())
def test_all_mixtures_of_different_children_are_covered(pairs, are_lone):
    children = [
        (child, [lone(v) if are_lone else stretch_between(v, w) for v, w in own])
        for child, own in enumerate(pairs)
    ]
    frontier = frontier_of(children)
    assert all(is_covered(segment, frontier) for segment in all_mixtures(children))


def test_mixtures_below_the_hull_of_the_others():
    """Between the middle points mixtures with the far ends are best."""
    children = [(0, [lone((0, 100)), lone((100, 0))]), (1, [lone((40, 59)), lone((60, 39))])]
    frontier = frontier_of(children)
    assert all(is_covered(segment, frontier) for segment in all_mixtures(children))


def test_only_different_children_are_mixed():
    """Ends of one child make the hull; below it mixtures with another child matter."""
    children = [(4, [lone((0, 8)), lone((5, 4)), lone((8, 0))]), (6, [lone((2, 5)), lone((4, 4))])]
    found = list(mixtures(children, tick=nothing))
    assert all(stretch.mixed[0][0] != stretch.mixed[1][0] for stretch in found)
    frontier = frontier_of(children)
    assert all(is_covered(segment, frontier) for segment in all_mixtures(children))
    alone = PayoffSegment((Fraction(0), Fraction(8)), (Fraction(5), Fraction(4)))
    assert not is_covered(alone, frontier)


def test_many_ends_need_few_mixtures():
    bent = [(i, [lone((i, -i * i))]) for i in range(40)]
    assert len(list(mixtures(bent, tick=nothing))) == 39
    below = [(0, [lone((i, -i * i)) for i in range(40)]), (1, [lone((20, -500))])]
    assert len(list(mixtures(below, tick=nothing))) <= 39 * 4


@pytest.mark.parametrize("job", [0, 1])
def test_ticks_stop_the_work(job):
    def stop():
        raise NotConverged("stopped")

    children = [(0, [lone((0, 1))]), (1, [lone((1, 0))])]
    with pytest.raises(NotConverged, match="stopped"):
        list(mixtures(children, tick=stop)) if job else pruned([lone((0, 1))], tick=stop)


@given(st.lists(st.tuples(PAIRS, PAIRS), max_size=8))
def test_ends_are_kept_where_no_other_is_better_for_both(pairs):
    stretches = [stretch_between(*pair) for pair in pairs]
    ends = {(end.follower, end.leader) for own in stretches for end in (own.low, own.high)}
    kept = [(end.follower, end.leader) for end in extensive_frontiers._undominated(stretches)]
    best = {
        one
        for one in ends
        if not any(other != one and other[0] >= one[0] and other[1] >= one[1] for other in ends)
    }
    assert set(kept) == best
    assert len(kept) == len(best)
