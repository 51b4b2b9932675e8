"""A strictly complementary optimal strategy of a symmetric game, as the end of its central path.

Let ``A`` be skew, so that both players' optimal strategies are the same and the value is 0. With
``K = A'``, a level ``h >= 0`` and

    s = K p + h,    sum p = 1,    p_i s_i = mu,    so that h = p's = n mu,

the path followed as ``mu`` goes to 0 ends in an optimal strategy that plays every action which
some optimal strategy plays; the shortfall ``s_i`` of every other action is positive (Goldman and
Tucker 1956). The system is its own dual, half the size of that of any matrix game. Steps are
predicted and corrected as Mehrotra does (1992).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import get_lapack_funcs

from gametheory_core.arrays import FloatArray

Tick = Callable[[], None]
Direction = Callable[[FloatArray], tuple[FloatArray, float]]

GOAL = 1e-18  # level at which to stop, where entries are at most 1; rounding mostly stops before
MOST_STEPS = 80
LEAST_LEVEL = 1e-3  # at the start
BACK_OFF = 0.9999  # part of the way to the boundary

_FUNCTIONS: Any = get_lapack_funcs(("getrf", "getrs"), dtype=np.float64)
_FACTORIZE, _SOLVE = _FUNCTIONS


@dataclass(frozen=True)
class SkewPoint:
    """Where the path was left, next to its end.

    Attributes:
        strategy (num_actions,): Positive.
        shortfalls (num_actions,): What each action earns less than the level; positive. An action
            is in the support of some optimal strategy, in the limit, if its probability exceeds its
            shortfall.
    """

    strategy: FloatArray
    shortfalls: FloatArray


def solve_skew_game(matrix: FloatArray, *, tick: Tick) -> SkewPoint:
    """Follow the central path of a skew matrix to its numerical end.

    Args:
        matrix (num_actions, num_actions): Skew, with entries of at most 1 in absolute value.
        tick: Called before each step; may raise to stop.

    A step costs one LU factorization; 7 to 16 steps are usual at any size.
    """
    p = np.full(len(matrix), 1.0 / len(matrix))
    conceded = p @ matrix
    level = max(LEAST_LEVEL, 2.0 * float(np.abs(conceded).max()))
    s = conceded + level
    for _ in range(MOST_STEPS):
        gap = float(p @ s)
        if gap <= GOAL:
            break
        tick()
        direction = _direction(matrix, p, s)
        if direction is None:
            break
        step, rise = direction(-p * s)
        slope = step @ matrix + rise
        length = min(_longest(p, step), _longest(s, slope))
        left = max(0.0, float((p + length * step) @ (s + length * slope))) / gap
        step, rise = direction(left**3 * gap / len(p) - p * s - step * slope)
        length = BACK_OFF * min(_longest(p, step), _longest(s, step @ matrix + rise))
        moved = p + length * step
        shortfalls = moved @ matrix + (level + length * rise)
        if not (moved.min() > 0 and shortfalls.min() > 0 and float(moved @ shortfalls) < gap):
            break  # rounding allows no better
        p, s, level = moved, shortfalls, level + length * rise
    return SkewPoint(p / p.sum(), s)


def _direction(matrix: FloatArray, p: FloatArray, s: FloatArray) -> Direction | None:
    """Prepare to solve ``s dp + p (K dp + dh) = right`` where ``dp`` sums to 0.

    Divided by ``p``, the matrix is ``K`` plus a positive diagonal: its symmetric part is positive
    definite, so that it is singular by rounding only. Then there is no direction.
    """
    table = matrix.T.copy()
    table[np.diag_indices(len(p))] += s / p
    factors, pivots, failed = _FACTORIZE(table.T, overwrite_a=True)  # by columns, as LAPACK has it
    if failed:
        return None

    def solved(right: FloatArray) -> FloatArray:
        return _SOLVE(factors, pivots, right, trans=1)[0]

    lifted = solved(np.ones(len(p)))

    def direction(right: FloatArray) -> tuple[FloatArray, float]:
        free = solved(right / p)
        rise = float(free.sum() / lifted.sum())
        return free - rise * lifted, rise

    return direction


def _longest(values: FloatArray, change: FloatArray) -> float:
    """Return how far values stay positive along a change, at most 1."""
    falling = change < 0
    return min(1.0, float((values[falling] / -change[falling]).min(initial=1.0)))
