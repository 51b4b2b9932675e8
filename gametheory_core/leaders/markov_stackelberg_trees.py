"""Trees that split the leaders of a Markov game, and a stationary follower's policies, into leaves.

A leaf is a pair of *partial policies*: each fixes the action at some observations and leaves it
open at others. A split has one child for each legal action, so that each pair of full policies
belongs to one leaf.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import IntArray
from gametheory_core.certificates.wording import written
from gametheory_core.errors import CertificateRejected
from gametheory_core.leaders.follower_responses import FollowerClass, FollowerTies
from gametheory_core.leaders.policies import StationaryFollower
from gametheory_core.leaders.view import LeaderView

KIND = "markov-stackelberg"
LEAF = -1
OPEN = -2  # an observation at which the action is not fixed yet


@dataclass(frozen=True)
class BoundTask:
    """What is bounded, and with which multipliers and witnesses.

    Attributes:
        multipliers: Ascending, the first is 0; the leader's payoff units per unit of the
            follower's.
        witnesses: Policies that a stationary follower surely has; none for one who knows the time.
        is_negated: Bound minus the leader's return, so that the bounds are on how little leaders
            earn. Ties are still broken as ``ties`` says about the true return.
    """

    view: LeaderView
    follower_class: FollowerClass
    ties: FollowerTies
    multipliers: tuple[Fraction, ...]
    witnesses: tuple[StationaryFollower, ...] = ()
    is_negated: bool = False

    @property
    def is_adverse(self) -> bool:
        """Whether ties break against what is bounded."""
        return (self.ties is FollowerTies.WEAK) != self.is_negated


@dataclass(frozen=True)
class Leaves:
    """Pairs of partial policies, a row each.

    Attributes:
        leader (N, leader's observations): Action; ``OPEN`` where not fixed; -1 where the leader
            never acts.
        follower (N, follower's observations): The same for a stationary follower; all ``OPEN`` or
            -1 for one who knows the time.
    """

    leader: IntArray
    follower: IntArray


@dataclass(frozen=True)
class LeafBound:
    """What a leaf is proved to hold.

    Attributes:
        upper: No leader of the leaf earns more; None if the leaf holds no best response at all.
        follower_upper: No pair of the leaf gives the follower more.
    """

    upper: Fraction | None
    follower_upper: Fraction


def open_policy(view: LeaderView, player: int) -> tuple[int, ...]:
    """Return a player's policy of which only what is forced is fixed."""
    actions = view.leader_actions if player == view.leader else view.follower_actions
    legal = [actions(o) for o in range(len(view.game.observations[player]))]
    return tuple(own[0] if len(own) == 1 else OPEN if own else -1 for own in legal)


def tree_leaves(task: BoundTask, nodes: tuple[int, ...], *, root: tuple[int, ...]) -> Leaves:
    """Walk over a tree of splits and return its leaves.

    Args:
        nodes: In depth-first order: the observation that is split on, one child for each legal
            action, in order; a follower's observation stands after all of the leader's. -1 at a
            leaf.
        root: The leader's partial policy at the root.

    Raises:
        CertificateRejected: If nodes are missing or left over, or a split makes no sense.
    """
    view = task.view
    first = len(root)
    both = (*root, *open_policy(view, view.follower))
    legal = [view.leader_actions(o) for o in range(first)]
    if task.follower_class is FollowerClass.STATIONARY:
        legal += [view.follower_actions(o) for o in range(len(both) - first)]
    waiting, found = [both], list[tuple[int, ...]]()
    for node in nodes:
        if not waiting:
            raise CertificateRejected(
                needs="a tree",
                found=f"its {len(nodes)} nodes go on after the end",
                where=f"{KIND} certificate",
            )
        fixed = waiting.pop()  # depth first: what the next node splits, or closes
        if node == LEAF:
            found.append(fixed)
        elif not 0 <= node < len(legal) or fixed[node] != OPEN:
            raise CertificateRejected(
                needs=f"splits on observations 0 to {len(legal) - 1} whose action is still open",
                found=f"one is on {written(node)}",
                where=f"{KIND} certificate",
            )
        else:
            waiting += [(*fixed[:node], a, *fixed[node + 1 :]) for a in reversed(legal[node])]
    if waiting:
        raise CertificateRejected(
            needs="a whole tree",
            found=f"{len(waiting)} branches have no end: the leaders there are not bounded",
            where=f"{KIND} certificate",
        )
    table = np.array(found, dtype=np.int32)
    return Leaves(table[:, :first], table[:, first:])
