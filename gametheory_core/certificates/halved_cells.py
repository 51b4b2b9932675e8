"""Cells of strategies with given supports: simplices, halved along their edges.

A cell is a simplex of strategies for each player; its corners are mixtures of supported actions,
integers over a power of two.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.evaluation.support_rows import SupportRows, Supports


@dataclass(frozen=True)
class Cell:
    """Simplices of strategies.

    Attributes:
        corners: Each player's, as numerators of the probabilities of supported actions.
        bits: Of each player's denominator, a power of two.
    """

    corners: tuple[tuple[tuple[int, ...], ...], ...]
    bits: tuple[int, ...]

    def halved(self, player: int, kept: int, moved: int) -> "Cell":
        """Return the half whose corner ``moved`` has gone to the middle of its edge to ``kept``."""
        own = self.corners[player]
        middle = tuple(a + b for a, b in zip(own[kept], own[moved], strict=True))
        doubled = [tuple(2 * a for a in corner) for corner in own]
        doubled[moved] = middle
        bits = self.bits[player] + 1
        while bits and not any(a % 2 for corner in doubled for a in corner):
            doubled = [tuple(a // 2 for a in corner) for corner in doubled]
            bits -= 1
        corners = (*self.corners[:player], tuple(doubled), *self.corners[player + 1 :])
        return Cell(corners, (*self.bits[:player], bits, *self.bits[player + 1 :]))

    def lowest(self) -> list[list[Fraction]]:
        """Return the least probabilities of each player's supported actions."""
        return [
            [Fraction(min(shares), 1 << bits) for shares in zip(*own, strict=True)]
            for own, bits in zip(self.corners, self.bits, strict=True)
        ]

    def matrices(self) -> list[FloatArray]:
        """Return the corners as floats, without rounding if there are few bits."""
        return [
            np.array([[a / (1 << bits) for a in corner] for corner in own])
            for own, bits in zip(self.corners, self.bits, strict=True)
        ]


def whole_cell(supports: Supports) -> Cell:
    """Return the cell of all strategies with some or all of the supported actions."""
    corners = tuple(
        tuple(tuple(int(a == b) for b in range(len(own))) for a in range(len(own)))
        for own in supports
    )
    return Cell(corners, (0,) * len(supports))


@dataclass(eq=False)
class CellTree:
    """A cell of strategies with given supports, halved again and again.

    Cells have numbers, the first one 0; halves have greater ones than what they are halves of.

    Attributes:
        rows: Of the supports.
        above: For each cell, what it is a half of; -1 for the first.
        edges: For each cell, the player and corners, kept and moved, of the halving.
        depths: For each cell, how many halvings lead to it.
    """

    rows: SupportRows
    first: Cell
    above: list[int] = field(default_factory=lambda: [-1])
    edges: list[tuple[int, int, int]] = field(default_factory=lambda: [(0, 0, 0)])
    depths: list[int] = field(default_factory=lambda: [0])
    _cells: dict[int, Cell] = field(default_factory=dict[int, Cell])

    def halve(self, number: int, player: int, kept: int, moved: int) -> tuple[int, int]:
        """Add the halves of a cell: that which keeps the first corner, then the other."""
        count, depth = len(self.above), self.depths[number] + 1
        self.above += (number, number)
        self.edges += ((player, kept, moved), (player, moved, kept))
        self.depths += (depth, depth)
        return count, count + 1

    def cell(self, number: int) -> Cell:
        """Return a cell; those on the way to it are kept for the next one."""
        way: list[int] = []
        while number and number not in self._cells:
            way.append(number)
            number = self.above[number]
        cell = self._cells[number] if number else self.first
        for each in reversed(way):
            cell = self._cells[each] = cell.halved(*self.edges[each])
        return cell


class Part(NamedTuple):
    """A cell at the end of a tree of halvings, and what is said of it.

    Attributes:
        step: Its place among the steps.
        tree, place: The cell, as a number in a tree.
        number: Of the solution that it alone may hold; -1 if it is excluded.
        weights: Of a combination of rows that excludes it; one more is that of excess.
    """

    step: int
    tree: CellTree
    place: int
    number: int
    weights: tuple[int, ...]

    @property
    def cell(self) -> Cell:
        """The cell, exactly."""
        return self.tree.cell(self.place)
