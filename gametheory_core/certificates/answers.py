"""What a certificate is about: the answer that a reader is shown, and what it pays."""

from fractions import Fraction
from typing import Any, cast

from gametheory_core.certificates.certificate import Certificate, rationals
from gametheory_core.certificates.components import NashComponentsCertificate
from gametheory_core.certificates.correlated_payoffs import CorrelatedPayoffsCertificate
from gametheory_core.certificates.dominance import DominanceCertificate
from gametheory_core.certificates.markov_correlated import MarkovCorrelatedCertificate
from gametheory_core.certificates.markov_perfect import MarkovPerfectCertificate
from gametheory_core.certificates.markov_stackelberg import MarkovStackelbergCertificate
from gametheory_core.certificates.mediated import MediatedCertificate
from gametheory_core.certificates.security import SecurityCertificate
from gametheory_core.certificates.stage_stackelberg import StageStackelbergCertificate
from gametheory_core.certificates.stochastic_commitment import StochasticCommitmentCertificate
from gametheory_core.certificates.zero_sum_markov import ZeroSumMarkovCertificate
from gametheory_core.evaluation.bayesian import bayesian_payoffs
from gametheory_core.evaluation.extensive_deviations import mixture_payoffs
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_payoffs
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.strategies.mixture import BehavioralMixture

_WITH_PAYOFFS = (
    MarkovPerfectCertificate,
    MarkovCorrelatedCertificate,
    StageStackelbergCertificate,
)


def answer_of(certificate: Certificate) -> Any:
    """Return what a certificate proves something about.

    Returns:
        Surviving actions after dominance; the components of a set of equilibria; the corners of a
        set of payoffs.
    """
    if isinstance(certificate, DominanceCertificate):
        return certificate.survivors
    if isinstance(certificate, NashComponentsCertificate):
        return certificate.components
    if isinstance(certificate, CorrelatedPayoffsCertificate):
        return certificate.vertices
    if isinstance(certificate, StochasticCommitmentCertificate):
        return certificate.policy
    return getattr(certificate, "profile", None)


def payoffs_of(certificate: Certificate) -> tuple[Fraction, ...]:
    """Return what the answer pays, exactly; nothing where it is no way to play.

    Returns:
        For each player; in a Bayesian game the leader, then each type of the follower.
    """
    game, answer = certificate.game, answer_of(certificate)
    if isinstance(certificate, SecurityCertificate):
        return (certificate.defender_payoff, certificate.attacker_payoff)
    if isinstance(certificate, StochasticCommitmentCertificate):
        return _in_order(certificate.leader, certificate.leader_payoff, certificate.follower_payoff)
    if isinstance(certificate, MarkovStackelbergCertificate):
        return _in_order(certificate.leader, certificate.leader_value, certificate.follower_value)
    if isinstance(certificate, MediatedCertificate):
        return certificate.returns
    if isinstance(certificate, _WITH_PAYOFFS):
        return certificate.payoffs
    if isinstance(certificate, ZeroSumMarkovCertificate):
        return (certificate.game_value, -certificate.game_value)
    if isinstance(answer, CorrelatedDistribution):
        return correlated_payoffs(cast("Any", game), answer)
    if isinstance(answer, BehavioralMixture):
        return mixture_payoffs(cast("Any", game), answer)
    if isinstance(game, BayesianGame):
        return bayesian_payoffs(game, cast("MixedProfile", answer))
    if isinstance(answer, MixedProfile | BehavioralProfile):
        return rationals(expected_payoffs(cast("Any", game), answer))
    return ()


def _in_order(leader: int, own: Fraction, others: Fraction) -> tuple[Fraction, ...]:
    return (own, others) if leader == 0 else (others, own)


def epsilon_of(certificate: Certificate) -> str | None:
    """Write how far the answer may be from an exact one; None for claims that hold or do not."""
    epsilon = getattr(certificate, "epsilon", None)
    return None if epsilon is None else str(epsilon)
