"""A proved solution of supports' equations, from a point near it.

The equations say that a player's supported actions earn the same. They are solved in rationals if
possible; else Newton's method goes on in rationals, with the derivatives of the start inverted in
floats, until its box is so small that it decides whether this is an equilibrium.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, lcm, prod
from operator import mul
from typing import Any

import numpy as np

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.halved_cells import Cell
from gametheory_core.certificates.support_solutions import (
    SupportSolution,
    Vectors,
    is_equilibrium,
    over_integers,
    require_solution,
)
from gametheory_core.evaluation.support_rows import SupportRows, at_corners
from solvers._programs.rational_systems import solve_rational
from solvers.many_players.exact_solutions import exact_solution, residual

POINT_BITS = 60  # of a cell's barycentric coordinates
BITS_A_STEP = 32  # that a step surely gains on a regular solution
MOST_STEPS = 24
MOST_CORNERS = 1_000  # of mixtures, candidates that are tried
LARGE, SMALL = Fraction(1, 2**20), Fraction(1, 2**55)  # radii of boxes that are tried first
FINE = Fraction(1, 2**40)  # of the least probability, that a step is at most at the end
HELD_BITS = 900  # of numbers that floats hold, on either side of 1
ROOM = 8  # how much larger a box is than the last step


def joint_point(cell: Cell, coordinates: Any) -> Vectors:
    """Turn barycentric coordinates in a cell into probabilities of supported actions."""
    point: list[tuple[Fraction, ...]] = []
    first = 0
    for corners, bits in zip(cell.corners, cell.bits, strict=True):
        own = coordinates[first : first + len(corners)].tolist()
        first += len(corners)
        shares = [round(Fraction(share) * (1 << POINT_BITS)) for share in own[1:]]
        shares.insert(0, (1 << POINT_BITS) - sum(shares))
        scale = 1 << (POINT_BITS + bits)
        point.append(
            tuple(
                Fraction(sum(s * c for s, c in zip(shares, column, strict=True)), scale)
                for column in zip(*corners, strict=True)
            )
        )
    return tuple(point)


def solution_of_pure(rows: SupportRows) -> SupportSolution:
    """Return the only strategies with supports of one action each."""
    return SupportSolution(rows.supports, tuple((ONE,) for _ in rows.supports), ZERO, ())


def ends_of_mixtures(rows: SupportRows) -> list[SupportSolution]:
    """Return the extreme equilibria where one player mixes, and all that tie is exact.

    All its actions earn the same, and the others want what they do for a polytope of mixtures. Its
    corners at which some action is not played have other supports and are left out.
    """
    mixing = [player for player, own in enumerate(rows.supports) if len(own) > 1]
    if len(mixing) != 1 or np.any(rows.values[: rows.num_equations]):
        return []
    size = len(rows.supports[mixing[0]])
    inequalities = rows.values[rows.num_equations :].reshape(-1, size)
    if comb(len(inequalities), size - 1) > MOST_CORNERS:
        return []
    corners: set[tuple[Fraction, ...]] = set()
    for tight in combinations(inequalities, size - 1):
        matrix = np.array([*tight, [1] * size], dtype=object) * ONE
        only = solve_rational(matrix, [ZERO] * (size - 1) + [ONE]).only
        if only is not None and min(only) > 0 and np.all(inequalities @ only >= 0):
            corners.add(tuple(only))
    inverse = tuple((ZERO,) * rows.num_equations for _ in range(rows.num_equations))
    return [
        SupportSolution(
            rows.supports,
            tuple(corner if len(own) > 1 else (ONE,) for own in rows.supports),
            ZERO,
            inverse,
        )
        for corner in sorted(corners)
    ]


def solution_near(
    rows: SupportRows, point: Vectors, tolerances: Sequence[Fraction], *, largest: Fraction = LARGE
) -> SupportSolution | None:
    """Prove that a solution of the equations lies near a point, and find it exactly if possible.

    Args:
        rows: Of the supports.
        point: Probabilities of supported actions; may be negative.
        tolerances: For each player, how far equations of integers may be from 0 at an irrational
            equilibrium.
        largest: Radius of the box that is tried first.

    Returns:
        None if the equations are singular there, or no box decides whether this is an equilibrium.
    """
    inverse = _inverse(*_slopes(rows, point))
    if inverse is None:
        return None
    exact = exact_solution(rows, point)
    if exact is not None:
        return SupportSolution(rows.supports, exact, ZERO, inverse)
    bits = POINT_BITS
    unit = lcm(*(y.denominator for row in inverse for y in row))
    whole = [[y.numerator * (unit // y.denominator) for y in row] for row in inverse]
    for _ in range(MOST_STEPS):
        errors = residual(rows, point)
        scale = lcm(*(f.denominator for f in errors))
        rounded = [f.numerator * (scale // f.denominator) for f in errors]
        step = [Fraction(sum(map(mul, row, rounded)), unit * scale) for row in whole]
        size = max(map(abs, step))
        is_close = size <= FINE * min(abs(p) for own in point for p in own if p) and all(
            abs(value) <= tolerances[player]
            for value, (player, _) in zip(errors, rows.actions, strict=False)
        )
        for radius in (largest, _power_above(size * ROOM, bits)) if is_close else ():
            found = SupportSolution(rows.supports, point, radius, inverse)
            if not require_solution(rows, found) and is_equilibrium(rows, found) is not None:
                return found
        bits += BITS_A_STEP
        point = _moved(point, step, bits)
    return None


def _power_above(value: Fraction, bits: int) -> Fraction:
    """Return a power of 2 of at least a value, and of at least so many bits."""
    least = Fraction(1, 1 << bits)
    if value <= least:
        return least
    exponent = value.numerator.bit_length() - value.denominator.bit_length() + 1
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def _moved(point: Vectors, step: Sequence[Fraction], bits: int) -> Vectors:
    """Take a step in all probabilities but each player's first, rounded."""
    steps = iter(step)
    moved: list[tuple[Fraction, ...]] = []
    for own in point:
        rest = [Fraction(round((p - next(steps)) * (1 << bits)), 1 << bits) for p in own[1:]]
        moved.append((ONE - sum(rest), *rest))
    return tuple(moved)


def _slopes(rows: SupportRows, point: Vectors) -> tuple[list[list[int]], int]:
    """Return the equations' derivatives by all probabilities but each player's first.

    They are integers, to be divided by the second value.
    """
    equations = rows.values[: rows.num_equations]
    numerators, denominators = over_integers(point)
    matrices = [own[np.newaxis] for own in numerators]
    columns: list[list[int]] = []
    for player, own in enumerate(point):
        if len(own) > 1:
            rest = [
                denominators[j] * np.eye(len(own), dtype=object) if j == player else m
                for j, m in enumerate(matrices)
            ]
            values = at_corners(equations, rest).reshape(len(equations), len(own))
            columns += (values[:, 1:] - values[:, :1]).T.tolist()
    return [list(row) for row in zip(*columns, strict=True)], prod(denominators)


def _inverse(slopes: list[list[int]], denominator: int) -> Vectors | None:
    """Invert in floats, rows and columns scaled; None if the matrix is singular."""
    scales = [max(map(abs, row)) for row in slopes]
    if not all(scales):
        return None
    floats = np.array([[v / scale for v in row] for row, scale in zip(slopes, scales, strict=True)])
    widths = np.abs(floats).max(axis=0)
    if not np.all(widths):
        return None
    try:
        inverse = np.linalg.inv(floats / widths)
    except np.linalg.LinAlgError:
        return None
    if not np.all(np.isfinite(inverse)):
        return None
    units = [Fraction(denominator, scale) for scale in scales]
    shares = (inverse / widths[:, np.newaxis]).tolist()
    return tuple(zip(*map(_times, zip(*shares, strict=True), units), strict=True))


def _times(values: Sequence[float], unit: Fraction) -> list[Fraction]:
    """Return about some values times a unit: floats, where these hold them."""
    size = unit.numerator.bit_length() - unit.denominator.bit_length()
    if abs(size) < HELD_BITS and all(abs(math.frexp(v)[1] + size) < HELD_BITS for v in values):
        as_float = float(unit)
        return [Fraction(v * as_float) for v in values]
    return [Fraction(v) * unit for v in values]
