"""Certificates of correlated equilibria in trees: obeying the mediator pays, whatever the kind.

The claim is about a mixture and stands on the definition of the kind alone, for any number of
players and with chance: every deviation is measured again. That no other equilibrium has more of an
objective is proved for two players, by prices.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.claim import (
    CLAIMED,
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.declared_types import (
    require_declared_arguments,
)
from gametheory_core.certificates.extensive_correlated_bound import (
    BoundProof,
    ConsistencyMultiplier,
    DeviationPrice,
    correlated_bound,
)
from gametheory_core.certificates.incentives import LinearObjective, optimum, values_at_ends
from gametheory_core.certificates.wording import at_most
from gametheory_core.evaluation.extensive_deviations import distance_to, mixture_payoffs
from gametheory_core.evaluation.triggers import ExtensiveCorrelation
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.strategies.correlated import BehavioralMixture
from gametheory_core.strategies.correlation_plan import correlation_plan, sequence_pairs


@dataclass(frozen=True)
class ExtensiveOptimality:
    """The claim that no equilibrium of the kind has more of the objective than ``upper_bound``.

    Attributes:
        objective: What is maximized.
        value: What the mixture has of it.
        upper_bound: What prices and multipliers prove.
        prices: The positive ones.
        multipliers: Those that are not zero.
        proof: How the bound follows.
    """

    objective: LinearObjective
    value: Fraction = field(metadata=CLAIMED)
    upper_bound: Fraction = field(metadata=CLAIMED)
    prices: tuple[DeviationPrice, ...]
    multipliers: tuple[ConsistencyMultiplier, ...]
    proof: BoundProof = BoundProof.CONSISTENCY

    @property
    def gap(self) -> Fraction:
        """How much more another equilibrium may have at most; 0 if this one is optimal."""
        return self.upper_bound - self.value


def _measure(
    game: ExtensiveFormGame,
    mixture: BehavioralMixture,
    correlation: ExtensiveCorrelation,
    optimality: ExtensiveOptimality | None,
) -> "ExtensiveCorrelatedCertificate":
    if optimality is None:
        return certify_extensive_correlated(game, mixture, kind=correlation)
    return certify_extensive_correlated(
        game,
        mixture,
        kind=correlation,
        objective=optimality.objective,
        prices=optimality.prices,
        multipliers=optimality.multipliers,
        proof=optimality.proof,
    )


def _only(kind: ExtensiveCorrelation) -> Callable[[Any], str]:
    def refuse(certificate: Any) -> str:
        found = certificate.correlation
        return "" if found is kind else f"this is about {found.value} equilibria"

    return refuse


@claim(
    "extensive-correlated",
    measure=_measure,
    answer="mixture",
    proves_if={
        "coarse-correlated": _only(ExtensiveCorrelation.NORMAL_FORM_COARSE),
        "extensive-form-correlated": _only(ExtensiveCorrelation.EXTENSIVE),
        "extensive-form-coarse-correlated": _only(ExtensiveCorrelation.EXTENSIVE_COARSE),
    },
)
class ExtensiveCorrelatedCertificate:
    """The claim that each player's best deviation from a mixture gains exactly ``gains[player]``.

    Attributes:
        game: Perfect recall; any number of players.
        mixture: What the mediator draws from.
        correlation: Which deviations count.
        payoffs: Expected payoff of each player who obeys.
        gains: Of the best deviation, with any number of triggers; at least 0; payoff units.
        optimality: None if no objective was asked for; two players otherwise.
    """

    kind: ClassVar[str]
    game: ExtensiveFormGame
    mixture: BehavioralMixture
    correlation: ExtensiveCorrelation
    payoffs: tuple[Fraction, ...] = claimed()
    gains: tuple[Fraction, ...] = claimed()
    optimality: ExtensiveOptimality | None = claimed(default=None, is_given=True)
    verify = verify_claim
    answer = claim_answer

    @property
    def epsilon(self) -> Fraction:
        """The largest gain of a deviation; 0 for an exact equilibrium."""
        return max(self.gains)

    @property
    def optimality_gap(self) -> Fraction | None:
        """How much more of the objective another equilibrium may have; None without one."""
        return None if self.optimality is None else self.optimality.gap

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = f"{self.correlation.value} equilibrium"
        article = "an" if name[0] in "aeiou" else "a"
        said = (
            f"an epsilon-{name}: no deviation gains more than epsilon = {at_most(self.epsilon)}"
            if self.epsilon
            else f"{article} {name}: no player gains anything by deviating (epsilon = 0, exactly)"
        )
        if self.optimality is None:
            return said
        found = self.optimality
        proved = optimum(self.game, found.objective, found.value, found.upper_bound, rivals=name)
        return f"{said}; {proved}"


def certify_extensive_correlated(
    game: ExtensiveFormGame,
    mixture: BehavioralMixture,
    *,
    kind: ExtensiveCorrelation,
    objective: LinearObjective | None = None,
    prices: Sequence[DeviationPrice] = (),
    multipliers: Sequence[ConsistencyMultiplier] = (),
    proof: BoundProof = BoundProof.CONSISTENCY,
) -> ExtensiveCorrelatedCertificate:
    """Measure a mixture as an equilibrium of a kind, exactly, and state the result.

    Args:
        game: Perfect recall; any number of players, and chance.
        mixture: What the mediator draws from.
        kind: When players decide whether to obey.
        objective: What ``prices`` and ``multipliers`` bound; for two players.
        prices: At least 0 each; those that are left out are 0.
        multipliers: Those that are left out are 0.
        proof: How the bound follows; all pure profiles are looked at only in small games.

    Returns:
        Its ``epsilon`` is the largest gain of a deviation.

    Raises:
        UnsupportedGame: If the game is no tree, a player forgets, or an objective is to be bounded
            for other than two players.
        InvalidStrategy, InvalidArgument: If the mixture or the objective do not fit the game, or
            the mixture is to be told as whole plans and is not pure.
        CertificateRejected: If a price or a multiplier is out of range or misplaced.

    >>> from gametheory_core import load_game, pure_behavior
    >>> from gametheory_core.strategies.correlated import behavioral_mixture
    >>> centipede = load_game("centipede:rounds=2")
    >>> take = behavioral_mixture([pure_behavior(centipede, (0, 0))])
    >>> kind = ExtensiveCorrelation.EXTENSIVE
    >>> certify_extensive_correlated(centipede, take, kind=kind).statement
    'an extensive-form correlated equilibrium: no player gains anything by deviating (epsilon = 0, \
exactly)'
    """
    require_tree(game)
    require_declared_arguments(ExtensiveCorrelatedCertificate, mixture=mixture, correlation=kind)
    found = distance_to(game, mixture, kind=kind)
    gains = tuple(deviation.gain for deviation in found.players)
    optimality = None
    if objective is not None:
        asked = ExtensiveOptimality(objective, ZERO, ZERO, tuple(prices), tuple(multipliers), proof)
        require_declared_arguments(ExtensiveCorrelatedCertificate, optimality=asked)
        bound = correlated_bound(sequence_pairs(game), kind, objective, prices, multipliers, proof)
        value = _expectation(game, mixture, objective)
        optimality = replace(asked, value=value, upper_bound=bound)
    return ExtensiveCorrelatedCertificate(game, mixture, kind, found.payoffs, gains, optimality)


def _expectation(
    game: ExtensiveFormGame, mixture: BehavioralMixture, objective: LinearObjective
) -> Fraction:
    values = values_at_ends(game, objective)
    if not objective.outcome_weights:
        payoffs = mixture_payoffs(game, mixture)
        pairs = zip(objective.payoff_weights, payoffs, strict=True)
        return sum((weight * payoff for weight, payoff in pairs), ZERO)
    plan = correlation_plan(game, mixture)
    reach = plan.pairs.form.chance_weight * plan.weights[plan.pairs.terminal_pair]
    return sum((reach * values).tolist(), ZERO)
