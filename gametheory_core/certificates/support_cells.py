"""Cells of strategies with given supports, and why an equilibrium is not in one, or only one is.

A cell is a simplex of strategies for each player; its corners are mixtures of supported actions,
integers over a power of two. Rows (see ``support_rows``) are multilinear, so that on a cell they
are averages of their values at its joint corners. A combination of rows, inequalities with weights
of at least 0, is at least 0 at an equilibrium: if it is below 0 at all joint corners, the cell
holds none. Or the cell holds none but a solution that is alone on it (see ``support_solutions``).
Where only equilibria above a bound are sought, *excess*, which is multilinear too, says by how
much strategies are; it has a weight above 0 in a combination that is 0 at most.

Floats decide where they leave a margin far above all rounding, integers where they do not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from gametheory_core.certificates.support_solutions import MARGIN, SupportSolution, is_alone
from gametheory_core.evaluation.support_rows import Integers, SupportRows, Supports, at_corners

MOST_EXACT_BITS = 50  # of corners that floats hold
CHUNK = 1024  # cells looked at together


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


def are_surely_excluded(
    rows: SupportRows, cells: Sequence[Cell], weights: Sequence[Sequence[int]]
) -> NDArray[np.bool_]:
    """Mark the cells on which floats suffice to see that combinations of rows are below 0."""
    if not rows.actions:
        return np.zeros(len(cells), dtype=bool)
    sizes = np.abs(rows.floats).reshape(len(rows.floats), -1).max(axis=1, initial=0.0)
    scaled = np.array([_relative(own, rows.shifts) for own in weights])
    if all(len(own) == 1 or cell is cells[0] for cell in cells for own in cell.corners):
        values = rows.floats[np.newaxis]
    else:
        values = rows.floats[np.newaxis]
        each = [cell.matrices() for cell in cells]
        for axis, own in enumerate(zip(*each, strict=True), start=2):
            if own[0].size > 1:
                matrices = np.stack(own)[:, np.newaxis]
                moved = np.moveaxis(values, axis, -1)
                flat = moved.reshape(len(moved), -1, moved.shape[-1])
                product_ = flat @ matrices[:, 0].transpose(0, 2, 1)
                values = np.moveaxis(product_.reshape(len(product_), *moved.shape[1:]), -1, axis)
    flat = values.reshape(len(values), len(rows.floats), -1)
    combined = (scaled[:, np.newaxis] @ flat)[:, 0]
    exact = np.array([max(cell.bits) <= MOST_EXACT_BITS for cell in cells])
    return exact & (combined.max(axis=1) < -MARGIN * (np.abs(scaled) @ sizes) - 1e-290)


def _relative(weights: Sequence[int], shifts: Sequence[int]) -> list[float]:
    """Return integer weights as floats that fit the rows as floats, up to a common factor."""
    scaled = [weight << shift for weight, shift in zip(weights, shifts, strict=True)]
    largest = max(map(abs, scaled), default=0) or 1
    return [weight / largest for weight in scaled]


def is_excluded(rows: SupportRows, cell: Cell, weights: Sequence[int]) -> bool:
    """Tell whether a combination of rows shows that no equilibrium has these supports in a cell.

    It is 0 at most, and below 0 at some joint corner to which an equilibrium gives a weight.
    """
    if not any(weights):
        return False
    matrices = [np.array(own, dtype=object) for own in cell.corners]
    values = at_corners(rows.values, matrices)
    combined = np.tensordot(np.array(weights, dtype=object), values, axes=1)
    if not np.all(combined <= 0):
        return False
    below: Any = combined < 0
    for axis, own in enumerate(cell.corners):
        needed = _needed(own)
        below = below.take(needed, axis=axis) if needed else below.all(axis=axis, keepdims=True)
    return bool(below.any())


def is_bounded(rows: SupportRows, cell: Cell, weights: Sequence[int], excess: Integers) -> bool:
    """Tell whether rows, and excess with the last weight, show that a cell holds none above 0."""
    matrices = [np.array(own, dtype=object) for own in cell.corners]
    values = at_corners(np.concatenate([rows.values, excess[np.newaxis]]), matrices)
    return weights[-1] > 0 and bool(
        np.all(np.tensordot(np.array(weights, dtype=object), values, axes=1) <= 0)
    )


def _needed(corners: tuple[tuple[int, ...], ...]) -> list[int]:
    """Return the corners without which some supported action would not be played."""
    found: set[int] = set()
    for shares in zip(*corners, strict=True):
        having = [corner for corner, share in enumerate(shares) if share]
        if len(having) == 1:
            found.update(having)
    return sorted(found)


@dataclass(frozen=True)
class Part:
    """A cell at the end of a tree of halvings, and what is said of it.

    Attributes:
        step: Its place among the steps.
        number: Of the solution that it alone may hold; -1 if it is excluded.
        weights: Of a combination of rows that excludes it; one more is that of excess.
    """

    step: int
    cell: Cell
    number: int
    weights: tuple[int, ...]


HALVE, ALONE, EXCLUDED = 2, 3, 4  # kinds of steps; the first two are about supports


def parts_of(
    rows: SupportRows,
    steps: Sequence[tuple[int, ...]],
    *,
    start: int = 0,
    cell: Cell | None = None,
    has_bound: bool = False,
) -> tuple[Part, ...]:
    """Follow steps from a cell, by default the whole one, until all its parts are reached.

    Args:
        rows: Of the supports.
        steps: ``(HALVE, player, kept, moved)``, with the steps of the half that keeps the first
            corner, then of the other; ``(ALONE, number)``; ``(EXCLUDED, *weights)``.
        start: Place of the first step.
        has_bound: Whether weights may be followed by one of excess.

    Raises:
        ValueError: Says which step is none.
    """
    parts: list[Part] = []
    open_cells = [cell or whole_cell(rows.supports)]
    sizes = tuple(map(len, rows.supports))
    while open_cells:
        cell = open_cells.pop()
        step: tuple[int, ...] = steps[start] if start < len(steps) else ()
        if len(step) == 4 and step[0] == HALVE:
            _, player, kept, moved = step
            is_edge = 0 <= player < len(sizes) and kept != moved
            if not (is_edge and all(0 <= corner < sizes[player] for corner in (kept, moved))):
                raise ValueError(f"step {start} halves no edge of a cell")
            open_cells += [cell.halved(player, moved, kept), cell.halved(player, kept, moved)]
        elif len(step) == 2 and step[0] == ALONE and step[1] >= 0:
            parts.append(Part(start, cell, step[1], ()))
        elif step[:1] == (EXCLUDED,) and 0 <= len(step) - 1 - len(rows.actions) <= has_bound:
            if any(weight < 0 for weight in step[1 + rows.num_equations :]):
                raise ValueError(f"step {start} gives an inequality a weight below 0")
            parts.append(Part(start, cell, -1, step[1:]))
        else:
            raise ValueError(f"step {start} says nothing about a cell of supports {rows.supports}")
        start += 1
    return tuple(parts)


def unproved(
    rows: SupportRows,
    parts: Sequence[Part],
    solutions: Sequence[SupportSolution],
    excess: Integers | None = None,
) -> tuple[Part, ...]:
    """Return the parts of which something is said that does not hold.

    Args:
        rows: Of the supports.
        parts: Of the whole cell.
        solutions: Those that parts name by number, each checked before.
        excess: At the joint actions of the supports, where only equilibria above 0 matter.
    """
    count = len(rows.actions)
    excluded = [part for part in parts if part.number < 0 and len(part.weights) == count]
    kept = [part for part in parts if part.number >= 0 and not _holds(rows, part, solutions)]
    kept += [
        part
        for part in parts
        if len(part.weights) > count
        and (excess is None or not is_bounded(rows, part.cell, part.weights, excess))
    ]
    for at in range(0, len(excluded), CHUNK):
        chunk = excluded[at : at + CHUNK]
        sure = are_surely_excluded(rows, [p.cell for p in chunk], [p.weights for p in chunk])
        kept += [
            part
            for part, is_sure in zip(chunk, sure.tolist(), strict=True)
            if not (is_sure or is_excluded(rows, part.cell, part.weights))
        ]
    return tuple(kept)


def _holds(rows: SupportRows, part: Part, solutions: Sequence[SupportSolution]) -> bool:
    if not part.number < len(solutions):
        return False
    solution = solutions[part.number]
    return solution.supports == rows.supports and is_alone(rows, part.cell.lowest(), solution)
