"""Cells of strategies with given supports, and why an equilibrium is not in one, or only one is.

A cell is a simplex of strategies for each player. Rows (see ``support_rows``) are multilinear, so
that on a cell they are averages of their values at its joint corners. A combination of rows,
inequalities with weights of at least 0, is at least 0 at an equilibrium: if it is below 0 at all
joint corners, the cell holds none. Or the cell holds none but a solution that is alone on it (see
``support_solutions``). Where only equilibria above a bound are sought, *excess*, which is
multilinear too, says by how much strategies are; it has a weight above 0 in a combination that is 0
at most.

Floats decide where they leave a margin far above all rounding, integers where they do not.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gametheory_core.certificates.cell_bounds import are_surely_below
from gametheory_core.certificates.halved_cells import Cell, CellTree, Part, whole_cell
from gametheory_core.certificates.support_solutions import SupportSolution, is_alone
from gametheory_core.evaluation.support_rows import Integers, SupportRows, Supports, at_corners


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
    tree = CellTree(rows, cell or whole_cell(rows.supports))
    sizes = tuple(map(len, rows.supports))
    count, num_equations = len(rows.actions), rows.num_equations
    todo = [0]
    while todo:
        place = todo.pop()
        step: tuple[int, ...] = steps[start] if start < len(steps) else ()
        if len(step) == 4 and step[0] == HALVE:
            _, player, kept, moved = step
            is_edge = 0 <= player < len(sizes) and kept != moved
            if not (is_edge and 0 <= kept < sizes[player] and 0 <= moved < sizes[player]):
                raise ValueError(f"step {start} halves no edge of a cell")
            first, second = tree.halve(place, player, kept, moved)
            todo += (second, first)
        elif len(step) == 2 and step[0] == ALONE and step[1] >= 0:
            parts.append(Part(start, tree, place, step[1], ()))
        elif step[:1] == (EXCLUDED,) and 0 <= len(step) - 1 - count <= has_bound:
            if min(step[1 + num_equations :], default=0) < 0:
                raise ValueError(f"step {start} gives an inequality a weight below 0")
            parts.append(Part(start, tree, place, -1, step[1:]))
        else:
            raise ValueError(f"step {start} says nothing about a cell of supports {rows.supports}")
        start += 1
    return tuple(parts)


def unproved(
    parts: Sequence[Part],
    solutions: Sequence[SupportSolution],
    excess: Callable[[Supports], Integers] | None = None,
) -> list[Part]:
    """Return the parts of which something is said that does not hold, in their order.

    Args:
        parts: Of the strategies with some supports, or several ones of a game.
        solutions: Those that parts name by number, each checked before.
        excess: At the joint actions of supports, where only equilibria above 0 matter.
    """
    return [part for part in doubtful(parts) if not holds(part, solutions, excess)]


def doubtful(parts: Sequence[Part]) -> list[Part]:
    """Return the parts but those that are excluded so far from 0 that floats see it."""
    plain = [
        part
        for part in parts
        if part.number < 0 and len(part.weights) == len(part.tree.rows.actions)
    ]
    sure = {id(part) for part, is_so in zip(plain, are_surely_below(plain), strict=True) if is_so}
    return [part for part in parts if id(part) not in sure]


def holds(
    part: Part,
    solutions: Sequence[SupportSolution],
    excess: Callable[[Supports], Integers] | None = None,
) -> bool:
    """Check what is said of a part; ``unproved`` has the arguments."""
    rows = part.tree.rows
    if part.number >= 0:
        if part.number >= len(solutions) or solutions[part.number].supports != rows.supports:
            return False
        return is_alone(rows, part.cell.lowest(), solutions[part.number])
    if len(part.weights) == len(rows.actions):
        return is_excluded(rows, part.cell, part.weights)
    return excess is not None and is_bounded(rows, part.cell, part.weights, excess(rows.supports))
