"""Realization plans: behavioral strategies as weights on sequences, and back.

A plan gives each sequence the product of the player's own probabilities along it (Kuhn 1953; von
Stengel 1996). Behavior at information sets the plan never reaches is not determined; it is filled
in uniformly.
"""

from dataclasses import dataclass

import numpy as np

from gametheory_core.arrays import ONE, NumberArray, freeze, is_exact, number_array
from gametheory_core.errors import InvalidStrategy
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.probabilities import FLOAT_SUM_TOLERANCE
from gametheory_core.strategies.sequence_form import SequenceForm


@dataclass(frozen=True, eq=False)
class RealizationPlan:
    """One player's weights on sequences.

    Attributes:
        player: Whose plan.
        weights (num_sequences,): float64 or exact; weight 0 is the empty sequence's, one.
            Read-only.
    """

    player: int
    weights: NumberArray

    def __post_init__(self) -> None:
        weights = number_array(self.weights, where=f"realization plan of player {self.player + 1}")
        object.__setattr__(self, "weights", weights)


def realization_plan(
    form: SequenceForm, profile: BehavioralProfile, *, player: int
) -> RealizationPlan:
    """Multiply a player's probabilities along each of the player's sequences.

    Args:
        profile: Exact or float.
        player: Whose plan, from 0.

    >>> from gametheory_core import load_game, sequence_form, uniform_behavior
    >>> poker = load_game("one_card_poker")
    >>> plan = realization_plan(sequence_form(poker), uniform_behavior(poker), player=1)
    >>> [str(weight) for weight in plan.weights]
    ['1', '1/2', '1/2']
    """
    check_behavioral_profile(form.game, profile)
    own = form.players[player]
    weights = np.empty(own.num_sequences, dtype=object if profile.is_exact else np.float64)
    weights[0] = ONE if profile.is_exact else 1.0
    for k, infoset in enumerate(own.infosets):
        start, stop = own.first_sequence[k], own.first_sequence[k + 1]
        weights[start:stop] = weights[own.parent_sequence[k]] * profile.probabilities[infoset]
    return RealizationPlan(player, freeze(weights))


def behavioral_profile(form: SequenceForm, plans: tuple[RealizationPlan, ...]) -> BehavioralProfile:
    """Divide each sequence's weight by its parent's; uniform where the parent's weight is zero.

    Args:
        plans: One for each player, in order.

    Raises:
        InvalidStrategy: If a plan breaks a constraint of the sequence form; names the information
            set.

    >>> from gametheory_core import load_game, sequence_form, uniform_behavior
    >>> poker = load_game("one_card_poker")
    >>> form, uniform = sequence_form(poker), uniform_behavior(poker)
    >>> plans = tuple(realization_plan(form, uniform, player=i) for i in range(2))
    >>> behavioral_profile(form, plans) == uniform
    True
    """
    vectors: list[NumberArray] = []
    for own, plan in zip(form.players, plans, strict=True):
        check_realization_plan(form, plan)
        for k in range(len(own.infosets)):
            weights = plan.weights[own.first_sequence[k] : own.first_sequence[k + 1]]
            vectors.append(local_probabilities(weights))
    return BehavioralProfile(tuple(vectors))


def check_realization_plan(form: SequenceForm, plan: RealizationPlan) -> None:
    """Refuse a plan with a negative weight or a broken constraint (floats: within 1e-9)."""
    own, weights = form.players[plan.player], plan.weights
    owner = f"realization plan of player {form.game.players[plan.player]!r}"
    slack = 0 if is_exact(weights) else FLOAT_SUM_TOLERANCE
    if len(weights) != own.num_sequences:
        raise InvalidStrategy(
            f"{owner}: needs {own.num_sequences} weights, but has {len(weights)}."
        )
    if abs(weights[0] - 1) > slack or min(weights) < 0:
        raise InvalidStrategy(
            f"{owner}: needs weight 1 on the empty sequence and none below 0, but the empty "
            f"sequence has {weights[0]} and the least weight is {min(weights)}."
        )
    if not len(own.infosets):
        return
    totals = np.add.reduceat(weights, own.first_sequence[:-1])
    bad = np.flatnonzero(np.abs(totals - weights[own.parent_sequence]) > slack)
    if bad.size:
        infoset = form.game.infosets[own.infosets[bad[0]]]
        raise InvalidStrategy(
            f"{owner}: weights at information set number {infoset.number} {infoset.label!r} sum to "
            f"{totals[bad[0]]}, but its sequence has {weights[own.parent_sequence[bad[0]]]}."
        )


def local_probabilities(weights: NumberArray) -> NumberArray:
    """Divide the weights of one information set by their sum; uniform if all are zero."""
    total = weights.sum()
    if total == 0:
        share = ONE / len(weights) if is_exact(weights) else 1.0 / len(weights)
        uniform = np.empty(len(weights), dtype=weights.dtype)
        uniform[:] = share
        return freeze(uniform)
    return freeze(weights / total)
