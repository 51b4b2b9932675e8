"""The realization plans of a mixture, as numbers that are quick to add up exactly.

The plans of profile ``k`` are integers over one denominator, which its *factor* makes good:

    probability that the mixture draws k and all own choices lead to ends z of play
        =  factor[k] * product over players i of plans[i][k, sequence_i(z)] / denominator.

Pure profiles give zeros and ones. Where integers would be very long, rationals stay as they are.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import scaled_integers
from gametheory_core.strategies.mixture import BehavioralMixture
from gametheory_core.strategies.realization import realization_plan
from gametheory_core.strategies.sequence_form import PlayerSequences, SequenceForm

MOST_BITS = 4096  # of the common denominator of a plan; beyond it, rationals are shorter

Numbers = NDArray[Any]  # int64, or objects: Python integers or Fractions


@dataclass(frozen=True, eq=False)
class MixturePlans:
    """Plans of all profiles of a mixture.

    Attributes:
        form: Of the game.
        factors (num_profiles,)
        plans (num_profiles, num_sequences): One for each player.
    """

    form: SequenceForm
    factors: list[Any]
    plans: tuple[Numbers, ...]
    denominator: int

    @property
    def num_profiles(self) -> int:
        """Number of profiles."""
        return len(self.factors)


def mixture_plans(form: SequenceForm, mixture: BehavioralMixture) -> MixturePlans:
    """Multiply out the plans of a mixture that fits the game (trusted)."""
    if mixture.is_pure:
        chosen = np.array([profile.flat for profile in mixture.profiles]) == 1
        plans = tuple(_pure_plans(own, chosen, form) for own in form.players)
        return _weighted(form, mixture, plans, [1] * len(mixture.weights))
    exact = tuple(
        np.array(
            [realization_plan(form, p, player=own.player).weights for p in mixture.profiles],
            dtype=object,
        )
        for own in form.players
    )
    scaled = [[scaled_integers(row) for row in rows] for rows in exact]
    if any(row.denominator.bit_length() > MOST_BITS for rows in scaled for row in rows):
        return MixturePlans(form, list(mixture.weights), exact, 1)
    divisors = [math.prod(rows[k].denominator for rows in scaled) for k in range(len(exact[0]))]
    whole = tuple(np.array([row.numerators for row in rows], dtype=object) for rows in scaled)
    return _weighted(form, mixture, whole, divisors)


def _weighted(
    form: SequenceForm,
    mixture: BehavioralMixture,
    plans: tuple[Numbers, ...],
    divisors: list[int],
) -> MixturePlans:
    shares = [w / divisor for w, divisor in zip(mixture.weights, divisors, strict=True)]
    denominator = math.lcm(*(share.denominator for share in shares))
    if denominator.bit_length() > MOST_BITS:
        return MixturePlans(form, cast("list[Any]", shares), plans, 1)
    factors = [int(share * denominator) for share in shares]
    return MixturePlans(form, cast("list[Any]", factors), plans, denominator)


def _pure_plans(
    own: PlayerSequences, chosen: NDArray[np.bool_], form: SequenceForm
) -> NDArray[np.int64]:
    plans = np.ones((len(chosen), own.num_sequences), dtype=np.int64)
    shift = int(form.game.action_offset[own.infosets.start]) - 1
    for k in range(len(own.infosets)):
        start, stop = own.first_sequence[k], own.first_sequence[k + 1]
        plans[:, start:stop] = chosen[:, start + shift : stop + shift]
        plans[:, start:stop] *= plans[:, own.parent_sequence[k], None]
    return plans


def as_fraction(value: object, denominator: int) -> Fraction:
    """Divide a sum of products by their denominator."""
    return Fraction(cast("Fraction", value)) / denominator
