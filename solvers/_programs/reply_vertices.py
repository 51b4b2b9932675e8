"""Behaviors that their supports, and ties of best replies, determine: exact linear equations.

A player acts at several places, and others reply at places of their own; what a reply earns is
linear in the shares of the player's actions. A *vertex* is a behavior that is the only one with its
support and with its ties among best replies. For each support, ties are added one place after the
other, in rationals, until one solution is left or signs exclude a positive one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from gametheory_core.arrays import ONE, ZERO

Linear: TypeAlias = dict[int, Fraction]  # action -> share, or coefficient
Replies: TypeAlias = dict[int, Linear]  # at one place: reply -> what it earns by action
Solved: TypeAlias = dict[int, tuple[Linear, Fraction]]  # variable = constant - linear form


@dataclass(frozen=True)
class Side:
    """A player's actions by place, and what replies earn at each of theirs."""

    blocks: tuple[tuple[int, ...], ...]
    replies: tuple[Replies, ...]


@dataclass(frozen=True, eq=False)
class Vertex:
    """A behavior: shares of the actions played, and the best replies to it."""

    shares: Linear
    best: frozenset[int]

    @property
    def played(self) -> frozenset[int]:
        """The actions that are played."""
        return frozenset(self.shares)


def _nothing() -> None:
    """Count nothing."""


def vertices(side: Side, tick: Callable[[], None] = _nothing) -> Iterator[Vertex]:
    """List the behaviors that their supports, and best replies that tie, determine."""
    seen: set[tuple[tuple[int, Fraction], ...]] = set()
    for supports in _products(side.blocks):
        tick()
        solved = {own[0]: (dict.fromkeys(own[1:], ONE), ONE) for own in supports}
        played = {s for own in supports for s in own}
        groups = [
            {reply: {s: v for s, v in row.items() if s in played} for reply, row in group.items()}
            for group in side.replies
        ]
        for shares, ties in _determined(solved, groups, len(played)):
            key = tuple(sorted(shares.items()))
            best = _best_replies(groups, shares)
            if key not in seen and all(best.issuperset(tie) for tie in ties):
                seen.add(key)
                yield Vertex(shares, best)


def _products(blocks: Sequence[Sequence[int]]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield a nonempty subset of each block in all ways, holding one at a time."""
    if not blocks:
        yield ()
        return
    for subset in _subsets(blocks[0]):
        for others in _products(blocks[1:]):
            yield (subset, *others)


def _subsets(members: Sequence[int], least: int = 1) -> Iterator[tuple[int, ...]]:
    """Yield the subsets with at least so many members; lists of all of them fill the memory."""
    for size in range(least, len(members) + 1):
        yield from combinations(members, size)


def _best_replies(groups: Iterable[Replies], shares: Linear) -> frozenset[int]:
    best: list[int] = []
    for group in groups:
        earned = {
            reply: sum((value * shares[s] for s, value in row.items()), ZERO)
            for reply, row in group.items()
        }
        most = max(earned.values())
        best += [reply for reply, value in earned.items() if value == most]
    return frozenset(best)


def _determined(
    solved: Solved, groups: Sequence[Replies], count: int
) -> Iterator[tuple[Linear, list[tuple[int, ...]]]]:
    """Let replies tie until one positive solution is left; return it, and which replies tie."""
    if len(solved) == count:
        yield {s: constant for s, (_, constant) in solved.items()}, []
        return
    if len(solved) + sum(len(group) - 1 for group in groups) < count:
        return
    group, *rest = groups
    yield from _determined(solved, rest, count)
    for tie in _subsets(tuple(group), least=2):
        first, *others = (group[reply] for reply in tie)
        more: Solved | None = solved
        for row in others:
            gap = {s: row.get(s, ZERO) - first.get(s, ZERO) for s in {**row, **first}}
            more = None if more is None else _with(more, gap)
        if more is not None and len(more) > len(solved):
            for shares, ties in _determined(more, rest, count):
                yield shares, [tie, *ties]


def _with(solved: Solved, form: Linear) -> Solved | None:
    """Let a linear form be 0 too; None if no positive solution is left, as far as signs tell."""
    left: Linear = {}
    constant = ZERO  # form = left - constant
    for s, value in form.items():
        inner, known = solved.get(s, ({s: -ONE}, ZERO))
        constant -= value * known
        for v, factor in inner.items():
            left[v] = left.get(v, ZERO) - value * factor
    left = {v: value for v, value in left.items() if value}
    if not left:
        return None if constant else solved
    pivot, scale = next(iter(left.items()))
    rest = {v: value / scale for v, value in left.items() if v != pivot}
    constant /= scale
    more: Solved = {pivot: (rest, constant)}
    for s, (inner, known) in solved.items():
        factor = inner.get(pivot, ZERO)
        changed = dict(inner)
        if factor:
            del changed[pivot]
            for v, value in rest.items():
                changed[v] = changed.get(v, ZERO) - factor * value
            changed = {v: value for v, value in changed.items() if value}
        more[s] = changed, known - factor * constant
    if any(known <= 0 and min(inner.values(), default=ZERO) >= 0 for inner, known in more.values()):
        return None
    return more
