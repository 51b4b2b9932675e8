"""Cells that were left open, shown to hold no equilibrium that scores above a bound.

Equilibria of a continuum are singular, but where payoffs are linear the best of them is at an end,
and a combination of rows shows that. Such weights solve a linear program in rationals.
"""

from collections.abc import Sequence
from math import lcm
from typing import Any

import numpy as np

from gametheory_core.certificates.halved_cells import Cell, whole_cell
from gametheory_core.certificates.support_cells import EXCLUDED, HALVE, parts_of, unproved
from gametheory_core.certificates.support_solutions import SupportSolution
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.evaluation.support_rows import Integers, SupportRows, at_corners
from solvers._kernels import equilibrium_cells
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import LinearProgram, solve_float
from solvers.many_players.cell_search import Step, scaled_to_floats
from solvers.solution import Meter

MOST_CELLS = 64  # of one choice of supports, before it is given up


def bounded_steps(
    rows: SupportRows,
    steps: Sequence[Step],
    solutions: Sequence[SupportSolution],
    excess: Integers,
    meter: Meter,
) -> list[Step] | None:
    """Return steps that leave no equilibrium with some supports whose excess is above 0.

    Args:
        rows: Of the supports.
        steps: Of a search, some of which prove nothing.
        solutions: That steps name by number.
        excess: At the joint actions of the supports.
        meter: Steps are cells.

    Returns:
        None if that did not succeed.
    """
    whole = _weights(rows, whole_cell(rows.supports), excess)
    if whole is not None:
        return [whole]
    found = list(steps)
    for part in reversed(unproved(parts_of(rows, steps), solutions)):
        below = _settled(rows, part.cell, excess, meter)
        if below is None:
            return None
        found[part.step : part.step + 1] = below
    return found


def _settled(rows: SupportRows, cell: Cell, excess: Integers, meter: Meter) -> list[Step] | None:
    """Halve a cell until all its parts are settled."""
    steps: list[Step] = []
    todo = [cell]
    for _ in range(MOST_CELLS):
        if not todo:
            return steps
        if meter.is_exhausted:
            return None
        meter.step()
        cell = todo.pop()
        weights = _weights(rows, cell, excess)
        if weights is not None:
            steps.append(weights)
            continue
        values = scaled_to_floats(at_corners(rows.values, _corners(cell)))[0]
        sizes = np.array(values.shape[1:], dtype=np.int64)
        player, kept, moved = equilibrium_cells.widest_edge(values.reshape(len(values), -1), sizes)
        if player < 0:
            return None
        steps.append((HALVE, player, kept, moved))
        todo += [cell.halved(player, moved, kept), cell.halved(player, kept, moved)]
    return None


def _corners(cell: Cell) -> list[Integers]:
    return [np.array(own, dtype=object) for own in cell.corners]


def _weights(rows: SupportRows, cell: Cell, excess: Integers) -> Step | None:
    """Find weights of rows that, with the excess, are nowhere above 0 on a cell."""
    values: Any = at_corners(np.concatenate([rows.values, excess[np.newaxis]]), _corners(cell))
    values = values.reshape(len(values), -1)
    columns, places = np.nonzero(values[:-1])
    order = np.lexsort((columns, places))
    program = LinearProgram(
        objective=np.zeros(len(rows.actions), dtype=object),
        rows=places[order].astype(np.int32),
        columns=columns[order].astype(np.int32),
        values=values[columns[order], places[order]],
        bounds=-values[-1],
        is_equation=np.zeros(values.shape[1], dtype=bool),
        is_free=np.arange(len(rows.actions)) < rows.num_equations,
    )
    try:
        found = solve_exactly(program, solve_float(program).basis).primal.tolist()
    except InfeasibleProgram:
        return None
    scale = lcm(*(weight.denominator for weight in found))
    return (EXCLUDED, *(int(weight * scale) for weight in found), scale)
