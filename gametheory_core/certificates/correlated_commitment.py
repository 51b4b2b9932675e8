"""Commitment to a correlated strategy: what it earns, and that none earns more.

The leader commits to a lottery over joint actions, which names an action to every follower in
secret. Followers must be willing to obey; the leader is bound. So the leader's best lottery is a
correlated equilibrium in all but the leader's own incentives, and prices on the followers' prove
that it is best, as ``incentives`` explains.

Correlated commitment in two-player trees: what it earns, and that no such lottery earns more.

The leader draws a profile from a mixture, plays its own part, and at each information set of the
follower that play meets recommends the action drawn for it. The follower obeys if no deviation
gains, as in extensive-form correlated equilibria; the leader's own incentives do not count (Cermak
et al. 2016). Deviations and transfers bound what any such mixture earns, as
``extensive_stackelberg_bounds`` explains: its argument holds for lotteries over pairs of plans. In
a strictly competitive tree the follower's part of the mixture does (see ``competition``).
"""

from collections.abc import Sequence
from fractions import Fraction

from gametheory_core.certificates.claim import (
    Checkable,
    claim,
    claimed,
    commitment_gap,
    rivals_bound,
)
from gametheory_core.certificates.competition import most_against_obedience
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.extensive_correlated import BoundProof
from gametheory_core.certificates.extensive_stackelberg import require_two_player_recall
from gametheory_core.certificates.extensive_stackelberg_bounds import (
    LEAF,
    DeviationWeight,
    ReplyCase,
    SequenceTransfer,
    reply_bound,
    sequence_payoffs_of,
)
from gametheory_core.certificates.incentives import (
    CorrelatedKind,
    IncentivePrice,
    added,
    incentive_charges,
    kind_regret,
)
from gametheory_core.certificates.wording import at_most, exactly, rejecting, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.extensive_deviations import ExtensiveCorrelation, distance_to
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import (
    BehavioralMixture,
    CorrelatedDistribution,
    correlated_payoffs,
)

CORRELATED = "correlated-commitment"


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

    >>> from gametheory_core import correlated_distribution, load_game
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
            needs=f"a leader from 0 to {game.num_players - 1}", found=f"got {leader!r}"
        )
    if any(entry.player == leader for entry in prices):
        raise CertificateRejected(
            needs="prices of followers' deviations only",
            found=f"the leader, player {leader}, has one: the leader is bound by the commitment",
        )
    with rejecting(CORRELATED):
        payoffs = correlated_payoffs(game, distribution)
    for follower in range(game.num_players):
        if follower == leader:
            continue
        regret = kind_regret(game, distribution, CorrelatedKind.CORRELATED, follower)
        if regret > 0:
            raise CertificateRejected(
                needs="followers who obey",
                found=f"player {game.players[follower]!r} gains {regret} by disobeying",
            )
    charges = incentive_charges(game, CorrelatedKind.CORRELATED, prices)
    total = added(game.scaled_payoffs[leader], charges, factor=-1)
    bound = Fraction(max(total.numerators.ravel().tolist()), total.denominator)
    return CorrelatedCommitmentCertificate(
        game, leader, distribution, payoffs, bound, tuple(prices)
    )


@claim(
    CORRELATED,
    measure=certify_correlated_commitment,
    answer="distribution",
    proves=("correlated-commitment",),
)
class CorrelatedCommitmentCertificate(Checkable):
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

    game: NormalFormGame
    leader: int
    distribution: CorrelatedDistribution
    payoffs: tuple[Fraction, ...] = claimed()
    upper_bound: Fraction = claimed()
    prices: tuple[IncentivePrice, ...]
    epsilon = commitment_gap

    @property
    def leader_payoff(self) -> Fraction:
        """What the leader gets."""
        return self.payoffs[self.leader]

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[self.leader]
        return (
            f"player {name!r} commits to a lottery over joint actions that all followers obey and "
            f"gets {exactly(self.leader_payoff)}; no such lottery gets more than "
            f"{at_most(self.upper_bound)}"
        )


EXTENSIVE = "extensive-correlated-commitment"


def certify_extensive_correlated_commitment(
    game: ExtensiveFormGame,
    mixture: BehavioralMixture,
    *,
    leader: int,
    deviations: tuple[DeviationWeight, ...],
    transfers: tuple[SequenceTransfer, ...],
    proof: BoundProof = BoundProof.CONSISTENCY,
) -> "ExtensiveCorrelatedCommitmentCertificate":
    """Measure a mixture and the bound that deviations and transfers prove, and state both.

    Args:
        game: Two players, perfect recall.
        leader: 0 or 1.
        proof: By strict competition, the follower's part of the mixture bounds what others earn,
            without deviations and transfers.

    Raises:
        CertificateRejected: If the follower gains by a deviation, or something does not fit the
            game or the proof.

    >>> from gametheory_core import Decision, Terminal, from_sketch, pure_behavior
    >>> from gametheory_core.strategies import behavioral_mixture
    >>> tree = Decision(0, "", {"l": Terminal([1, 0]), "r": Terminal([3, 0])})
    >>> game = from_sketch(tree, players=("Ann", "Bob"))
    >>> left = behavioral_mixture([pure_behavior(game, (0,))])
    >>> certify_extensive_correlated_commitment(
    ...     game, left, leader=0, deviations=(), transfers=()
    ... ).epsilon
    Fraction(2, 1)
    """
    require_declared_arguments(ExtensiveCorrelatedCommitmentCertificate, **locals())
    require_two_player_recall(game, leader)
    with rejecting(EXTENSIVE):
        found = distance_to(game, mixture, kind=ExtensiveCorrelation.EXTENSIVE)
    gain = found.players[1 - leader].gain
    if gain > 0:
        raise CertificateRejected(
            needs="a mixture that the follower obeys", found=f"a deviation gains {written(gain)}"
        )
    if proof is BoundProof.CONSISTENCY:
        tables = sequence_payoffs_of(game, leader=leader)
        bound = reply_bound(tables, {}, ReplyCase(LEAF, deviations, transfers))
    elif proof is BoundProof.COMPETITION and not (deviations or transfers):
        bound = most_against_obedience(game, mixture, leader=leader)
    else:
        raise CertificateRejected(
            needs="deviations and transfers, or strict competition and none of them",
            found=f"the proof is {proof.value}",
        )
    return ExtensiveCorrelatedCommitmentCertificate(
        game, leader, mixture, found.payoffs, bound, deviations, transfers, proof
    )


@claim(
    EXTENSIVE,
    measure=certify_extensive_correlated_commitment,
    answer="mixture",
    proves=("correlated-commitment",),
)
class ExtensiveCorrelatedCommitmentCertificate(Checkable):
    """The claim that a mixture earns the leader so much, and none that is obeyed more than a bound.

    Attributes:
        game: Two players, perfect recall; chance is allowed.
        leader: Who commits: 0 or 1.
        mixture: What the leader draws from; the follower gains nothing by any deviation.
        payoffs: Of both players.
        upper_bound: No mixture that the follower obeys gets the leader more.
        deviations, transfers: What proves the bound, unless strict competition does.
        proof: How the bound follows.
    """

    game: ExtensiveFormGame
    leader: int
    mixture: BehavioralMixture
    payoffs: tuple[Fraction, ...] = claimed()
    upper_bound: Fraction = claimed()
    deviations: tuple[DeviationWeight, ...]
    transfers: tuple[SequenceTransfer, ...]
    proof: BoundProof = BoundProof.CONSISTENCY
    epsilon = commitment_gap

    @property
    def leader_payoff(self) -> Fraction:
        """What the leader gets; payoff units."""
        return self.payoffs[self.leader]

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name, other = self.game.players[self.leader], self.game.players[1 - self.leader]
        earned = (
            f"player {name!r} commits to a lottery that player {other!r} obeys and gets "
            f"{exactly(self.leader_payoff)}"
        )
        return f"{earned}; {rivals_bound(self, 'no such lottery', ties='')}"
