"""A stationary follower's best response to one leader, by branch and bound over her policies."""

import heapq
from typing import Any

import numpy as np

from solvers.leaders.relaxed_leaders import (
    OPEN,
    SearchProblem,
    negated,
    open_pattern,
    pair_returns,
    pattern_bounds,
)
from solvers.leaders.relaxed_play import relaxed_response
from solvers.leaders.split_tree import SplitTree

Response = tuple[Any, SplitTree]


def stationary_response(problem: SearchProblem, leader: Any, start: Any) -> Response:
    """Find the policy that pays the follower most, and then the leader most, or least.

    Args:
        leader (int array): A full policy.
        start (W, follower's observations): Policies to start from, one a row.

    Returns:
        The policy, and the splits that show that none is better up to rounding.
    """
    favored = negated(problem) if problem.is_adverse else problem
    best, returns = _best_of(favored, leader, start)
    tree = SplitTree()
    root = np.concatenate([leader, open_pattern(problem)[problem.num_leader :]]).astype(np.int32)
    waiting = [(-np.inf, tree.add(root, np.inf))]
    while waiting:
        _, node = heapq.heappop(waiting)
        pattern = tree.patterns[node]
        if _is_closed(favored, pattern, (best, returns)):
            continue
        policy, reached = relaxed_response(favored, pattern)
        policy = np.where(policy == OPEN, best, policy)
        best, returns = _best_of(favored, leader, np.stack([best, policy]))
        is_open = reached or np.flatnonzero(pattern == OPEN).tolist()
        if not is_open or _is_closed(favored, pattern, (best, returns)):
            continue
        for child in _split(favored, tree, node, is_open[0]):
            heapq.heappush(waiting, (-tree.bounds[child], child))
    return best, tree


def _best_of(favored: SearchProblem, leader: Any, followers: Any) -> tuple[Any, Any]:
    own, other = pair_returns(favored, leader[None], followers)
    good = other[0] >= other[0].max() - favored.tolerance
    place = int(np.where(good, own[0], -np.inf).argmax())
    return followers[place], (float(own[0, place]), float(other[0, place]))


def _is_closed(favored: SearchProblem, pattern: Any, incumbent: tuple[Any, Any]) -> bool:
    """Tell whether no policy of a pattern answers better than the best one known."""
    best, returns = incumbent
    found = pattern_bounds(favored, pattern[None], best[None])
    tolerance = favored.tolerance
    other, upper = found.follower_upper[0], found.upper[0]
    if other < returns[1] - tolerance:
        return True
    return bool(other <= returns[1] + tolerance and upper <= returns[0] + tolerance)


def _split(favored: SearchProblem, tree: SplitTree, node: int, observation: int) -> range:
    pattern = tree.patterns[node]
    rows = np.repeat(pattern[None], len(favored.legal[observation]), axis=0)
    rows[:, observation] = favored.legal[observation]
    bounds = pattern_bounds(
        favored, rows, np.zeros((0, len(pattern) - favored.num_leader), dtype=np.int32)
    ).follower_upper
    return tree.split(node, observation, rows, bounds)
