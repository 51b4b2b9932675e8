"""Learned commitments, judged: what the leader gets when the follower best responds."""

from fractions import Fraction
from typing import Any

from gametheory_core.arguments import shown_players
from gametheory_core.arrays import ZERO
from gametheory_core.certificates.claim import Certificate
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
    leader_returns,
)
from gametheory_core.leaders.markov_stackelberg import (
    MarkovStackelbergCertificate,
    certify_markov_stackelberg,
)
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    FollowerPolicy,
    LeaderCommitment,
    LeaderPolicy,
    TimedFollower,
)
from gametheory_core.leaders.view import LeaderView
from learners.assessment.findings import Appraisal, Finding, Standing, findings_of
from learners.learner import Judge

_LEAF = (-1,)  # a tree of bounds that does not split


def assess_leader(
    view: LeaderView,
    leader_policy: LeaderPolicy,
    *,
    follower_policy: FollowerPolicy | None = None,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
) -> Appraisal:
    """Judge a leader's policy by a follower who knows it and best responds, exactly.

    Args:
        follower_policy: The one that was learned, to be judged as well.
        follower_class: What the best response may depend on.
        ties: How the best response breaks ties.

    Returns:
        ``leader_value``, ``follower_value``; with a follower's policy also what the learned pair
        gets, ``return/<player>``, and ``follower_regret``, what she misses. For deterministic
        leaders and time-aware followers the values are proved, and so is a number that no such
        leader exceeds; it need not be tight: ``python -m solvers`` finds the best leader.

    Raises:
        InvalidStrategy: If a policy does not fit.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.leaders.view import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3))
    >>> tit_for_tat = DeterministicLeader((0, 0, 1, 0, 1))
    >>> str(assess_leader(view, tit_for_tat)["leader_value"])
    '6'
    """
    response = follower_response(view, leader_policy, follower_class=follower_class, ties=ties)
    certificates: tuple[Certificate, ...] = ()
    if isinstance(leader_policy, DeterministicLeader) and isinstance(
        response.policy, TimedFollower
    ):
        certificates = (
            certify_markov_stackelberg(
                view.game,
                LeaderCommitment(leader_policy, response.policy),
                leader=view.leader,
                follower_class=follower_class,
                ties=ties,
                multipliers=(ZERO,),
                witnesses=(),
                nodes=_LEAF,
                response_nodes=_LEAF,
            ),
        )
    findings = tuple(finding for c in certificates for finding in findings_of(c))
    if not findings:
        named = zip(("leader_value", "follower_value"), response.returns, strict=True)
        findings = tuple(Finding(name, value, Standing.EXACT) for name, value in named)
    if follower_policy is not None:
        paid = leader_returns(view, leader_policy, follower_policy)
        findings += _of_pair(view, paid, response.returns[1])
    favor = "for" if ties is FollowerTies.STRONG else "against"
    return Appraisal(
        view.game.title or "untitled game",
        f"exact, against a {follower_class.value} follower who knows the leader's policy, best "
        f"responds, and breaks ties {favor} the leader",
        findings,
        certificates,
    )


def _of_pair(
    view: LeaderView, paid: tuple[Fraction, Fraction], best: Fraction
) -> tuple[Finding, ...]:
    players = shown_players(view.game.players)
    return (
        Finding(f"return/{players[view.leader]}", paid[0], Standing.EXACT),
        Finding(f"return/{players[view.follower]}", paid[1], Standing.EXACT),
        Finding("follower_regret", best - paid[1], Standing.EXACT),
    )


def leader_findings(certificate: MarkovStackelbergCertificate) -> dict[str, Fraction]:
    """Return the numbers that a certified commitment proves."""
    return {
        "leader_value": certificate.leader_value,
        "follower_value": certificate.follower_value,
        "leader_value/none_exceeds": certificate.upper_bound,
    }


def _appraise(learner: Any, options: Any) -> Appraisal:
    learned = learner.commitment()
    return assess_leader(
        learner.view,
        learned.leader,
        follower_policy=learned.follower,
        follower_class=FollowerClass[options.follower_class.upper().replace("-", "_")],
    )


BY_BEST_RESPONSE = Judge(reads=("follower_class",), appraise=_appraise)
