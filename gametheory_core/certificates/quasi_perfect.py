"""Quasi-perfect certificates: best replies from every information set on, while others tremble.

A profile ``b`` is *quasi-perfect* (van Damme 1984) if completely mixed profiles ``b(epsilon)`` tend
to it, and for each player ``i`` and each own information set ``I``, what ``b_i`` does from ``I`` on
is a best reply to the others' ``b(epsilon)``. Here the trembles are polynomials in a symbolic
epsilon, and one sweep over the own information sets, last to first,

    value(I) = max over a of value(I a),     value(I a) = g[I a] + sum of value(J), own J after I a,

with polynomials ``g`` ordered as they are for all small epsilon > 0, decides it: every action that
``b_i`` plays must attain the maximum. That is the definition itself; no theorem is relied on.
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
from gametheory_core.certificates.wording import rationals
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.off_path import TremblingPayoffs, trembling_payoffs
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.assessment import (
    others_reach,
    require_possible_infosets,
    total_reach,
)
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.sequence_form import SequenceForm, sequence_form
from gametheory_core.strategies.trembles import TremblingProfile, leading_term, limit_profile

KIND = "quasi-perfect"


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
    >>> from gametheory_core.strategies.trembles import uniform_trembles
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


@claim(KIND, measure=certify_quasi_perfect, proves=("quasi-perfect",))
class QuasiPerfectCertificate:
    """The claim that a profile is a quasi-perfect equilibrium.

    Attributes:
        game: Perfect recall, any number of players; chance excludes no information set.
        profile: Rational; the limit of the trembles.
        payoffs: Expected payoff of each player; payoff units.
        trembles: Witness: completely mixed profiles against which the limit is a best reply
            everywhere.
    """

    kind: ClassVar[str]
    game: ExtensiveFormGame
    profile: BehavioralProfile = claimed(fault=not_the_limit)
    payoffs: tuple[Fraction, ...] = claimed()
    trembles: TremblingProfile
    verify = verify_claim
    answer = claim_answer

    @property
    def epsilon(self) -> Fraction:
        """The largest gain from a deviation in the game without trembles: always 0."""
        return ZERO

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return (
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
        where=f"{KIND} certificate",
    )
