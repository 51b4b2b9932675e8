"""What commitments can make of each subtree, and how: pairs of payoffs, from the end of play.

A *point* is what follower and leader get from a node on, with the way to get it; a *stretch* is a
straight line of points. Stretches at the leader's nodes mix two children, or are a child's; at the
follower's nodes they are the parts of a child's stretches that no threat elsewhere is needed for.
Only undominated points are mixed: with a better end, a mixture is better at every payoff of the
follower (Letchford and Conitzer 2010).

Which pairs to mix: nothing lies above the hull of all ends, so that where neighbors ``v, w`` on it
are of different children, their mixture is all that is needed between them. Let both be of one
child ``c``; then tangents from the ends of ``c`` between them to the hull of the others suffice:

- An end of ``c`` beyond ``v`` or ``w`` is no better than ``v`` or ``w``, which lie nowhere below.
- Mixtures with an end of ``c`` that lies above the hull of the others are below that hull, or below
  a tangent; all other mixtures are below that hull.
- An edge of that hull that falls at least as fast as the line from ``v`` to ``w`` has ``w`` above
  its line, so that it lies below the tangent from ``w``; all others below the tangent from ``v``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

Shares: TypeAlias = "tuple[tuple[int, Fraction, Point], ...]"


@dataclass(frozen=True, eq=False)
class Point:
    """A pair of payoffs at a node, and how the leader or the follower gets it there.

    Attributes:
        follower, leader: What both get.
        shares: Children with their probabilities, and the points there; none at the end of play.
    """

    follower: Fraction
    leader: Fraction
    shares: Shares = ()


@dataclass(frozen=True, eq=False)
class Stretch:
    """A straight line of points at a node.

    Attributes:
        low, high: Its ends; the follower gets no less at ``high``.
        inner: The child whose stretch this is part of.
        mixed: The children, and points there, that this is part of the mixtures of.
    """

    low: Point
    high: Point
    inner: "tuple[int, Stretch] | None" = None
    mixed: tuple[tuple[int, Point], tuple[int, Point]] | None = None


End: TypeAlias = tuple[int, Point]  # of a stretch of a child


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


def mixtures(
    children: Sequence[tuple[int, list[Stretch]]], *, tick: Callable[[], None]
) -> Iterator[Stretch]:
    """Mix ends of stretches of different children, as many pairs as are needed.

    Args:
        tick: Called now and then; may raise to stop.
    """
    ends = [(child, end) for child, stretches in children for end in _undominated(stretches)]
    drawn = {
        (_order(stretch.low), _order(stretch.high))
        for _, stretches in children
        for stretch in stretches
    }
    rest_hulls: dict[int, list[End]] = {}
    for v, w in pairwise(_hull(ends)):
        tick()
        child = v[0]
        if child != w[0]:
            yield _mixture(v, w)
        elif (_order(v[1]), _order(w[1])) not in drawn:  # a child's stretch needs nothing above it
            if child not in rest_hulls:
                rest_hulls[child] = _hull([end for end in ends if end[0] != child])
            inside = [
                end
                for end in ends
                if end[0] == child and v[1].follower <= end[1].follower <= w[1].follower
            ]
            yield from _tangents(inside, rest_hulls[child], tick)


def pruned(stretches: list[Stretch], *, tick: Callable[[], None]) -> list[Stretch]:
    """Leave out stretches that a single other one is nowhere worse than, for both players.

    Args:
        tick: Called for each of them; may raise to stop.
    """
    order = sorted(stretches, key=_reach, reverse=True)
    kept: list[Stretch] = []
    for stretch in order:
        tick()
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


def _hull(ends: list[End]) -> list[End]:
    """Return the ends that no average of others is as good as, from low to high for the follower.

    Each is better for the leader than the next.
    """
    found: list[End] = []
    for end in sorted(ends, key=lambda end: _order(end[1]), reverse=True):
        if found and end[1].leader <= found[-1][1].leader:
            continue
        while len(found) > 1 and not _is_above(found[-1][1], end[1], found[-2][1]):
            found.pop()
        found.append(end)
    return found[::-1]


def _is_above(point: Point, low: Point, high: Point) -> bool:
    """Tell whether a point lies above the line through two others."""
    rise = (high.leader - low.leader) * (point.follower - low.follower)
    return (point.leader - low.leader) * (high.follower - low.follower) > rise


def _tangents(inside: list[End], rest: list[End], tick: Callable[[], None]) -> Iterator[Stretch]:
    """Mix ends of a child with those on the hull of the others that their tangents touch."""
    for end in inside:
        tick()
        below = [other for other in rest if other[1].follower < end[1].follower]
        if below:
            yield _mixture(min(below, key=lambda other: _slope(other, end)), end)
        above = [other for other in rest if other[1].follower > end[1].follower]
        if above:
            yield _mixture(end, max(above, key=lambda other: _slope(end, other)))


def _slope(low: End, high: End) -> Fraction:
    return (high[1].leader - low[1].leader) / (high[1].follower - low[1].follower)


def _mixture(v: End, w: End) -> Stretch:
    """Return the mixtures of two children's points, the lower one for the follower first."""
    low, high = (
        Point(point.follower, point.leader, ((child, Fraction(1), point),))
        for child, point in (v, w)
    )
    return Stretch(low, high, mixed=(v, w))


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
