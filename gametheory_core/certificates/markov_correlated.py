"""Correlated Markov certificates: a mediator who sees the state, and whom to disobey never pays.

At each time the mediator draws a joint action by time and state alone and tells each player the own
part. A player who considers disobeying, once or often, faces a Markov decision problem whose state
is what play is in and what the player was just told; backwards, its values bound every plan.
"""

from fractions import Fraction
from typing import ClassVar

import numpy as np

from gametheory_core.arguments import shown
from gametheory_core.arrays import ZERO, ExactArray, is_rational
from gametheory_core.certificates.claim import (
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.declared_types import (
    require_declared_arguments,
)
from gametheory_core.certificates.wording import at_least, at_most, exactly, written
from gametheory_core.conversions.tabular import markov_view
from gametheory_core.errors import CertificateRejected, InvalidArgument
from gametheory_core.evaluation.stage_payoffs import obedience, stage_payoffs
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.rules import POSG
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.strategies.markov_policies import (
    MarkovCorrelation,
    check_markov_correlation,
)

KIND = "markov-correlated"


def _measure(game: TabularPOSG, profile: MarkovCorrelation) -> "MarkovCorrelatedCertificate":
    return certify_markov_correlated(game, profile, tolerance=None)


@claim(KIND, measure=_measure, proves=("markov-correlated",))
class MarkovCorrelatedCertificate:
    """The claim that from no time and state on a player gains more than epsilon by disobeying.

    Attributes:
        game: Any number of players, all of whom see the state; with a horizon.
        profile: What the mediator draws, by time and state.
        payoffs: Expected return of each obedient player.
        epsilon: The largest gain of any plan of disobedience; payoff units.
    """

    kind: ClassVar[str]
    game: TabularPOSG
    profile: MarkovCorrelation
    payoffs: tuple[Fraction, ...] = claimed()
    epsilon: Fraction = claimed()
    verify = verify_claim
    answer = claim_answer

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        returns = ", ".join(map(at_least, self.payoffs))
        paid = f"a mediator who looks at time and state pays ({returns})"
        if not self.epsilon:
            return f"{paid}: from no time and state on does a player gain anything by disobeying"
        return (
            f"{paid}: from no time and state on does a player gain more than epsilon = "
            f"{at_most(self.epsilon)} by disobeying"
        )


def certify_markov_correlated(
    game: POSG | MarkovView, profile: MarkovCorrelation, *, tolerance: Fraction | None = ZERO
) -> MarkovCorrelatedCertificate:
    """Check a mediator who looks at time and state, and state the result as a certificate.

    Args:
        game: Any number of players, all of whom see the state; with a horizon.
        tolerance: Largest gain accepted, in payoff units; None accepts any. Default: 0.

    Raises:
        CertificateRejected: If disobeying gains more; names who, when and where.
        UnsupportedGame: If a player cannot tell two states apart, or there is no horizon.
        InvalidStrategy: If the correlation does not fit the game.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.strategies.correlated import correlated_distribution
    >>> view = markov_view(RepeatedGame.of("battle_of_the_sexes", rounds=2, recall=0))
    >>> coin = correlated_distribution([["1/2", 0], [0, "1/2"]])
    >>> certify_markov_correlated(view, MarkovCorrelation(((coin,), (coin,)))).epsilon
    Fraction(0, 1)
    """
    view = markov_view(game)
    require_declared_arguments(MarkovCorrelatedCertificate, profile=profile)
    if tolerance is not None and not (is_rational(tolerance) and tolerance >= 0):
        raise InvalidArgument(
            needs="a tolerance of at least 0 as a Fraction, or None to measure any gain",
            found=f"got {shown(tolerance)}",
        )
    check_markov_correlation(view, profile)
    shape = (view.num_states, view.num_players)
    own: ExactArray = np.full(shape, ZERO, dtype=object)
    best: ExactArray = np.full(shape, ZERO, dtype=object)
    most, where = ZERO, ""
    for time in reversed(range(len(view.layers))):
        paid, paid_best = stage_payoffs(view, own), stage_payoffs(view, best)
        own, best = np.full(shape, ZERO, dtype=object), np.full(shape, ZERO, dtype=object)
        for state, law in enumerate(profile.distributions[time]):
            if law is None:
                continue
            for player in range(view.num_players):
                here = obedience(view, state, player, law, paid[player])
                own[state, player] = here.own
                best[state, player] = obedience(view, state, player, law, paid_best[player]).best
                gain = best[state, player] - here.own
                if gain > most:
                    most = gain
                    where = (
                        f"from time {time} in state {view.game.states[state]!r} on player "
                        f"{view.game.players[player]!r}"
                    )
    if tolerance is not None and most > tolerance:
        raise CertificateRejected(
            needs=f"no gain above {written(tolerance)} by disobeying",
            found=f"{where} gains {exactly(most)}",
            remedy="Do not use this answer.",
            where=f"{KIND} certificate",
        )
    payoffs = tuple(
        sum((weight * own[state, player] for state, weight in view.initial), ZERO)
        for player in range(view.num_players)
    )
    return MarkovCorrelatedCertificate(view.game, profile, payoffs, most)
