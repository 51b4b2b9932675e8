"""Learned commitments, judged exactly: what they return, and what the follower forgoes.

The leader's return alone shows nothing: against a follower who responds badly he may get more than
any commitment is worth. So a commitment comes with the follower's *regret*: what she would gain by
a best response, among policies that know time or among those that do not. Beside it stand the
certified Stackelberg values.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

import numpy as np

from gametheory_core.arguments import counted, shown_players
from gametheory_core.arrays import ZERO
from gametheory_core.certificates.claim import Certificate
from gametheory_core.errors import UnsupportedGame
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
    leader_returns,
    num_stationary_followers,
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
    SimpleFollower,
    StochasticLeader,
    TimedFollower,
    leader_policies,
    num_leader_policies,
)
from gametheory_core.leaders.view import LeaderView
from learners.findings import Appraisal, Finding, Standing, findings_of
from learners.leaders.offers import Answers, Floats
from solvers.leaders.deterministic import markov_stackelberg
from solvers.rounding import dyadic_distribution

MAX_POLICIES = 4096  # stationary ones of the follower, tried one by one


@dataclass(frozen=True)
class LearnedCommitment:
    """A leader with what a follower plays who knows him."""

    leader: DeterministicLeader
    follower: SimpleFollower


@dataclass(frozen=True)
class JudgedCommitment:
    """What a commitment is worth, exactly.

    Attributes:
        returns: The leader's and the follower's.
        regret_stationary: What the follower would gain by the best deterministic policy that acts
            by her observation alone; None if she has too many to try. Negative if she knows time,
            and uses it.
        regret_time_aware: What she would gain by a true best response.
    """

    returns: tuple[Fraction, Fraction]
    regret_stationary: Fraction | None
    regret_time_aware: Fraction


def judge_commitment(view: LeaderView, learned: LearnedCommitment) -> JudgedCommitment:
    """Evaluate a learned commitment and the follower's best responses to it, exactly.

    Raises:
        InvalidStrategy: If a policy does not fit.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.leaders import StationaryFollower, leader_from_text, leader_view
    >>> view = leader_view(load_game("iterated_prisoners_dilemma:rounds=10"))
    >>> meek = StationaryFollower((0, 0, 0, 0, 0))
    >>> judged = judge_commitment(view, LearnedCommitment(leader_from_text(view, "11111"), meek))
    >>> [str(value) for value in (*judged.returns, judged.regret_stationary)]
    ['0', '-30', '10']
    """
    returns = leader_returns(view, learned.leader, learned.follower)
    best = follower_response(view, learned.leader).returns[1]
    regret = None
    if num_stationary_followers(view) <= MAX_POLICIES:
        stationary = follower_response(
            view, learned.leader, follower_class=FollowerClass.STATIONARY
        )
        regret = stationary.returns[1] - returns[1]
    return JudgedCommitment(returns, regret, best - returns[1])


class LedLearner(Protocol):
    """A learner who leads, such as ``MetaStackelberg``."""

    def commitment(self) -> LearnedCommitment:
        """Return the greedy leader and what the follower plays against him."""
        ...

    def response_to(self, leader: DeterministicLeader) -> LearnedCommitment:
        """Return any leader with what the follower plays against him."""
        ...

    def probabilities(self) -> Floats:
        """Return the leader's policy as it is, shape (O, A)."""
        ...


@dataclass(frozen=True)
class StackelbergValues:
    """The most that deterministic leaders earn from followers who respond best, ties for them.

    Attributes:
        stationary: From followers who act by their observation alone; None if they have too many
            policies.
        time_aware: From followers who know time and state.
    """

    stationary: Fraction | None
    time_aware: Fraction


@dataclass(frozen=True)
class StackelbergGap:
    """A learned commitment beside what could be had.

    Attributes:
        judged: Exact returns, and the follower's regrets.
    """

    learned: LearnedCommitment
    judged: JudgedCommitment
    values: StackelbergValues

    @property
    def gap_stationary(self) -> Fraction | None:
        """The value less the leader's return; negative if the follower lets him earn too much."""
        value = self.values.stationary
        return None if value is None else value - self.judged.returns[0]

    @property
    def gap_time_aware(self) -> Fraction:
        """The same for followers who know time and state."""
        return self.values.time_aware - self.judged.returns[0]

    def is_equilibrium(self, follower_class: FollowerClass) -> bool:
        """Tell whether no gap and no regret is left: a Stackelberg equilibrium, ties aside."""
        if follower_class is FollowerClass.STATIONARY:
            return self.gap_stationary == 0 and self.judged.regret_stationary == 0
        return self.gap_time_aware == 0 and self.judged.regret_time_aware == 0


def stackelberg_values(view: LeaderView) -> StackelbergValues:
    """Compute both Stackelberg values of a view, certified.

    Raises:
        UnsupportedGame: If the game is too large for ``markov_stackelberg``.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.leaders import leader_view
    >>> values = stackelberg_values(leader_view(load_game("iterated_prisoners_dilemma:rounds=10")))
    >>> str(values.stationary), str(values.time_aware)
    ('-9', '-11')
    """
    has_few = num_stationary_followers(view) <= MAX_POLICIES
    return StackelbergValues(
        certified_value(view, FollowerClass.STATIONARY) if has_few else None,
        certified_value(view, FollowerClass.TIME_AWARE),
    )


@lru_cache(maxsize=16)
def certified_value(view: LeaderView, follower_class: FollowerClass) -> Fraction:
    """Compute a value once for all runs on a game."""
    return markov_stackelberg(view, follower_class=follower_class).certificate.leader_value


def stackelberg_gap(
    view: LeaderView,
    subject: LearnedCommitment | LedLearner,
    *,
    values: StackelbergValues | None = None,
) -> StackelbergGap:
    """Compare what a leader learned with the certified values: return, regret and gap.

    Args:
        subject: Of a learner the greedy leader, and what the follower plays who knows him.
        values: Of the view, if they are known already.

    Raises:
        InvalidStrategy: If the policies do not fit the view.
        UnsupportedGame: If the values are too hard to compute.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.leaders import StationaryFollower, leader_from_text, leader_view
    >>> view = leader_view(load_game("iterated_prisoners_dilemma:rounds=10"))
    >>> meek = StationaryFollower((0, 0, 0, 0, 0))
    >>> found = stackelberg_gap(view, LearnedCommitment(leader_from_text(view, "11111"), meek))
    >>> str(found.gap_stationary), found.is_equilibrium(FollowerClass.STATIONARY)
    ('-9', False)
    """
    learned = subject if isinstance(subject, LearnedCommitment) else subject.commitment()
    known = stackelberg_values(view) if values is None else values
    return StackelbergGap(learned, judge_commitment(view, learned), known)


def expected_play(
    view: LeaderView, learner: LedLearner, *, answers: Answers
) -> tuple[Fraction, Fraction]:
    """Return what both get on average while the leader still draws, exactly.

    Sums over all that the leader may answer: the follower plays what she would against those
    answers, and the leader plays as answered, or draws afresh.

    Raises:
        UnsupportedGame: If the leader may answer in too many ways.

    Followers who draw are taken by their likeliest actions.
    """
    if (count := num_leader_policies(view)) > MAX_POLICIES:
        raise UnsupportedGame(
            needs=f"at most {MAX_POLICIES:,} ways to answer",
            found=f"there are {counted(count)}",
            remedy="Judge the greedy leader by stackelberg_gap.",
        )
    policy = _stochastic(view, learner.probabilities())
    total = [ZERO, ZERO]
    for plan in leader_policies(view):
        chance = _chance(policy, plan)
        if chance:
            follower = learner.response_to(plan).follower
            played = plan if answers is Answers.MEMOIZED else policy
            paid = leader_returns(view, played, follower)
            total = [t + chance * x for t, x in zip(total, paid, strict=True)]
    return total[0], total[1]


def _stochastic(view: LeaderView, probabilities: Floats) -> StochasticLeader:
    acts = [bool(view.leader_actions(o)) for o in range(len(probabilities))]
    rows = (
        tuple(dyadic_distribution(row).tolist()) if act else ()
        for row, act in zip(np.asarray(probabilities), acts, strict=True)
    )
    return StochasticLeader(tuple(rows))


def _chance(policy: StochasticLeader, plan: DeterministicLeader) -> Fraction:
    chance = Fraction(1)
    for chances, action in zip(policy.lotteries, plan.actions, strict=True):
        chance *= chances[action] if chances else 1
    return chance


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
        leader exceeds; it need not be tight: ``gametheory solve`` finds the best leader.

    Raises:
        InvalidStrategy: If a policy does not fit.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
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
