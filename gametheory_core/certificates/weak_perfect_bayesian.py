"""Weak perfect Bayesian certificates: best play given beliefs, and Bayes' rule where play comes.

An assessment, a profile with beliefs, is a *weak perfect Bayesian equilibrium* (Mas-Colell,
Whinston and Green 1995, Definition 9.C.3) if

- it is *sequentially rational*: at every information set, given the belief there, no other own play
  from there on earns more;
- beliefs follow from the profile by Bayes' rule *where play comes with positive probability*.

Elsewhere any belief will do. So it need not be subgame perfect, and is weaker than a sequential
equilibrium, whose beliefs vanishing mistakes have to explain everywhere.
"""

from fractions import Fraction

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.claim import Checkable, answer_payoffs, claim
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.refinements import reject_prospect
from gametheory_core.certificates.wording import require_exact_profile, written
from gametheory_core.errors import CertificateRejected, InvalidStrategy
from gametheory_core.evaluation.off_path import prospects
from gametheory_core.evaluation.payoffs import reach_probabilities
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.sequences import sequence_form
from gametheory_core.strategies.trembles import Assessment, infoset_nodes

KIND = "weak-perfect-bayesian"

Beliefs = tuple[tuple[Fraction, ...], ...]


def certify_weak_perfect_bayesian(
    game: ExtensiveFormGame, profile: BehavioralProfile, beliefs: Beliefs
) -> "WeakPerfectBayesianCertificate":
    """Check that a profile with beliefs is a weak perfect Bayesian equilibrium, and state it.

    Args:
        game: Perfect recall, any number of players.
        profile: Rational.
        beliefs: Over the nodes of each information set of players, in breadth-first order.

    Raises:
        InvalidStrategy: If beliefs are no distributions over the nodes; names the information set.
        UnsupportedGame: If a player forgets.
        CertificateRejected: If a belief is not Bayes', or a deviation gains; names the information
            set.

    Source: A. Mas-Colell, M. Whinston, J. Green, Microeconomic Theory (1995), Definition 9.C.3.

    >>> from gametheory_core import load_game, pure_behavior
    >>> quiche = load_game("beer_quiche")  # all have beer; who does not is believed to be weak
    >>> beer, half = pure_behavior(quiche, (0, 0, 1, 0)), Fraction(1, 2)
    >>> seen = (Fraction(9, 10), Fraction(1, 10))
    >>> sure = (Fraction(1),)
    >>> beliefs = (sure, sure, seen, (half, half))
    >>> [str(payoff) for payoff in certify_weak_perfect_bayesian(quiche, beer, beliefs).payoffs]
    ['29/10', '9/10']
    """
    require_tree(game)
    require_declared_arguments(WeakPerfectBayesianCertificate, beliefs=beliefs)
    form = sequence_form(game)
    require_exact_profile(game, profile, kind=KIND)
    _require_distributions(game, beliefs)
    _require_bayes(game, profile, beliefs)
    for prospect in reversed(prospects(form, Assessment(profile, beliefs))):
        if prospect.gain:
            reject_prospect(game, prospect, others="beliefs")
    return WeakPerfectBayesianCertificate(game, profile, beliefs)


@claim(KIND, measure=certify_weak_perfect_bayesian)
class WeakPerfectBayesianCertificate(Checkable):
    """The claim that a profile with beliefs is a weak perfect Bayesian equilibrium.

    Attributes:
        game: Perfect recall, any number of players.
        profile: Rational.
        beliefs: Over the nodes of each information set of players, in breadth-first order.
    """

    game: ExtensiveFormGame
    profile: BehavioralProfile
    beliefs: tuple[tuple[Fraction, ...], ...]
    epsilon = ZERO
    statement = (
        "a weak perfect Bayesian equilibrium: with beliefs that are Bayes' where play comes, "
        "and any elsewhere, no player gains anything by deviating at any information set"
    )
    payoffs = answer_payoffs


def _require_distributions(game: ExtensiveFormGame, beliefs: Beliefs) -> None:
    nodes = infoset_nodes(game)
    if len(beliefs) != len(nodes):
        raise InvalidStrategy(
            needs=f"a belief at each of {len(nodes)} information sets",
            found=f"there are {len(beliefs)}",
        )
    for infoset, (own, belief) in enumerate(zip(nodes, beliefs, strict=True)):
        where = describe_infoset(game.infosets[infoset])
        if len(belief) != len(own) or min(belief) < 0 or sum(belief) != ONE:
            raise InvalidStrategy(
                needs=f"a distribution over {len(own)} nodes at {where}",
                found=f"the belief is {written(belief)}",
            )


def _require_bayes(game: ExtensiveFormGame, profile: BehavioralProfile, beliefs: Beliefs) -> None:
    reach = reach_probabilities(game, profile).tolist()
    for infoset, (nodes, belief) in enumerate(zip(infoset_nodes(game), beliefs, strict=True)):
        total = sum((reach[v] for v in nodes), ZERO)
        posterior = tuple(reach[v] / total for v in nodes) if total else belief
        if posterior != belief:
            raise CertificateRejected(
                needs="Bayes' rule where play comes",
                found=f"at {describe_infoset(game.infosets[infoset])} the belief is "
                f"{written(belief)}, but the profile gives {written(posterior)}",
            )
