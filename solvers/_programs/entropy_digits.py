"""The most entropic point of a polytope, in as many digits as its numbers need.

maximize  -sum x ln x  + m sum ln x  + m sum ln (g_j x)   along   x = start + N z,

as m falls to nearly 0.

Newton steps in decimals, where floats cannot tell small from zero: entries of ``start`` and ``N``
may be as far apart as the digits allow. Each inequality is scaled so that ``g_j start == 1``. At
the end ``m / (g_j x)`` are multipliers of at least 0, and the entropy lacks at most ``m`` for each
inequality and each entry of ``x``.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    localcontext,
)
from fractions import Fraction
from functools import partial
from typing import TypeAlias

Tick = Callable[[], None]
Vector: TypeAlias = list[Decimal]
Row: TypeAlias = list[Fraction]

GUARD_DIGITS = 80  # beyond twice as many as numbers are apart
MOST_DIGITS = 1000  # more would take minutes; the certificate tells whether they were enough
FIRST_BARRIER = Decimal(1)
LAST_BARRIER = Decimal("1e-36")
LOWERING = Decimal("0.01")
CENTERED = Decimal("0.01")  # squared decrement, as a share of the barrier's weight
LAST_DECREMENT = Decimal("1e-60")  # squared; about twice the missing entropy
BACK_OFF = Decimal("0.99")  # part of the way to the boundary
SUFFICIENT = Decimal("0.0001")  # share of the predicted fall that a step must bring
MOST_STEPS = 400
MOST_HALVINGS = 60


@dataclass(frozen=True)
class PointInDigits:
    """Where Newton's method ended.

    Attributes:
        point (num_entries,): Positive, rounded to many digits.
        logarithms (num_entries,): Of the point, less ``m / x``.
        multipliers (num_inequalities,): Positive, for the inequalities as they were given.
    """

    point: list[Fraction]
    logarithms: list[Fraction]
    multipliers: list[Fraction]


@dataclass(frozen=True)
class _Problem:
    """The polytope in decimals: a basis of its directions, and inequalities that are 1 at start."""

    directions: list[Vector]
    rates: list[Vector]


def most_entropic_in_digits(
    start: list[Fraction],
    directions: list[list[Fraction]],
    inequalities: list[list[Fraction]],
    *,
    tick: Tick,
) -> PointInDigits:
    """Maximize entropy from a positive point along directions, where inequalities stay positive.

    Args:
        start (num_entries,): Positive, and positive against each inequality.
        directions: Each ``(num_entries,)``; independent.
        inequalities: Each ``(num_entries,)``.
        tick: Called before each trial of a step; may raise to stop.
    """
    slacks = [earned(start, row) for row in inequalities]
    scaled = [
        [value / slack for value in row] for row, slack in zip(inequalities, slacks, strict=True)
    ]
    with localcontext(Context(_digits(start, *directions, *scaled), Emax=MAX_EMAX, Emin=MIN_EMIN)):
        along = [[_decimal(v) for v in row] for row in directions]
        rates = [[_decimal(earned(row, step)) for step in directions] for row in scaled]
        ended, slack, barrier = _newton(
            _Problem(along, rates), [_decimal(v) for v in start], [Decimal(1)] * len(scaled), tick
        )
        charges = [barrier / value for value in slack]
        return PointInDigits(
            point=[Fraction(value) for value in ended],
            logarithms=[Fraction(value.ln() - barrier / value) for value in ended],
            multipliers=[
                Fraction(charge) / known for charge, known in zip(charges, slacks, strict=True)
            ],
        )


def _digits(*rows: Row) -> int:
    """Return how many digits numbers need that are as far apart as those given."""
    sizes = [
        v.numerator.bit_length() - v.denominator.bit_length() for row in rows for v in row if v
    ]
    return min(MOST_DIGITS, GUARD_DIGITS + math.ceil((max(sizes) - min(sizes)) * math.log10(4)))


def _newton(
    problem: _Problem, point: Vector, slack: Vector, tick: Tick
) -> tuple[Vector, Vector, Decimal]:
    """Follow the barrier down; return the point, its slacks and the last weight."""
    barrier = FIRST_BARRIER
    if not problem.directions:
        return point, slack, LAST_BARRIER
    for _ in range(MOST_STEPS):
        try:
            change, decrement = _direction(problem, point, slack, barrier)
        except (DivisionByZero, InvalidOperation):  # the digits do not tell a pivot from 0
            break
        is_last = barrier <= LAST_BARRIER
        if decrement <= (LAST_DECREMENT if is_last else CENTERED * barrier):
            if is_last:
                break
            barrier *= LOWERING
            continue
        step = _combined(problem.directions, change, len(point))
        rise = [_dot(row, change) for row in problem.rates]
        farthest = BACK_OFF * min(_longest(point, step), _longest(slack, rise))
        lacks = partial(_lack_along, point, step, slack, rise, barrier)
        length = _step_length(lacks, farthest, decrement, tick)
        if not length:  # nothing falls any more: rounding
            break
        point, slack = _along(point, step, length), _along(slack, rise, length)
    return point, slack, barrier


def _direction(
    problem: _Problem, point: Vector, slack: Vector, barrier: Decimal
) -> tuple[Vector, Decimal]:
    """Return Newton's direction and its squared decrement."""
    pulls = [value.ln() - barrier / value for value in point]
    curves = [1 / value + barrier / value**2 for value in point]
    forces = [-barrier / value for value in slack]
    weights = [barrier / value**2 for value in slack]
    slope, table = [], []
    for i, own in enumerate(problem.directions):
        rates = [row[i] for row in problem.rates]
        slope.append(_dot(own, pulls) + sum(own, Decimal(0)) + _dot(rates, forces))
        bent = [a * c for a, c in zip(own, curves, strict=True)]
        pressed = [a * w for a, w in zip(rates, weights, strict=True)]
        table.append(
            [
                _dot(bent, other) + _dot(pressed, [row[j] for row in problem.rates])
                for j, other in enumerate(problem.directions)
            ]
        )
    change = _solved(table, [-value for value in slope])
    return change, -_dot(slope, change)


def _solved(table: list[Vector], right: Vector) -> Vector:
    """Solve a positive definite system by elimination."""
    rows = [[*row, value] for row, value in zip(table, right, strict=True)]
    size = len(rows)
    for k, pivot in enumerate(rows):
        for row in rows[k + 1 :]:
            factor = row[k] / pivot[k]
            for j in range(k, size + 1):
                row[j] -= factor * pivot[j]
    found = [Decimal(0)] * size
    for k in reversed(range(size)):
        known = sum((rows[k][j] * found[j] for j in range(k + 1, size)), Decimal(0))
        found[k] = (rows[k][size] - known) / rows[k][k]
    return found


def _step_length(
    lacks: Callable[[Decimal], Decimal], farthest: Decimal, decrement: Decimal, tick: Tick
) -> Decimal:
    """Halve a step until the lack falls enough, or double it while it falls; 0 if it never does.

    From far away, Newton's steps only double what is too small.
    """
    length = min(Decimal(1), farthest)
    before = lacks(Decimal(0))
    for _ in range(MOST_HALVINGS):
        tick()
        found = lacks(length)
        if found <= before - SUFFICIENT * length * decrement:
            break
        length /= 2
    else:
        return Decimal(0)
    while length >= 1 and 2 * length <= farthest:
        tick()
        farther = lacks(2 * length)
        if farther >= found:
            break
        length, found = 2 * length, farther
    return length


def _lack_along(
    point: Vector, step: Vector, slack: Vector, rise: Vector, barrier: Decimal, length: Decimal
) -> Decimal:
    """Return what is minimized, some way along a step."""
    moved, left = _along(point, step, length), _along(slack, rise, length)
    logarithms = [value.ln() for value in moved]
    walls = sum(logarithms, Decimal(0)) + sum((value.ln() for value in left), Decimal(0))
    return _dot(moved, logarithms) - barrier * walls


def _along(values: Vector, change: Vector, length: Decimal) -> Vector:
    return [value + length * more for value, more in zip(values, change, strict=True)]


def _combined(rows: list[Vector], weights: Vector, size: int) -> Vector:
    return [_dot([row[i] for row in rows], weights) for i in range(size)]


def _longest(values: Vector, change: Vector) -> Decimal:
    """Return how far values stay positive along a change; may be infinite."""
    falling = [value / -more for value, more in zip(values, change, strict=True) if more < 0]
    return min(falling, default=Decimal("Infinity"))


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _dot(first: Sequence[Decimal], second: Sequence[Decimal]) -> Decimal:
    return sum((a * b for a, b in zip(first, second, strict=True)), Decimal(0))


def earned(strategy: Row, payoffs: Row) -> Fraction:
    """Return what a strategy earns on average."""
    return sum((a * b for a, b in zip(strategy, payoffs, strict=True)), Fraction(0))
