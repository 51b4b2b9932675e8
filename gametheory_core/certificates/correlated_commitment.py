"""Commitment to a correlated strategy: what it earns, and that none earns more.

The leader commits to a lottery over joint actions, which names an action to every follower in
secret. Followers must be willing to obey; the leader is bound. So the leader's best lottery is a
correlated equilibrium in all but the leader's own incentives, and prices on the followers' prove
that it is best, as ``incentives`` explains.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from gametheory_core.certificates.claim import (
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.declared_types import (
    require_declared_arguments,
)
from gametheory_core.certificates.incentives import (
    CorrelatedKind,
    IncentivePrice,
    added,
    incentive_charges,
    kind_regret,
)
from gametheory_core.certificates.wording import at_most, exactly
from gametheory_core.errors import CertificateRejected, InvalidStrategy
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_payoffs

KIND = "correlated-commitment"


def certify_correlated_commitment(
    game: NormalFormGame,
    distribution: CorrelatedDistribution,
    *,
    leader: int,
    prices: Sequence[IncentivePrice],
) -> "CorrelatedCommitmentCertificate":
    """Check that followers obey, measure payoffs and the bound that prices prove, and state them.

    Args:
        distribution: Over the joint actions of the game.
        leader: Who commits, from 0.
        prices: For deviations of followers, at least 0 each.

    Raises:
        CertificateRejected: If a follower gains by disobeying, or something does not fit the game.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.strategies.correlated import correlated_distribution
    >>> game = load_game("chicken")
    >>> surely = correlated_distribution([[0, 0], [1, 0]])
    >>> certify_correlated_commitment(game, surely, leader=0, prices=()).epsilon
    Fraction(0, 1)
    """
    require_declared_arguments(
        CorrelatedCommitmentCertificate,
        leader=leader,
        distribution=distribution,
        prices=tuple(prices),
    )
    if leader not in range(game.num_players):
        raise CertificateRejected(
            needs=f"a leader from 0 to {game.num_players - 1}",
            found=f"got {leader!r}",
            where=f"{KIND} certificate",
        )
    if any(entry.player == leader for entry in prices):
        raise CertificateRejected(
            needs="prices of followers' deviations only",
            found=f"the leader, player {leader}, has one: the leader is bound by the commitment",
            where=f"{KIND} certificate",
        )
    try:
        payoffs = correlated_payoffs(game, distribution)
    except InvalidStrategy as error:
        raise CertificateRejected(f"{KIND} certificate: {error}") from None
    for follower in range(game.num_players):
        if follower == leader:
            continue
        regret = kind_regret(game, distribution, CorrelatedKind.CORRELATED, follower)
        if regret > 0:
            raise CertificateRejected(
                needs="followers who obey",
                found=f"player {game.players[follower]!r} gains {regret} by disobeying",
                remedy="Do not use this answer.",
                where=f"{KIND} certificate",
            )
    charges = incentive_charges(game, CorrelatedKind.CORRELATED, prices)
    total = added(game.scaled_payoffs[leader], charges, factor=-1)
    bound = Fraction(max(total.numerators.ravel().tolist()), total.denominator)
    return CorrelatedCommitmentCertificate(
        game, leader, distribution, payoffs, bound, tuple(prices)
    )


@claim(
    KIND,
    measure=certify_correlated_commitment,
    answer="distribution",
    proves=("correlated-commitment",),
)
class CorrelatedCommitmentCertificate:
    """The claim that followers obey the leader's lottery, and that none earns the leader more.

    Attributes:
        game: Any number of players.
        leader: Who commits, from 0.
        distribution: The lottery over joint actions.
        payoffs: Expected payoff of each player.
        upper_bound: No lottery that followers obey earns the leader more; equals the leader's
            payoff in an optimal solution.
        prices: Multipliers of the followers' deviations; 0 for those left out.
    """

    kind: ClassVar[str]
    game: NormalFormGame
    leader: int
    distribution: CorrelatedDistribution
    payoffs: tuple[Fraction, ...] = claimed()
    upper_bound: Fraction = claimed()
    prices: tuple[IncentivePrice, ...]
    verify = verify_claim
    answer = claim_answer

    @property
    def leader_payoff(self) -> Fraction:
        """What the leader gets."""
        return self.payoffs[self.leader]

    @property
    def epsilon(self) -> Fraction:
        """How much more another commitment may earn at most; 0 for an optimal one."""
        return self.upper_bound - self.leader_payoff

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[self.leader]
        return (
            f"player {name!r} commits to a lottery over joint actions that all followers obey and "
            f"gets {exactly(self.leader_payoff)}; no such lottery gets more than "
            f"{at_most(self.upper_bound)}"
        )
