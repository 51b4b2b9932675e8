"""Prices that bound entropies: a strategy of the opponent and its weight, in rationals.

The multipliers of a face's most entropic point have either sign, and say nothing of actions
outside the support. Adding a weight times an optimal strategy of the opponent that plays all tight
columns, and against which those actions earn less, makes all of them nonnegative and such actions
negligible; the bound on the entropy stays, as all optimal strategies earn the value against it.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ExactArray, FloatArray, freeze

GRAIN_BITS = 96  # refined probabilities are multiples of 2**-96, before they are scaled to sum 1
NEGLIGIBLE = 45.0  # exp(-45) is the most that an action outside the support adds to the bound
PRICE_BITS = 40  # after the point; rounding errors of prices count squared


@dataclass(frozen=True)
class Opposition:
    """Prices of one player's bound: a strategy of the opponent, and its weight.

    Attributes:
        strategy (num_opposing,)
        weight: In nats per payoff unit.
    """

    strategy: ExactArray
    weight: Fraction


def rounded_opposition(
    prices: FloatArray, weight: float, against: ExactArray, *, unit: Fraction
) -> Opposition:
    """Write prices plus a weighted strategy as one weighted strategy, without cancellation.

    Prices are in nats per entry of 1 in the float matrix; ``against`` is in units of ``2**-96``.
    """
    scale = math.ceil(math.ldexp(weight, PRICE_BITS))
    parts = [
        max(0, round(math.ldexp(price, PRICE_BITS)) + ((scale * share) >> GRAIN_BITS))
        for price, share in zip(prices.tolist(), against.tolist(), strict=True)
    ]
    return weighted_strategy(parts, bits=PRICE_BITS, unit=unit)


def weighted_strategy(parts: list[int], *, bits: int, unit: Fraction) -> Opposition:
    """Part prices, in multiples of ``2**-bits`` nats per unit, into a strategy and its weight."""
    total = sum(parts)
    strategy = np.empty(len(parts), dtype=object)
    strategy[:] = [Fraction(part, total) if total else Fraction(1, len(parts)) for part in parts]
    return Opposition(freeze(strategy), Fraction(total, 1 << bits) / unit)


def grains(strategy: ExactArray) -> ExactArray:
    """Return probabilities in units of ``2**-96``, rounded."""
    units = np.empty(len(strategy), dtype=object)
    units[:] = [round(value * (1 << GRAIN_BITS)) for value in strategy.tolist()]
    return freeze(units)
