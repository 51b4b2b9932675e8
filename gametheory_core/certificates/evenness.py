"""How even a distribution is, and what prices on deviations prove about all correlated equilibria.

As in ``incentives``, prices ``y >= 0`` on deviations with gains ``g`` bound every equilibrium
``x``. With ``q(s) = sum y g(s)``, its Gini impurity ``1 - sum x(s)**2`` is at most one minus

    sum x(s)**2 + sum x(s) q(s)  >=  min over distributions of the same,

which is at ``x(s) = max(0, (t - q(s)) / 2)``, ``t`` such that these sum to 1: one sort finds it,
exactly. Its entropy ``H`` is at most

    H(x) - sum x(s) q(s)  <=  ln sum exp(-q(s)),

where logarithms and exponentials are enclosed between rationals.
"""

from enum import Enum
from fractions import Fraction
from typing import cast

from gametheory_core.arrays import ZERO, ScaledIntegers, freeze
from gametheory_core.certificates.incentives import objects
from gametheory_core.evaluation.entropy import entropy_enclosure, log_sum_exp_enclosure
from gametheory_core.strategies.correlated import CorrelatedDistribution


class Evenness(Enum):
    """A measure of how even a distribution is."""

    GINI = "gini"  # the chance that two draws differ
    ENTROPY = "entropy"  # in nats


def evenness_of(distribution: CorrelatedDistribution, measure: Evenness) -> Fraction:
    """Return how even a distribution is; of its entropy a lower bound, within ``10**-24``."""
    if measure is Evenness.ENTROPY:
        return entropy_enclosure(objects(distribution.probabilities)).lower
    return 1 - sum((share * share for share in distribution.probabilities), ZERO)


def evenness_bound(charges: ScaledIntegers, measure: Evenness) -> Fraction:
    """Return what no equilibrium exceeds, given ``sum y g(s)`` for all joint actions."""
    if measure is Evenness.GINI:
        return 1 - least_penalized_square(charges)
    exponents = ScaledIntegers(freeze(-charges.numerators.ravel()), charges.denominator)
    return log_sum_exp_enclosure(exponents).upper


def least_penalized_square(penalties: ScaledIntegers) -> Fraction:
    """Return the minimum of ``sum x**2 + q x`` over distributions ``x``, exactly."""
    scale = penalties.denominator
    rising = sorted(cast("list[int]", penalties.numerators.ravel().tolist()))
    count, total = 0, 0  # those below t = (2 + their sum) / their count carry weight
    for penalty in rising:
        if count and penalty * count >= 2 * scale + total:
            break
        count += 1
        total += penalty
    level = Fraction(2 * scale + total, scale * count)
    # x = (t - q) / 2 makes x**2 + q x equal to (t**2 - q**2) / 4
    squares = sum(penalty * penalty for penalty in rising[:count])
    return (count * level * level - Fraction(squares, scale * scale)) / 4
