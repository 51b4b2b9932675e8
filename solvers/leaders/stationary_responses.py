"""A stationary follower's best response to one leader, by branch and bound over its policies.

Bounds come from relaxed play, and only splits where that chooses lower a bound. Trees of splits are
written down depth first, as certificates hold them.
"""

import heapq
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from solvers.leaders.relaxed_leaders import (
    OPEN,
    SearchProblem,
    ahead,
    allowed_actions,
    negated,
    open_pattern,
    pair_returns,
    pattern_bounds,
    witness_returns,
)


def reached_openly(problem: SearchProblem, pattern: Any, witnesses: Any) -> list[int]:
    """Return the open observations at which relaxed play chooses, for a stationary follower.

    Only a choice at one of them can lower the bound of the pattern: where the bound is attained,
    or where the best witness is held down to her least return.
    """
    found: set[int] = set()
    may, answers = (part[0] for part in allowed_actions(problem, pattern[None]))
    pairs = may[:, :, None] & answers[:, None, :]
    rewards = [problem.own + x * problem.other for x in problem.multipliers]
    chosen = [_relaxed_choices(problem, reward, pairs) for reward in rewards]
    place = 0
    if len(witnesses):
        least, _ = witness_returns(problem, may[None], witnesses)
        best = witnesses[int(least[0].argmax())]
        tops = np.array([top for top, _ in chosen])
        place = int((tops - problem.multipliers * least.max()).argmin())
        own = np.zeros_like(answers)
        own[np.arange(len(own)), np.maximum(best[problem.view.follower_observation], 0)] = True
        held = _relaxed_choices(problem, -problem.other, may[:, :, None] & own[:, None, :])
        found |= _met(problem, pattern[: problem.num_leader], held[1])
    found |= _met(problem, pattern, chosen[place][1])
    return sorted(found)


def _relaxed_choices(problem: SearchProblem, reward: Any, pairs: Any) -> tuple[float, list[Any]]:
    """Return the largest relaxed value, and the pair chosen in each state, first step first."""
    acting = pairs.any(axis=(-1, -2))
    value = np.zeros(len(acting))
    choices: list[Any] = []
    for _ in range(problem.view.horizon):
        each = np.where(pairs, reward + ahead(problem, value), -np.inf).reshape(len(acting), -1)
        choices.append(each.argmax(axis=1))
        value = np.where(acting, each.max(axis=1), 0)
    return float(value @ problem.start), choices[::-1]


def _met(problem: SearchProblem, pattern: Any, choices: list[Any]) -> set[int]:
    """Return the open observations of a pattern, or of its start, that play comes by."""
    view, count = problem.view, problem.num_leader
    found: set[int] = set()
    now = problem.start > 0
    for choice in choices:
        states = np.flatnonzero(now & (view.leader_observation >= 0))
        seen = np.concatenate(
            [view.leader_observation[states], count + view.follower_observation[states]]
        )
        found |= {int(o) for o in seen if o < len(pattern) and pattern[o] == OPEN}
        pair = np.unravel_index(choice[states], problem.own.shape[1:])
        place = (states, *pair)
        now = np.zeros_like(now)
        now[problem.successor[place][problem.weight[place] > 0]] = True
    return found


def relaxed_response(favored: SearchProblem, pattern: Any) -> tuple[Any, list[int]]:
    """Play on where the follower may choose anew at every step, and well.

    Returns:
        Her action at each observation that this play reaches, -1 elsewhere; and the open
        observations that it reaches, in order.
    """
    view, count = favored.view, favored.num_leader
    a = np.maximum(pattern[:count][view.leader_observation], 0)
    states = np.arange(view.num_states)
    following, weight = favored.successor[states, a], favored.weight[states, a]  # (S, B, next)
    rewards = np.stack([favored.other[states, a], favored.own[states, a]], axis=-1)
    own = pattern[count:][view.follower_observation][:, None]
    legal = view.tables.follower_legal
    may = legal & ((own == OPEN) | (own == np.arange(legal.shape[1])))
    acting = may.any(axis=-1)
    values = np.zeros((view.num_states, 2))
    choices: list[Any] = []
    for _ in range(view.horizon):
        each = rewards + (values[following] * weight[..., None]).sum(axis=2)
        first = np.where(may, each[..., 0], -np.inf)
        good = first >= first.max(axis=1, keepdims=True) - favored.tolerance
        choice = np.where(good & may, each[..., 1], -np.inf).argmax(axis=1)
        choices.append(choice)
        values = np.where(acting[:, None], each[states, choice], 0)
    policy = pattern[count:].copy()
    reached: list[int] = []
    now = favored.start > 0
    for choice in reversed(choices):
        after = np.zeros_like(now)
        for s in np.flatnonzero(now & acting).tolist():
            o = int(view.follower_observation[s])
            if policy[o] == OPEN:
                policy[o] = choice[s]
                reached.append(count + o)
            after[following[s, choice[s]][weight[s, choice[s]] > 0]] = True
        now = after
    return policy, reached


LEAF = -1


@dataclass
class SplitTree:
    """A tree under construction; nodes are numbered in the order in which they were made.

    Attributes:
        patterns: What is fixed at each node.
        bounds: What is known about each node.
        splits: The observation that a node is split on, or ``LEAF``.
    """

    patterns: list[Any] = field(default_factory=list[Any])
    bounds: list[float] = field(default_factory=list[float])
    splits: list[int] = field(default_factory=list[int])
    children: list[range] = field(default_factory=list[range])

    def add(self, pattern: Any, bound: float) -> int:
        """Append a leaf and return its number."""
        self.patterns.append(pattern)
        self.bounds.append(bound)
        self.splits.append(LEAF)
        self.children.append(range(0))
        return len(self.splits) - 1

    def split(self, node: int, observation: int, patterns: Any, bounds: Any) -> range:
        """Split a leaf on an observation and return its children."""
        first = len(self.splits)
        for pattern, bound in zip(patterns, bounds, strict=True):
            self.add(pattern, float(bound))
        self.splits[node] = observation
        self.children[node] = range(first, len(self.splits))
        return self.children[node]

    def order(self) -> list[int]:
        """Return all nodes depth first, children in order."""
        waiting, found = [0], list[int]()
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting += reversed(self.children[node])
        return found

    def written(self) -> tuple[int, ...]:
        """Return the splits depth first, as certificates hold them."""
        return tuple(self.splits[node] for node in self.order())

    def leaves(self) -> list[int]:
        """Return the leaves depth first."""
        return [node for node in self.order() if self.splits[node] == LEAF]


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
