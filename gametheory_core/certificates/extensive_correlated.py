"""Certificates of correlated equilibria in trees: obeying the mediator pays, whatever the kind.

The claim is about a mixture and stands on the definition of the kind alone, for any number of
players and with chance: every deviation is measured again.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from gametheory_core.certificates.certificate import at_most, require_claim
from gametheory_core.certificates.declared_types import (
    require_declared_arguments,
    require_declared_types,
)
from gametheory_core.errors import CertificateRejected, InvalidStrategy, UnsupportedGame
from gametheory_core.evaluation.extensive_deviations import distance_to
from gametheory_core.evaluation.triggers import ExtensiveCorrelation
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.strategies.mixture import BehavioralMixture


@dataclass(frozen=True)
class ExtensiveCorrelatedCertificate:
    """The claim that each player's best deviation from a mixture gains exactly ``gains[player]``.

    Attributes
    ----------
    game : ExtensiveFormGame
        Perfect recall; any number of players.
    mixture : BehavioralMixture
        What the mediator draws from.
    correlation : ExtensiveCorrelation
        Which deviations count.
    payoffs : tuple of Fraction
        Expected payoff of each player who obeys.
    gains : tuple of Fraction
        Of the best deviation, with any number of triggers; at least 0; payoff units.
    """

    kind: ClassVar[str] = "extensive-correlated"
    game: ExtensiveFormGame
    mixture: BehavioralMixture
    correlation: ExtensiveCorrelation
    payoffs: tuple[Fraction, ...]
    gains: tuple[Fraction, ...]

    @property
    def profile(self) -> BehavioralMixture:
        """The mixture, under the name that all certificates share."""
        return self.mixture

    @property
    def epsilon(self) -> Fraction:
        """The largest gain of a deviation; 0 for an exact equilibrium."""
        return max(self.gains)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = f"{self.correlation.value} equilibrium"
        if self.epsilon:
            return (
                f"an epsilon-{name}: no deviation gains more than epsilon = {at_most(self.epsilon)}"
            )
        article = "an" if name[0] in "aeiou" else "a"
        return f"{article} {name}: no player gains anything by deviating (epsilon = 0, exactly)"

    def verify(self) -> None:
        """Recompute payoffs and gains exactly.

        Raises
        ------
        CertificateRejected
            If the mixture does not fit, a player forgets, or a number differs from the claim.
        """
        require_declared_types(self)
        try:
            found = certify_extensive_correlated(self.game, self.mixture, kind=self.correlation)
        except (InvalidStrategy, UnsupportedGame) as error:
            raise CertificateRejected(f"{self.kind} certificate: {error}") from None
        require_claim("payoffs", claimed=self.payoffs, found=found.payoffs, kind=self.kind)
        require_claim("gains", claimed=self.gains, found=found.gains, kind=self.kind)


def certify_extensive_correlated(
    game: ExtensiveFormGame, mixture: BehavioralMixture, *, kind: ExtensiveCorrelation
) -> ExtensiveCorrelatedCertificate:
    """Measure a mixture as an equilibrium of a kind, exactly, and state the result.

    Parameters
    ----------
    game : ExtensiveFormGame
        Perfect recall; any number of players, and chance.
    mixture : BehavioralMixture
        What the mediator draws from.
    kind : ExtensiveCorrelation
        When players decide whether to obey.

    Returns
    -------
    ExtensiveCorrelatedCertificate
        Its ``epsilon`` is the largest gain of a deviation.

    Raises
    ------
    UnsupportedGame
        If the game is no tree, or a player forgets.
    InvalidStrategy
        If the mixture does not fit the game, or is to be told as whole plans and is not pure.

    Examples
    --------
    >>> from gametheory_core import load_game, pure_behavior
    >>> from gametheory_core.strategies.mixture import behavioral_mixture
    >>> centipede = load_game("centipede:rounds=2")
    >>> take = behavioral_mixture([pure_behavior(centipede, (0, 0))])
    >>> kind = ExtensiveCorrelation.EXTENSIVE
    >>> certify_extensive_correlated(centipede, take, kind=kind).statement
    'an extensive-form correlated equilibrium: no player gains anything by deviating (epsilon = 0, \
exactly)'
    """
    require_tree(game, function="certify_extensive_correlated")
    require_declared_arguments(ExtensiveCorrelatedCertificate, mixture=mixture, correlation=kind)
    found = distance_to(game, mixture, kind=kind)
    gains = tuple(deviation.gain for deviation in found.players)
    return ExtensiveCorrelatedCertificate(game, mixture, kind, found.payoffs, gains)
