"""What floats have left open, settled in rationals: near-ties of bounds, and of responses.

Leaves that the certificate's own bounds do not close are split further, until they do. That takes
few steps, as only differences on the scale of rounding are left.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.leaders.follower_responses import FollowerTies
from gametheory_core.leaders.markov_stackelberg_bounds import leaf_bounds
from gametheory_core.leaders.markov_stackelberg_trees import BoundTask, LeafBound, Leaves
from gametheory_core.leaders.policies import StationaryFollower
from solvers.leaders.leader_responses import Incumbent, commit, respond
from solvers.leaders.leader_search import LeaderSearch, children_of
from solvers.leaders.relaxed_leaders import OPEN, SearchProblem
from solvers.leaders.split_tree import LEAF, SplitTree
from solvers.leaders.stationary_responses import stationary_response


def settled_response(
    problem: SearchProblem, found: Incumbent, multipliers: tuple[Fraction, ...]
) -> tuple[Incumbent, tuple[int, ...]]:
    """Return the exact response to a leader, and the splits that prove it.

    Only a stationary follower needs splits; she may turn out to have a slightly better policy.
    """
    if not problem.is_stationary:
        return found, (LEAF,)
    leader = found.commitment.leader_policy
    row = np.array([found.commitment.follower_policy.actions], dtype=np.int32)
    _, tree = stationary_response(problem, np.array(leader.actions), row)
    waiting = tree.leaves()
    is_weak = problem.ties is FollowerTies.WEAK
    while waiting:
        follower = found.commitment.follower_policy
        task = BoundTask(
            problem.view,
            problem.follower_class,
            problem.ties,
            multipliers,
            (follower,) if isinstance(follower, StationaryFollower) else (),
            is_negated=is_weak,
        )
        own = -found.returns[0] if is_weak else found.returns[0]
        bounds = leaf_bounds(task, _leaves(problem, [tree.patterns[k] for k in waiting]))
        waiting, better = _reopened(problem, tree, waiting, bounds, (own, found.returns[1]))
        if better is not None:
            found = commit(problem, leader, better)
            waiting = tree.leaves()
    return found, tree.written()


def _reopened(
    problem: SearchProblem,
    tree: SplitTree,
    nodes: list[int],
    bounds: list[LeafBound],
    returns: tuple[Fraction, Fraction],
) -> tuple[list[int], StationaryFollower | None]:
    """Split the leaves that may hold a better response; return one where it is fully fixed."""
    fresh: list[int] = []
    for node, bound in zip(nodes, bounds, strict=True):
        no_more = bound.follower_upper <= returns[1]
        if no_more and (bound.upper is None or bound.upper <= returns[0]):
            continue
        pattern = tree.patterns[node]
        if not np.any(pattern == OPEN):
            return [], StationaryFollower(tuple(pattern[problem.num_leader :].tolist()))
        fresh += _split(problem, tree, node, np.flatnonzero(pattern == OPEN)[0])
    return fresh, None


def settle(search: LeaderSearch, multipliers: tuple[Fraction, ...]) -> None:
    """Split leaves whose exact bound exceeds what the best leader gets, until there is none."""
    problem, tree = search.problem, search.tree
    rounded, search.best = list(search.known.values()), None
    for found in rounded:
        _learn(search, settled_response(problem, found, multipliers)[0])
    waiting = tree.leaves()
    while waiting:
        witnesses = tuple(StationaryFollower(tuple(row)) for row in search.witnesses.tolist())
        task = BoundTask(problem.view, problem.follower_class, problem.ties, multipliers, witnesses)
        bounds = leaf_bounds(task, _leaves(problem, [tree.patterns[k] for k in waiting]))
        fresh: list[int] = []
        for node, bound in zip(waiting, bounds, strict=True):
            fresh += _settle_leaf(search, node, bound, multipliers)
        waiting = fresh


def _learn(search: LeaderSearch, found: Incumbent) -> None:
    search.known[found.commitment.leader_policy.actions] = found
    search.keep(found)


def _settle_leaf(
    search: LeaderSearch, node: int, bound: LeafBound, multipliers: tuple[Fraction, ...]
) -> range:
    """Return what is to be looked at again after a leaf: nothing if it is closed."""
    problem, best = search.problem, search.best
    if bound.upper is None or (best is not None and bound.upper <= best.returns[0]):
        return range(0)
    pattern = search.tree.patterns[node]
    leader = pattern[: problem.num_leader]
    if not np.any(leader == OPEN) and tuple(leader.tolist()) not in search.known:
        found = respond(problem, leader, search.witnesses)
        _learn(search, settled_response(problem, found, multipliers)[0])
        return range(node, node + 1)  # once more, now that the response is known
    splits = pattern if problem.is_stationary else leader
    places = np.flatnonzero(splits == OPEN)
    if not places.size:
        return range(0)
    return _split(problem, search.tree, node, places[0])


def _split(problem: SearchProblem, tree: SplitTree, node: int, observation: Any) -> range:
    rows = children_of(problem, tree.patterns[node], int(observation))
    return tree.split(node, int(observation), rows, [tree.bounds[node]] * len(rows))


def _leaves(problem: SearchProblem, patterns: list[Any]) -> Leaves:
    rows = np.array(patterns, dtype=np.int32)
    return Leaves(rows[:, : problem.num_leader], rows[:, problem.num_leader :])
