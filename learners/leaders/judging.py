"""What leaders who learned are judged by: the regret of their follower, or of each of several.

With several followers there is no one value to compare with: the game that a commitment leaves
them may have many equilibria, and which one is played is for the *oracle* to say, here what they
learned. So a commitment is judged by each follower's regret, the others being as they are, and the
leader by what the best of his commitments would earn from these followers. Where no regret is left
and no commitment earns more, that is a Stackelberg equilibrium as the paper defines it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from gametheory_core.arguments import counted, require_instance, shown_players
from gametheory_core.errors import InvalidStrategy, UnsupportedGame
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    leader_returns,
    num_stationary_followers,
)
from gametheory_core.leaders.policies import (
    StationaryFollower,
    leader_policies,
    num_leader_policies,
)
from gametheory_core.leaders.several_followers import FollowersView, met_follower, met_leader
from gametheory_core.leaders.view import LeaderView
from learners.findings import Appraisal, Finding, Standing
from learners.leaders.commitments import (
    MAX_POLICIES,
    JudgedCommitment,
    LearnedCommitment,
    assess_leader,
    certified_value,
    judge_commitment,
)
from learners.protocol import Judge


@dataclass(frozen=True)
class JudgedFollowers:
    """What a commitment to several followers is worth, exactly.

    Attributes:
        returns: The leader's, then each follower's.
        regrets_stationary: What each would gain by the best policy that acts by her observation
            alone, the others being as they are; None if she has too many to try.
        regrets_time_aware: What each would gain by a true best response.
    """

    returns: tuple[Fraction, ...]
    regrets_stationary: tuple[Fraction | None, ...]
    regrets_time_aware: tuple[Fraction, ...]

    def largest(self, follower_class: FollowerClass) -> Fraction | None:
        """Return the largest regret; None if one is not known."""
        if follower_class is FollowerClass.TIME_AWARE:
            return max(self.regrets_time_aware)
        known = [own for own in self.regrets_stationary if own is not None]
        return max(known) if len(known) == len(self.regrets_stationary) else None


def judge_followers(view: FollowersView, learned: LearnedCommitment) -> JudgedFollowers:
    """Evaluate a commitment, and how well each follower responds to the leader and the others.

    Args:
        learned: Its follower is a policy of the merged player.

    Raises:
        InvalidStrategy: If a policy does not fit.

    >>> from gametheory_core import NormalFormGame
    >>> from gametheory_core.conversions import normal_to_posg
    >>> from gametheory_core.leaders import StationaryFollower, followers_view, leader_from_text
    >>> agree = [[[2, 0], [0, 1]], [[2, 0], [0, 1]]]  # followers want to do the same
    >>> game = normal_to_posg(NormalFormGame.from_payoffs([agree, agree, agree])).target
    >>> view = followers_view(game)
    >>> apart = view.together([StationaryFollower((0,)), StationaryFollower((1,))])
    >>> found = judge_followers(view, LearnedCommitment(leader_from_text(view.merged, "0"), apart))
    >>> [str(own) for own in found.regrets_time_aware]
    ['1', '2']
    """
    require_instance(view, FollowersView, name="view", remedy="Give followers_view(game).")
    require_instance(learned, LearnedCommitment, name="learned", remedy="Give commitment().")
    if not isinstance(learned.follower, StationaryFollower):
        raise InvalidStrategy(
            needs="followers without a clock",
            found=f"got a {type(learned.follower).__name__}",
            remedy="Give a StationaryFollower of the merged player.",
        )
    policies = view.apart(learned.follower)
    judged: list[JudgedCommitment] = []
    for follower, policy in zip(view.followers, policies, strict=True):
        own = view.against(follower, policies)
        pair = LearnedCommitment(met_leader(own, learned.leader), met_follower(own, policy))
        judged.append(judge_commitment(own, pair))
    return JudgedFollowers(
        (judged[0].returns[0], *(one.returns[1] for one in judged)),
        tuple(one.regret_stationary for one in judged),
        tuple(one.regret_time_aware for one in judged),
    )


class Regrets:
    """The judgments of one run, each made once.

    Args:
        shared: Of several followers, whose merged view ``view`` is. Then the follower's return is
            that of all of them, and the regret the largest.
    """

    def __init__(
        self,
        view: LeaderView,
        follower_class: FollowerClass,
        *,
        shared: FollowersView | None = None,
    ) -> None:
        self._view = view
        self._class = follower_class
        self._shared = shared
        self._known: dict[LearnedCommitment, dict[str, float]] = {}

    def metrics(self, learned: LearnedCommitment) -> dict[str, float]:
        """Return the exact returns, and the regret within the follower's class, as floats."""
        if learned not in self._known:
            self._known[learned] = self._judged(learned)
        return self._known[learned]

    def _judged(self, learned: LearnedCommitment) -> dict[str, float]:
        if self._shared is not None:
            all_of_them = judge_followers(self._shared, learned)
            returns = (all_of_them.returns[0], sum(all_of_them.returns[1:]))
            regret = all_of_them.largest(self._class)
        else:
            judged = judge_commitment(self._view, learned)
            returns = judged.returns
            is_aware = self._class is FollowerClass.TIME_AWARE
            regret = judged.regret_time_aware if is_aware else judged.regret_stationary
        found = {
            "greedy return/leader": float(returns[0]),
            "greedy return/follower": float(returns[1]),
        }
        return found if regret is None else found | {"regret/follower": float(regret)}


def oracle_gap(learner: Any) -> Fraction:
    """Return how much more another commitment would earn from what the followers learned.

    Args:
        learner: A ``MetaStackelberg``.

    Raises:
        UnsupportedGame: If the leader has too many commitments to try.
    """
    remedy = "Give a MetaStackelberg."
    view: Any = getattr(learner, "view", None)
    require_instance(view, LeaderView, name="the view of learner", remedy=remedy)
    if (count := num_leader_policies(view)) > MAX_POLICIES:
        raise UnsupportedGame(
            needs=f"at most {MAX_POLICIES:,} commitments, to try them all",
            found=f"there are {counted(count)}",
            where="oracle_gap",
        )
    own = learner.commitment()
    tried = (learner.response_to(plan) for plan in leader_policies(view))
    best = max(leader_returns(view, one.leader, one.follower)[0] for one in tried)
    return best - leader_returns(view, own.leader, own.follower)[0]


def _appraise(learner: Any, options: Any) -> Appraisal:
    learned = learner.commitment()
    if learner.shared is not None:
        return _appraise_followers(learner.shared, learned)
    return assess_leader(
        learner.view,
        learned.leader,
        follower_policy=learned.follower,
        follower_class=FollowerClass[options.follower_class.upper().replace("-", "_")],
    )


def _appraise_followers(view: FollowersView, learned: LearnedCommitment) -> Appraisal:
    judged = judge_followers(view, learned)
    players = shown_players(view.game.players)
    names = [players[i] for i in (view.leader, *view.followers)]
    findings = [
        Finding(f"return/{name}", value, Standing.EXACT)
        for name, value in zip(names, judged.returns, strict=True)
    ]
    findings += [
        Finding(f"regret/{name}", value, Standing.EXACT)
        for name, value in zip(names[1:], judged.regrets_time_aware, strict=True)
    ]
    return Appraisal(
        view.game.title or "untitled game",
        "exact: what the greedy leader and the followers who know him get, and what each follower "
        "would gain by a best response to him and the others",
        tuple(findings),
    )


def _regret(follower_class: FollowerClass, learner: Any) -> Fraction:
    learned = learner.commitment()
    if learner.shared is not None:
        found = judge_followers(learner.shared, learned).largest(follower_class)
    else:
        judged = judge_commitment(learner.view, learned)
        is_aware = follower_class is FollowerClass.TIME_AWARE
        found = judged.regret_time_aware if is_aware else judged.regret_stationary
    if found is None:
        raise UnsupportedGame(
            needs=f"a follower of at most {MAX_POLICIES:,} stationary policies, to try them all",
            found=f"she has {counted(num_stationary_followers(learner.view))}",
            remedy="Ask for what knows time: regret_time_aware and gap_time_aware.",
            where="regret_stationary",
        )
    return found


def _gap(follower_class: FollowerClass, learner: Any) -> Fraction:
    if learner.shared is not None:
        raise UnsupportedGame(
            needs="one follower, so that there is one value",
            found=f"there are {len(learner.shared.followers)}",
            remedy="Ask for oracle_gap: what is missing to the best commitment to these.",
            where=f"gap_{follower_class.name.lower()}",
        )
    learned = learner.commitment()
    returned = leader_returns(learner.view, learned.leader, learned.follower)[0]
    return certified_value(learner.view, follower_class) - returned


def _both_classes(
    name: str, measure: Callable[[FollowerClass, Any], Fraction]
) -> dict[str, Callable[[Any], Fraction]]:
    return {f"{name}_{own.name.lower()}": partial(measure, own) for own in FollowerClass}


BY_BEST_RESPONSE = Judge(
    reads=("follower_class",),
    appraise=_appraise,
    measures=_both_classes("gap", _gap)
    | _both_classes("regret", _regret)
    | {"oracle_gap": oracle_gap},
)
