"""Plans over sequences as integers: as exact as rationals, and nearly as quick as floats.

A plan's weight on the empty sequence stands for one. Each information set shares out the integer
that comes to it, so constraints hold exactly, and what plans are paid is a sum of products of
integers. Divisions wait until somebody asks for behavior.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core import BehavioralProfile
from gametheory_core.arrays import ExactArray, IntArray, NumberArray, is_exact, object_array
from gametheory_core.evaluation.deviations import sweep
from gametheory_core.strategies.sequences import PlayerSequences, SequenceForm, own_behavior
from solvers.rounding import GRAIN
from solvers.trees.sequence_program import SequenceProgram, payoff_entries

IntegerPlan: TypeAlias = ExactArray  # one Python integer for each sequence


def integer_plan(own: PlayerSequences, weights: NumberArray) -> IntegerPlan:
    """Write rational weights over one denominator; round floats to parts of 2^50.

    Args:
        weights (num_sequences,): Exact ones of a plan. Of floats only the shares within each
            information set matter; negative ones count as zero, all are alike if nothing is left.
    """
    if is_exact(weights):
        common = math.lcm(*(weight.denominator for weight in weights.tolist()))
        return object_array([int(weight * common) for weight in weights.tolist()])
    floats: list[float] = np.maximum(weights, 0.0).tolist()
    bounds = own.first_sequence.tolist()
    parts = [0] * own.num_sequences
    parts[0] = GRAIN
    for k, parent in enumerate(own.parent_sequence.tolist()):
        if parts[parent]:
            start, stop = bounds[k], bounds[k + 1]
            parts[start:stop] = _shared(parts[parent], floats[start:stop])
    return object_array(parts)


def _shared(whole: int, weights: list[float]) -> list[int]:
    """Share out an integer in proportion; the largest share takes up the rounding."""
    total = sum(weights)
    if total <= 0:
        weights, total = [1.0] * len(weights), len(weights)
    shares = [int(whole * (weight / total)) for weight in weights]
    shares[shares.index(max(shares))] += whole - sum(shares)
    return shares


def behavior(form: SequenceForm, plans: Sequence[IntegerPlan]) -> BehavioralProfile:
    """Return the behavior of plans; uniform where a plan does not come to."""
    vectors = [
        vector
        for own, plan in zip(form.players, plans, strict=True)
        for vector in own_behavior(own, plan)
    ]
    return BehavioralProfile(tuple(vectors))


@dataclass(frozen=True)
class Reply:
    """A pure best response.

    Attributes:
        value: What player 0 is paid; payoff units.
        actions: At each own information set, in order; ties go to the first.
    """

    value: Fraction
    actions: list[int]


class PlanReplies:
    """Exact best responses of both players to plans."""

    def __init__(self, form: SequenceForm, program: SequenceProgram) -> None:
        exact = program.exact
        paid = payoff_entries(program)
        rows, columns, losses = exact.rows[paid], exact.columns[paid], exact.values[paid]
        self._players, self._scale = form.players, program.scale
        self._sides = (_Side(columns, rows, -losses), _Side(rows, columns, losses))

    def reply(self, player: int, plan: IntegerPlan) -> Reply:
        """Find a player's best response to the other's plan."""
        own = self._players[player]
        collected = self._sides[player].collected(plan, own.num_sequences)
        actions = sweep(own, collected)
        value = Fraction(collected[0], plan[0]) * self._scale
        return Reply(value if player == 0 else -value, actions)

    def paid(self, plans: Sequence[IntegerPlan]) -> Fraction:
        """Return what player 0 is paid where both follow plans."""
        collected = self._sides[0].collected(plans[1], len(plans[0]))
        total = sum(map(mul, collected, plans[0].tolist()))
        return Fraction(total, plans[0][0] * plans[1][0]) * self._scale


class _Side:
    """Payoffs to a player for pairs of sequences, in the order of the own ones."""

    def __init__(self, own: IntArray, other: IntArray, payoffs: NDArray[Any]) -> None:
        order = np.argsort(own, kind="stable")
        self._labels, self._starts = np.unique(own[order], return_index=True)
        self._other, self._payoffs = other[order], payoffs[order]

    def collected(self, plan: IntegerPlan, num_sequences: int) -> list[int]:
        """Return what is paid under each own sequence, in the units of payoffs and plan."""
        total = np.zeros(num_sequences, dtype=object)
        if len(self._labels):
            paid = self._payoffs * plan[self._other]
            total[self._labels] = np.add.reduceat(paid, self._starts)
        return cast("list[int]", total.tolist())
