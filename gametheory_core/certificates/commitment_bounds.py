"""What Stackelberg certificates share: payoffs against a commitment, and bounds by multipliers.

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
from typing import TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, scaled_integers
from gametheory_core.certificates.wording import require_exact_profile, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile

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
