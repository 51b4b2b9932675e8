"""Cells of strategies with given supports, and why an equilibrium is not in one, or only one is.

A cell is a simplex of strategies for each player; its corners are mixtures of supported actions,
integers over a power of two. Rows (see ``support_rows``) are multilinear, so that on a cell they
are averages of their values at its joint corners.

- A combination of rows, inequalities with weights of at least 0, is at least 0 at an equilibrium.
  If it is below 0 at all joint corners, the cell holds none.
- A region holds one solution of the equations ``F`` at most if ``I - Y F'``, for some matrix ``Y``,
  has row sums below 1 at its joint corners, where unknowns of a player count with a weight of his
  own: ``F'`` between two points is an average of its values there, so that ``Y F`` is injective.
- If a box of radius ``R`` about ``c`` lies in the region, and ``|Y F(c)| + R |I - Y F'| < R`` on the
  box, by rows, it holds a solution (Krawczyk 1969).

Unknowns are the probabilities of all supported actions but each player's first. Floats decide where
they leave a margin far above all rounding, integers where they do not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ONE, ZERO, FloatArray, freeze
from gametheory_core.evaluation.support_rows import Integers, SupportRows, Supports
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile

Vectors: TypeAlias = tuple[tuple[Fraction, ...], ...]

MARGIN = 1e-12  # relative to sums of absolute values; rounding in sums of 1000 terms is below 3e-13
MOST_EXACT_BITS = 50  # of corners that floats hold
LEAST_SIZE = 1e-200  # of a region that floats measure
CHUNK = 1024  # cells looked at together


@dataclass(frozen=True)
class SupportSolution:
    """A solution of the equations of supports: the only one in a box, which holds one.

    Attributes:
        supports: Whose equations.
        point: Probabilities of supported actions, each player's of sum 1; the middle of the box.
            They may be negative.
        radius: Of the box, in each unknown; 0 if the point itself is the solution.
        inverse: ``Y``, with a row for each unknown and a column for each equation of integers; any
            matrix for which the conditions hold will do.
    """

    supports: Supports
    point: Vectors
    radius: Fraction
    inverse: Vectors


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


def at_corners(values: Integers, matrices: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Evaluate rows at joint corners: along each player's axis, sum over actions.

    Args:
        values (R, *sizes)
        matrices: For each player, corners x actions.
    """
    for axis, matrix in enumerate(matrices, start=1):
        if matrix.shape != (1, 1):  # who plays one action plays it
            values = np.moveaxis(np.tensordot(values, matrix, axes=(axis, 1)), -1, axis)
    return values


def are_surely_excluded(
    rows: SupportRows, cells: Sequence[Cell], weights: Sequence[Sequence[int]]
) -> NDArray[np.bool_]:
    """Mark the cells on which floats suffice to see that combinations of rows are below 0."""
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
    matrices = [np.array(own, dtype=object) for own in cell.corners]
    values = at_corners(rows.values, matrices)
    combined = np.tensordot(np.array(weights, dtype=object), values, axes=1)
    if not np.all(combined <= 0):
        return False
    below = cast("NDArray[np.bool_]", combined < 0)
    for axis, own in enumerate(cell.corners):
        needed = _needed(own)
        if needed:
            below = below.take(needed, axis=axis)
        else:
            below = below.all(axis=axis, keepdims=True)
    return bool(below.any())


def _needed(corners: tuple[tuple[int, ...], ...]) -> list[int]:
    """Return the corners without which some supported action would not be played."""
    found: set[int] = set()
    for shares in zip(*corners, strict=True):
        having = [corner for corner, share in enumerate(shares) if share]
        if len(having) == 1:
            found.update(having)
    return sorted(found)


def require_solution(rows: SupportRows, solution: SupportSolution) -> str:
    """Say why a solution is not what it claims to be, or return ""."""
    sizes = tuple(map(len, rows.supports))
    count = rows.num_equations
    if tuple(map(len, solution.point)) != sizes or any(sum(own) != 1 for own in solution.point):
        return "the point's probabilities of each player's supported actions do not sum to 1"
    if len(solution.inverse) != count or any(len(row) != count for row in solution.inverse):
        return f"the inverse is not of {count} x {count} numbers"
    if solution.radius < 0:
        return "the radius is negative"
    residual = _values_at(rows, solution.point)[:count]
    if not solution.radius:
        return "the point is no solution of the equations" if any(residual) else ""
    sums = _row_sums(rows, _box(solution), solution, is_box=True)
    for row, total in zip(solution.inverse, sums, strict=True):
        shift = abs(sum((y * f for y, f in zip(row, residual, strict=True)), start=ZERO))
        if not shift + solution.radius * total < solution.radius:
            return "Krawczyk's condition fails on the box"
    return ""


def is_alone(rows: SupportRows, cell: Cell, solution: SupportSolution) -> bool:
    """Tell whether equations have no solution in a cell but this one, if it is there."""
    lowest = [
        tuple(
            min(low, *(Fraction(corner[a], 1 << bits) for corner in own))
            for a, low in enumerate(lows)
        )
        for lows, own, bits in zip(_box(solution), cell.corners, cell.bits, strict=True)
    ]
    return all(total < 1 for total in _row_sums(rows, lowest, solution, is_box=False))


def is_equilibrium(rows: SupportRows, solution: SupportSolution) -> bool | None:
    """Tell whether a solution is an equilibrium with just these supports; None if it is open."""
    box = _box(solution)
    high = [
        tuple(2 * p - low for p, low in zip(own, lows, strict=True))
        for own, lows in zip(solution.point, box, strict=True)
    ]
    inequalities = rows.values[rows.num_equations :]
    if not solution.radius:
        is_played = all(p > 0 for own in solution.point for p in own)
        return is_played and all(
            value >= 0 for value in _values_at(rows, solution.point)[rows.num_equations :]
        )
    values = at_corners(inequalities, _hull(box)[0])
    values = values.reshape(len(inequalities), prod(values.shape[1:]))
    if all(low > 0 for own in box for low in own) and np.all(values > 0):
        return True
    if any(h < 0 for own in high for h in own) or np.any(np.all(values < 0, axis=1)):
        return False
    return None


def are_apart(one: SupportSolution, other: SupportSolution) -> bool:
    """Tell whether two boxes of solutions with the same supports have no point in common."""
    reach = one.radius + other.radius
    pairs = (
        (a, b)
        for own, theirs in zip(one.point, other.point, strict=True)
        for a, b in zip(own[1:], theirs[1:], strict=True)
    )
    return any(abs(a - b) > reach for a, b in pairs)


def is_within(one: SupportSolution, other: SupportSolution) -> bool:
    """Tell whether the box of a solution lies in that of another one with the same supports."""
    reach = other.radius - one.radius
    pairs = (
        (a, b)
        for own, theirs in zip(one.point, other.point, strict=True)
        for a, b in zip(own[1:], theirs[1:], strict=True)
    )
    return all(abs(a - b) <= reach for a, b in pairs)


def profile_of(game: NormalFormGame, solution: SupportSolution) -> MixedProfile:
    """Return a solution that is an equilibrium, or the middle of its box, as a profile."""
    strategies: list[NDArray[Any]] = []
    for own, point, count in zip(solution.supports, solution.point, game.num_actions, strict=True):
        strategy = np.full(count, ZERO, dtype=object)
        strategy[list(own)] = point
        strategies.append(freeze(strategy))
    return MixedProfile(tuple(strategies))


def _box(solution: SupportSolution) -> list[tuple[Fraction, ...]]:
    """Return the least probabilities in the box; those of first actions vary the most."""
    return [
        (own[0] - (len(own) - 1) * solution.radius, *(p - solution.radius for p in own[1:]))
        for own in solution.point
    ]


def _values_at(rows: SupportRows, point: Vectors) -> list[Fraction]:
    """Evaluate all rows at one joint strategy."""
    denominators = [lcm(*(p.denominator for p in own)) for own in point]
    weights = [
        np.array([[p.numerator * (d // p.denominator) for p in own]], dtype=object)
        for own, d in zip(point, denominators, strict=True)
    ]
    values = at_corners(rows.values, weights).ravel().tolist()
    scale = prod(denominators)
    return [Fraction(value, scale) for value in values]


def _hull(lowest: Sequence[tuple[Fraction, ...]]) -> tuple[list[Integers], list[int], list[int]]:
    """Return the simplices of all strategies with at least these probabilities.

    Returns:
        Corners x actions, as integers; their denominators; and what is left for the actions
        beyond the least, over the same denominators.
    """
    matrices: list[Integers] = []
    denominators: list[int] = []
    rooms: list[int] = []
    for own in lowest:
        if len(own) == 1:
            own = (ONE,)  # noqa: PLW2901
        scale = lcm(*(p.denominator for p in own))
        lows = [p.numerator * (scale // p.denominator) for p in own]
        room = scale - sum(lows) if len(own) > 1 else 0
        matrix = np.array([lows] * len(own), dtype=object)
        for a in range(len(own)):
            matrix[a, a] += room
        matrices.append(matrix)
        denominators.append(scale)
        rooms.append(room)
    return matrices, denominators, rooms


def _row_sums(
    rows: SupportRows,
    lowest: Sequence[tuple[Fraction, ...]],
    solution: SupportSolution,
    *,
    is_box: bool,
) -> list[Fraction]:
    """Bound the row sums of ``|I - Y F'|`` on the simplices with at least these probabilities.

    Unknowns count as much as each other on a box, else by the size of their player's simplex.
    Floats are tried first; integers decide where rounding might.
    """
    if not rows.num_equations:
        return []
    matrices, denominators, rooms = _hull(lowest)
    sizes = [room / d for room, d in zip(rooms, denominators, strict=True)]
    relative = _floats_of(solution.inverse, rows.shifts)
    smallest = min(size for size, own in zip(sizes, lowest, strict=True) if len(own) > 1)
    if relative is not None and smallest > LEAST_SIZE:
        floats = [
            np.array([[v / d for v in row] for row in m.tolist()])
            for m, d in zip(matrices, denominators, strict=True)
        ]
        low, high = _float_sums(rows, floats, sizes, relative, is_box=is_box)
        if np.all(high < 1) or np.any(low > 1):
            return [Fraction(total) for total in high.tolist()]
    return _exact_sums(rows, matrices, denominators, rooms, solution, is_box=is_box)


def _columns(supports: Supports) -> list[tuple[int, int]]:
    """Return the unknowns: players, and places of actions among their supported ones."""
    return [(j, b) for j, own in enumerate(supports) for b in range(1, len(own))]


def _floats_of(inverse: Vectors, shifts: Sequence[int]) -> FloatArray | None:
    """Return ``Y`` for rows as floats; None if floats cannot hold it."""
    try:
        found = np.array(
            [[float(y * (1 << s)) for y, s in zip(row, shifts, strict=False)] for row in inverse]
        )
    except OverflowError:
        return None
    return found if np.all(np.isfinite(found)) else None


def _float_sums(
    rows: SupportRows,
    matrices: Sequence[FloatArray],
    sizes: Sequence[float],
    inverse: FloatArray,
    *,
    is_box: bool,
) -> tuple[FloatArray, FloatArray]:
    """Bound the row sums from below and above, with rounding included."""
    count = rows.num_equations
    equations = rows.floats[:count]
    values = at_corners(equations, matrices)
    large = at_corners(np.abs(equations), [np.abs(m) for m in matrices])
    columns = _columns(rows.supports)
    doubt = MARGIN * (2 * np.abs(inverse) @ large.reshape(count, -1).max(axis=1))
    total: Any = np.zeros((count,) + (1,) * len(matrices))
    doubts = np.zeros(count)
    for m, (j, b) in enumerate(columns):
        slope = np.tensordot(
            inverse, np.take(values, [b], j + 1) - np.take(values, [0], j + 1), axes=1
        )
        slope[m] -= sizes[j]
        factor = 1.0 / sizes[j] if is_box else 1.0
        total = total + np.abs(slope) * factor
        doubts += doubt * factor
    most = total.reshape(count, -1).max(axis=1)
    own = np.array([1.0 if is_box else sizes[j] for j, _ in columns])
    doubts += MARGIN * most
    return (most - doubts) / own, (most + doubts) / own * (1 + MARGIN)


def _exact_sums(
    rows: SupportRows,
    matrices: Sequence[Integers],
    denominators: Sequence[int],
    rooms: Sequence[int],
    solution: SupportSolution,
    *,
    is_box: bool,
) -> list[Fraction]:
    """Measure the row sums, in rationals."""
    count = rows.num_equations
    values = at_corners(rows.values[:count], matrices)
    scale = prod(denominators)
    inverse = np.array(solution.inverse, dtype=object).reshape(count, count) / scale
    sizes = [Fraction(room, d) for room, d in zip(rooms, denominators, strict=True)]
    columns = _columns(rows.supports)
    total: Any = np.full((count,) + (1,) * len(matrices), ZERO, dtype=object)
    for m, (j, b) in enumerate(columns):
        slope = np.tensordot(
            inverse, np.take(values, [b], j + 1) - np.take(values, [0], j + 1), axes=1
        )
        slope[m] -= sizes[j]
        total = total + abs(slope) / (sizes[j] if is_box else ONE)
    most = total.reshape(count, -1).max(axis=1)
    return [
        Fraction(value) / (ONE if is_box else sizes[j])
        for value, (j, _) in zip(most.tolist(), columns, strict=True)
    ]


@dataclass(frozen=True)
class Part:
    """A cell at the end of a tree of halvings, and what is said of it.

    Attributes:
        step: Its place among the steps.
        number: Of the solution that it alone may hold; -1 if it is excluded.
        weights: Of a combination of rows that excludes it.
    """

    step: int
    cell: Cell
    number: int
    weights: tuple[int, ...]


HALVE, ALONE, EXCLUDED = 2, 3, 4  # kinds of steps; the first two are about supports


def parts_of(
    rows: SupportRows, steps: Sequence[tuple[int, ...]], *, start: int = 0, cell: Cell | None = None
) -> tuple[Part, ...]:
    """Follow steps from a cell, by default the whole one, until all its parts are reached.

    Args:
        rows: Of the supports.
        steps: ``(HALVE, player, kept, moved)``, with the steps of the half that keeps the first
            corner, then of the other; ``(ALONE, number)``; ``(EXCLUDED, *weights)``.
        start: Place of the first step.

    Raises:
        ValueError: Says which step is none.
    """
    parts: list[Part] = []
    open_cells = [cell or whole_cell(rows.supports)]
    sizes = tuple(map(len, rows.supports))
    while open_cells:
        cell = open_cells.pop()
        step = steps[start] if start < len(steps) else ()
        if len(step) == 4 and step[0] == HALVE:
            _, player, kept, moved = step
            is_edge = 0 <= player < len(sizes) and kept != moved
            if not (is_edge and all(0 <= corner < sizes[player] for corner in (kept, moved))):
                raise ValueError(f"step {start} halves no edge of a cell")
            open_cells += [cell.halved(player, moved, kept), cell.halved(player, kept, moved)]
        elif len(step) == 2 and step[0] == ALONE and step[1] >= 0:
            parts.append(Part(start, cell, step[1], ()))
        elif len(step) == 1 + len(rows.actions) and step[0] == EXCLUDED:
            if any(weight < 0 for weight in step[1 + rows.num_equations :]):
                raise ValueError(f"step {start} gives an inequality a weight below 0")
            parts.append(Part(start, cell, -1, step[1:]))
        else:
            raise ValueError(f"step {start} says nothing about a cell of supports {rows.supports}")
        start += 1
    return tuple(parts)


def unproved(
    rows: SupportRows, parts: Sequence[Part], solutions: Sequence[SupportSolution]
) -> tuple[Part, ...]:
    """Return the parts of which something is said that does not hold.

    Args:
        rows: Of the supports.
        parts: Of the whole cell.
        solutions: Those that parts name by number, each checked before.
    """
    excluded = [part for part in parts if part.number < 0]
    kept = [part for part in parts if part.number >= 0 and not _holds(rows, part, solutions)]
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
    return solution.supports == rows.supports and is_alone(rows, part.cell, solution)
