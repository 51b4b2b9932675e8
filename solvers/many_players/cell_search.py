"""Searching the strategies with given supports, cell by cell, for all equilibria among them.

A compiled loop halves cells in floats; what it finds is turned into integers and checked by the
code that checks certificates. A cell that is not decided, or not provably so, is looked at again
under the microscope: rows are evaluated at its corners exactly, and scaled anew.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ONE, FloatArray
from gametheory_core.certificates.support_cells import (
    ALONE,
    EXCLUDED,
    HALVE,
    Cell,
    Part,
    is_excluded,
    parts_of,
    unproved,
    whole_cell,
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
from solvers.many_players.support_solutions import (
    SMALL,
    joint_point,
    solution_near,
    solution_of_pure,
)
from solvers.solution import Meter

DEEPEST = 64  # halvings before a cell is looked at anew
MOST_HALVINGS = 192  # of one cell, before it is left open; and as many more
HALVINGS_A_BIT = 6  # for each binary digit by which payoff differences vary in size
PATIENCE = 4  # cells that stay open at full depth, before the rest is left open
WEIGHT_BITS = 44
FEW_CELLS = 128
MOST_PLAIN_CORNERS = 24  # rows times joint corners: three players with two actions
MOST_PLAIN_JOINT = 12  # joint actions of a game; larger ones need the compiled loop soon anyway
PLAIN_CELLS = 16  # steps of the plain loop at most
FINER = 2**20  # times smaller is a box that is tried to tell solutions apart
NEAR = 1e-6  # of a cell, within which two approximations are taken for one solution

Step = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Looped:
    """What the compiled loop wrote; see there."""

    kinds: NDArray[np.int64]
    weights: FloatArray
    points: FloatArray


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
    solutions: list[SupportSolution] = field(default_factory=list[SupportSolution])
    unproved: list[Vectors] = field(default_factory=list[Vectors])  # tried without success
    open_cells: list[Cell] = field(default_factory=list[Cell])
    looked_at: int = 0
    even: Step | None = None

    def run(self) -> CellOutcome:
        """Settle all cells, as far as possible."""
        cell = whole_cell(self.rows.supports)
        if not self.rows.num_equations:  # all play one action each, and none of them is dropped
            self.solutions.append(solution_of_pure(self.rows))
            return CellOutcome(((ALONE, 0),), (), is_finished=True)
        steps: list[Step] = []
        levels = [iter(self._looked_at(cell, self.rows.floats, self.rows.shifts))]
        while levels:
            found = next(levels[-1], None)
            if found is None:
                levels.pop()
            elif isinstance(found, Cell):
                if self.meter.is_exhausted:
                    return CellOutcome((), (), is_finished=False)
                levels.append(iter(self._looked_at(found, *scaled_to_floats(self._exact(found)))))
            else:
                steps.append(found)
        return CellOutcome(tuple(steps), tuple(self.open_cells), is_finished=True)

    @cached_property
    def most_halvings(self) -> int:
        """How often a cell is halved: more often where payoffs, so probabilities, vary in size."""
        lengths = {abs(value).bit_length() for value in self.rows.values.ravel().tolist() if value}
        return MOST_HALVINGS + HALVINGS_A_BIT * (max(lengths, default=0) - min(lengths, default=0))

    def _looked_at(
        self, cell: Cell, values: FloatArray, shifts: Sequence[int]
    ) -> list["Step | Cell"]:
        """Return the steps that settle a cell; and where they do not, parts to be looked at."""
        steps = self._steps(cell, values, shifts)
        self.meter.step(len(steps))
        self.looked_at += len(steps)
        items: list[Step | Cell] = [*steps]
        parts = parts_of(self.rows, steps, cell=cell)
        for part in reversed(unproved(self.rows, parts, self.solutions)):
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

    def _steps(self, cell: Cell, values: FloatArray, shifts: Sequence[int]) -> list[Step]:
        """Run the loop on a cell, and write what it found in integers."""
        sizes = np.array(values.shape[1:], dtype=np.int64)
        flat = values.reshape(len(values), -1)
        largest = np.abs(flat).max(axis=1, initial=0.0)
        exponents = np.frexp(largest)[1]
        flat = np.ldexp(flat, -exponents[:, np.newaxis])
        found = self._looped(flat, sizes, FEW_CELLS)
        all_shifts = [s + int(e) for s, e in zip(shifts, exponents.tolist(), strict=True)]
        steps: list[Step] = []
        alone: list[tuple[int, FloatArray]] = []
        for at, (kind, *edge) in enumerate(found.kinds.tolist()):
            if kind == equilibrium_cells.SPLIT:
                steps.append((HALVE, *edge))
            elif kind == equilibrium_cells.EXCLUDED:
                steps.append((EXCLUDED, *self._integers(found.weights[at], all_shifts)))
            else:
                steps.append(self._nothing())
                if kind == equilibrium_cells.ALONE:
                    alone.append((at, found.points[at]))
        if alone:
            cells = {part.step: part.cell for part in parts_of(self.rows, steps, cell=cell)}
            for at, point in alone:
                if self.meter.is_exhausted:
                    break
                number = self._number(cells[at], point)
                if number is not None:
                    steps[at] = (ALONE, number)
        return steps

    def _looped(self, values: FloatArray, sizes: NDArray[np.int64], most: int) -> "_Looped":
        """Run the loop, with room for so many steps, or for more if these do not suffice.

        It is plain where few steps may do: loading the compiled one takes half a second.
        """
        limit = max(1, self.most_cells - self.looked_at)
        is_small = self.rows.tables.game.given_payoffs[0].size <= MOST_PLAIN_JOINT
        is_plain = (
            is_small
            and most == FEW_CELLS
            and values.size <= MOST_PLAIN_CORNERS
            and not self.looked_at
        )
        room = min(PLAIN_CELLS if is_plain else most, limit)
        kinds = np.empty((room, 4), dtype=np.int64)
        weights = np.empty((room, len(values)))
        points = np.empty((room, int(sizes.sum())))
        count = (equilibrium_cells.settle_cells if is_plain else _compiled_loop())(
            values,
            self.rows.num_equations,
            np.array([player for player, _ in self.rows.actions], dtype=np.int64),
            sizes,
            DEEPEST,
            PATIENCE,
            kinds,
            weights,
            points,
        )
        is_done = equilibrium_cells.OPEN not in kinds[:count, 0]
        if is_done or room == limit or (not is_plain and count + DEEPEST < room):
            return _Looped(kinds[:count], weights, points)
        return self._looped(values, sizes, 8 * most)

    def _integers(self, weights: FloatArray, shifts: Sequence[int]) -> list[int]:
        """Turn weights of scaled rows into those of integer rows, up to a common factor."""
        largest = max(shifts)
        whole = np.rint(np.ldexp(weights, WEIGHT_BITS)).astype(np.int64).tolist()
        found = [value << (largest - shift) for value, shift in zip(whole, shifts, strict=True)]
        return [
            value if row < self.rows.num_equations else max(value, 0)
            for row, value in enumerate(found)
        ]

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


def _compiled_loop() -> Callable[..., int]:
    from solvers._kernels import compiled_twins  # noqa: PLC0415 loads numba

    return compiled_twins.settle_cells


def scaled_to_floats(exact: Any) -> tuple[FloatArray, list[int]]:
    """Return rows of integers as floats of at most 1, and the powers of two taken out."""
    rows = exact.reshape(len(exact), -1).tolist()
    shifts = [max(map(int.bit_length, row), default=0) for row in rows]
    floats = [
        [value / (1 << shift) for value in row] for row, shift in zip(rows, shifts, strict=True)
    ]
    return np.array(floats).reshape(exact.shape), shifts
