"""Max-Gini correlated certificates: no (coarse) correlated equilibrium is more even.

The Gini impurity of a distribution is ``1 - sum x(s)**2``. As in ``incentives``, prices ``y >= 0``
on deviations with gains ``g`` bound every equilibrium ``x``:

    sum x(s)**2  >=  sum x(s)**2 + sum x(s) q(s)  >=  min over distributions of the same,

with ``q(s) = sum y g(s)``. That minimum is at ``x(s) = max(0, (t - q(s)) / 2)``, ``t`` such that
these sum to 1, so it takes one sort to find, exactly.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, cast

from gametheory_core.arrays import ZERO, ScaledIntegers
from gametheory_core.certificates.claim import (
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.correlated import CONCEPTS
from gametheory_core.certificates.declared_types import (
    require_declared_arguments,
)
from gametheory_core.certificates.incentives import (
    CorrelatedKind,
    IncentivePrice,
    incentive_charges,
    kind_regret,
)
from gametheory_core.certificates.wording import at_least, at_most, exactly
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_payoffs


def _measure(
    game: NormalFormGame,
    distribution: CorrelatedDistribution,
    correlated_kind: CorrelatedKind,
    prices: tuple[IncentivePrice, ...],
) -> "MaxGiniCorrelatedCertificate":
    return certify_max_gini_correlated(game, distribution, kind=correlated_kind, prices=prices)


@claim("max-gini-correlated", measure=_measure, answer="distribution", proves_if=CONCEPTS)
class MaxGiniCorrelatedCertificate:
    """The claim that no equilibrium has a Gini impurity above ``upper_bound``.

    Attributes:
        game: Any number of players.
        distribution: What the mediator draws from.
        correlated_kind: Correlated: ``regrets`` are internal; coarse: external.
        payoffs: Expected payoff of each player.
        regrets: Largest gain of a deviation of each player; payoff units.
        gini: Impurity of the distribution.
        upper_bound: What prices prove.
        prices: The positive ones.
    """

    kind: ClassVar[str]
    game: NormalFormGame
    distribution: CorrelatedDistribution
    correlated_kind: CorrelatedKind
    payoffs: tuple[Fraction, ...] = claimed()
    regrets: tuple[Fraction, ...] = claimed()
    gini: Fraction = claimed()
    upper_bound: Fraction = claimed()
    prices: tuple[IncentivePrice, ...]
    verify = verify_claim
    answer = claim_answer

    @property
    def epsilon(self) -> Fraction:
        """The largest gain of a deviation, at least 0; 0 for an exact equilibrium."""
        return max((ZERO, *self.regrets))

    @property
    def optimality_gap(self) -> Fraction:
        """How much more even an equilibrium may be at most; 0 for the one that is most even."""
        return self.upper_bound - self.gini

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = f"{self.correlated_kind.value} equilibrium"
        if not self.epsilon and not self.optimality_gap:
            return f"the {name} of most Gini impurity, {exactly(self.gini)}"
        return (
            f"an epsilon-{name} with epsilon at most {at_most(self.epsilon)} and Gini impurity at "
            f"least {at_least(self.gini)}; no {name} has more than {at_most(self.upper_bound)}"
        )


def certify_max_gini_correlated(
    game: NormalFormGame,
    distribution: CorrelatedDistribution,
    *,
    kind: CorrelatedKind = CorrelatedKind.CORRELATED,
    prices: Sequence[IncentivePrice] = (),
) -> MaxGiniCorrelatedCertificate:
    """Measure how even an equilibrium is, and the bound that prices prove, exactly.

    Args:
        distribution: Over the joint actions of the game.
        kind: Which deviations count.
        prices: At least 0 each; those that are left out are 0.

    Raises:
        InvalidStrategy: If the distribution does not fit the game.
        CertificateRejected: If a price is negative or misplaced.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.strategies.correlated import correlated_distribution
    >>> game = load_game("matching_pennies")
    >>> uniform = correlated_distribution([["1/4", "1/4"], ["1/4", "1/4"]])
    >>> certify_max_gini_correlated(game, uniform).optimality_gap
    Fraction(0, 1)
    """
    require_declared_arguments(
        MaxGiniCorrelatedCertificate,
        correlated_kind=kind,
        distribution=distribution,
        prices=tuple(prices),
    )
    payoffs = correlated_payoffs(game, distribution)
    regrets = tuple(kind_regret(game, distribution, kind, i) for i in range(game.num_players))
    gini = 1 - sum((share * share for share in distribution.probabilities), ZERO)
    bound = 1 - least_penalized_square(incentive_charges(game, kind, prices))
    return MaxGiniCorrelatedCertificate(
        game, distribution, kind, payoffs, regrets, gini, bound, tuple(prices)
    )


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
