"""A solution of supports' equations in rationals, where they are linear once some of it is known.

A player's equations hold for the other players' strategies. So two strategies that are unknown
follow one after the other, each from linear equations; more of them do not. What looks like simple
fractions near a solution is tried as such.
"""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.support_solutions import Vectors, values_at
from gametheory_core.evaluation.support_rows import SupportRows, at_corners
from solvers._programs.rational_systems import solve_rational

LARGEST_SIMPLE = 1_000  # denominator of a probability that is tried as a simple fraction
LOOKS_SIMPLE = Fraction(1, 10**11)

Vector = tuple[Fraction, ...]
Known = Mapping[int, Vector]  # strategies, by player


def exact_solution(rows: SupportRows, point: Vectors) -> Vectors | None:
    """Solve the equations in rationals near a point; None if that does not succeed."""
    pure = {player: (ONE,) for player, own in enumerate(point) if len(own) == 1}
    simple = {player: own for player, own in enumerate(map(_simple, point)) if own is not None}
    for known in (pure, simple):
        found = _in_turn(rows, known)
        if found is not None and not any(residual(rows, found)):
            return found
    return None


def residual(rows: SupportRows, point: Vectors) -> list[Fraction]:
    """Evaluate the equations."""
    return values_at(rows.values[: rows.num_equations], point)


def _simple(own: Vector) -> Vector | None:
    """Return simple fractions that sum to 1 and are as good as a strategy, if there are any."""
    simple = tuple(p.limit_denominator(LARGEST_SIMPLE) for p in own)
    is_close = all(abs(a - b) <= LOOKS_SIMPLE for a, b in zip(own, simple, strict=True))
    return simple if is_close and sum(simple) == 1 else None


def _in_turn(rows: SupportRows, known: Known) -> Vectors | None:
    """Solve for the strategies that are unknown, two at most."""
    players = range(len(rows.supports))
    unknown = [player for player in players if player not in known]
    if len(unknown) > 2:
        return None
    for player in unknown:
        found = _solved_for(rows, known, player, unknown)
        if found is not None:
            return _in_turn(rows, {**known, player: found})
    return None if unknown else tuple(known[player] for player in players)


def _solved_for(rows: SupportRows, known: Known, player: int, unknown: list[int]) -> Vector | None:
    """Solve for a strategy by the equations that depend on no other one unknown, if they do."""
    numbers = [
        number
        for number, (owner, _) in enumerate(rows.actions[: rows.num_equations])
        if owner != player and (len(unknown) == 1 or owner in unknown)
    ]
    if not numbers:
        return None
    size = len(rows.supports[player])
    matrices = [
        np.eye(size, dtype=object) if j == player else np.array([known.get(j, first)], dtype=object)
        for j, first in enumerate((ONE, *[ZERO] * (len(own) - 1)) for own in rows.supports)
    ]
    equations = at_corners(rows.values[numbers], matrices).reshape(len(numbers), size)
    matrix = np.vstack([equations, np.full(size, ONE, dtype=object)]) * ONE
    only = solve_rational(matrix, [ZERO] * len(numbers) + [ONE]).only
    return None if only is None else tuple(only)
