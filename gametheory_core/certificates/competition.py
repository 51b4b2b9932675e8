"""What strict competition proves: what one player is held to, no commitment or mediator raises.

Let every play of a tree with perfect recall pay ``k * u0 + u1 = c``, with ``k > 0``.

*Commitment.* Let ``y`` be any strategy of the follower, and ``L`` what the leader is paid. Whatever
strategy ``x`` the leader commits to, a best reply ``r`` pays the follower at least what ``y`` does,
and so pays the leader no more than ``y`` does:

    L(x, r)  <=  L(x, y)  <=  max over x' of L(x', y).

So a best response to ``y`` bounds all commitments, however ties break. It bounds correlated ones
too, since a follower who obeys gains nothing by playing ``y`` instead from the start.

*Correlation.* In any equilibrium of a mediator, no player gains by playing a minimax strategy from
the start instead of obeying. So both get at least what they can guarantee, which leaves nothing
more: each gets exactly the value, and any weighted sum of payoffs is the same in all equilibria. A
mixture whose best deviations gain ``g`` is that near to the value: ``u(i) + g(i)`` is at least
player i's value, for both players.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import cast

from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.deviations import best_response
from gametheory_core.evaluation.extensive_deviations import distance_to
from gametheory_core.evaluation.triggers import ExtensiveCorrelation
from gametheory_core.games.competition import exchange_of, is_strictly_competitive
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.correlated import BehavioralMixture


def most_against_reply(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, leader: int
) -> Fraction:
    """Return what the follower's strategy holds every commitment down to.

    Raises:
        CertificateRejected: If the tree is not strictly competitive.
    """
    require_competition(game)
    return cast("Fraction", best_response(game, profile, player=leader).value)


def most_against_obedience(
    game: ExtensiveFormGame, mixture: BehavioralMixture, *, leader: int
) -> Fraction:
    """Return what the follower's part of a mixture holds every obeyed mixture down to.

    Raises:
        CertificateRejected: If the tree is not strictly competitive.
    """
    require_competition(game)
    found = distance_to(game, mixture, kind=ExtensiveCorrelation.NORMAL_FORM_COARSE)
    return found.payoffs[leader] + found.players[leader].gain


def most_in_equilibrium(
    game: ExtensiveFormGame,
    weights: Sequence[Fraction],
    *,
    payoffs: Sequence[Fraction],
    gains: Sequence[Fraction],
) -> Fraction:
    """Bound a weighted sum of payoffs over all equilibria of a mediator.

    Args:
        weights: Of both players' payoffs in the sum.
        payoffs, gains: Of a mixture, and of each player's best deviation from it, which may be that
            of any kind that lets players leave at the start of play.

    Raises:
        CertificateRejected: If the tree is not strictly competitive.
    """
    require_competition(game)
    rate = exchange_of(game).rate
    slope = weights[0] - rate * weights[1]  # of the sum, as a function of player 0's payoff
    rise = gains[0] if slope > 0 else gains[1] / rate
    own = sum((w * u for w, u in zip(weights, payoffs, strict=True)), Fraction(0))
    return own + abs(slope) * rise


def require_competition(game: ExtensiveFormGame) -> None:
    """Reject games that the proof does not fit."""
    verdict = is_strictly_competitive(game)
    if not verdict:
        raise CertificateRejected(
            needs="a strictly competitive game, where strategies alone are the proof",
            found=verdict.reason,
        )
