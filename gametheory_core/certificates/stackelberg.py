"""Stackelberg certificates: what a commitment earns, once or anew at each time, and none more.

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

Stage Stackelberg certificates: a leader who commits anew at each time, for that time.

At every time and state the leader's lottery is an optimal commitment in the stage game in which
values of the same play come after, with ties of the follower broken for the leader. So neither can
promise anything about later stages: what the leader would like to have promised does not bind. A
commitment to a whole policy may earn more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ONE, ZERO, ExactArray, scaled_integers
from gametheory_core.certificates.claim import (
    Checkable,
    answer_payoffs,
    claim,
    claimed,
    commitment_gap,
    commitment_statement,
)
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.wording import (
    at_least,
    at_most,
    rationals,
    require_exact_profile,
    written,
)
from gametheory_core.conversions.tabular import markov_view
from gametheory_core.errors import CertificateRejected, UnsupportedGame
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.evaluation.stages import stage_game, stage_payoffs
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import POSG
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.strategies.markov import MarkovProfile, check_markov_profile
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


def require_rows(rows: Rows, count: int, tables: CommitmentTables, *, name: str) -> None:
    """Reject rows of another shape than (count, follower's actions), or with a negative number."""
    width = len(tables.answers)
    if len(rows) != count or any(len(row) != width for row in rows):
        raise CertificateRejected(
            needs=f"{name} in {count} rows of {width}",
            found=f"there are {len(rows)} rows, of lengths {sorted({len(row) for row in rows})}",
        )
    lowest = min((value for row in rows for value in row if value), default=ZERO)
    if lowest < 0:
        raise CertificateRejected(needs=f"{name} of at least 0", found=f"one is {written(lowest)}")


def require_best_reply(tables: CommitmentTables, answer: int, replies: list[int]) -> None:
    """Reject an answer that is not among the best responses."""
    if answer not in replies:
        raise CertificateRejected(
            needs="a best response to the commitment",
            found=f"{tables.answers[answer]!r} gives the follower less than "
            f"{tables.answers[replies[0]]!r}",
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

    >>> from gametheory_core import pure_profile
    >>> game = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
    >>> zeros = ((Fraction(0),) * 2,) * 2
    >>> certify_stackelberg(game, pure_profile(game, (0, 0)), leader=0, multipliers=zeros).epsilon
    Fraction(2, 1)
    """
    require_declared_arguments(StackelbergCertificate, leader=leader, multipliers=multipliers)
    tables = commitment_tables(game, profile, leader, kind=STRONG)
    require_rows(multipliers, len(tables.answers), tables, name="multipliers")
    replies = best_replies(tables)
    favorite = max(tables.leader_values[b] for b in replies)
    for b in supports(profile)[1 - leader]:
        require_best_reply(tables, b, replies)
        if tables.leader_values[b] < favorite:
            raise CertificateRejected(
                needs="the leader's favorite among best responses",
                found=f"{tables.answers[b]!r} gives the leader less than another one",
            )
    bounds = [multiplier_bound(tables, {b: ONE}, row, b) for b, row in enumerate(multipliers)]
    payoffs = rationals(expected_payoffs(game, profile))
    return StackelbergCertificate(game, leader, profile, payoffs[leader], max(bounds), multipliers)


@claim(STRONG, measure=certify_stackelberg, proves=("stackelberg",))
class StackelbergCertificate(Checkable):
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

    game: NormalFormGame
    leader: int
    profile: MixedProfile
    leader_payoff: Fraction = claimed()
    upper_bound: Fraction = claimed()
    multipliers: Rows
    payoffs = answer_payoffs
    epsilon = commitment_gap
    statement = commitment_statement


STAGE = "stage-stackelberg"
TWO = 2


def certify_stage_stackelberg(
    game: POSG | MarkovView,
    profile: MarkovProfile,
    *,
    leader: int,
    multipliers: tuple[tuple[Rows, ...], ...],
) -> "StageStackelbergCertificate":
    """Measure stage by stage commitment, and the bounds that multipliers prove.

    Args:
        game: Two players who both see the state; with a horizon.
        profile: One row for each time.
        leader: 0 or 1.
        multipliers: By time and state, as for ``certify_stackelberg``.

    Raises:
        CertificateRejected: If a response is not the leader's favorite among the best ones in its
            stage, or the multipliers do not fit.
        UnsupportedGame: If there are not two players, one cannot tell two states apart, or there is
            no horizon.
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.distributions import point_mass
    >>> from gametheory_core.strategies import markov_profile
    >>> view = markov_view(RepeatedGame.of("prisoners_dilemma", recall=0))
    >>> defect = markov_profile(view, [[{(): point_mass("defect")}] * 2])
    >>> zeros = ((Fraction(0),) * 2,) * 2
    >>> certify_stage_stackelberg(view, defect, leader=0, multipliers=((zeros,),)).epsilon
    Fraction(4, 1)
    """
    view = markov_view(game)
    if view.num_players != TWO:
        raise UnsupportedGame(needs="two players", found=f"{view.game!r} has {view.num_players}")
    require_declared_arguments(
        StageStackelbergCertificate, profile=profile, leader=leader, multipliers=multipliers
    )
    if leader not in (0, 1):
        raise CertificateRejected(needs="a leader 0 or 1", found=f"has {leader!r}")
    if profile.is_stationary:
        raise CertificateRejected(
            needs="a profile with a row for each time", found="it is stationary"
        )
    check_markov_profile(view, profile)
    _check_shape(view, multipliers)
    _check_strays(view, multipliers)
    layers = view.layers
    values: ExactArray = np.full((view.num_states, TWO), ZERO, dtype=object)
    epsilon = ZERO
    for time in reversed(range(len(layers))):
        paid = stage_payoffs(view, values)
        values = np.full(values.shape, ZERO, dtype=object)
        for state in layers[time].tolist():
            stage = stage_game(view, state, paid)
            mixed = _mixed(view, state, profile.at(time)[state])
            rows = multipliers[time][state]
            try:
                found = certify_stackelberg(stage, mixed, leader=leader, multipliers=rows)
            except CertificateRejected as error:
                place = f"at time {time} in state {view.game.states[state]!r}"
                where = f"{STAGE} certificate: {place}: {error.where}"
                raise error.changed(where=where) from None
            epsilon = max(epsilon, found.epsilon)
            values[state] = rationals(expected_payoffs(stage, mixed))
    payoffs = tuple(
        sum((weight * values[state, player] for state, weight in view.initial), ZERO)
        for player in range(TWO)
    )
    return StageStackelbergCertificate(view.game, leader, profile, payoffs, epsilon, multipliers)


@claim(STAGE, measure=certify_stage_stackelberg, proves=("stage-stackelberg",))
class StageStackelbergCertificate(Checkable):
    """The claim that at every time and state the leader commits at best for the stage game there.

    Attributes:
        game: Two players who both see the state; with a horizon.
        leader: 0 or 1.
        profile: One row for each time: commitments, and best responses to them.
        payoffs: Expected return of each player.
        epsilon: No other commitment in one stage earns the leader more beyond this, values of what
            comes after being what they are; payoff units.
        multipliers: Witness: by time and state, the rows that bound other commitments, as for
            ``StackelbergCertificate``; empty where nobody acts then.
    """

    game: TabularPOSG
    leader: int
    profile: MarkovProfile
    payoffs: tuple[Fraction, ...] = claimed()
    epsilon: Fraction = claimed()
    multipliers: tuple[tuple[Rows, ...], ...]

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[self.leader]
        paid = ", ".join(map(at_least, self.payoffs))
        best = f"nearly best, within {at_most(self.epsilon)}," if self.epsilon else "best"
        return (
            f"player {name!r} commits anew at each time, and play pays ({paid}): at every time and "
            f"state the commitment is {best} for that stage (ties break for the leader)"
        )


def _mixed(view: MarkovView, state: int, lotteries: tuple[Any, ...]) -> MixedProfile:
    strategies: list[ExactArray] = []
    for own, legal in zip(lotteries, view.legal[state], strict=True):
        array = np.empty(len(legal), dtype=object)
        array[:] = [own[a] for a in legal]
        strategies.append(array)
    return MixedProfile(tuple(strategies))


def _check_shape(view: MarkovView, multipliers: tuple[tuple[Rows, ...], ...]) -> None:
    if len(multipliers) != view.num_times or any(
        len(row) != view.num_states for row in multipliers
    ):
        raise CertificateRejected(
            needs=f"multipliers for {view.num_times} times and {view.num_states} states",
            found=f"their lengths are {len(multipliers)} and "
            f"{sorted({len(row) for row in multipliers})}",
        )


def _check_strays(view: MarkovView, multipliers: tuple[tuple[Rows, ...], ...]) -> None:
    """Reject rows that nothing reads: a certificate holds what it claims and proves, no more."""
    for time, (layer, row) in enumerate(zip(view.layers, multipliers, strict=True)):
        acting = set(layer.tolist())
        for state, rows in enumerate(row):
            if rows and state not in acting:
                raise CertificateRejected(
                    needs="no multipliers where nobody acts",
                    found=f"has some at time {time} in state {view.game.states[state]!r}",
                    remedy="Leave them empty.",
                )
