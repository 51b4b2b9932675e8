"""Mediated certificates: nobody who leads gains by leading otherwise, and the mediator is fair.

Agents that remember returns are checked at every node, picked or not: no action there may give more
than the one they would take. By the one-shot deviation principle no deviation whatever then gains
anywhere. Agents that know the step alone, under a mediator that remembers more, are checked from
the start of play: no other plan may give more. The mediator is checked at every node: no other
leader, with later picks as they are, may make the returns fairer. Where nothing is drawn and the
mediator remembers returns, no other plan of the mediator is then fairer either; else one may be.
"""

from dataclasses import replace
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
from gametheory_core.certificates.wording import attained, written
from gametheory_core.errors import (
    CertificateRejected,
    InvalidArgument,
    InvalidStrategy,
    UnsupportedGame,
)
from gametheory_core.mediation.deviations import (
    MediatedDeviation,
    agent_deviation,
    best_leading_value,
    mediator_deviation,
)
from gametheory_core.mediation.fairness import MediatorStage
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import Memory, mediated_histories
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.recursion import MediatorIncentives
from gametheory_core.mediation.values import mediated_fairness, mediated_returns

KIND = "mediated"


def certify_mediated(
    game: MediatedGame, profile: MediatedProfile, *, incentives: MediatorIncentives
) -> "MediatedCertificate":
    """Check agents and mediator against every deviation and state what they get.

    Raises:
        CertificateRejected: If somebody gains by deviating (names where), or something does not fit
            the game.

    Time is linear in the number of nodes, leaders, actions and players, in rationals.

    >>> from gametheory_core.mediation.catalog import mediated_chicken
    >>> all_brake = MediatedProfile(actions=(((2, 2),),), leaders=((0,),))
    >>> game = mediated_chicken(rounds=1)
    >>> str(certify_mediated(game, all_brake, incentives=MediatorIncentives()).fairness)
    '6'
    """
    require_declared_arguments(MediatedCertificate, profile=profile, incentives=incentives)
    remembers = profile.mediator is Memory.HISTORY
    if remembers is (incentives.stage is MediatorStage.NAIVE):
        raise CertificateRejected(
            needs="a mediator that remembers returns unless its stage is NAIVE",
            found=f"it knows {profile.mediator.value} at stage {incentives.stage.name}",
            where=f"{KIND} certificate",
        )
    try:
        replace(incentives.fairness)  # refuses numbers that are no measure
        _require_no_deviation(game, profile, incentives)
        returns = mediated_returns(game, profile)
        fairness = mediated_fairness(game, profile, incentives.fairness)
    except (InvalidArgument, InvalidStrategy, UnsupportedGame) as error:
        raise CertificateRejected(f"{KIND} certificate: {error}") from None
    return MediatedCertificate(game, profile, incentives, returns, fairness)


@claim(KIND, measure=certify_mediated, proves=("mediated",))
class MediatedCertificate:
    """The claim that no agent gains and no pick is fairer, and how fair the outcome is.

    Attributes:
        incentives: The measure of fairness, and which transfers agents count.
        returns: What each player expects from the start, without transfers.
        fairness: How fair the returns from each first state are, expected over these.
    """

    kind: ClassVar[str]
    game: MediatedGame
    profile: MediatedProfile
    incentives: MediatorIncentives
    returns: tuple[Fraction, ...] = claimed()
    fairness: Fraction = claimed()
    verify = verify_claim
    answer = claim_answer
    epsilon = None

    @property
    def is_subgame_perfect(self) -> bool:
        """Whether agents are checked at every node, not from the start of play alone."""
        return self.profile.agents is self.profile.mediator

    @property
    def has_fairest_plan(self) -> bool:
        """Whether no plan of the mediator is fairer at any node, agents doing what they do.

        Let nothing be drawn and the mediator remember. Each pick at a node then leads to one node
        of the next step, or to the end, and the returns of all steps are the same seen from either;
        so the fairest that any plan reaches from a node is the best, over picks, of the fairest
        reached from the nodes that they lead to. Backwards from the last step: if the later picks
        reach that much from each next node, and no single pick beats the one made, so does it.

        Returns to come of a mediator that forgets, or expected returns, change from one node to the
        next: what is fairest here may count on picks that are not the fairest there.
        """
        return self.game.is_deterministic and self.profile.mediator is Memory.HISTORY

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """What each player expects from the start, without transfers."""
        return self.returns

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        where = "at any node" if self.is_subgame_perfect else "from the start by another plan"
        judged = "" if self.game.is_deterministic else "of expected returns "
        picks = "no other plan of the mediator is fairer at any node"
        if not self.has_fairest_plan:
            expected = "" if self.game.is_deterministic else "expected "
            remembers = self.profile.mediator is Memory.HISTORY
            counted = "returns" if remembers else "returns to come"
            picks = (
                f"no single other pick of the mediator makes {expected}{counted} fairer at any "
                "node, later picks being as they are"
            )
        return (
            f"no agent gains by leading otherwise {where}, and {picks}: fairness {judged}"
            f"{attained(self.fairness)} ({self.incentives.fairness.kind.value})"
        )


def _require_no_deviation(
    game: MediatedGame, profile: MediatedProfile, incentives: MediatorIncentives
) -> None:
    if profile.agents is profile.mediator:
        found = agent_deviation(game, profile, incentives)
        if found is not None:
            raise _gain(game, profile, found)
    else:
        _require_best_plans(game, profile, incentives)
    found = mediator_deviation(game, profile, incentives.fairness)
    if found is not None:
        raise _gain(game, profile, found)


def _require_best_plans(
    game: MediatedGame, profile: MediatedProfile, incentives: MediatorIncentives
) -> None:
    got = mediated_returns(game, profile, incentives=incentives)
    for agent, name in enumerate(game.players):
        best = best_leading_value(game, profile, agent, incentives)
        if best > got[agent]:
            raise CertificateRejected(
                needs="best plans of all agents",
                found=f"{name!r} gets {written(got[agent])} and could get {written(best)} by "
                "another plan",
                remedy="Do not use this answer.",
                where=f"{KIND} certificate",
            )


def _gain(
    game: MediatedGame, profile: MediatedProfile, found: MediatedDeviation
) -> CertificateRejected:
    histories = mediated_histories(game, memory=profile.mediator)
    where = histories.name(found.step, found.node)
    if found.player is None:
        problem = (
            f"the fairest leaders, but at {where} the returns with {game.players[found.choice]!r} "
            f"are worth {written(found.better)} and those with the one picked "
        )
    else:
        action = game.actions[found.player][found.choice]
        problem = (
            f"no gain of any agent at any node, but at {where} {game.players[found.player]!r} gets "
            f"{written(found.better)} by {action!r} and by its own action "
        )
    return CertificateRejected(
        needs=f"{problem}{written(found.value)}",
        remedy="Do not use this answer.",
        where=f"{KIND} certificate",
    )
