"""What commitments can make of each subtree, and how: pairs of payoffs, from the end of play.

A *point* is what follower and leader get from a node on, with the way to get it; a *stretch* is a
straight line of points. Stretches at the leader's nodes mix two children, or are a child's; at the
follower's nodes they are the parts of a child's stretches that no threat elsewhere is needed for.
Only undominated points are mixed: with a better end, a mixture is better at every payoff of the
follower (Letchford and Conitzer 2010).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

Shares: TypeAlias = "tuple[tuple[int, Fraction, Point], ...]"


@dataclass(frozen=True, eq=False)
class Point:
    """A pair of payoffs at a node, and how the leader or the follower gets it there.

    Attributes
    ----------
    follower, leader : Fraction
        What both get.
    shares : tuple of (int, Fraction, Point)
        Children with their probabilities, and the points there; none at the end of play.
    """

    follower: Fraction
    leader: Fraction
    shares: Shares = ()


@dataclass(frozen=True, eq=False)
class Stretch:
    """A straight line of points at a node.

    Attributes
    ----------
    low, high : Point
        Its ends; the follower gets no less at ``high``.
    inner : (int, Stretch) or None
        The child whose stretch this is part of.
    mixed : pair of (int, Point) or None
        The children, and points there, that this is part of the mixtures of.
    """

    low: Point
    high: Point
    inner: "tuple[int, Stretch] | None" = None
    mixed: tuple[tuple[int, Point], tuple[int, Point]] | None = None


def passed_on(child: int, stretch: Stretch) -> Stretch:
    """Return a child's stretch as one of its parent."""
    ends = [
        Point(end.follower, end.leader, ((child, Fraction(1), end),))
        for end in (stretch.low, stretch.high)
    ]
    return Stretch(ends[0], ends[1], (child, stretch))


def part_from(stretch: Stretch, least: Fraction) -> Stretch | None:
    """Return the part of a stretch that gives the follower at least so much."""
    if stretch.low.follower >= least:
        return stretch
    if stretch.high.follower < least:
        return None
    return Stretch(_point_at(stretch, least), stretch.high, stretch.inner, stretch.mixed)


def mixtures(children: Sequence[tuple[int, list[Stretch]]]) -> Iterator[Stretch]:
    """Mix undominated ends of stretches of any two children."""
    ends = [(child, _undominated(stretches)) for child, stretches in children]
    for (one, first), (other, second) in combinations(ends, 2):
        for v in first:
            for w in second:
                pair = sorted(((one, v), (other, w)), key=lambda end: _order(end[1]))
                low, high = (
                    Point(point.follower, point.leader, ((child, Fraction(1), point),))
                    for child, point in pair
                )
                yield Stretch(low, high, mixed=(pair[0], pair[1]))


def pruned(stretches: list[Stretch]) -> list[Stretch]:
    """Leave out stretches that a single other one is nowhere worse than, for both players."""
    order = sorted(stretches, key=_reach, reverse=True)
    kept: list[Stretch] = []
    for stretch in order:
        if not any(_dominates(other, stretch) for other in kept):
            kept.append(stretch)
    return kept


def best_end(stretches: list[Stretch]) -> Point:
    """Return the point that is best for the leader."""
    ends = [end for stretch in stretches for end in (stretch.low, stretch.high)]
    return max(ends, key=lambda point: point.leader)


def _point_at(stretch: Stretch, follower: Fraction) -> Point:
    """Return the point of a stretch where the follower gets so much, strictly between its ends."""
    above: list[int] = []
    while stretch.inner is not None:
        above.append(stretch.inner[0])
        stretch = stretch.inner[1]
    if stretch.mixed is None:  # a single point
        return stretch.high
    (one, v), (other, w) = stretch.mixed
    share = (follower - v.follower) / (w.follower - v.follower)
    leader = v.leader + share * (w.leader - v.leader)
    point = Point(follower, leader, ((one, 1 - share, v), (other, share, w)))
    for child in reversed(above):
        point = Point(follower, leader, ((child, Fraction(1), point),))
    return point


def _undominated(stretches: list[Stretch]) -> list[Point]:
    """Return the ends of stretches, each better for the leader the worse for the follower."""
    ends = [end for stretch in stretches for end in (stretch.low, stretch.high)]
    kept: list[Point] = []
    for end in sorted(ends, key=_order, reverse=True):
        if not kept or end.leader > kept[-1].leader:
            kept.append(end)
    return kept


def _order(point: Point) -> tuple[Fraction, Fraction]:
    return point.follower, point.leader


def _reach(stretch: Stretch) -> tuple[Fraction, Fraction]:
    return stretch.high.follower, max(stretch.low.leader, stretch.high.leader)


def _dominates(other: Stretch, stretch: Stretch) -> bool:
    """Compare at both ends: what lies below a stretch and to its left is convex."""
    return all(_is_below(end, other) for end in (stretch.low, stretch.high))


def _is_below(point: Point, stretch: Stretch) -> bool:
    low, high = stretch.low, stretch.high
    if point.follower > high.follower:
        return False
    if point.follower <= low.follower or high.leader >= low.leader:
        return point.leader <= max(low.leader, high.leader)
    rise = (high.leader - low.leader) * (point.follower - low.follower)
    return (point.leader - low.leader) * (high.follower - low.follower) <= rise
