"""Searching the strategies with given supports, cell by cell, for all equilibria among them.

A compiled loop halves cells in floats; what it finds is turned into integers and checked by the
code that checks certificates. A cell that is not decided, or not provably so, is looked at again
under the microscope: rows are evaluated at its corners exactly, and scaled anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np

from gametheory_core.arrays import ONE, FloatArray
from gametheory_core.certificates.halved_cells import Cell, whole_cell
from gametheory_core.certificates.support_cells import (
    ALONE,
    EXCLUDED,
    HALVE,
    Part,
    doubtful,
    holds,
    is_excluded,
    parts_of,
)
from gametheory_core.certificates.support_solutions import (
    SupportSolution,
    Vectors,
    are_apart,
    is_within,
)
from gametheory_core.evaluation.support_rows import SupportRows, at_corners
from solvers._kernels import equilibrium_cells
from solvers._programs.rational_systems import solve_rational
from solvers.many_players.cell_loops import FEW_CELLS, MORE_CELLS, Looped, looped_alone
from solvers.many_players.support_solutions import (
    SMALL,
    joint_point,
    solution_near,
    solution_of_pure,
)
from solvers.solution import Meter

MOST_HALVINGS = 192  # of one cell, before it is left open; and as many more
HALVINGS_A_BIT = 6  # for each binary digit by which payoff differences vary in size
FINER = 2**20  # times smaller is a box that is tried to tell solutions apart
NEAR = 1e-6  # of a cell, within which two approximations are taken for one solution

Step = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class CellOutcome:
    """What a search found.

    Attributes:
        steps: From the whole cell on.
        open_cells: Cells left undecided; their steps exclude them without proof.
        is_finished: Whether the budget sufficed.
    """

    steps: tuple[Step, ...]
    open_cells: tuple[Cell, ...]
    is_finished: bool


@dataclass(eq=False)
class CellSearch:
    """A search under way; lives inside a single call."""

    rows: SupportRows
    meter: Meter
    most_cells: int
    tolerances: tuple[Fraction, ...]
    steps: list[Step] = field(default_factory=list[Step])
    solutions: list[SupportSolution] = field(default_factory=list[SupportSolution])
    unproved: list[Vectors] = field(default_factory=list[Vectors])  # tried without success
    open_cells: list[Cell] = field(default_factory=list[Cell])
    looked_at: int = 0
    even: Step | None = None

    def run(self) -> CellOutcome:
        """Settle all cells, as far as possible."""
        return self.finish(doubtful(self.first_look()))

    def first_look(self, looped: Looped | None = None) -> tuple[Part, ...]:
        """Settle the whole cell, and return what is said of its parts.

        Args:
            looped: What the loop says, if it has been run.
        """
        if not self.rows.num_equations:  # all play one action each, and none of them is dropped
            self.solutions.append(solution_of_pure(self.rows))
            self.steps = [(ALONE, 0)]
            return ()
        cell = whole_cell(self.rows.supports)
        if looped is None or not looped.had_room:
            most = FEW_CELLS if looped is None else MORE_CELLS
            looped = self._looped(self.rows.floats, self.rows.shifts, most)
        self.steps = self._steps(cell, looped)
        return self._looked_at(cell, self.steps)

    def finish(self, parts: Sequence[Part]) -> CellOutcome:
        """Go on where nothing is proved about parts of the first look, so far."""
        steps: list[Step] = []
        levels = [iter(self._replaced(self.steps, parts))]
        while levels:
            found = next(levels[-1], None)
            if found is None:
                levels.pop()
            elif isinstance(found, Cell):
                if self.meter.is_exhausted:
                    return CellOutcome((), (), is_finished=False)
                again = self._steps(found, self._looped(*scaled_to_floats(self._exact(found))))
                parts = doubtful(self._looked_at(found, again))
                levels.append(iter(self._replaced(again, parts)))
            else:
                steps.append(found)
        return CellOutcome(tuple(steps), tuple(self.open_cells), is_finished=True)

    @cached_property
    def most_halvings(self) -> int:
        """How often a cell is halved: more often where payoffs, so probabilities, vary in size."""
        lengths = {abs(value).bit_length() for value in self.rows.values.ravel().tolist() if value}
        return MOST_HALVINGS + HALVINGS_A_BIT * (max(lengths, default=0) - min(lengths, default=0))

    def _looked_at(self, cell: Cell, steps: Sequence[Step]) -> tuple[Part, ...]:
        self.meter.step(len(steps))
        self.looked_at += len(steps)
        return parts_of(self.rows, steps, cell=cell)

    def _replaced(self, steps: Sequence[Step], parts: Sequence[Part]) -> list["Step | Cell"]:
        """Return the steps that settle a cell; and where they do not, parts to be looked at."""
        items: list[Step | Cell] = [*steps]
        for part in reversed(parts):
            if not holds(part, self.solutions):
                items[part.step : part.step + 1] = self._left_of(part, is_whole=len(steps) == 1)
        return items

    def _left_of(self, part: Part, *, is_whole: bool) -> list["Step | Cell"]:
        """Exclude a part exactly, or return what to look at, or leave it open."""
        is_deep = sum(part.cell.bits) > self.most_halvings or self.looked_at >= self.most_cells
        if is_deep or self.open_cells:  # incomplete for sure: the rest has no hard second look
            self.open_cells.append(part.cell)
            return [self._nothing()]
        exact = self._exact(part.cell)
        excluded = self._excluded_weakly(part.cell, exact) or self._excluded_evenly()
        if excluded is not None:
            return [excluded]
        return self._halves(part.cell, exact) if part.number >= 0 or is_whole else [part.cell]

    def _halves(self, cell: Cell, exact: Any) -> list["Step | Cell"]:
        """Halve a cell, or leave it open where its rows do not vary."""
        values = scaled_to_floats(exact)[0]
        sizes = np.array(values.shape[1:], dtype=np.int64)
        player, kept, moved = equilibrium_cells.widest_edge(values.reshape(len(values), -1), sizes)
        if player < 0:
            self.open_cells.append(cell)
            return [self._nothing()]
        halves = (cell.halved(player, kept, moved), cell.halved(player, moved, kept))
        return [(HALVE, player, kept, moved), *halves]

    def _exact(self, cell: Cell) -> Any:
        """Evaluate the rows at the corners of a cell, times a power of two."""
        matrices = [np.array(own, dtype=object) for own in cell.corners]
        return at_corners(self.rows.values, matrices)

    def _excluded_weakly(self, cell: Cell, exact: Any) -> Step | None:
        """Look for one row that is nowhere above 0, and not 0 where all supports are played."""
        flat = exact.reshape(len(exact), -1)
        for row, values in enumerate(flat):
            for sign in (1, -1) if row < self.rows.num_equations else (1,):
                if np.all(sign * values <= 0) and np.any(values != 0):
                    weights = [0] * len(flat)
                    weights[row] = sign
                    if is_excluded(self.rows, cell, weights):
                        return (EXCLUDED, *weights)
        return None

    def _excluded_evenly(self) -> Step | None:
        """Look for a combination of equations that is the same number, not 0, everywhere."""
        if self.even is None:
            equations = self.rows.values.reshape(len(self.rows.actions), -1)
            equations = equations[: self.rows.num_equations]
            found = solve_rational(equations.T * ONE, [-ONE] * equations.shape[1]).some or ()
            scale = lcm(*(weight.denominator for weight in found))
            rest = len(self.rows.actions) - len(found)
            self.even = (EXCLUDED, *(int(weight * scale) for weight in found), *[0] * rest)
        return self.even if any(self.even[1:]) else None

    def _nothing(self) -> Step:
        return (EXCLUDED, *(0 for _ in self.rows.actions))

    def _steps(self, cell: Cell, found: Looped) -> list[Step]:
        """Write what the loop found on a cell."""
        steps: list[Step] = []
        alone: list[tuple[int, FloatArray]] = []
        for at, (kind, *edge) in enumerate(found.kinds):
            if kind == equilibrium_cells.SPLIT:
                steps.append((HALVE, *edge))
            elif kind == equilibrium_cells.EXCLUDED:
                steps.append((EXCLUDED, *found.weights[at]))
            else:
                steps.append(self._nothing())
                if kind == equilibrium_cells.ALONE:
                    alone.append((at, found.points[at]))
        if alone:
            parts = {part.step: part for part in parts_of(self.rows, steps, cell=cell)}
            for at, point in alone:
                if self.meter.is_exhausted:
                    break
                number = self._number(parts[at].cell, point)
                if number is not None:
                    steps[at] = (ALONE, number)
        return steps

    def _looped(self, values: FloatArray, shifts: Sequence[int], most: int = FEW_CELLS) -> Looped:
        limit = max(1, self.most_cells - self.looked_at)
        return looped_alone(
            self.rows, values, shifts, most, limit=limit, is_first=not self.looked_at
        )

    def _number(self, cell: Cell, point: FloatArray) -> int | None:
        """Return the number of the solution near a point in a cell; None if none is proved."""
        joint = joint_point(cell, point)
        reach = [
            NEAR * max((max(own) - min(own)) / (1 << bits) for own in zip(*corners, strict=True))
            for corners, bits in zip(cell.corners, cell.bits, strict=True)
        ]
        for number, known in enumerate(self.solutions):
            if _are_near(known.point, joint, reach):
                return number
        if any(_are_near(point, joint, reach) for point in self.unproved):
            return None
        found = solution_near(self.rows, joint, self.tolerances)
        if found is None:
            self.unproved.append(joint)
            return None
        for number, known in enumerate(self.solutions):
            apart = self._told_apart(found, known)
            if apart is None:  # it is left open whether these are one
                self.unproved.append(joint)
                return None
            if apart is known:
                return number
            found = apart
        if not all(are_apart(found, known) for known in self.solutions):
            return None
        self.solutions.append(found)
        return len(self.solutions) - 1

    def _told_apart(self, found: SupportSolution, known: SupportSolution) -> SupportSolution | None:
        """Return the known solution if it is the one found; else what is found, apart from it.

        Each box holds one solution, so that of a box within another one is the same. The one found
        is looked at again in smaller boxes until that, or a distance, is seen; None if it is not.
        """
        for radius in (found.radius, SMALL, known.radius / FINER, known.radius / FINER**2):
            again = found
            if radius < found.radius:
                near = solution_near(self.rows, found.point, self.tolerances, largest=radius)
                if near is None:
                    return None
                again = near
            if are_apart(again, known):
                return again
            if is_within(again, known) or is_within(known, again):
                return known
        return None


def _are_near(one: Vectors, other: Vectors, reach: Sequence[Fraction]) -> bool:
    """Tell whether strategies differ by no more than each player's reach."""
    return all(
        abs(a - b) <= near
        for own, theirs, near in zip(one, other, reach, strict=True)
        for a, b in zip(own, theirs, strict=True)
    )


def scaled_to_floats(exact: Any) -> tuple[FloatArray, list[int]]:
    """Return rows of integers as floats of at most 1, and the powers of two taken out."""
    rows = exact.reshape(len(exact), -1).tolist()
    shifts = [max(map(int.bit_length, row), default=0) for row in rows]
    floats = [
        [value / (1 << shift) for value in row] for row, shift in zip(rows, shifts, strict=True)
    ]
    return np.array(floats).reshape(exact.shape), shifts
