"""Quantal response certificates: how far a profile is from a logit response to itself.

In a logit quantal response equilibrium of rationality ``t``, ``ln p(a) - ln p(b)`` is
``t (v(a) - v(b))`` for any two actions of a player, with ``v`` what actions earn against the others
(McKelvey and Palfrey 1995). Logarithms of rationals are irrational, so a rational profile other
than the uniform one is hardly ever exactly that; how far it is off at most is stated, from
logarithms enclosed between rationals.
"""

from fractions import Fraction
from typing import cast

from gametheory_core.certificates.claim import Checkable, claim, claimed
from gametheory_core.certificates.wording import at_most, rationals, require_exact_profile, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.payoffs import action_payoffs, expected_payoffs
from gametheory_core.evaluation.regrets import logarithm_enclosure
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile

KIND = "quantal-response"


def certify_quantal_response(
    game: NormalFormGame, profile: MixedProfile, *, rationality: Fraction
) -> "QuantalResponseCertificate":
    """Measure how far a profile is from a logit quantal response equilibrium, and state it.

    Args:
        profile: Exact; every action has a positive probability.
        rationality: At least 0, in units of one over payoffs.

    Raises:
        CertificateRejected: If the profile is not rational, excludes an action or does not fit the
            game, or the rationality is negative.

    >>> from gametheory_core import load_game, uniform_profile
    >>> pennies = load_game("matching_pennies")
    >>> found = certify_quantal_response(pennies, uniform_profile(pennies), rationality=Fraction(7))
    >>> found.residual < Fraction(1, 10**24)
    True
    """
    require_exact_profile(game, profile, kind=KIND)
    if rationality < 0:
        raise CertificateRejected(
            needs="a rationality of at least 0", found=f"it is {written(rationality)}"
        )
    return QuantalResponseCertificate(
        game=game,
        profile=profile,
        rationality=rationality,
        payoffs=rationals(expected_payoffs(game, profile)),
        residual=max(
            _residual(game, profile, player, rationality) for player in range(game.num_players)
        ),
    )


@claim(KIND, measure=certify_quantal_response, proves=("quantal-response",))
class QuantalResponseCertificate(Checkable):
    """The claim that each player mixes by a logit response to the others, up to ``residual``.

    Attributes:
        profile: Rational; every action has a positive probability.
        rationality: In units of one over payoffs.
        payoffs: Expected payoff of each player.
        residual: How far ``ln p(a) - ln p(b)`` is from ``rationality * (v(a) - v(b))`` at most, for
            two actions of one player that earn ``v``; no unit.
    """

    game: NormalFormGame
    profile: MixedProfile
    rationality: Fraction
    payoffs: tuple[Fraction, ...] = claimed()
    residual: Fraction = claimed()

    @property
    def epsilon(self) -> Fraction:
        """The residual."""
        return self.residual

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return (
            f"a logit quantal response of rationality {written(self.rationality)}: logarithms of "
            "probabilities differ by as much as rationality times payoffs, up to "
            f"{at_most(self.residual)}"
        )


def _residual(
    game: NormalFormGame, profile: MixedProfile, player: int, rationality: Fraction
) -> Fraction:
    """Bound the spread of ``ln p(a) - t v(a)`` over a player's actions."""
    values = cast("list[Fraction]", action_payoffs(game, profile, player=player).tolist())
    lowest: list[Fraction] = []
    highest: list[Fraction] = []
    for action, (probability, value) in enumerate(
        zip(profile.strategies[player].tolist(), values, strict=True)
    ):
        if not probability:
            raise CertificateRejected(
                needs="a positive probability of every action",
                found=f"{game.actions[player][action]!r} of {game.players[player]!r} has none",
            )
        logarithm = logarithm_enclosure(probability)
        lowest.append(logarithm.lower - rationality * value)
        highest.append(logarithm.upper - rationality * value)
    return max(highest) - min(lowest)
