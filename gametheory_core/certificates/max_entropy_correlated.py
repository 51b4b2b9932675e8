"""Max-entropy correlated certificates: no (coarse) correlated equilibrium has more entropy.

As in ``incentives``, prices ``y >= 0`` on deviations with gains ``g`` bound the entropy ``H`` of
every equilibrium ``x``, with ``q(s) = sum y g(s)``:

    H(x)  <=  H(x) - sum x(s) q(s)  <=  ln sum exp(-q(s)),

the largest value of the middle over all distributions. Logarithms and exponentials are enclosed
between rationals.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from gametheory_core.arrays import ZERO, ScaledIntegers, freeze
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
    objects,
)
from gametheory_core.certificates.wording import at_least, at_most
from gametheory_core.evaluation.regrets import entropy_enclosure, log_sum_exp_enclosure
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_payoffs


def _measure(
    game: NormalFormGame,
    distribution: CorrelatedDistribution,
    correlated_kind: CorrelatedKind,
    prices: tuple[IncentivePrice, ...],
) -> "MaxEntropyCorrelatedCertificate":
    return certify_max_entropy_correlated(game, distribution, kind=correlated_kind, prices=prices)


@claim("max-entropy-correlated", measure=_measure, answer="distribution", proves_if=CONCEPTS)
class MaxEntropyCorrelatedCertificate:
    """The claim that no equilibrium has an entropy above ``upper_bound``.

    Attributes:
        game: Any number of players.
        distribution: What the mediator draws from.
        correlated_kind: Correlated: ``regrets`` are internal; coarse: external.
        payoffs: Expected payoff of each player.
        regrets: Largest gain of a deviation of each player; payoff units.
        entropy: The distribution has at least this entropy, and at most ``10**-24`` more; nats.
        upper_bound: What prices prove; nats.
        prices: The positive ones; nats for a payoff unit.
    """

    kind: ClassVar[str]
    game: NormalFormGame
    distribution: CorrelatedDistribution
    correlated_kind: CorrelatedKind
    payoffs: tuple[Fraction, ...] = claimed()
    regrets: tuple[Fraction, ...] = claimed()
    entropy: Fraction = claimed()
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
        """How much more entropy an equilibrium may have at most.

        Negative only if ``epsilon`` is positive: then deviations buy entropy.
        """
        return self.upper_bound - self.entropy

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = f"{self.correlated_kind.value} equilibrium"
        whose = f"a {name}"
        if self.epsilon:
            whose = f"an epsilon-{name} with epsilon at most {at_most(self.epsilon)}"
        return (
            f"{whose} of entropy at least {at_least(self.entropy)} nats; no {name} has more than "
            f"{at_most(self.upper_bound)}"
        )


def certify_max_entropy_correlated(
    game: NormalFormGame,
    distribution: CorrelatedDistribution,
    *,
    kind: CorrelatedKind = CorrelatedKind.CORRELATED,
    prices: Sequence[IncentivePrice] = (),
) -> MaxEntropyCorrelatedCertificate:
    """Measure an equilibrium's entropy, and the bound that prices prove, rigorously.

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
    >>> certificate = certify_max_entropy_correlated(game, uniform)
    >>> float(certificate.entropy), certificate.optimality_gap < Fraction(1, 10**20)
    (1.3862943611198906, True)
    """
    require_declared_arguments(
        MaxEntropyCorrelatedCertificate,
        correlated_kind=kind,
        distribution=distribution,
        prices=tuple(prices),
    )
    payoffs = correlated_payoffs(game, distribution)
    regrets = tuple(kind_regret(game, distribution, kind, i) for i in range(game.num_players))
    charges = incentive_charges(game, kind, prices)
    exponents = ScaledIntegers(freeze(-charges.numerators.ravel()), charges.denominator)
    return MaxEntropyCorrelatedCertificate(
        game,
        distribution,
        kind,
        payoffs,
        regrets,
        entropy_enclosure(objects(distribution.probabilities)).lower,
        log_sum_exp_enclosure(exponents).upper,
        tuple(prices),
    )
