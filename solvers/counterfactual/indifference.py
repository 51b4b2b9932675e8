"""Indifference in a tree: the equations that behavior on given supports solves in equilibrium.

Let ``W[s]`` be what a player collects from own sequence ``s`` on, weighted by the others' and
chance's probabilities. At an information set that all others' supports let play come to, actions in
the support earn alike, ``W[I a] = W[I b]``. Probabilities there are *unknowns*, one less than
actions. All else is fixed: at information sets that others never let play come to, behavior is but
a threat. As no play meets an information set twice, each equation is affine in each unknown, so
that a difference of one is an exact derivative.

Equilibria often come in families, so that equations are fewer than unknowns: pivots tell which ones
may be fixed anywhere near.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, freeze, object_array
from gametheory_core.strategies.sequences import PlayerSequences, SequenceForm

Numbers = NDArray[Any]  # floats, or rationals as objects

LEAST_PIVOT = 1e-7  # of the largest: below it, rows depend on those before
MOST_STEPS = 30  # of Newton's method
SOLVED = 1e-13  # of the largest payoff
ROUNDING = 1e-9  # of probabilities found in floats
SHORT = 10**6  # floats tell fractions with such denominators apart
BITS = 240  # of probabilities that are corrected by rational residuals
MAGNIFICATIONS = 10


@dataclass(frozen=True, eq=False)
class Unknown:
    """The probability of an action, made up for by another one of its information set.

    Attributes:
        player: Who moves.
        sequence, other: Own sequences that end with the action, and with the other one.
    """

    player: int
    sequence: int
    other: int


@dataclass(frozen=True, eq=False)
class Indifference:
    """The equations of a support.

    Attributes:
        form: The tree.
        fixed: For each player, behavior by own sequence where it is not unknown; there, zero.
        unknowns: What the equations are about, one for each.
    """

    form: SequenceForm
    fixed: tuple[Numbers, ...]
    unknowns: tuple[Unknown, ...]

    def behavior(self, values: Sequence[Any]) -> list[Numbers]:
        """Fill the unknowns in; one less than their sum goes to the other action."""
        filled = [own.copy() for own in self.fixed]
        for unknown in self.unknowns:
            filled[unknown.player][unknown.other] = 1
        for unknown, value in zip(self.unknowns, values, strict=True):
            filled[unknown.player][unknown.sequence] = value
            filled[unknown.player][unknown.other] -= value
        return filled

    def residuals(self, values: Sequence[Any]) -> list[Any]:
        """Return how much more each unknown action earns than the other one."""
        earned = continuation_payoffs(self.form, self.behavior(values))
        return [earned[u.player][u.sequence] - earned[u.player][u.other] for u in self.unknowns]

    def derivatives(self, values: FloatArray) -> FloatArray:
        """Return the derivative of each residual by each unknown, shape (unknowns, unknowns)."""
        here = np.array(self.residuals(values.tolist()), dtype=float)
        moved = [values + step for step in np.eye(len(values))]
        there = [np.array(self.residuals(point.tolist()), dtype=float) for point in moved]
        return np.array(there).T - here[:, None]

    @cached_property
    def scale(self) -> float:
        """The largest payoff, at least a tiny number."""
        return max(float(np.abs(self.form.game.terminal_payoffs).max(initial=0.0)), 1e-300)


def continuation_payoffs(form: SequenceForm, behavior: Sequence[Numbers]) -> list[Numbers]:
    """Return what each player earns from each own sequence on: the others play as they do."""
    game = form.game
    is_float = behavior[0].dtype != object
    chance = form.chance_weight.astype(float) if is_float else form.chance_weight
    paid = game.terminal_payoffs if is_float else game.exact_terminal_payoffs
    plans = [_weights(own, b) for own, b in zip(form.players, behavior, strict=True)]
    at_ends = [plan[ends] for plan, ends in zip(plans, form.terminal_sequences, strict=True)]
    found: list[Numbers] = []
    for own in form.players:
        reach = chance
        for player, weights in enumerate(at_ends):
            reach = reach if player == own.player else reach * weights
        total = np.zeros(own.num_sequences, dtype=behavior[0].dtype)
        np.add.at(total, form.terminal_sequences[own.player], reach * paid[:, own.player])
        bounds, parents = own.first_sequence.tolist(), own.parent_sequence.tolist()
        for k in reversed(range(len(parents))):
            here = slice(bounds[k], bounds[k + 1])
            total[parents[k]] += behavior[own.player][here] @ total[here]
        found.append(total)
    return found


def indifference(form: SequenceForm, profile: Sequence[Numbers], *, least: float) -> Indifference:
    """Write the equations for the support of a float profile.

    Args:
        profile: For each player, probabilities by own sequence; entry 0 is 1.
        least: Probabilities below it count as zero, but for the largest of an information set.
    """
    support = [_support(own, b, least) for own, b in zip(form.players, profile, strict=True)]
    fixed = [np.where(own, b, 0.0) for own, b in zip(support, profile, strict=True)]
    unknowns: list[Unknown] = []
    for own in form.players:
        chosen = _weights(own, support[own.player].astype(float)) > 0
        met = _met(form, support, own)
        for k, (start, stop) in enumerate(pairwise(own.first_sequence.tolist())):
            played = start + np.flatnonzero(support[own.player][start:stop])
            fixed[own.player][start:stop] /= max(fixed[own.player][start:stop].sum(), 1e-300)
            if len(played) > 1 and chosen[own.parent_sequence[k]] and met[k]:
                fixed[own.player][start:stop] = 0.0
                *others, last = played.tolist()
                unknowns += [Unknown(own.player, s, last) for s in others]
    return Indifference(form, tuple(map(freeze, fixed)), tuple(unknowns))


def solution_near(
    equations: Indifference, profile: Sequence[Numbers], *, grain: int
) -> list[Numbers] | None:
    """Solve the equations with what they leave open at simple fractions near a profile.

    Args:
        profile: Floats, as for ``indifference``.
        grain: The largest denominator of what is left open, and of threats.

    Returns:
        Rational behavior by own sequence, to some seventy digits if it is not found exactly; None
        if floats find none, or one outside of what probabilities can be.
    """
    start = np.array([profile[u.player][u.sequence] for u in equations.unknowns])
    fixed = [
        _rounded(own, b, grain)
        for own, b in zip(equations.form.players, equations.fixed, strict=True)
    ]
    exact = replace(equations, fixed=tuple(fixed))
    if not equations.unknowns:
        return exact.behavior(())
    floats = replace(equations, fixed=tuple(own.astype(float) for own in fixed))
    rows, columns = _pivots(floats.derivatives(start))
    values = [Fraction(value).limit_denominator(grain) for value in start.tolist()]
    point = np.array(values, dtype=float)
    point[columns] = start[columns]
    inverse = _solved(floats, point, rows, columns)
    if inverse is None or point.min() < -ROUNDING or point.max() > 1 + ROUNDING:
        return None
    for column in columns:
        values[column] = Fraction(float(point[column])).limit_denominator(SHORT)
    if any(exact.residuals(values)):
        values = _magnified(exact, values, inverse, rows, columns)
    behavior = exact.behavior(values)
    return behavior if all(min(own.tolist()) >= 0 for own in behavior) else None


def _solved(
    floats: Indifference, point: FloatArray, rows: list[int], columns: list[int]
) -> FloatArray | None:
    """Move a point to a solution by Newton's method; return the inverse derivatives there."""
    for _ in range(MOST_STEPS):
        wrong = np.array(floats.residuals(point.tolist()), dtype=float)[rows]
        try:
            slopes = floats.derivatives(point)[np.ix_(rows, columns)]
            inverse: FloatArray = np.linalg.inv(slopes).astype(np.float64)
        except np.linalg.LinAlgError:
            return None
        point[columns] -= inverse @ wrong
        if np.abs(wrong).max(initial=0.0) <= SOLVED * floats.scale:
            return inverse
    return None


def _magnified(
    exact: Indifference,
    values: list[Fraction],
    inverse: FloatArray,
    rows: list[int],
    columns: list[int],
) -> list[Fraction]:
    """Correct a float solution by rational residuals, and read it as longer fractions if it is."""
    entries = list(map(Fraction, inverse.ravel().tolist()))
    slopes = object_array(entries).reshape(inverse.shape)  # without rows where nothing can be moved
    point = list(values)
    for _ in range(MAGNIFICATIONS):
        wrong = object_array([exact.residuals(point)[row] for row in rows])
        for column, step in zip(columns, (slopes @ wrong).tolist(), strict=True):
            point[column] = Fraction(round((point[column] - step) * 2**BITS), 2**BITS)
    longer = list(point)
    for column in columns:
        longer[column] = point[column].limit_denominator(2 ** (BITS // 3))
    return point if any(exact.residuals(longer)) else longer


def _pivots(matrix: FloatArray) -> tuple[list[int], list[int]]:
    """Return independent rows, and columns in which they are, by complete pivoting."""
    left, rows, columns = matrix.copy(), list[int](), list[int]()
    largest = float(np.abs(matrix).max(initial=0.0))
    while len(rows) < len(matrix):
        row, column = (int(i) for i in np.unravel_index(np.abs(left).argmax(), left.shape))
        if abs(left[row, column]) <= LEAST_PIVOT * largest:
            break
        rows.append(row)
        columns.append(column)
        left -= np.outer(left[:, column] / left[row, column], left[row])
        left[row], left[:, column] = 0.0, 0.0
    return rows, columns


def _support(own: PlayerSequences, behavior: Numbers, least: float) -> NDArray[np.bool_]:
    support = behavior >= least
    for start, stop in pairwise(own.first_sequence.tolist()):
        support[start + int(behavior[start:stop].argmax())] = True
    return support


def _rounded(own: PlayerSequences, behavior: Numbers, grain: int) -> Numbers:
    """Round behavior to simple fractions; the likeliest action of an information set makes up."""
    shares: list[Fraction] = [Fraction(1)]
    for start, stop in pairwise(own.first_sequence.tolist()):
        here = [Fraction(value).limit_denominator(grain) for value in behavior[start:stop].tolist()]
        if any(here):
            here[here.index(max(here))] += 1 - sum(here)
        shares += here
    return object_array(shares)


def _weights(own: PlayerSequences, behavior: Numbers) -> Numbers:
    """Return the realization plan of behavior."""
    weights = behavior.copy()
    bounds = own.first_sequence.tolist()
    for k, parent in enumerate(own.parent_sequence.tolist()):
        weights[bounds[k] : bounds[k + 1]] *= weights[parent]
    return weights


def _met(
    form: SequenceForm, support: Sequence[NDArray[np.bool_]], own: PlayerSequences
) -> list[bool]:
    """Tell which own information sets the others' supports let play come to."""
    lets = np.array(form.chance_weight != 0)
    for other in form.players:
        if other.player != own.player:
            weights = _weights(other, support[other.player].astype(float))
            lets &= weights[form.terminal_sequences[other.player]] > 0
    below = np.zeros(own.num_sequences, dtype=bool)
    below[form.terminal_sequences[own.player][lets]] = True
    bounds, parents = own.first_sequence.tolist(), own.parent_sequence.tolist()
    met = [False] * len(parents)
    for k in reversed(range(len(parents))):
        met[k] = bool(below[bounds[k] : bounds[k + 1]].any())
        below[parents[k]] |= met[k]
    return met
