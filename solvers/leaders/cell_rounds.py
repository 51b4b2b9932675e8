"""A search over cells of mixed actions, divided among workers.

In each round the open cells of largest bounds, a fixed number of them, go to whoever is there, to
be split a fixed number of times each; what is found comes together in their order. So the answer
does not depend on the number of workers.
"""

import pickle
from dataclasses import replace
from heapq import heappop, heappush
from typing import NamedTuple

from solvers.leaders.cell_search import CellSearch, OpenCell
from solvers.leaders.lottery_search import Found
from solvers.solution import UNLIMITED, Budget, Meter
from solvers.streams import shares
from solvers.workers import in_parts

ALONE = 32  # splits, before a search is divided
PARTS = 8  # of a search
AT_ONCE = 8  # splits of a part, between two exchanges of the best mixed actions


def split_cells(search: CellSearch, *, jobs: int | None = None) -> None:
    """Split cells until none is open, or the budget ends; ``search`` is modified in place.

    Args:
        jobs: Workers; changes nothing but the time.
    """
    search.advance(ALONE)
    while search.is_open and not search.is_over(looks=True):
        _round(search, jobs)


class _Part(NamedTuple):
    """What a worker has found below a cell; places are its own, the cell's is 0."""

    nodes: list[OpenCell]
    heap: list[tuple[float, int]]
    best: Found
    tried: dict[bytes, int]
    splits: int


def _round(search: CellSearch, jobs: int | None) -> None:
    meter, done = search.meter, search.meter.iterations
    left = meter.at_most(PARTS * AT_ONCE)
    places: list[int] = []
    while len(places) < min(PARTS, left) and search.is_open:
        places.append(heappop(search.heap)[1])
    budget = replace(meter.left, iterations=None)
    counts = [min(AT_ONCE, count) for count in shares(left, len(places))]
    parts = [
        (_packed(search, place), done, count, budget)
        for place, count in zip(places, counts, strict=True)
    ]
    answers = in_parts(
        _advanced, parts, jobs=jobs, what="cell", on_done=lambda own: meter.step(own.splits)
    )
    for place, own in zip(places, answers, strict=True):
        _take(search, place, own)


def _packed(search: CellSearch, place: int) -> bytes:
    """Write what splits a cell further: a copy, also for who works in this process."""
    node, alone = search.nodes[place], Meter(UNLIMITED, search.meter.unit)
    part = replace(search, meter=alone, nodes=[node], heap=[(-node.floats.bound, 0)])
    return pickle.dumps(part)


def _advanced(packed: bytes, done: int, count: int, budget: Budget) -> _Part:
    """Split a cell further, wherever this is called."""
    part: CellSearch = pickle.loads(packed)  # noqa: S301 our own
    part.meter = Meter(budget, part.meter.unit, iterations=done)
    part.advance(count)
    splits = part.meter.iterations - done
    return _Part(part.nodes, part.heap, part.best, part.polisher.tried, splits)


def _take(search: CellSearch, place: int, found: _Part) -> None:
    """Put the tree below a cell in its place."""
    shift = len(search.nodes) - 1
    for node in found.nodes:
        node.children = tuple(shift + child for child in node.children)
    search.nodes[place] = found.nodes[0]
    search.nodes += found.nodes[1:]
    for key, own in found.heap:
        heappush(search.heap, (key, shift + own if own else place))
    search.keep_better(found.best)
    tried = search.polisher.tried
    for answers, times in found.tried.items():
        tried[answers] = max(times, tried.get(answers, 0))
