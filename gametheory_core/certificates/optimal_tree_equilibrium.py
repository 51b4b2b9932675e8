"""Certificates of the best equilibrium of a two-player tree, by what its plans prove.

With perfect recall, behavioral equilibria of a tree are mixed equilibria of its reduced normal form
that pay the same, and the other way round (Kuhn 1953). So a proof by cases about that matrix, whose
actions are the reduced plans in lexicographic order, bounds all equilibria of the tree. In a
strictly competitive tree none is needed: all equilibria pay the same (``competition``).
"""

from fractions import Fraction

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.claim import Checkable, answer_payoffs, claim, claimed
from gametheory_core.certificates.competition import most_in_equilibrium
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.dominance import Elimination
from gametheory_core.certificates.equilibrium_bounds import Label, Leaf, cases_of, check_proof
from gametheory_core.certificates.extensive_stackelberg import require_two_player_recall
from gametheory_core.certificates.optimal_equilibrium import (
    NEGATIVE_OBJECTIVES,
    SUPPORT_OBJECTIVES,
    WELFARE_OBJECTIVES,
    EquilibriumObjective,
    best_sentence,
    certify_equilibrium,
    first_case,
    leaf_bound,
    objective_value,
    scaled_scores,
    score_gap,
)
from gametheory_core.certificates.wording import require_exact_profile
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile

KIND = "optimal-tree-equilibrium"


def certify_optimal_tree_equilibrium(
    game: ExtensiveFormGame,
    profile: BehavioralProfile,
    *,
    objective: EquilibriumObjective,
    player: int = 0,
    questions: tuple[Label | None, ...] = (),
    leaves: tuple[Leaf, ...] = (),
    eliminations: tuple[Elimination, ...] = (),
) -> "OptimalTreeEquilibriumCertificate":
    """Measure an equilibrium of a tree and the bound that a proof by cases gives, and state both.

    Args:
        game: Two players, perfect recall.
        profile: Rational; an equilibrium of the tree.
        objective: About payoffs.
        player: Whose payoff, where the objective is about one player's.
        questions, leaves, eliminations: As in ``OptimalTreeEquilibriumCertificate``.

    Raises:
        CertificateRejected: If the profile is no equilibrium, or the proof has a gap.
        UnsupportedGame: If the reduced normal form is too large.

    >>> from gametheory_core import load_game, pure_behavior
    >>> centipede = load_game("centipede:rounds=2")
    >>> take, most = pure_behavior(centipede, (0, 0)), EquilibriumObjective.LARGEST_WELFARE
    >>> certificate = certify_optimal_tree_equilibrium(
    ...     centipede, take, objective=most, questions=(None,), leaves=(Leaf(),)
    ... )
    >>> certificate.score, certificate.upper_bound
    (Fraction(2, 1), Fraction(6, 1))
    """
    require_declared_arguments(OptimalTreeEquilibriumCertificate, **locals())
    require_two_player_recall(game, player)
    require_exact_profile(game, profile, kind=KIND)
    if objective in SUPPORT_OBJECTIVES:
        raise CertificateRejected(
            needs="an objective about payoffs", found=f"it is {objective.value!r}"
        )
    nash = certify_equilibrium(game, profile)
    weights = _weights(objective, player)
    score = sum((w * u for w, u in zip(weights, nash.payoffs, strict=True)), ZERO)
    if questions or leaves or eliminations:
        bound = max([score, *_bounds(game, objective, player, questions, leaves, eliminations)])
    else:
        bound = most_in_equilibrium(game, weights, payoffs=nash.payoffs, gains=nash.deviation_gains)
    return OptimalTreeEquilibriumCertificate(
        game, profile, objective, player, score, bound, questions, leaves, eliminations
    )


@claim(KIND, measure=certify_optimal_tree_equilibrium, proves=("best-nash",))
class OptimalTreeEquilibriumCertificate(Checkable):
    """The claim that a profile is an equilibrium, has this score, and none scores above a bound.

    The *score* is what the objective makes large: the sum of payoffs, or one player's payoff; or
    minus that, where the objective makes it small.

    Attributes:
        game: Two players, perfect recall; chance is allowed.
        profile: Rational; an exact equilibrium.
        objective: About payoffs.
        player: Whose payoff, where the objective is about one player's; else 0.
        score: Of the profile; payoff units.
        upper_bound: No equilibrium has a larger score; equals ``score`` for a best equilibrium.
        questions: The proof by cases about the reduced normal form, in preorder: a plan that is
            unplayed (first) or played; None for a leaf. Empty, like ``leaves``, if strict
            competition is the proof.
        leaves: In the order of the ``None`` entries.
        eliminations: Of strictly dominated plans, in order, rounds numbered from 1; they are
            unplayed before the first question.
    """

    game: ExtensiveFormGame
    profile: BehavioralProfile
    objective: EquilibriumObjective
    player: int
    score: Fraction = claimed()
    upper_bound: Fraction = claimed()
    questions: tuple[Label | None, ...]
    leaves: tuple[Leaf, ...]
    eliminations: tuple[Elimination, ...] = ()
    payoffs = answer_payoffs
    epsilon = score_gap
    value = objective_value

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return best_sentence(self)


def _weights(objective: EquilibriumObjective, player: int) -> tuple[Fraction, ...]:
    sign = -ONE if objective in NEGATIVE_OBJECTIVES else ONE
    counted = (0, 1) if objective in WELFARE_OBJECTIVES else (player,)
    return tuple(sign if i in counted else ZERO for i in range(2))


def _bounds(
    game: ExtensiveFormGame,
    objective: EquilibriumObjective,
    player: int,
    questions: tuple[Label | None, ...],
    leaves: tuple[Leaf, ...],
    eliminations: tuple[Elimination, ...],
) -> list[Fraction]:
    """Return the bounds of all cases that may have an equilibrium of the reduced normal form."""
    normal = extensive_to_normal(game).target
    check_proof(normal, questions, leaves)
    scores = scaled_scores(normal, objective=objective, player=player)
    found = [
        leaf_bound(normal, case, leaf, objective=objective, scores=scores)
        for case, leaf in cases_of(first_case(normal, (), eliminations), questions, leaves)
    ]
    return [bound for bound in found if bound is not None]
