"""Branch and bound over cells of a leader's mixed actions, the cell of largest bound first.

A cell is split at the middle of an edge of one of its simplices, at the best mixed actions found so
far, if they lie inside, or by the follower's answer at one step and state; that split is taken
after which the children's bounds leave least. Splits at the best mixed actions make them a corner
of all cells around: there bounds are exact, so that rational optima are proved without a gap.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from gametheory_core.arrays import ONE, ZERO, FloatArray
from gametheory_core.leaders.commitment_cells import (
    AnswerRate,
    Cell,
    CellGame,
    cell_bound,
    split_at,
)
from gametheory_core.leaders.policies import StochasticLeader
from gametheory_core.leaders.stochastic_stackelberg import (
    AnswerSplit,
    BoundedCell,
    CellNode,
    MixtureSplit,
)
from solvers.leaders.cell_rates import improve_rates
from solvers.leaders.float_cells import FloatCell, FloatCells, Rates, float_cells, pass_back
from solvers.leaders.lottery_polish import (
    Polisher,
    point_values,
    polished,
    polisher,
    rational_leader,
)
from solvers.leaders.lottery_search import FloatLeaders, Found
from solvers.solution import Meter

HALF = Fraction(1, 2)
SMALLEST = 2.0**-24  # sum of differences along the longest edge, of simplices that are halved
NEAREST = 2.0**-16  # barycentric coordinate of a point at which a simplex is split
DEEP = 4  # splits before the best mixed actions become corners
MOST_ANSWERS = 3  # steps and states at which splits by answers are tried
FIRST_TRIES, LATER_TRIES = 12, 8  # cells near whose points mixed actions are polished: so many
# at first, then one of so many
MOST_CORNERS = 81  # whose values are looked at
FINE = 1e-9  # units by which others look better
FINEST = 2**50  # denominators of corners, which are met
RATE_BITS = 24
SIMPLE, SAME = 256, 1e-9  # denominators of rates that are meant, and how near floats are to them
LOOK_EVERY = 16  # splits, at how long certificates take
CHECKS = 1.3  # times what bounds of all leaves seem to take
ROUNDS = 8  # of linear programs for the first cell
LATER_ROUNDS = 2


class Split(NamedTuple):
    """A way to split a cell, and the parts."""

    node: MixtureSplit | AnswerSplit
    parts: tuple[Cell, ...]


@dataclass(eq=False)
class OpenCell:
    """A node of the tree.

    Attributes:
        split: None as long as it is a leaf.
        children: Places in the tree.
    """

    cell: Cell
    floats: FloatCell
    depth: int
    split: MixtureSplit | AnswerSplit | None = None
    children: tuple[int, ...] = ()


@dataclass(eq=False)
class CellSearch:
    """A search under way; lives inside a single call.

    Attributes:
        evaluate: What a leader earns, exactly.
        ceiling: What no leader exceeds, in units.
        tolerance: In units.
        unit: The leader's, in payoff units.
        rate_unit: The leader's by the follower's.
    """

    game: CellGame
    cells: FloatCells
    polisher: Polisher
    evaluate: Callable[[StochasticLeader], Fraction]
    meter: Meter
    best: Found
    ceiling: float
    tolerance: float
    unit: Fraction
    rate_unit: Fraction
    nodes: list[OpenCell] = field(default_factory=list[OpenCell])
    heap: list[tuple[float, int]] = field(default_factory=list[tuple[float, int]])

    @property
    def floor(self) -> float:
        """What the best leader so far earns, in units."""
        return float(self.best.value / self.unit)

    def start(self) -> None:
        """Bound the cell of all mixed actions."""
        root = self.game.whole
        floats = FloatCell(_floats(root), {})
        rounds = 0 if self.meter.is_exhausted else ROUNDS
        improve_rates(self.cells, floats, enough=self.floor, rounds=rounds)
        self.nodes.append(OpenCell(root, floats, 0))
        heappush(self.heap, (-floats.bound, 0))

    @property
    def is_open(self) -> bool:
        """Whether some cell may hold better mixed actions, by more than the tolerance."""
        return bool(self.heap) and min(-self.heap[0][0], self.ceiling) > self.floor + self.tolerance

    def advance(self, most: int) -> None:
        """Split so many cells, the largest bounds first, if as many are open and there is time."""
        for _ in range(most):
            if not self.is_open or self.is_over(looks=not self.meter.iterations % LOOK_EVERY):
                return
            _, place = heappop(self.heap)
            self._split(place)
            self.meter.step()

    def is_over(self, *, looks: bool) -> bool:
        """Tell whether the budget is over, with time for the certificate to bound each cell."""
        if self.meter.is_exhausted:
            return True
        left = self.meter.seconds_left
        if left is None or not looks:
            return False
        node = self.nodes[-1]
        before = self.meter.seconds
        cell_bound(self.game, node.cell, self._rates(node.floats.rates))
        return (self.meter.seconds - before) * CHECKS * len(self.nodes) / 2 > left

    def _split(self, place: int) -> None:
        node = self.nodes[place]
        self._try_points(node)
        options = self._options(node)
        if not options:
            return
        split, parts = min(
            ((split, self._children(node, split)) for split in options), key=self._left_over
        )
        node.split = split.node
        places: list[int] = []
        for cell, floats in zip(split.parts, parts, strict=True):
            if floats.bound > self.floor:
                improve_rates(self.cells, floats, enough=self.floor, rounds=LATER_ROUNDS)
            places.append(len(self.nodes))
            self.nodes.append(OpenCell(cell, floats, node.depth + 1))
            if floats.bound > self.floor:
                heappush(self.heap, (-floats.bound, places[-1]))
        node.children = tuple(places)

    def _left_over(self, option: tuple[Split, list[FloatCell]]) -> float:
        return sum(max(part.bound - self.floor, 0.0) for part in option[1])

    def _children(self, node: OpenCell, split: Split) -> list[FloatCell]:
        """Bound the parts, by the rates of the whole where only mixed actions are split."""
        rounds = int(isinstance(split.node, AnswerSplit))
        parts: list[FloatCell] = []
        for cell in split.parts:
            part = FloatCell(_floats(cell), cell.answers, node.floats.rates)
            improve_rates(self.cells, part, enough=self.floor, rounds=rounds)
            parts.append(part)
        return parts

    def _options(self, node: OpenCell) -> list[Split]:
        cell = node.cell
        if node.depth >= DEEP:
            corners = [self._at_best(cell, axis) for axis in range(len(cell.simplices))]
            if all(corner is not None for corner in corners):
                inner = [
                    _mixtures(self.game, cell, axis, weights)
                    for axis, weights in enumerate(corners)
                    if weights and max(weights) < ONE
                ]
                if inner:
                    return inner
        halves = [
            _mixtures(self.game, cell, axis, weights)
            for axis, simplex in enumerate(node.floats.simplices)
            if (weights := _middle(simplex)) is not None
        ]
        passed = pass_back(self.cells, node.floats, node.floats.rates) or {}
        undecided = sorted(
            (-found.spread, place) for place, found in passed.items() if len(found.left) > 1
        )
        answers = [_answers(self.game, cell, *place) for _, place in undecided[:MOST_ANSWERS]]
        return halves + answers

    def _at_best(self, cell: Cell, axis: int) -> tuple[Fraction, ...] | None:
        """Return barycentric coordinates of the best mixed action; None if it lies outside."""
        observation = self.game.observations[axis]
        lottery = self.best.policy.lotteries[observation]
        point = [lottery[a] for a in self.game.view.leader_actions(observation)]
        weights = coordinates(cell.simplices[axis], point)
        if weights is None or min(weights) < 0:
            return None
        if max(weights) < ONE and min(w for w in weights if w) < NEAREST:
            return None
        return weights

    def _try_points(self, node: OpenCell) -> None:
        """Look for better mixed actions at corners of a cell and where its bound is attained."""
        simplices = node.floats.simplices
        points = [np.concatenate(corners) for corners in islice(product(*simplices), MOST_CORNERS)]
        points.append(np.concatenate([simplex.mean(axis=0) for simplex in simplices]))
        if node.floats.point is not None:
            points.append(np.concatenate(node.floats.point))
        values = point_values(self.polisher, np.array(points))
        top = int(values.argmax())
        if values[top] > self.floor + FINE:
            self.try_near(self._found(rational_leader(self.polisher, points[top], FINEST)))
        tried = self.meter.iterations
        if tried < FIRST_TRIES or not tried % LATER_TRIES:
            self.try_near(self._found(rational_leader(self.polisher, points[-1], FINEST)))

    def try_near(self, found: Found) -> None:
        """Look for better mixed actions near some."""
        lotteries = found.policy.lotteries
        point = np.array([float(lotteries[o][a]) for o, a in self.polisher.places])
        self.keep_better(found, *map(self._found, polished(self.polisher, point)))

    def _found(self, policy: StochasticLeader) -> Found:
        return Found(policy, self.evaluate(policy))

    def keep_better(self, *found: Found) -> None:
        """Take the best of some mixed actions and those known."""
        self.best = max((self.best, *found), key=lambda one: one.value)

    def written(self) -> tuple[CellNode, ...]:
        """Return the tree as certificates hold it."""
        found: list[CellNode] = []
        waiting = [0]
        while waiting:
            node = self.nodes[waiting.pop()]
            if node.split is None:
                found.append(BoundedCell(self._rates(node.floats.rates)))
            else:
                found.append(node.split)
                waiting += reversed(node.children)
        return tuple(found)

    def _rates(self, rates: Rates) -> tuple[AnswerRate, ...]:
        return tuple(
            AnswerRate(*key, exact * self.rate_unit)
            for key, rate in rates.items()
            if (exact := near_fraction(rate))
        )


def near_fraction(rate: float) -> Fraction:
    """Return the simple rational that is meant, if there is one, else one nearby.

    >>> near_fraction(0.3333333333)
    Fraction(1, 3)
    """
    simple = Fraction(rate).limit_denominator(SIMPLE)
    if abs(float(simple) - rate) < SAME * max(1.0, rate):
        return simple
    return Fraction(round(rate * 2**RATE_BITS), 2**RATE_BITS)


def cell_search(
    game: CellGame,
    floats: FloatLeaders,
    *,
    evaluate: Callable[[StochasticLeader], Fraction],
    meter: Meter,
    best: Found,
    ceiling: Fraction,
    tolerance: Fraction,
) -> CellSearch:
    """Prepare a search that starts from some leader."""
    return CellSearch(
        game=game,
        cells=float_cells(game, floats),
        polisher=polisher(game, floats),
        evaluate=evaluate,
        meter=meter,
        best=best,
        ceiling=float(ceiling / floats.unit),
        tolerance=float(tolerance / floats.unit),
        unit=floats.unit,
        rate_unit=floats.unit / floats.follower_unit,
    )


def _floats(cell: Cell) -> tuple[FloatArray, ...]:
    return tuple(np.array(simplex, dtype=float) for simplex in cell.simplices)


def _middle(simplex: FloatArray) -> tuple[Fraction, ...] | None:
    """Return the middle of the longest edge; None where it is short."""
    lengths = np.abs(simplex[:, None] - simplex).sum(axis=-1)
    first, second = divmod(int(lengths.argmax()), len(simplex))
    if lengths[first, second] < SMALLEST:
        return None
    return tuple(HALF if k in (first, second) else ZERO for k in range(len(simplex)))


def _mixtures(game: CellGame, cell: Cell, axis: int, weights: tuple[Fraction, ...]) -> Split:
    before, after = cell.simplices[:axis], cell.simplices[axis + 1 :]
    parts = split_at(cell.simplices[axis], weights)
    node = MixtureSplit(game.observations[axis], weights)
    return Split(node, tuple(Cell((*before, part, *after), cell.answers) for part in parts))


def _answers(game: CellGame, cell: Cell, time: int, state: int) -> Split:
    return Split(
        AnswerSplit(time, state),
        tuple(
            Cell(cell.simplices, {**cell.answers, (time, state): b}) for b in game.answers(state)
        ),
    )


def coordinates(simplex: Any, point: list[Fraction]) -> tuple[Fraction, ...] | None:
    """Return the barycentric coordinates of a point; None if corners do not determine them.

    >>> half = Fraction(1, 2)
    >>> coordinates(((ONE, ZERO), (half, half)), [Fraction(3, 4), Fraction(1, 4)])
    (Fraction(1, 2), Fraction(1, 2))
    """
    size = len(simplex)
    rows = [[corner[a] for corner in simplex] + [point[a]] for a in range(size)]
    for k in range(size):  # Gauss and Jordan; a handful of numbers
        pivot = next((r for r in range(k, size) if rows[r][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for r in range(size):
            if r != k and rows[r][k]:
                rows[r] = [x - rows[r][k] * y for x, y in zip(rows[r], rows[k], strict=True)]
    return tuple(row[size] for row in rows)
