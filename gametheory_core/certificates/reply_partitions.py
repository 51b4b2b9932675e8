"""Where replies are best: the vertices of the parts of a product of simplices.

A player acts at several places, and ``x`` holds the probabilities at each: a point of a product of
simplices. Others reply at places of their own; what a reply earns is linear in ``x``. The replies
that are best at each place part the product into polytopes, whose vertices are listed by the double
description method, from the pure strategies on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import gcd
from typing import TypeAlias

from gametheory_core.certificates.extreme_equilibria import Ray, Vector, cut

Block: TypeAlias = range  # the actions at one place, among all of a player's
Rows: TypeAlias = list[Vector]  # what each reply at a place earns, by action


@dataclass(frozen=True, eq=False)
class Point:
    """A vertex: one player's behavior, and the other's best replies to it.

    Attributes:
        weights: Of each own action, up to a positive factor.
        played: The own actions that have some.
        best: The other's actions that earn most at their information set.
    """

    weights: Vector
    played: frozenset[int]
    best: frozenset[int]


@dataclass(frozen=True, eq=False)
class Side:
    """One player's information sets, and what the other's actions earn, information set by set."""

    blocks: tuple[Block, ...]
    replies: tuple[Rows, ...]

    def points(self) -> list[Point]:
        """List the vertices of the partition into what is best for the other."""
        size = self.blocks[-1].stop
        choices = product(*self.blocks)
        starts = [tuple(int(a in chosen) for a in range(size)) for chosen in choices]
        rays = [(ray, sum(1 << a for a in range(size) if not ray[a])) for ray in starts]
        dimension = size - len(self.blocks) + 1
        found = dict.fromkeys(_rays(rays, self.replies, dimension, size))
        return [Point(ray, _played(ray), self._best(ray)) for ray in found]

    def _best(self, weights: Vector) -> frozenset[int]:
        best: set[int] = set()
        first = 0
        for rows in self.replies:
            earned = [sum(a * b for a, b in zip(row, weights, strict=True)) for row in rows]
            best |= {first + b for b, value in enumerate(earned) if value == max(earned)}
            first += len(rows)
        return frozenset(best)


def _rays(rays: list[Ray], replies: Sequence[Rows], dimension: int, bit: int) -> Iterator[Vector]:
    """Cut a cone by which reply is best at each information set, and list the rays of all parts."""
    if not replies:
        for ray, _ in rays:
            divisor = gcd(*ray)
            yield tuple(value // divisor for value in ray)
        return
    rows, *rest = replies
    for best in rows:
        part, next_bit = rays, bit
        for row in rows:
            if row is not best:
                normal = [a - b for a, b in zip(best, row, strict=True)]
                part = cut(part, normal, 1 << next_bit, dimension)
                next_bit += 1
        if part:
            yield from _rays(part, rest, dimension, next_bit)


def _played(weights: Vector) -> frozenset[int]:
    return frozenset(action for action, weight in enumerate(weights) if weight)
