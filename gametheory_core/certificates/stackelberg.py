"""Stackelberg certificates: what a commitment earns, and that no commitment earns more.

The follower's ties break for the leader (the *strong* solution). Multipliers for every answer of
the follower bound what commitments with that answer earn, as ``commitment_bounds`` explains.
"""

from fractions import Fraction
from typing import ClassVar

from gametheory_core.arrays import ONE
from gametheory_core.certificates.claim import (
    answer_payoffs,
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.commitment_bounds import (
    Rows,
    best_replies,
    commitment_tables,
    multiplier_bound,
    require_best_reply,
    require_rows,
)
from gametheory_core.certificates.declared_types import (
    require_declared_arguments,
)
from gametheory_core.certificates.wording import at_most, exactly, rationals
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, supports

STRONG = "stackelberg"


def certify_stackelberg(
    game: NormalFormGame, profile: MixedProfile, *, leader: int, multipliers: Rows
) -> "StackelbergCertificate":
    """Measure a commitment and the bound that multipliers prove, and state both.

    Args:
        game: Two players.
        profile: Rational: commitment and response.
        leader: 0 or 1.
        multipliers: For each follower's action a row of numbers of at least 0, one for each
            follower's action.

    Raises:
        CertificateRejected: If the response is not the leader's favorite among the best ones, or
            something does not fit the game.

    >>> from gametheory_core.strategies.mixed import pure_profile
    >>> game = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
    >>> zeros = ((Fraction(0),) * 2,) * 2
    >>> certify_stackelberg(game, pure_profile(game, (0, 0)), leader=0, multipliers=zeros).epsilon
    Fraction(2, 1)
    """
    require_declared_arguments(StackelbergCertificate, leader=leader, multipliers=multipliers)
    tables = commitment_tables(game, profile, leader, kind=STRONG)
    require_rows(multipliers, len(tables.answers), tables, kind=STRONG, name="multipliers")
    replies = best_replies(tables)
    favorite = max(tables.leader_values[b] for b in replies)
    for b in supports(profile)[1 - leader]:
        require_best_reply(tables, b, replies, kind=STRONG)
        if tables.leader_values[b] < favorite:
            raise CertificateRejected(
                needs="the leader's favorite among best responses",
                found=f"{tables.answers[b]!r} gives the leader less than another one",
                remedy="Do not use this answer.",
                where=f"{STRONG} certificate",
            )
    bounds = [multiplier_bound(tables, {b: ONE}, row, b) for b, row in enumerate(multipliers)]
    payoffs = rationals(expected_payoffs(game, profile))
    return StackelbergCertificate(game, leader, profile, payoffs[leader], max(bounds), multipliers)


@claim(STRONG, measure=certify_stackelberg, proves=("stackelberg",))
class StackelbergCertificate:
    """The claim that a commitment earns ``leader_payoff``, and none more than ``upper_bound``.

    Ties of the follower break for the leader.

    Attributes:
        game: Two players.
        leader: Who commits: 0 or 1.
        profile: Rational: the commitment, and the follower's best response to it.
        leader_payoff: What the leader gets; payoff units.
        upper_bound: No commitment gets more; equals ``leader_payoff`` in an optimal solution.
        multipliers: ``multipliers[b][c] >= 0`` weighs the follower's preference for ``b`` over
            ``c`` in the bound on commitments answered by ``b``.
    """

    kind: ClassVar[str]
    game: NormalFormGame
    leader: int
    profile: MixedProfile
    leader_payoff: Fraction = claimed()
    upper_bound: Fraction = claimed()
    multipliers: Rows
    verify = verify_claim
    answer = claim_answer
    payoffs = answer_payoffs

    @property
    def epsilon(self) -> Fraction:
        """How much more another commitment may earn at most; 0 for an optimal one."""
        return self.upper_bound - self.leader_payoff

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[self.leader]
        earned = f"player {name!r} commits and gets {exactly(self.leader_payoff)}"
        if not self.epsilon:
            return f"{earned}; no commitment gets more (ties break for the leader)"
        return f"{earned}; no commitment gets more than {at_most(self.upper_bound)}"
