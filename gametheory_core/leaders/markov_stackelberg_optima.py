"""All optimal leaders of a Markov game: deterministic, memoryless, and none is missing.

A *pattern* fixes the leader's action at some observations; all leaders who agree with it belong to
it. A tree of splits bounds every leader from above: he earns less than the value, or belongs to a
listed pattern. And for each pattern a tree bounds from below what its leaders earn. So the listed
leaders earn exactly the value, and all others less.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import prod

import numpy as np

from gametheory_core.certificates.claim import CheckableFact, claim, claimed
from gametheory_core.certificates.wording import attained, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.leaders.follower_responses import FollowerClass, FollowerTies
from gametheory_core.leaders.markov_stackelberg import checked_task
from gametheory_core.leaders.markov_stackelberg_bounds import (
    OPEN,
    BoundTask,
    leaf_bounds,
    open_policy,
    tree_leaves,
)
from gametheory_core.leaders.policies import StationaryFollower
from gametheory_core.leaders.view import LeaderView, view_of

KIND = "markov-stackelberg-optima"


@dataclass(frozen=True)
class OptimalPattern:
    """Leaders who agree at some observations and are all optimal.

    Attributes:
        actions: By the leader's observation; -2 where any action will do, -1 where he never acts.
        nodes: The tree that proves that all of them earn the value, as in
            ``MarkovStackelbergCertificate``; its root is the pattern.
    """

    actions: tuple[int, ...]
    nodes: tuple[int, ...]


def _measure(
    game: TabularPOSG,
    leader: int,
    follower_class: FollowerClass,
    ties: FollowerTies,
    leader_value: Fraction,
    patterns: tuple[OptimalPattern, ...],
    multipliers: tuple[Fraction, ...],
    witnesses: tuple[StationaryFollower, ...],
    nodes: tuple[int, ...],
) -> "MarkovStackelbergOptimaCertificate":
    view = view_of(game, leader, KIND)
    task = checked_task(view, follower_class, ties, multipliers=multipliers, witnesses=witnesses)
    found = MarkovStackelbergOptimaCertificate(
        game,
        leader,
        follower_class,
        ties,
        leader_value,
        _count(view, patterns),
        patterns,
        multipliers,
        witnesses,
        nodes,
    )
    _require_others_to_earn_less(task, found)
    _require_patterns_to_earn(task, found)
    return found


@claim(KIND, measure=_measure)
class MarkovStackelbergOptimaCertificate(CheckableFact):
    """The claim that exactly the listed deterministic memoryless leaders earn most.

    Attributes:
        leader: Who commits, 0 or 1.
        leader_value: What each of them gets; payoff units.
        num_optimal: How many leaders belong to the patterns. Leaders who differ only at
            observations that are never reached count as different.
        patterns: No leader belongs to two.
        nodes: As in ``MarkovStackelbergCertificate``.
    """

    game: TabularPOSG
    leader: int
    follower_class: FollowerClass
    ties: FollowerTies
    leader_value: Fraction
    num_optimal: int = claimed()
    patterns: tuple[OptimalPattern, ...]
    multipliers: tuple[Fraction, ...]
    witnesses: tuple[StationaryFollower, ...]
    nodes: tuple[int, ...]

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[self.leader]
        favor = "for" if self.ties is FollowerTies.STRONG else "against"
        return (
            f"exactly {written(self.num_optimal)} of the deterministic memoryless policies of "
            f"player {name!r} get {attained(self.leader_value)} from a {self.follower_class.value} "
            f"follower who breaks ties {favor} the leader; every other one gets less"
        )


def _require_others_to_earn_less(
    task: BoundTask, found: MarkovStackelbergOptimaCertificate
) -> None:
    leaves = tree_leaves(task, found.nodes, root=open_policy(task.view, found.leader))
    listed = np.array([pattern.actions for pattern in found.patterns])
    for leaf, bound in zip(leaves.leader, leaf_bounds(task, leaves), strict=True):
        if bound.upper is None or bound.upper < found.leader_value:
            continue
        if bound.upper > found.leader_value:
            raise CertificateRejected(
                needs=f"no leader who earns more than {written(found.leader_value)}",
                found=f"a leaf of the tree leaves room for {written(bound.upper)}",
            )
        if not ((listed == OPEN) | (listed == leaf)).all(axis=1).any():
            raise CertificateRejected(
                needs="every optimal leader in a pattern",
                found=f"leaders {leaf.tolist()} may earn {written(bound.upper)} too",
            )


def _require_patterns_to_earn(task: BoundTask, found: MarkovStackelbergOptimaCertificate) -> None:
    negated = replace(task, is_negated=True)
    for pattern in found.patterns:
        leaves = tree_leaves(negated, pattern.nodes, root=pattern.actions)
        for bound in leaf_bounds(negated, leaves):
            if bound.upper is not None and bound.upper > -found.leader_value:
                raise CertificateRejected(
                    found=f"claims that leaders {written(pattern.actions)} earn "
                    f"{written(found.leader_value)}, but proves only {written(-bound.upper)}"
                )


def _count(view: LeaderView, patterns: tuple[OptimalPattern, ...]) -> int:
    """Return how many leaders belong to patterns, which must fit the game and not overlap."""
    observations = range(len(view.game.observations[view.leader]))
    legal = [view.leader_actions(o) for o in observations]
    for pattern in patterns:
        fits = len(pattern.actions) == len(legal) and all(
            action in (*own, OPEN) if own else action == -1
            for action, own in zip(pattern.actions, legal, strict=True)
        )
        if not fits:
            raise CertificateRejected(
                needs="patterns of legal actions, -2 where open and -1 where nobody acts",
                found=f"has {written(pattern.actions)}",
            )
    if not patterns:
        raise CertificateRejected(needs="at least one optimal leader", found="lists no pattern")
    for one, other in combinations(patterns, 2):
        pairs = zip(one.actions, other.actions, strict=True)
        if all(a == b or OPEN in (a, b) for a, b in pairs):
            raise CertificateRejected(
                needs="patterns that do not overlap",
                found=f"{written(one.actions)} and {written(other.actions)} do",
            )
    return sum(
        prod(len(own) for action, own in zip(pattern.actions, legal, strict=True) if action == OPEN)
        for pattern in patterns
    )
