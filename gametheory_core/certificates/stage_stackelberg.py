"""Stage Stackelberg certificates: a leader who commits anew at each time, for that time.

At every time and state the leader's lottery is an optimal commitment in the stage game in which
values of the same play come after, with ties of the follower broken for the leader. So neither can
promise anything about later stages: what the leader would like to have promised does not bind. A
commitment to a whole policy may earn more.
"""

from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray
from gametheory_core.certificates.claim import (
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.commitment_bounds import Rows
from gametheory_core.certificates.declared_types import (
    require_declared_arguments,
)
from gametheory_core.certificates.stackelberg import certify_stackelberg
from gametheory_core.certificates.wording import at_least, at_most, rationals
from gametheory_core.conversions.tabular import markov_view
from gametheory_core.errors import CertificateRejected, UnsupportedGame
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.evaluation.stage_payoffs import stage_game, stage_payoffs
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.rules import POSG
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.strategies.markov_policies import MarkovProfile, check_markov_profile
from gametheory_core.strategies.mixed import MixedProfile

KIND = "stage-stackelberg"
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

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.distributions import point_mass
    >>> from gametheory_core.strategies.markov_policies import markov_profile
    >>> view = markov_view(RepeatedGame.of("prisoners_dilemma", recall=0))
    >>> defect = markov_profile(view, [[{(): point_mass("defect")}] * 2])
    >>> zeros = ((Fraction(0),) * 2,) * 2
    >>> certify_stage_stackelberg(view, defect, leader=0, multipliers=((zeros,),)).epsilon
    Fraction(4, 1)
    """
    view = markov_view(game)
    if view.num_players != TWO:
        raise UnsupportedGame(
            needs="two players",
            found=f"{view.game!r} has {view.num_players}",
        )
    require_declared_arguments(
        StageStackelbergCertificate, profile=profile, leader=leader, multipliers=multipliers
    )
    if leader not in (0, 1):
        raise CertificateRejected(
            needs="a leader 0 or 1", found=f"has {leader!r}", where=f"{KIND} certificate"
        )
    if profile.is_stationary:
        raise CertificateRejected(
            needs="a profile with a row for each time",
            found="it is stationary",
            where=f"{KIND} certificate",
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
                where = f"at time {time} in state {view.game.states[state]!r}"
                raise CertificateRejected(f"{KIND} certificate: {where}: {error}") from None
            epsilon = max(epsilon, found.epsilon)
            values[state] = rationals(expected_payoffs(stage, mixed))
    payoffs = tuple(
        sum((weight * values[state, player] for state, weight in view.initial), ZERO)
        for player in range(TWO)
    )
    return StageStackelbergCertificate(view.game, leader, profile, payoffs, epsilon, multipliers)


@claim(KIND, measure=certify_stage_stackelberg, proves=("stage-stackelberg",))
class StageStackelbergCertificate:
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

    kind: ClassVar[str]
    game: TabularPOSG
    leader: int
    profile: MarkovProfile
    payoffs: tuple[Fraction, ...] = claimed()
    epsilon: Fraction = claimed()
    multipliers: tuple[tuple[Rows, ...], ...]
    verify = verify_claim
    answer = claim_answer

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
            where=f"{KIND} certificate",
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
                    where=f"{KIND} certificate",
                )
