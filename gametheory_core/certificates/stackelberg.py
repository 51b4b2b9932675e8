"""Stackelberg certificates: what a commitment earns, and that no commitment earns more.

The follower's ties break for the leader (the *strong* solution). Multipliers for every answer of
the follower bound what commitments with that answer earn, as ``commitment_bounds`` explains.

What Stackelberg certificates share: payoffs against a commitment, and bounds by multipliers.

One player, the leader, commits to a mixed strategy ``x``; the other, the follower, sees it and
answers with a best response. With the leader's payoffs ``L`` and the follower's ``F``, both
(leader's actions x follower's actions), the follower answers ``b`` only if
``x.F[:, b] >= x.F[:, c]`` for all ``c``. So for any *multipliers* ``y >= 0``, one for each ``c``,

    x.L[:, b]  <=  x.L[:, b] + sum_c y_c (x.F[:, b] - x.F[:, c])
               <=  max over a of  L[a, b] + sum_c y_c (F[a, b] - F[a, c]),

a bound that holds for every commitment answered by ``b`` and takes only sums to check. By the
duality of linear programs some multipliers make it tight.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ONE, ZERO, ExactArray, scaled_integers
from gametheory_core.certificates.claim import (
    answer_payoffs,
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.declared_types import (
    require_declared_arguments,
)
from gametheory_core.certificates.wording import (
    at_most,
    exactly,
    rationals,
    require_exact_profile,
    written,
)
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, supports

Rows: TypeAlias = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class CommitmentTables:
    """Integer payoffs (leader's actions x follower's), and what each answer to the profile pays.

    ``leader`` is over ``leader_scale`` and ``follower`` over ``follower_scale``; the values are
    integers too, each list over one common denominator.
    """

    answers: tuple[str, ...]
    leader: ExactArray
    leader_scale: int
    follower: ExactArray
    follower_scale: int
    leader_values: list[int]
    follower_values: list[int]


def commitment_tables(
    game: NormalFormGame, profile: MixedProfile, leader: int, *, kind: str
) -> CommitmentTables:
    """Write payoffs as integers, seen from the leader, and value every answer to the profile.

    Raises:
        CertificateRejected: If the game has not two players, there is no such leader, or the
            profile does not fit.
    """
    if game.num_players != 2 or leader not in (0, 1):
        raise CertificateRejected(
            needs="two players and a leader 0 or 1",
            found=f"{game!r} has {game.num_players} and the leader is {leader!r}",
            where=f"{kind} certificate",
        )
    require_exact_profile(game, profile, kind=kind)
    own, others = (scaled_integers(game.exact_payoffs[i]) for i in (leader, 1 - leader))
    turned = leader == 1
    mine = own.numerators.T if turned else own.numerators
    theirs = others.numerators.T if turned else others.numerators
    weights = scaled_integers(cast("ExactArray", profile.strategies[leader])).numerators
    played = np.flatnonzero(weights)
    return CommitmentTables(
        answers=game.actions[1 - leader],
        leader=mine,
        leader_scale=own.denominator,
        follower=theirs,
        follower_scale=others.denominator,
        leader_values=(weights[played] @ mine[played]).tolist(),
        follower_values=(weights[played] @ theirs[played]).tolist(),
    )


def best_replies(tables: CommitmentTables) -> list[int]:
    """Return the follower's best responses to the commitment."""
    best = max(tables.follower_values)
    return [b for b, value in enumerate(tables.follower_values) if value == best]


def multiplier_bound(
    tables: CommitmentTables,
    weights: dict[int, Fraction],
    multipliers: Sequence[Fraction],
    answer: int,
) -> Fraction:
    """Return ``max_a sum_b w_b L[a, b] + sum_c y_c (F[a, answer] - F[a, c])``."""
    w, w_scale = integers(list(weights.values()))
    active = [c for c, y in enumerate(multipliers) if y]
    total = tables.leader[:, list(weights)] @ w if weights else 0 * tables.leader[:, 0]
    scale = tables.leader_scale * w_scale
    if active:
        y, y_scale = integers([multipliers[c] for c in active])
        gains = tables.follower[:, answer] * sum(y.tolist()) - tables.follower[:, active] @ y
        total = total * (tables.follower_scale * y_scale) + gains * scale
        scale *= tables.follower_scale * y_scale
    return Fraction(max(total.tolist()), scale)


def integers(values: list[Fraction]) -> tuple[ExactArray, int]:
    """Return numerators over a common denominator, and the denominator."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    scaled = scaled_integers(array)
    return scaled.numerators, scaled.denominator


def require_rows(rows: Rows, count: int, tables: CommitmentTables, *, kind: str, name: str) -> None:
    """Reject rows of another shape than (count, follower's actions), or with a negative number."""
    width = len(tables.answers)
    if len(rows) != count or any(len(row) != width for row in rows):
        raise CertificateRejected(
            needs=f"{name} in {count} rows of {width}",
            found=f"there are {len(rows)} rows, of lengths {sorted({len(row) for row in rows})}",
            where=f"{kind} certificate",
        )
    lowest = min((value for row in rows for value in row if value), default=ZERO)
    if lowest < 0:
        raise CertificateRejected(
            needs=f"{name} of at least 0",
            found=f"one is {written(lowest)}",
            where=f"{kind} certificate",
        )


def require_best_reply(
    tables: CommitmentTables, answer: int, replies: list[int], *, kind: str
) -> None:
    """Reject an answer that is not among the best responses."""
    if answer not in replies:
        raise CertificateRejected(
            needs="a best response to the commitment",
            found=f"{tables.answers[answer]!r} gives the follower less than "
            f"{tables.answers[replies[0]]!r}",
            remedy="Do not use this answer.",
            where=f"{kind} certificate",
        )


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
