"""Quasi-perfect certificates: best replies from every information set on, while others tremble.

A profile ``b`` is *quasi-perfect* (van Damme 1984) if completely mixed profiles ``b(epsilon)`` tend
to it, and for each player ``i`` and each own information set ``I``, what ``b_i`` does from ``I`` on
is a best reply to the others' ``b(epsilon)``. Here the trembles are polynomials in a symbolic
epsilon, and one sweep over the own information sets, last to first,

    value(I) = max over a of value(I a),     value(I a) = g[I a] + sum of value(J), own J after I a,

with polynomials ``g`` ordered as they are for all small epsilon > 0, decides it: every action that
``b_i`` plays must attain the maximum. That is the definition itself; no theorem is relied on.

Sequential certificates: consistent beliefs, and the best own play from everywhere on.

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

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.claim import Checkable, claim, claimed
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.wording import rationals, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.off_path import (
    Prospect,
    TremblingPayoffs,
    prospects,
    trembling_payoffs,
)
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.sequences import SequenceForm, sequence_form
from gametheory_core.strategies.trembles import (
    Assessment,
    TremblingProfile,
    leading_term,
    limit_assessment,
    limit_profile,
    others_reach,
    require_possible_infosets,
    total_reach,
)

QUASI_PERFECT = "quasi-perfect"


def certify_quasi_perfect(
    game: ExtensiveFormGame, trembles: TremblingProfile
) -> "QuasiPerfectCertificate":
    """Check that the limit of trembles is quasi-perfect, and state it as a certificate.

    Args:
        game: Perfect recall, any number of players.
        trembles: From a solver, or by hand: ``trembling_profile``, ``uniform_trembles``.

    Raises:
        InvalidStrategy: If the trembles are no completely mixed plans of the game.
        UnsupportedGame: If a player forgets, or chance excludes an information set.
        CertificateRejected: If an action that the limit plays is no best reply to the trembles;
            names the information set, a better action and its gain. Other trembles may still do.

    Time is linear in the number of plays, times the number of coefficients.

    Source: E. van Damme (1984), "A relation between perfect equilibria in extensive form games and
        proper equilibria in normal form games", International Journal of Game Theory 13, 1-13.

    >>> from gametheory_core import load_game, pure_behavior
    >>> from gametheory_core.strategies import uniform_trembles
    >>> ace = load_game("guess_the_ace")
    >>> sensible = uniform_trembles(ace, pure_behavior(ace, (0, 1)))
    >>> [str(payoff) for payoff in certify_quasi_perfect(ace, sensible).payoffs]
    ['0', '0']
    """
    require_tree(game)
    require_declared_arguments(QuasiPerfectCertificate, trembles=trembles)
    form = sequence_form(game)
    require_possible_infosets(game)
    profile = limit_profile(form, trembles)
    for player in range(game.num_players):
        _require_best_replies(form, trembles, profile, player)
    payoffs = rationals(expected_payoffs(game, profile))
    return QuasiPerfectCertificate(game, profile, payoffs, trembles)


def not_the_limit(ours: BehavioralProfile, theirs: BehavioralProfile) -> str:
    """Say that a claimed profile is not the limit of the trembles, or return ""."""
    return "" if ours == theirs else "other than the one to which the trembles tend"


@claim(QUASI_PERFECT, measure=certify_quasi_perfect, proves=("quasi-perfect",))
class QuasiPerfectCertificate(Checkable):
    """The claim that a profile is a quasi-perfect equilibrium.

    Attributes:
        game: Perfect recall, any number of players; chance excludes no information set.
        profile: Rational; the limit of the trembles.
        payoffs: Expected payoff of each player; payoff units.
        trembles: Witness: completely mixed profiles against which the limit is a best reply
            everywhere.
    """

    game: ExtensiveFormGame
    profile: BehavioralProfile = claimed(fault=not_the_limit)
    payoffs: tuple[Fraction, ...] = claimed()
    trembles: TremblingProfile
    epsilon = ZERO
    statement = (
        "a quasi-perfect equilibrium: from every information set on a best reply to opponents "
        "who tremble"
    )


def _require_best_replies(
    form: SequenceForm, trembles: TremblingProfile, profile: BehavioralProfile, player: int
) -> None:
    payoffs = trembling_payoffs(form, trembles, player=player)
    own, values = form.players[player], payoffs.collected
    for k in reversed(range(len(own.infosets))):
        start, stop = own.first_sequence[k], own.first_sequence[k + 1]
        local = values[start:stop]
        best = max(local)  # as words: for all small epsilon > 0
        probabilities = profile.probabilities[own.infosets[k]].tolist()
        for action, (probability, value) in enumerate(zip(probabilities, local, strict=True)):
            if probability and value != best:
                _reject(form, trembles, payoffs, k, played=action, better=local.index(best))
        onward = values[own.parent_sequence[k]]
        for order, coefficient in enumerate(best):
            onward[order] += coefficient


def _reject(
    form: SequenceForm,
    trembles: TremblingProfile,
    payoffs: TremblingPayoffs,
    k: int,
    *,
    played: int,
    better: int,
) -> None:
    own = form.players[payoffs.player]
    infoset = form.game.infosets[own.infosets[k]]
    first = payoffs.collected[own.first_sequence[k] + played]
    second = payoffs.collected[own.first_sequence[k] + better]
    gain = leading_term(
        tuple(Fraction(b - a, payoffs.scale) for a, b in zip(first, second, strict=True))
    )
    reach = total_reach(others_reach(form, trembles)[own.infosets[k]])
    raise CertificateRejected(
        needs="best replies to the trembles",
        found=f"at {describe_infoset(infoset)} action {infoset.actions[better]!r} gains about "
        f"{gain and gain / reach} over {infoset.actions[played]!r}, which the limit plays",
        remedy="Do not use this answer, or give other trembles.",
    )


SEQUENTIAL = "sequential"


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
    >>> from gametheory_core.strategies import trembling_profile
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
            reject_prospect(game, prospect, others="trembles")
    payoffs = rationals(expected_payoffs(game, assessment.profile))
    return SequentialCertificate(game, assessment.profile, assessment.beliefs, payoffs, trembles)


@claim(SEQUENTIAL, measure=certify_sequential, proves=("sequential", "all-sequential"))
class SequentialCertificate(Checkable):
    """The claim that a profile with beliefs is a sequential equilibrium.

    Attributes:
        game: Perfect recall, any number of players; chance excludes no information set.
        profile: Rational; the limit of the trembles.
        beliefs: Over the nodes of each information set of players, in breadth-first order.
        payoffs: Expected payoff of each player from the root; payoff units.
        trembles: Witness: completely mixed profiles that tend, with their Bayes beliefs, to the
            assessment.
    """

    game: ExtensiveFormGame
    profile: BehavioralProfile = claimed(fault=not_the_limit)
    beliefs: tuple[tuple[Fraction, ...], ...] = claimed()
    payoffs: tuple[Fraction, ...] = claimed()
    trembles: TremblingProfile
    epsilon = ZERO
    statement = (
        "a sequential equilibrium: with beliefs that trembles explain, no player gains "
        "anything by deviating at any information set"
    )

    @property
    def assessment(self) -> Assessment:
        """Profile and beliefs together."""
        return Assessment(self.profile, self.beliefs)


def reject_prospect(game: ExtensiveFormGame, prospect: Prospect, *, others: str) -> None:
    """Reject what gains by deviating at an information set; other trembles or beliefs may not."""
    infoset = game.infosets[prospect.infoset]
    best = infoset.actions[prospect.action_values.index(max(prospect.action_values))]
    raise CertificateRejected(
        needs="no gain at any information set",
        found=f"at {describe_infoset(infoset)} action {best!r}, and the best play after it, gains "
        f"{written(prospect.gain)} over the profile, given the belief there",
        remedy=f"Do not use this answer, or give other {others}.",
    )
