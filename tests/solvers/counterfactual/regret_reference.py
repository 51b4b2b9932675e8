"""Counterfactual regret minimization as the papers say it, node by node, exact where rules allow.

Shares no code with the solver: what actions earn comes from the core's counterfactual values, and
averages from its reach of information sets.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from gametheory_core import BehavioralProfile, uniform_behavior
from gametheory_core.evaluation import counterfactual_values
from gametheory_core.games import player_infosets
from gametheory_core.strategies import realization_plan, sequence_form
from solvers import counterfactual
from solvers.local_rules import Hedge, RegretMatching, RegretMatchingPlus, exponential_shares


@dataclass
class Reference:
    """A run in motion.

    ``memory`` and ``strategies`` hold a vector for each information set, ``totals`` one of weighted
    plans for each player, ``played`` all profiles in order. ``margins`` are the largest weights
    that strategies were made of: where one is zero, rounding may decide what floats play.
    """

    game: object
    rule: object
    updates: counterfactual.UpdateOrder
    power: int
    floats: bool = False
    strategies: list = field(default_factory=list)
    memory: list = field(default_factory=list)
    totals: list = field(default_factory=list)
    played: list = field(default_factory=list)
    margins: list = field(default_factory=list)

    def __post_init__(self):
        start = uniform_behavior(self.game)
        if self.floats or isinstance(self.rule, Hedge):
            start = start.to_float()
        self.strategies = list(start.probabilities)
        self.memory = [0 * own for own in self.strategies]
        self.form = sequence_form(self.game)

    def profile(self):
        return BehavioralProfile(tuple(self.strategies))

    def step(self):
        """Let every player learn once."""
        number = len(self.played) + 1
        self.margins = []
        self.played.append(self.profile())
        plans = [
            realization_plan(self.form, self.played[-1], player=i).weights * number**self.power
            for i in range(self.game.num_players)
        ]
        sums = zip(self.totals, plans, strict=True)
        self.totals = [a + b for a, b in sums] if self.totals else plans
        frozen = self.played[-1]
        for player in range(self.game.num_players):
            seen = (
                self.profile() if self.updates is counterfactual.UpdateOrder.ALTERNATING else frozen
            )
            self._learn(player, seen, number)

    def _learn(self, player, profile, number):
        found = counterfactual_values(self.game, profile, player=player)
        known = list(profile.probabilities)
        for k, s in reversed(list(enumerate(player_infosets(self.game, player)))):
            forecast = None
            if isinstance(self.rule, counterfactual.PredictiveRegretMatchingPlus):
                expected = counterfactual_values(
                    self.game, BehavioralProfile(tuple(known)), player=player
                )
                forecast = expected.action_values[k] - expected.action_values[k] @ known[s]
            self.memory[s], weights = learned(
                self.rule, self.memory[s], found.regrets[k], forecast, number
            )
            self.margins.append(float(max(weights)))
            is_hedge = isinstance(self.rule, Hedge)
            known[s] = exponential_shares(weights) if is_hedge else shares(weights)
            self.strategies[s] = known[s]


def learned(rule, memory, regrets, forecast, number):
    """Return the memory after a step with these regrets, and what the next strategy weighs."""
    total = memory + regrets
    match rule:
        case RegretMatching():
            return total, total
        case RegretMatchingPlus():
            return np.maximum(total, 0 * total), total
        case counterfactual.DiscountedRegretMatching():
            factors = [share_kept(rule.positive if r > 0 else rule.negative, number) for r in total]
            return total * np.array(factors, dtype=total.dtype), total
        case counterfactual.PredictiveRegretMatchingPlus():
            kept = np.maximum(total, 0 * total)
            return kept, kept + forecast
        case Hedge():
            return total, total * rule.rate / number**rule.decay


def share_kept(exponent, number):
    """Return the share of regrets that outlives a step; a float's rational where it is no power."""
    if math.isinf(exponent):
        return Fraction(int(exponent > 0))
    is_whole = float(exponent).is_integer()
    weight = Fraction(number) ** int(exponent) if is_whole else Fraction(number**exponent)
    return weight / (weight + 1)


def shares(weights):
    """Return shares of the positive weights; all equal if there are none."""
    positive = weights * (weights > 0)
    total = positive.sum()
    if not total:
        one = 0 * weights[0] + 1
        return np.array([one / len(weights)] * len(weights), dtype=weights.dtype)
    return positive / total
