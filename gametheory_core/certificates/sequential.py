"""Sequential certificates: consistent beliefs, and the best own play from everywhere on.

An assessment, a profile with beliefs, is a *sequential equilibrium* (Kreps and Wilson 1982) if it
is

- *consistent*: a limit of completely mixed profiles with their Bayes beliefs. Polynomial trembles
  are such profiles, and their limit is computed exactly;
- *sequentially rational*: at every information set, given the belief there, no other own play from
  there on earns more. That is checked by a best response from each information set.

Any number of players, payoffs of any sum. The check is complete for the trembles given: if it
fails, other trembles may still support the same profile with other beliefs.
"""

from fractions import Fraction
from typing import ClassVar

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.claim import (
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.declared_types import (
    require_declared_arguments,
)
from gametheory_core.certificates.quasi_perfect import not_the_limit
from gametheory_core.certificates.wording import rationals, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.off_path import Prospect, prospects
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.assessment import Assessment, limit_assessment
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.sequence_form import sequence_form
from gametheory_core.strategies.trembles import TremblingProfile

KIND = "sequential"


def certify_sequential(
    game: ExtensiveFormGame, trembles: TremblingProfile
) -> "SequentialCertificate":
    """Check that the limit of trembles is a sequential equilibrium, and state it as a certificate.

    Args:
        game: Perfect recall, any number of players, payoffs of any sum.
        trembles: From a solver, or by hand: ``trembling_profile``, ``uniform_trembles``.

    Raises:
        InvalidStrategy: If the trembles are no completely mixed plans of the game.
        UnsupportedGame: If a player forgets, or chance excludes an information set.
        CertificateRejected: If a deviation gains with the beliefs that these trembles give; names
            information set, action and gain.

    Time is linear in the number of nodes, times the number of own moves in a play.

    Source: D. M. Kreps, R. Wilson (1982), "Sequential equilibria", Econometrica 50, 863-894.

    >>> from gametheory_core import load_game, pure_behavior
    >>> from gametheory_core.strategies.trembles import trembling_profile
    >>> quiche = load_game("beer_quiche")  # everyone drinks beer, or there is a duel
    >>> often, rare, rarer = [1, 0, -1], [0, 1], [0, 0, 1]  # the weak slip to quiche more easily
    >>> strong, weak, duel_after_quiche = [often, rarer], [[1, -1], rare], [[1, -1], rare]
    >>> trembles = trembling_profile(quiche, [strong, weak, [rare, [1, -1]], duel_after_quiche])
    >>> [str(belief) for belief in certify_sequential(quiche, trembles).beliefs[3]]
    ['0', '1']
    """
    require_tree(game)
    require_declared_arguments(SequentialCertificate, trembles=trembles)
    form = sequence_form(game)
    assessment = limit_assessment(form, trembles)
    for prospect in reversed(prospects(form, assessment)):
        if prospect.gain:
            _reject(game, prospect)
    payoffs = rationals(expected_payoffs(game, assessment.profile))
    return SequentialCertificate(game, assessment.profile, assessment.beliefs, payoffs, trembles)


@claim(KIND, measure=certify_sequential, proves=("sequential",))
class SequentialCertificate:
    """The claim that a profile with beliefs is a sequential equilibrium.

    Attributes:
        game: Perfect recall, any number of players; chance excludes no information set.
        profile: Rational; the limit of the trembles.
        beliefs: Over the nodes of each information set of players, in breadth-first order.
        payoffs: Expected payoff of each player from the root; payoff units.
        trembles: Witness: completely mixed profiles that tend, with their Bayes beliefs, to the
            assessment.
    """

    kind: ClassVar[str]
    game: ExtensiveFormGame
    profile: BehavioralProfile = claimed(fault=not_the_limit)
    beliefs: tuple[tuple[Fraction, ...], ...] = claimed()
    payoffs: tuple[Fraction, ...] = claimed()
    trembles: TremblingProfile
    verify = verify_claim
    answer = claim_answer

    @property
    def assessment(self) -> Assessment:
        """Profile and beliefs together."""
        return Assessment(self.profile, self.beliefs)

    @property
    def epsilon(self) -> Fraction:
        """The largest gain from a deviation at any information set: always 0."""
        return ZERO

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return (
            "a sequential equilibrium: with beliefs that trembles explain, no player gains "
            "anything by deviating at any information set"
        )


def _reject(game: ExtensiveFormGame, prospect: Prospect) -> None:
    infoset = game.infosets[prospect.infoset]
    best = infoset.actions[prospect.action_values.index(max(prospect.action_values))]
    raise CertificateRejected(
        needs="no gain at any information set",
        found=f"at {describe_infoset(infoset)} action {best!r}, and the best play after it, gains "
        f"{written(prospect.gain)} over the profile, given the belief there",
        remedy="Do not use this answer, or give other trembles.",
        where=f"{KIND} certificate",
    )
