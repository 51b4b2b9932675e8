"""Commitment in Markov games, certified: what a stochastic leader earns, and what none exceeds.

A leader who draws afresh at each use poses the follower a Markov decision problem, so that what the
commitment earns is found by dynamic programming, exactly. Prices on deviations show a bound that no
such leader exceeds, and no commitment at all if the follower remembers (``deviation_prices``).
"""

from fractions import Fraction
from typing import Any

from gametheory_core.certificates.claim import (
    Checkable,
    CheckableFact,
    claim,
    claimed,
    commitment_gap,
    payoffs_in_order,
)
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.wording import at_most, exactly, rejecting, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.leaders.deviation_prices import DeviationPrices, price_bound
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
)
from gametheory_core.leaders.policies import StochasticLeader
from gametheory_core.leaders.view import LeaderView, view_of

STOCHASTIC = "stochastic-commitment"
BOUND = "commitment-bound"
_TIES = {
    FollowerTies.STRONG: "ties break for the leader",
    FollowerTies.WEAK: "ties break against the leader",
}


def _measure_bound(
    game: TabularPOSG, leader: int, prices: DeviationPrices
) -> "CommitmentBoundCertificate":
    found = price_bound(view_of(game, leader, BOUND), prices, kind=BOUND)
    return CommitmentBoundCertificate(game, leader, found, prices)


@claim(BOUND, measure=_measure_bound)
class CommitmentBoundCertificate(CheckableFact):
    """The claim that no commitment in a Markov game earns more than ``upper_bound``.

    The follower sees the state at each step, remembers all that she saw and did, and best responds,
    however she breaks ties; the leader may mix plans, remember and observe everything, and announce
    things. From one who acts by step and state alone, leaders earn no more who remember nothing and
    draw afresh at each use, or who draw such a policy before play and tell her; others may.

    Attributes:
        game: As for ``LeaderView``.
        upper_bound: The leader's payoff units.
        prices: The proof.
    """

    game: TabularPOSG
    leader: int
    upper_bound: Fraction = claimed()
    prices: DeviationPrices

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[self.leader]
        return (
            f"no commitment of player {name!r} earns more than {at_most(self.upper_bound)} from a "
            "best-responding follower who remembers all that she saw and did, states included"
        )


def _measure(game: TabularPOSG, leader: int, **given: Any) -> "StochasticCommitmentCertificate":
    return certify_stochastic_commitment(view_of(game, leader, STOCHASTIC), **given)


@claim(STOCHASTIC, measure=_measure, answer="policy", proves=("markov-commitment",))
class StochasticCommitmentCertificate(Checkable):
    """The claim that mixed actions earn ``leader_payoff``, and none more than ``upper_bound``.

    Against a time-aware follower the bound holds for all mixed actions by step and state, drawn
    afresh at each use, and for all commitments whatsoever if she remembers
    (``CommitmentBoundCertificate`` says what). Against a stationary one, who may be unable to
    defend herself, it holds for all ways to play at all.

    Attributes:
        game: As for ``LeaderView``.
        policy: A distribution over actions for each of the leader's observations.
        leader_payoff, follower_payoff: Expected returns when the follower best responds, each in
            that player's payoff units.
        upper_bound: No such mixed actions get more.
        prices: The proof of the bound.
    """

    game: TabularPOSG
    leader: int
    policy: StochasticLeader
    follower_class: FollowerClass
    ties: FollowerTies
    leader_payoff: Fraction = claimed()
    follower_payoff: Fraction = claimed()
    upper_bound: Fraction = claimed()
    prices: DeviationPrices
    epsilon = commitment_gap
    payoffs = payoffs_in_order

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[self.leader]
        earned = (
            f"player {name!r} mixes actions and gets {exactly(self.leader_payoff)}, against "
            f"a {self.follower_class.value} follower whose {_TIES[self.ties]}"
        )
        more = f"more than {at_most(self.upper_bound)}" if self.epsilon else "more"
        if self.follower_class is FollowerClass.STATIONARY:
            return f"{earned}; however both play, the leader gets no {more}"
        return (
            f"{earned}; no mixed actions by step and state get {more}, nor any commitment from a "
            "follower who remembers all that she saw and did"
        )


def certify_stochastic_commitment(
    view: LeaderView,
    policy: StochasticLeader,
    *,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
    prices: DeviationPrices,
) -> StochasticCommitmentCertificate:
    """Measure a stochastic leader and the bound that prices prove, and state both.

    Args:
        prices: Without rates if the follower is stationary.

    Raises:
        CertificateRejected: If the policy or the prices do not fit the game.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders.deviation_prices import PriceNode
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> half, none = (Fraction(1, 2),) * 2, ()
    >>> policy = StochasticLeader((half, none, none, none, none))
    >>> prices = DeviationPrices((), (PriceNode(0, 0, Fraction(0)),))
    >>> found = certify_stochastic_commitment(view, policy, prices=prices)
    >>> found.leader_payoff, found.upper_bound
    (Fraction(1, 2), Fraction(1, 1))
    """
    require_declared_arguments(StochasticCommitmentCertificate, **locals())
    if follower_class is FollowerClass.STATIONARY and any(n.rates for n in prices.nodes):
        raise CertificateRejected(
            needs="prices without rates for a stationary follower, who cannot deviate at one step "
            "only",
            found="there are some",
        )
    for lottery in policy.lotteries:
        if lottery and not (min(lottery) >= 0 and sum(lottery) == 1):
            raise CertificateRejected(
                needs="mixed actions of weights of at least 0 that sum to 1",
                found=f"has {written(lottery)}",
            )
    bound = price_bound(view, prices, kind=STOCHASTIC)  # first: a long game needs many prices
    with rejecting(STOCHASTIC):
        response = follower_response(view, policy, follower_class=follower_class, ties=ties)
    leader_payoff, follower_payoff = response.returns
    return StochasticCommitmentCertificate(
        view.game,
        view.leader,
        policy,
        follower_class,
        ties,
        leader_payoff,
        follower_payoff,
        bound,
        prices,
    )
