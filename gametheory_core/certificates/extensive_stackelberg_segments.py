"""Segments of pairs of payoffs, and whether one is covered by others that are as good for both."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias


@dataclass(frozen=True)
class PayoffSegment:
    """The pairs of payoffs between two pairs.

    Attributes:
        low, high: What follower and leader get at the ends; the follower no less at ``high``.
    """

    low: tuple[Fraction, Fraction]
    high: tuple[Fraction, Fraction]


Frontier: TypeAlias = tuple[PayoffSegment, ...]


def leader_at(segment: PayoffSegment, follower: Fraction) -> Fraction:
    """Return the leader's payoff where the follower gets so much, on a segment that is not flat."""
    (low, first), (high, second) = segment.low, segment.high
    return first + (second - first) * (follower - low) / (high - low)


def is_covered(segment: PayoffSegment, frontier: Frontier) -> bool:
    """Tell whether each pair of a segment has one on the frontier that is as good for both."""
    if segment.low[0] == segment.high[0]:
        best = max(segment.low, segment.high)
        return any(_value(other, best[0]) >= best[1] for other in frontier if _has(other, best[0]))
    parts = sorted(part for other in frontier for part in _covered_parts(segment, other))
    reached = segment.low[0]
    for start, stop in parts:
        if start > reached:
            return False
        reached = max(reached, stop)
    return reached >= segment.high[0]


def _has(segment: PayoffSegment, follower: Fraction) -> bool:
    return segment.high[0] >= follower


def _value(segment: PayoffSegment, follower: Fraction) -> Fraction:
    """Return the leader's largest payoff where the follower gets at least so much."""
    (low, first), (_, second) = segment.low, segment.high
    if second >= first or follower <= low:
        return max(first, second)
    return leader_at(segment, follower)


def _covered_parts(segment: PayoffSegment, other: PayoffSegment) -> list[tuple[Fraction, Fraction]]:
    """Return where on a segment, by the follower's payoff, another one is as good for both."""
    start, stop = segment.low[0], min(segment.high[0], other.high[0])
    if start > stop:
        return []
    cuts = [start, stop]
    if start < other.low[0] < stop:
        cuts.insert(1, other.low[0])  # the other one is flat before, and straight after
    parts: list[tuple[Fraction, Fraction]] = []
    for left, right in pairwise(cuts):
        part = _better_part(segment, other, left, right)
        if part is not None:
            parts.append(part)
    return parts


def _better_part(
    segment: PayoffSegment, other: PayoffSegment, left: Fraction, right: Fraction
) -> tuple[Fraction, Fraction] | None:
    """Compare where both are straight."""
    margins = [_value(other, at) - leader_at(segment, at) for at in (left, right)]
    if min(margins) >= 0:
        return left, right
    if max(margins) < 0:
        return None
    crossing = left + (right - left) * margins[0] / (margins[0] - margins[1])
    return (left, crossing) if margins[0] >= 0 else (crossing, right)
