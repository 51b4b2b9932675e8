"""Learned commitments, judged exactly: what they return, and what the follower leaves on the table.

The leader's return alone shows nothing: against a follower who responds badly he may get more than
any commitment is worth. So a commitment comes with the follower's *regret*: what she would gain by
a best response, among policies that know time or among those that do not.
"""

from dataclasses import dataclass
from fractions import Fraction

from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    follower_response,
    leader_returns,
    num_stationary_followers,
)
from gametheory_core.leaders.policies import DeterministicLeader, SimpleFollower
from gametheory_core.leaders.view import LeaderView

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


class Regrets:
    """The judgments of one run, each made once."""

    def __init__(self, view: LeaderView, follower_class: FollowerClass) -> None:
        self._view = view
        self._class = follower_class
        self._known: dict[LearnedCommitment, JudgedCommitment] = {}

    def metrics(self, learned: LearnedCommitment) -> dict[str, float]:
        """Return the exact returns, and the regret within the follower's class, as floats."""
        if learned not in self._known:
            self._known[learned] = judge_commitment(self._view, learned)
        judged = self._known[learned]
        is_aware = self._class is FollowerClass.TIME_AWARE
        regret = judged.regret_time_aware if is_aware else judged.regret_stationary
        found = {
            "greedy return/leader": float(judged.returns[0]),
            "greedy return/follower": float(judged.returns[1]),
        }
        return found if regret is None else found | {"regret/follower": float(regret)}
