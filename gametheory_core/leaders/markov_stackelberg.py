"""Commitment in Markov games: what a memoryless leader earns, and that none earns more.

The leader commits to one action for each observation, and the follower responds best, either with a
policy of time and state or with a stationary one. That no deterministic memoryless leader earns
more is shown by a tree that splits on the actions at observations; each leaf bounds the leaders
that agree with the choices on the way to it (``markov_stackelberg_bounds`` says how and proves it).
Every leader belongs to some leaf, so the largest bound of a leaf holds for all.
"""

from dataclasses import replace
from fractions import Fraction
from typing import cast

from gametheory_core.certificates.claim import Checkable, claim, claimed
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.wording import at_most, exactly, rejecting, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
    leader_returns,
)
from gametheory_core.leaders.markov_stackelberg_bounds import (
    KIND,
    LEAF,
    BoundTask,
    leaf_bounds,
    open_policy,
    require_multipliers,
    tree_leaves,
)
from gametheory_core.leaders.policies import (
    LeaderCommitment,
    StationaryFollower,
    TimedFollower,
    check_follower_policy,
    check_leader_policy,
)
from gametheory_core.leaders.view import LeaderView, view_of

Returns = tuple[Fraction, Fraction]


def certify_markov_stackelberg(
    game: TabularPOSG,
    commitment: LeaderCommitment,
    *,
    leader: int,
    follower_class: FollowerClass,
    ties: FollowerTies,
    multipliers: tuple[Fraction, ...],
    witnesses: tuple[StationaryFollower, ...],
    nodes: tuple[int, ...],
    response_nodes: tuple[int, ...],
) -> "MarkovStackelbergCertificate":
    """Measure a commitment and the bound that a tree proves, and state both.

    Args:
        multipliers, witnesses, nodes, response_nodes: As in the certificate.

    Raises:
        CertificateRejected: If the response is not best or breaks ties otherwise, a tree is not
            whole, or something does not fit the game.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import DeterministicLeader, leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=1))
    >>> commitment = LeaderCommitment(
    ...     DeterministicLeader((1, -1, -1, -1, -1)), TimedFollower(((1, -1, -1, -1, -1),))
    ... )
    >>> certify_markov_stackelberg(
    ...     view.game, commitment, leader=0, follower_class=FollowerClass.TIME_AWARE,
    ...     ties=FollowerTies.STRONG, multipliers=(Fraction(0),), witnesses=(), nodes=(-1,),
    ...     response_nodes=(-1,),
    ... ).epsilon
    Fraction(0, 1)
    """
    require_declared_arguments(MarkovStackelbergCertificate, **locals())
    view = view_of(game, leader, KIND)
    task = checked_task(view, follower_class, ties, multipliers=multipliers, witnesses=witnesses)
    returns = _response_returns(task, commitment, response_nodes)
    root = open_policy(view, leader)
    bounds = leaf_bounds(task, tree_leaves(task, nodes, root=root))
    upper = max((b.upper for b in bounds if b.upper is not None), default=None)
    if upper is None or upper < returns[0]:
        raise CertificateRejected(
            needs="a bound on all leaders",
            found=f"this one earns {written(returns[0])} and the tree proves {written(upper)}",
            remedy="Report this as an error.",
        )
    return MarkovStackelbergCertificate(
        game,
        leader,
        follower_class,
        ties,
        commitment,
        *returns,
        upper,
        multipliers,
        witnesses,
        nodes,
        response_nodes,
    )


@claim(
    KIND, measure=certify_markov_stackelberg, answer="commitment", proves=("markov-stackelberg",)
)
class MarkovStackelbergCertificate(Checkable):
    """The claim that a commitment earns ``leader_value``, and none more than ``upper_bound``.

    Attributes:
        game: Two players, a horizon, and observations that are functions of the state.
        leader: Who commits, 0 or 1.
        follower_class: What the follower's action may depend on.
        ties: Whether a follower who is indifferent chooses for the leader or against.
        commitment: The leader's policy and the follower's best response.
        leader_value, follower_value: What they get; payoff units.
        upper_bound: No deterministic memoryless leader gets more; equals ``leader_value`` in an
            optimal solution.
        multipliers: Ascending from 0: weights of the follower's return in the bounds.
        witnesses: Policies that a stationary follower surely has; none for one who knows the time.
        nodes: The tree, depth first: the observation that is split on, -1 at a leaf. Observations
            of a stationary follower stand after the leader's.
        response_nodes: For a stationary follower, the like tree over the policies that answer this
            leader: none is better for her, or as good and better at breaking ties. A single leaf
            otherwise.
    """

    game: TabularPOSG
    leader: int
    follower_class: FollowerClass
    ties: FollowerTies
    commitment: LeaderCommitment
    leader_value: Fraction = claimed()
    follower_value: Fraction = claimed()
    upper_bound: Fraction = claimed()
    multipliers: tuple[Fraction, ...]
    witnesses: tuple[StationaryFollower, ...]
    nodes: tuple[int, ...]
    response_nodes: tuple[int, ...]

    @property
    def epsilon(self) -> Fraction:
        """How much more another leader may earn at most; 0 for an optimal one."""
        return self.upper_bound - self.leader_value

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """What the players get, in their order."""
        return (self.leader_value, self.follower_value)[:: 1 - 2 * self.leader]

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[self.leader]
        favor = "for" if self.ties is FollowerTies.STRONG else "against"
        bound = "no" if not self.epsilon else "and no"
        more = "more" if not self.epsilon else f"more than {at_most(self.upper_bound)}"
        return (
            f"player {name!r} commits and gets {exactly(self.leader_value)} from a "
            f"{self.follower_class.value} follower who breaks ties {favor} the leader; {bound} "
            f"deterministic memoryless leader gets {more}"
        )


def checked_task(
    view: LeaderView,
    follower_class: FollowerClass,
    ties: FollowerTies,
    *,
    multipliers: tuple[Fraction, ...],
    witnesses: tuple[StationaryFollower, ...],
) -> BoundTask:
    """State what is to be bounded, after checking multipliers and witnesses.

    Raises:
        CertificateRejected: If multipliers do not ascend from 0, or a witness is no policy of such
            a follower.
    """
    require_multipliers(multipliers)
    if witnesses and follower_class is FollowerClass.TIME_AWARE:
        raise CertificateRejected(
            needs="witnesses for stationary followers only",
            found=f"has {len(witnesses)} for one who knows the time",
        )
    with rejecting(KIND):
        for witness in witnesses:
            check_follower_policy(view, witness)
    return BoundTask(view, follower_class, ties, multipliers, witnesses)


def _response_returns(
    task: BoundTask, commitment: LeaderCommitment, nodes: tuple[int, ...]
) -> Returns:
    """Return what a commitment pays, after checking that the follower's part is her response."""
    leader, follower = commitment.leader_policy, commitment.follower_policy
    needed = (
        TimedFollower if task.follower_class is FollowerClass.TIME_AWARE else StationaryFollower
    )
    if type(follower) is not needed:
        raise CertificateRejected(
            needs=f"a {needed.__name__} as the policy of a {task.follower_class.value} follower",
            found=f"has a {type(follower).__name__}",
        )
    with rejecting(KIND):
        check_leader_policy(task.view, leader)
        returns = leader_returns(task.view, leader, follower)
    if task.follower_class is FollowerClass.STATIONARY:
        _require_stationary_response(task, commitment, returns, nodes)
        return returns
    if nodes != (LEAF,):
        raise CertificateRejected(
            needs="a single leaf as response_nodes of a follower who knows the time",
            found=f"has {len(nodes)} nodes",
        )
    best = follower_response(task.view, leader, ties=task.ties).returns
    if returns != best:
        raise CertificateRejected(
            needs=f"a best response with ties broken {task.ties.value}ly, which pays leader and "
            f"follower {written(best)}",
            found=f"the follower's policy pays {written(returns)}",
        )
    return returns


def _require_stationary_response(
    task: BoundTask, commitment: LeaderCommitment, returns: Returns, nodes: tuple[int, ...]
) -> None:
    """Reject a policy of the follower unless the tree shows that none answers better.

    No leaf gives the follower more than claimed. Those of its policies that give her as much give
    the leader no more (strong ties) or no less (weak ties).
    """
    own = cast("StationaryFollower", commitment.follower_policy)
    is_weak = task.ties is FollowerTies.WEAK
    ties = replace(task, witnesses=(own,), is_negated=is_weak)
    most = -returns[0] if is_weak else returns[0]
    leaves = tree_leaves(ties, nodes, root=commitment.leader_policy.actions)
    for bound in leaf_bounds(ties, leaves):
        if bound.follower_upper > returns[1]:
            raise CertificateRejected(
                needs="a best response",
                found=f"the follower's policy pays her {written(returns[1])} and others may pay up "
                f"to {written(bound.follower_upper)}",
            )
        if bound.upper is not None and bound.upper > most:
            found = -bound.upper if is_weak else bound.upper
            raise CertificateRejected(
                needs=f"ties broken {'against' if is_weak else 'for'} the leader, who gets "
                f"{written(returns[0])}",
                found=f"other best responses may pay him {written(found)}",
            )
