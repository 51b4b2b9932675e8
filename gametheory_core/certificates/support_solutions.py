"""Solutions of supports' equations: proved to be there, to be alone, and to be equilibria or not.

``F`` are the equations of ``support_rows``; unknowns are the probabilities of all supported actions
but each player's first. A region of simplices, one for each player, holds one solution at most if
``I - Y F'``, for some matrix ``Y``, has row sums below 1 at its joint corners, where unknowns count
with a weight of their player's: ``F'`` between two points is an average of its values there, so
that ``Y F`` is injective. A box of radius ``R`` about ``c`` holds a solution if
``|Y F(c)| + R |I - Y F'| < R`` on it, by rows (Krawczyk 1969).

Floats decide where they leave a margin far above all rounding, integers where they do not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ONE, ZERO, FloatArray, freeze
from gametheory_core.evaluation.support_rows import Integers, SupportRows, Supports, at_corners
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile

Vectors: TypeAlias = tuple[tuple[Fraction, ...], ...]

MARGIN = 1e-12  # relative to sums of absolute values; rounding in sums of 1000 terms is below 3e-13
LEAST_SIZE = 1e-200  # of a region that floats measure


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
    residual = values_at(rows.values[:count], solution.point)
    if not solution.radius:
        return "the point is no solution of the equations" if any(residual) else ""
    sums = _row_sums(rows, _box(solution), solution, is_box=True)
    for row, total in zip(solution.inverse, sums, strict=True):
        shift = abs(sum((y * f for y, f in zip(row, residual, strict=True)), start=ZERO))
        if not shift + solution.radius * total < solution.radius:
            return "Krawczyk's condition fails on the box"
    return ""


def is_alone(
    rows: SupportRows, lowest: Sequence[Sequence[Fraction]], solution: SupportSolution
) -> bool:
    """Tell whether equations have no solution but this one in a region of strategies.

    Args:
        rows: Of the supports.
        lowest: Of the probabilities of supported actions in the region.
        solution: Checked before.
    """
    least = [tuple(map(min, own, lows)) for own, lows in zip(lowest, _box(solution), strict=True)]
    return all(total < 1 for total in _row_sums(rows, least, solution, is_box=False))


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
            value >= 0 for value in values_at(rows.values[rows.num_equations :], solution.point)
        )
    values = at_corners(inequalities, _region(box).matrices)
    values = values.reshape(len(inequalities), prod(values.shape[1:]))
    if all(low > 0 for own in box for low in own) and np.all(values > 0):
        return True
    if any(h < 0 for own in high for h in own) or np.any(np.all(values < 0, axis=1)):
        return False
    return None


def sign_at(rows: SupportRows, solution: SupportSolution) -> int | None:
    """Return the sign of the determinant of the equations' derivatives at an equilibrium.

    ``Y`` times the derivatives is near 1, so that both have determinants of one sign. None where an
    action that is not played earns as much as those that are.
    """
    if not solution.radius and not all(
        values_at(rows.values[rows.num_equations :], solution.point)
    ):
        return None
    left = [list(row) for row in solution.inverse]
    sign = 1
    for column in range(len(left)):
        pivot = next(row for row in range(column, len(left)) if left[row][column])
        if pivot != column:
            left[column], left[pivot] = left[pivot], left[column]
            sign = -sign
        sign = sign if left[column][column] > 0 else -sign
        for row in left[column + 1 :]:
            factor = row[column] / left[column][column]
            row[:] = [a - factor * b for a, b in zip(row, left[column], strict=True)]
    return sign


def are_apart(one: SupportSolution, other: SupportSolution) -> bool:
    """Tell whether two boxes of solutions with the same supports have no point in common."""
    return _distance(one, other) > one.radius + other.radius


def is_within(one: SupportSolution, other: SupportSolution) -> bool:
    """Tell whether the box of a solution lies in that of another one with the same supports."""
    return _distance(one, other) <= other.radius - one.radius


def _distance(one: SupportSolution, other: SupportSolution) -> Fraction:
    """Return by how much the middles of two boxes differ, in all but players' first actions."""
    pairs = zip(one.point, other.point, strict=True)
    return max(
        (abs(a - b) for own, theirs in pairs for a, b in zip(own[1:], theirs[1:], strict=True)),
        default=-ONE,
    )


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


def values_at(values: Integers, point: Vectors) -> list[Fraction]:
    """Evaluate rows at one joint strategy."""
    numerators, denominators = over_integers(point)
    evaluated = at_corners(values, [own[np.newaxis] for own in numerators]).ravel().tolist()
    scale = prod(denominators)
    return [Fraction(value, scale) for value in evaluated]


def over_integers(point: Vectors) -> tuple[list[Integers], list[int]]:
    """Write each player's probabilities as integers over one denominator."""
    denominators = [lcm(*(p.denominator for p in own)) for own in point]
    numerators = [
        np.array([p.numerator * (d // p.denominator) for p in own], dtype=object)
        for own, d in zip(point, denominators, strict=True)
    ]
    return numerators, denominators


@dataclass(frozen=True, eq=False)
class Region:
    """Simplices of all strategies with at least some probabilities, one for each player.

    Attributes:
        matrices: Corners x actions, as integers.
        denominators: Of each player's matrix.
        rooms: What is left for the actions beyond the least, over the same denominators.
    """

    matrices: list[Integers]
    denominators: list[int]
    rooms: list[int]


def region_of(solution: SupportSolution) -> Region:
    """Return simplices that hold a solution's box."""
    return _region(_box(solution))


def _region(lowest: Sequence[tuple[Fraction, ...]]) -> Region:
    region = Region([], [], [])
    for lows in lowest:
        own = (ONE,) if len(lows) == 1 else lows
        scale = lcm(*(p.denominator for p in own))
        least = [p.numerator * (scale // p.denominator) for p in own]
        room = scale - sum(least) if len(own) > 1 else 0
        matrix = np.array([least] * len(own), dtype=object)
        for a in range(len(own)):
            matrix[a, a] += room
        region.matrices.append(matrix)
        region.denominators.append(scale)
        region.rooms.append(room)
    return region


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
    region = _region(lowest)
    sizes = [room / d for room, d in zip(region.rooms, region.denominators, strict=True)]
    relative = _floats_of(solution.inverse, rows.shifts)
    smallest = min(size for size, own in zip(sizes, lowest, strict=True) if len(own) > 1)
    if relative is not None and smallest > LEAST_SIZE:
        floats = [
            np.array([[v / d for v in row] for row in m.tolist()])
            for m, d in zip(region.matrices, region.denominators, strict=True)
        ]
        low, high = _float_sums(rows, floats, sizes, relative, is_box=is_box)
        if np.all(high < 1) or np.any(low > 1):
            return [Fraction(total) for total in high.tolist()]
    return _exact_sums(rows, region, solution, is_box=is_box)


def _columns(supports: Supports) -> list[tuple[int, int]]:
    """Return the unknowns: players, and places of actions among their supported ones."""
    return [(j, b) for j, own in enumerate(supports) for b in range(1, len(own))]


def _floats_of(inverse: Vectors, shifts: Sequence[int]) -> FloatArray | None:
    """Return ``Y`` for rows as floats; None if floats cannot hold it."""
    try:
        found = np.array(
            [[_shifted(y, s) for y, s in zip(row, shifts, strict=False)] for row in inverse]
        )
    except OverflowError:
        return None
    return found if np.all(np.isfinite(found)) else None


def _shifted(value: Fraction, shift: int) -> float:
    """Return a value times a power of two."""
    numerator, denominator = value.numerator, value.denominator
    return (numerator << shift) / denominator


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
    rows: SupportRows, region: Region, solution: SupportSolution, *, is_box: bool
) -> list[Fraction]:
    """Measure the row sums, in rationals."""
    count = rows.num_equations
    values = at_corners(rows.values[:count], region.matrices)
    scale = prod(region.denominators)
    inverse = np.array(
        [[Fraction(entry, scale) for entry in row] for row in solution.inverse], dtype=object
    )
    sizes = [Fraction(room, d) for room, d in zip(region.rooms, region.denominators, strict=True)]
    columns = _columns(rows.supports)
    total: Any = np.full((count,) + (1,) * len(region.matrices), ZERO, dtype=object)
    for m, (j, b) in enumerate(columns):
        slope = np.tensordot(
            inverse, np.take(values, [b], j + 1) - np.take(values, [0], j + 1), axes=1
        )
        slope[m] -= sizes[j]
        total = total + np.abs(slope) * (ONE / sizes[j] if is_box else ONE)
    most = total.reshape(count, -1).max(axis=1)
    return [
        Fraction(value) / (ONE if is_box else sizes[j])
        for value, (j, _) in zip(most.tolist(), columns, strict=True)
    ]
