"""Linear programs that contain all equilibria of a case: correlated play with known best replies.

Variables ``z[i, j] >= 0``, the probabilities of pairs of actions, over the actions not known to be
unplayed. Every equilibrium satisfies

    sum_j z[i, j] (A[i, j] - A[k, j]) >= 0   for all rows i, k,  = 0 if k is known to be played,

and the same for columns: a correlated equilibrium that treats the actions known to be played as
best replies, whatever is recommended. Once every action is known to be played or unplayed, the
marginals of ``z`` are an equilibrium with the same expected payoffs, so that nothing is lost.

Both programs below have the solution 0, so that none is infeasible: that there is no equilibrium
shows as an optimum of 0.

Their numbers are kept twice: in floats to search with, in integers to prove with.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, cast

import numpy as np

from gametheory_core.arrays import ExactArray, FloatArray, NumberArray, ScaledIntegers
from gametheory_core.certificates.equilibrium_bounds import (
    AbsenceWeight,
    Case,
    IncentiveWeight,
    Label,
    Leaf,
)
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from solvers._programs.linear import BoolArray, LinearProgram
from solvers.zero_sum.certified_program import dense_program


@dataclass(frozen=True, eq=False)
class Tables:
    """What a relaxation is made of, in floats or in Python integers.

    Attributes:
        payoffs (m, n): Each player's payoffs, up to a positive factor and a constant.
        units: What each player's payoffs were divided by.
        excess (m, n): How much more each pair of actions scores than a target.
        unit: What the scores were divided by.
    """

    payoffs: tuple[NumberArray, NumberArray]
    units: tuple[Fraction, Fraction]
    excess: NumberArray
    unit: Fraction


@dataclass(frozen=True, eq=False)
class Relaxation:
    """A program, and what its rows and columns stand for.

    Attributes:
        program: First the columns ``z``, by rows of the game, over possible actions.
        incentives: What the first rows stand for.
        labels: What the next rows stand for: actions whose probability counts.
        possible: Actions of each player.
    """

    program: LinearProgram
    incentives: tuple[tuple[int, int, int], ...]
    labels: tuple[Label, ...]
    possible: tuple[list[int], list[int]]


def score_relaxation(tables: Tables, case: Case) -> Relaxation | None:
    """Maximise the excess of the score, ``sum z <= 1``; None if no pair of actions is possible."""
    rows = _Rows(tables, case)
    if not rows.num_columns:
        return None
    rows.add(np.ones(rows.num_columns, dtype=int), bound=1)
    objective = tables.excess[np.ix_(*rows.possible)].ravel()
    return rows.relaxation(objective, labels=())


def support_relaxation(tables: Tables, case: Case, labels: tuple[Label, ...]) -> Relaxation | None:
    """Maximise how many of the labels can have positive probability, ``z`` of any sum.

    A variable ``t`` for each label, at most 1 and at most the label's probability.
    """
    rows = _Rows(tables, case, extra=len(labels))
    if not rows.num_columns:
        return None
    size = rows.num_columns
    for number, label in enumerate(labels):
        row = np.zeros(size + len(labels), dtype=int)
        row[:size] = -rows.indicator(label)
        row[size + number] = 1
        rows.add(row, bound=0)
    for number in range(len(labels)):
        row = np.zeros(size + len(labels), dtype=int)
        row[size + number] = 1
        rows.add(row, bound=1)
    objective = np.zeros(size + len(labels), dtype=int)
    objective[size:] = 1
    return rows.relaxation(objective.astype(tables.excess.dtype), labels)


class _Rows:
    """The rows of a program being written."""

    def __init__(self, tables: Tables, case: Case, *, extra: int = 0) -> None:
        self.dtype = tables.excess.dtype
        shape = tables.excess.shape
        self.possible = case.possible(0, shape[0]), case.possible(1, shape[1])
        self.sizes = len(self.possible[0]), len(self.possible[1])
        self.num_columns = self.sizes[0] * self.sizes[1]
        self.width = self.num_columns + extra
        self.blocks: list[NumberArray] = []
        self.bounds: list[int] = []
        self.equations: list[bool] = []
        self.incentives: list[tuple[int, int, int]] = []
        if self.num_columns:
            for player in range(2):
                self._add_incentives(tables.payoffs[player], case, player)

    def _add_incentives(self, payoffs: NumberArray, case: Case, player: int) -> None:
        own = payoffs if player == 0 else payoffs.T
        mine, others = self.possible[player], self.possible[1 - player]
        for place, action in enumerate(mine):
            against = own[:, others]
            gains = against - against[action]
            for instead in range(len(own)):
                if instead == action:
                    continue
                row = np.zeros((*self.sizes,), dtype=self.dtype)
                row[(place, slice(None)) if player == 0 else (slice(None), place)] = gains[instead]
                self._append(row.ravel(), 0, is_equation=instead in case.played[player])
                self.incentives.append((player, action, instead))

    def indicator(self, label: Label) -> NumberArray:
        """Return 1 for each pair of actions that a label is part of."""
        marks = np.zeros(self.sizes, dtype=int)
        place = self.possible[label.player].index(label.action)
        marks[(place, slice(None)) if label.player == 0 else (slice(None), place)] = 1
        return marks.ravel()

    def add(self, row: NumberArray, *, bound: int) -> None:
        self._append(row.astype(self.dtype), bound, is_equation=False)

    def _append(self, row: NumberArray, bound: int, *, is_equation: bool) -> None:
        if len(row) < self.width:
            row = np.concatenate([row, np.zeros(self.width - len(row), dtype=self.dtype)])
        self.blocks.append(row)
        self.bounds.append(bound)
        self.equations.append(is_equation)

    def relaxation(self, objective: NumberArray, labels: tuple[Label, ...]) -> Relaxation:
        table = np.array(self.blocks, dtype=self.dtype)
        is_free: BoolArray = np.zeros(self.width, dtype=bool)
        program = dense_program(
            table,
            objective,
            bounds=np.array(self.bounds).astype(self.dtype),
            is_equation=np.array(self.equations),
            is_free=is_free,
        )
        return Relaxation(program, tuple(self.incentives), labels, self.possible)


def leaf_of(
    relaxation: Relaxation,
    dual: NumberArray,
    tables: Tables,
    *,
    rounded: Callable[[Any], Fraction] = Fraction,
) -> Leaf:
    """Turn multipliers of a relaxation into weights that prove its optimum to be a bound."""
    unit = Fraction(1) if relaxation.labels else tables.unit
    first, after = len(relaxation.incentives), len(relaxation.incentives) + len(relaxation.labels)
    units = [unit / own for own in tables.units]
    values = dual.tolist()
    equations = relaxation.program.is_equation[:first].tolist()
    incentives: list[IncentiveWeight] = []
    for (player, action, instead), value, is_equation in zip(
        relaxation.incentives, values[:first], equations, strict=True
    ):
        if not value or (value < 0 and not is_equation):
            continue
        weight = rounded(value) * units[player]
        if weight:
            incentives.append(IncentiveWeight(player, action, instead, weight))
    absences = [
        AbsenceWeight(label.player, label.action, Fraction(value))
        for label, value in zip(relaxation.labels, values[first:after], strict=True)
        if value > 0
    ]
    return Leaf(tuple(incentives), tuple(absences))


def marginals(relaxation: Relaxation, primal: NumberArray, shape: tuple[int, ...]) -> NumberArray:
    """Return ``z`` as a matrix over all actions."""
    rows, columns = relaxation.possible
    joint = np.zeros(shape, dtype=primal.dtype)
    size = len(rows) * len(columns)
    joint[np.ix_(rows, columns)] = primal[:size].reshape(len(rows), len(columns))
    return joint


def float_tables(game: NormalFormGame, scores: ScaledIntegers, target: Fraction) -> Tables:
    """Scale payoffs to [0, 1] and scores less the target to [-1, 1], each exactly before rounding.

    Args:
        scores (m, n): The score of each pair of actions.
        target: What the scores are compared with.
    """
    payoffs: list[FloatArray] = []
    units: list[Fraction] = []
    for player in range(2):
        scaled = scaled_payoffs(game, player)
        numerators = scaled.numerators - scaled.numerators.min()
        span = max(1, int(numerators.max()))
        payoffs.append(_quotients(numerators, span))
        units.append(Fraction(span, scaled.denominator))
    excess = _less(scores, target)
    largest = max(1, int(abs(excess.numerators).max()))
    return Tables(
        payoffs=(payoffs[0], payoffs[1]),
        units=(units[0], units[1]),
        excess=_quotients(excess.numerators, largest),
        unit=Fraction(largest, excess.denominator),
    )


def integer_tables(game: NormalFormGame, scores: ScaledIntegers, target: Fraction) -> Tables:
    """Write payoffs, and scores less the target, as Python integers over common denominators."""
    first, second = scaled_payoffs(game, 0), scaled_payoffs(game, 1)
    excess = _less(scores, target)
    return Tables(
        payoffs=(first.numerators, second.numerators),
        units=(Fraction(1, first.denominator), Fraction(1, second.denominator)),
        excess=excess.numerators,
        unit=Fraction(1, excess.denominator),
    )


def _less(scores: ScaledIntegers, target: Fraction) -> ScaledIntegers:
    denominator = lcm(scores.denominator, target.denominator)
    numerators = scores.numerators * (denominator // scores.denominator)
    subtracted = target.numerator * (denominator // target.denominator)
    return ScaledIntegers(numerators - subtracted, denominator)


def _quotients(numerators: ExactArray, divisor: int) -> FloatArray:
    """Divide integers of any size, each quotient rounded once."""
    flat = [cast("int", value) / divisor for value in numerators.ravel().tolist()]
    return np.array(flat).reshape(numerators.shape)
