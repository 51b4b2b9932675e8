"""Commitment in trees of perfect information without chance moves, by dynamic programming.

From the end of play, each node keeps the pairs of payoffs that commitments can make of its subtree
(Letchford and Conitzer 2010; Bosansky et al. 2017).
"""

from fractions import Fraction

import numpy as np

from gametheory_core import BehavioralProfile, ExtensiveFormGame, NotConverged, expected_payoffs
from gametheory_core.arrays import ONE, ZERO, freeze
from gametheory_core.certificates import CommitmentKind, PerfectInformationCommitmentCertificate
from gametheory_core.certificates.extensive_stackelberg_frontiers import (
    PayoffSegment,
    certify_perfect_information_commitment,
)
from gametheory_core.certificates.wording import rationals
from solvers.concepts import Concept
from solvers.requirements import a_tree, no_chance, perfect_information, perfect_recall, two_players
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.stackelberg.extensive_frontiers import (
    Point,
    Stretch,
    best_end,
    mixtures,
    part_from,
    passed_on,
    pruned,
)


@solver(
    Answers(Concept.STACKELBERG, rank=40),
    takes=(a_tree, two_players, perfect_recall, perfect_information, no_chance),
    unit="nodes",
    because="two players, nothing hidden and no chance: what can be promised, from the end of play",
    page="commitment-trees",
)
def perfect_information_commitment(
    game: ExtensiveFormGame,
    *,
    leader: int = 0,
    commitment: CommitmentKind = CommitmentKind.BEHAVIORAL,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[BehavioralProfile, PerfectInformationCommitmentCertificate]:
    """Find an optimal commitment where nothing is hidden and nothing left to chance, exactly.

    Ties of the follower break for the leader.

    Args:
        game: Two players, general-sum, perfect information, no chance moves.
        leader: Who commits: 0 or 1.
        commitment: Whether the leader may mix at a node. Lotteries over whole plans earn no more
            than behavioral commitments.
        budget: Iterations are nodes. Time is looked at within nodes too, but not while the
            certificate is made.

    Returns:
        Where play never comes, the leader holds the follower down.

    Raises:
        NotConverged: If the budget ends before the root is reached; there is no ``best`` then.

    Polynomial in the number of nodes for both kinds. With chance moves both are NP-hard.

    Sources: :cite:`letchford2010tree`, :cite:`bosansky2017sequential`.

    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> reward = Decision(0, "trusted", {"keep": Terminal([3, -1]), "share": Terminal([1, 1])})
    >>> trust = Decision(1, "start", {"no": Terminal([0, 0]), "yes": reward})
    >>> game = from_sketch(trust, players=("Firm", "Buyer"))
    >>> perfect_information_commitment(game).payoffs[0]
    Fraction(2, 1)
    >>> perfect_information_commitment(game, commitment=CommitmentKind.PURE).payoffs[0]
    Fraction(1, 1)
    """
    meter = open_meter(budget, on_iteration, total=game.num_nodes)
    threats = _threats(game, leader)
    stretches = _all_stretches(game, leader, commitment, threats, meter)
    profile = _profile(game, best_end(stretches[0]), threats)
    certificate = certify_perfect_information_commitment(
        game,
        profile,
        leader=leader,
        commitment=commitment,
        frontiers=tuple(tuple(map(_segment, found)) for found in stretches),
    )
    payoffs = rationals(expected_payoffs(game, profile))
    return Solution(profile, payoffs, certificate, meter.record())


def _threats(game: ExtensiveFormGame, leader: int) -> tuple[list[Fraction], list[int]]:
    """Return what the follower gets at most if the leader only harms, and the children chosen."""
    values = [ZERO] * game.num_nodes
    chosen = [0] * game.num_nodes
    paid = game.exact_terminal_payoffs[:, 1 - leader].tolist()
    for node, payoff in zip(game.terminals.tolist(), paid, strict=True):
        values[node] = payoff
    for node in reversed(range(game.num_nodes)):
        if game.node_player[node] >= 0:
            choose = min if game.node_player[node] == leader else max
            chosen[node] = choose(_children(game, node), key=values.__getitem__)
            values[node] = values[chosen[node]]
    return values, chosen


def _all_stretches(
    game: ExtensiveFormGame,
    leader: int,
    commitment: CommitmentKind,
    threats: tuple[list[Fraction], list[int]],
    meter: Meter,
) -> list[list[Stretch]]:
    def tick() -> None:
        if meter.is_exhausted:
            raise NotConverged(
                needs=f"all {game.num_nodes} nodes",
                found=f"the budget ended after {meter.iterations}",
            )

    found: list[list[Stretch]] = [[] for _ in range(game.num_nodes)]
    paid = dict(zip(game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True))
    for node in reversed(range(game.num_nodes)):
        tick()
        if node in paid:
            point = Point(paid[node][1 - leader], paid[node][leader])
            found[node] = [Stretch(point, point)]
        elif game.node_player[node] == leader:
            below = [(child, found[child]) for child in _children(game, node)]
            stretches = [passed_on(child, s) for child, own in below for s in own]
            if commitment is CommitmentKind.BEHAVIORAL:
                stretches += mixtures(below, tick=tick)
            found[node] = pruned(stretches, tick=tick)
        else:
            found[node] = pruned(_picked(game, node, found, threats[0]), tick=tick)
        meter.step()
    return found


def _picked(
    game: ExtensiveFormGame, node: int, found: list[list[Stretch]], held: list[Fraction]
) -> list[Stretch]:
    """Return what a child offers the follower when all others are made as bad as can be.

    No child pays less than its own threat, so that the largest one is the limit for all.
    """
    stretches: list[Stretch] = []
    for child in _children(game, node):
        parts = (part_from(stretch, held[node]) for stretch in found[child])
        stretches += [passed_on(child, part) for part in parts if part is not None]
    return stretches


def _profile(
    game: ExtensiveFormGame, best: Point, threats: tuple[list[Fraction], list[int]]
) -> BehavioralProfile:
    """Write down the way to a point, and threats elsewhere."""
    decisions = game.infosets[: game.num_decision_infosets]
    lotteries = [np.full(len(infoset.actions), ZERO, dtype=object) for infoset in decisions]
    for node in range(game.num_nodes):
        if game.node_player[node] >= 0:
            action = threats[1][node] - int(game.first_child[node])
            lotteries[game.node_infoset[node]][action] = ONE
    pending = [(0, best)]
    while pending:
        node, point = pending.pop()
        if point.shares:
            lottery = lotteries[game.node_infoset[node]]
            lottery[:] = ZERO
            for child, share, below in point.shares:
                lottery[child - int(game.first_child[node])] = share
                pending.append((child, below))
    return BehavioralProfile(tuple(map(freeze, lotteries)))


def _children(game: ExtensiveFormGame, node: int) -> range:
    first = int(game.first_child[node])
    return range(first, first + int(game.num_children[node]))


def _segment(stretch: Stretch) -> PayoffSegment:
    low, high = stretch.low, stretch.high
    return PayoffSegment((low.follower, low.leader), (high.follower, high.leader))
