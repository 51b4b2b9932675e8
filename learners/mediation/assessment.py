"""Learned mediation, judged: how fair it is, and what agents would gain by leading otherwise."""

from fractions import Fraction
from typing import Any

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.claim import Certificate
from gametheory_core.errors import CertificateRejected
from gametheory_core.mediation.certificate import (
    MediatedCertificate,
    best_leading_value,
    certify_mediated,
)
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.values import MediatorIncentives, mediated_fairness, mediated_returns
from learners.assessment.findings import Appraisal, Finding, Standing, by_player
from learners.learner import Judge
from learners.mediation.turns import MediatedTurns


def assess_mediated(
    game: MediatedGame, profile: MediatedProfile, *, incentives: MediatorIncentives
) -> Appraisal:
    """Judge a mediator and its agents exactly.

    Args:
        incentives: The measure of fairness, and which transfers agents count.

    Returns:
        ``return/<player>`` without transfers, ``fairness``, and ``gain/<player>``: what an agent
        would get more, transfers included, by another plan from the start. If nobody gains anywhere
        and no pick is fairer, returns and fairness are proved; else ``method`` says who gains.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If agents remember less than the mediator and something is drawn.

    >>> from gametheory_core.mediation.catalog import mediated_chicken
    >>> all_brake = MediatedProfile(actions=(((2, 2),),), leaders=((0,),))
    >>> found = assess_mediated(
    ...     mediated_chicken(rounds=1), all_brake, incentives=MediatorIncentives()
    ... )
    >>> str(found["fairness"])
    '6'
    """
    returns = mediated_returns(game, profile)
    fairness = mediated_fairness(game, profile, incentives.fairness)
    paid = mediated_returns(game, profile, incentives=incentives)
    gains = tuple(
        best_leading_value(game, profile, agent, incentives) - own for agent, own in enumerate(paid)
    )
    certificates: tuple[Certificate, ...] = ()
    method = "exact, from the definitions"
    try:
        certificates = (certify_mediated(game, profile, incentives=incentives),)
    except CertificateRejected as error:
        method = f"exact; no equilibrium: {error}"
    standing = Standing.PROVED if certificates else Standing.EXACT
    named = {**by_player("return", game.players, returns), "fairness": fairness}
    deviations = {**by_player("gain", game.players, gains), "nash_conv": sum(gains, ZERO)}
    findings = (
        *(Finding(name, value, standing) for name, value in named.items()),
        *(Finding(name, value, Standing.EXACT) for name, value in deviations.items()),
    )
    return Appraisal(game.title or "untitled game", method, findings, certificates)


def mediation_findings(certificate: MediatedCertificate) -> dict[str, Fraction]:
    """Return the numbers that a certified mediation proves."""
    return {
        **by_player("return", certificate.game.players, certificate.returns),
        "fairness": certificate.fairness,
    }


def _appraise(learner: Any, options: Any) -> Appraisal:
    del options  # nothing is chosen
    return assess_mediated(learner.game, learner.profile(), incentives=learner.incentives)


def _expected_fairness(learner: Any) -> tuple[Finding, ...]:
    return (Finding("fairness", learner.play().expected_fairness, Standing.EXACT),)


BY_FAIRNESS = Judge(reads=(), appraise=_appraise)
UNDER_DRAWN_LEADERS = Judge(reads=("max_nodes",), rules=MediatedTurns, adds=_expected_fairness)
BY_TURNS = Judge(rules=MediatedTurns)
