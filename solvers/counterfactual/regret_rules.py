"""What players do at information sets, when they move, and what is averaged: the options of a run.

``RegretMatching``, ``RegretMatchingPlus`` and ``Hedge`` of ``solvers.local_rules`` serve single
information sets as they serve players of matrix games. The two rules added here need to know how
many steps were played, or what the next step will pay.
"""

import math
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from gametheory_core.arguments import is_finite_number, require_instance, shown
from gametheory_core.errors import InvalidArgument
from solvers._kernels.treeplex_regret import EXPONENTIAL, PREDICTED_REGRETS, REGRETS, RuleNumbers
from solvers.local_rules import Hedge, RegretMatching, RegretMatchingPlus

MOST_POWER = 30.0  # sums of step**power stay floats for any number of steps


@dataclass(frozen=True)
class DiscountedRegretMatching:
    """Regret matching that discounts what is long ago (Brown and Sandholm 2019).

    After step ``t`` positive regrets are multiplied by ``t**positive / (t**positive + 1)`` and
    negative ones by the same with ``negative``. Both 1 is linear counterfactual regret
    minimization; infinity and minus infinity is regret matching+.

    Attributes:
        positive, negative: The paper's alpha and beta; its gamma is the power of ``average``.
    """

    positive: float = 1.5
    negative: float = 0.0


@dataclass(frozen=True)
class PredictiveRegretMatchingPlus:
    """Regret matching+ that expects each step to pay what the last one paid.

    The forecast counts as one more step before the strategy is chosen (Farina, Kroer and Sandholm
    2021).
    """


RegretRule: TypeAlias = (
    RegretMatching
    | RegretMatchingPlus
    | DiscountedRegretMatching
    | PredictiveRegretMatchingPlus
    | Hedge
)


class UpdateOrder(Enum):
    """When players learn from a step."""

    ALTERNATING = "one after the other: each meets what those before have just become"
    SIMULTANEOUS = "all at once"


class Averaging(Enum):
    """How much a step counts in the average: the step's number to the power that is the value."""

    UNIFORM = 0
    LINEAR = 1
    QUADRATIC = 2


class Iterate(Enum):
    """Which strategies answer."""

    AVERAGE = "the average of what was played, by realization plans"
    LAST = "what would be played next"


@dataclass(frozen=True)
class RegretSettings:
    """How a run goes, as one that goes on with it must go too.

    Attributes:
        rule: At every information set.
        updates: When players learn.
        power: Step ``t`` counts ``t**power`` in the average.
    """

    rule: RegretRule
    updates: UpdateOrder
    power: float

    @property
    def text(self) -> str:
        """The settings in words, equal exactly if they are."""
        return f"{self.rule!r}, {self.updates.name} updates, weights t**{self.power!r}"

    def numbers(self, unit: float) -> RuleNumbers:
        """Return what the loops read, payoffs being multiples of ``unit``."""
        kind, keep_positive, keep_negative, rate, decay = REGRETS, math.inf, math.inf, 0.0, 0.0
        match self.rule:
            case RegretMatchingPlus():
                keep_negative = -math.inf
            case DiscountedRegretMatching():
                keep_positive, keep_negative = float(self.rule.positive), float(self.rule.negative)
            case PredictiveRegretMatchingPlus():
                kind = PREDICTED_REGRETS
            case Hedge():
                kind, rate, decay = EXPONENTIAL, self.rule.rate * unit, float(self.rule.decay)
            case RegretMatching():
                pass
        alternates = self.updates is UpdateOrder.ALTERNATING
        return RuleNumbers(
            kind, keep_positive, keep_negative, rate, decay, float(self.power), alternates
        )


def regret_settings(
    rule: RegretRule,
    updates: UpdateOrder | None,
    average: Averaging | float | None,
    *,
    meets_two: bool,
) -> RegretSettings:
    """Check options and fill in what was left out.

    ``meets_two`` says that the game is two-player constant-sum.

    Raises:
        InvalidArgument: If an option has a value it cannot have.
    """
    kinds = (RegretMatching, RegretMatchingPlus, DiscountedRegretMatching)
    require_instance(rule, (*kinds, PredictiveRegretMatchingPlus, Hedge), name="rule")
    _check_numbers(rule)
    if updates is None:
        updates = UpdateOrder.ALTERNATING if meets_two else UpdateOrder.SIMULTANEOUS
    return RegretSettings(rule, updates, _power(rule, average))


def _power(rule: RegretRule, average: Averaging | float | None) -> float:
    if average is None:
        average = _usual_average(rule)
    if isinstance(average, Averaging):
        return float(average.value)
    if not is_finite_number(average) or not 0 <= average <= MOST_POWER:
        raise InvalidArgument(
            needs="average to be a member of Averaging or a power of the step from 0 to "
            f"{MOST_POWER:g}",
            found=f"got {shown(average)}",
            remedy="Give Averaging.LINEAR, for one.",
        )
    return float(average)


def _usual_average(rule: RegretRule) -> Averaging:
    match rule:
        case RegretMatchingPlus():
            return Averaging.LINEAR
        case DiscountedRegretMatching(positive=1, negative=1):
            return Averaging.LINEAR
        case DiscountedRegretMatching() | PredictiveRegretMatchingPlus():
            return Averaging.QUADRATIC
        case _:
            return Averaging.UNIFORM


def _check_numbers(rule: RegretRule) -> None:
    """Refuse exponents that are not numbers, and rates that are not positive."""
    wanted, good = "", dict[str, bool]()
    if isinstance(rule, DiscountedRegretMatching):
        wanted = "a number, or plus or minus infinity"
        good = {"positive": _is_number(rule.positive), "negative": _is_number(rule.negative)}
    elif isinstance(rule, Hedge):
        wanted = "a finite number (rate above 0, decay at least 0)"
        good["rate"] = is_finite_number(rule.rate) and rule.rate > 0
        good["decay"] = is_finite_number(rule.decay) and rule.decay >= 0
    for name, is_good in good.items():
        if not is_good:
            raise InvalidArgument(
                needs=f"{name} of {type(rule).__name__} to be {wanted}",
                found=f"got {shown(getattr(rule, name))}",
            )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)
