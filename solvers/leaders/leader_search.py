"""Branch and bound over a leader's partial policies, best bound first.

Each step takes the partial policy with the largest bound and splits it on the observation that
lowers the bounds of its children most, for which all splits are tried. A bound that no incumbent
exceeds ends a branch.
"""

import heapq
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, cast

import numpy as np

from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    follower_response,
    leader_returns,
)
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    LeaderCommitment,
    StationaryFollower,
    TimedFollower,
)
from solvers.leaders.relaxed_leaders import (
    NEVER,
    OPEN,
    SearchProblem,
    open_pattern,
    pair_returns,
    pattern_bounds,
)
from solvers.leaders.stationary_responses import SplitTree, reached_openly, stationary_response
from solvers.solution import Meter

MOST_WITNESSES = 64  # with so few policies, bounds use all of them


@dataclass(frozen=True)
class Incumbent:
    """A leader with the follower's response and what they pay, the leader first."""

    commitment: LeaderCommitment
    returns: tuple[Fraction, Fraction]


def first_witnesses(problem: SearchProblem) -> Any:
    """Return stationary policies of the follower to start with: all, if they are few."""
    own = [legal or (-1,) for legal in problem.legal[problem.num_leader :]]
    if not problem.is_stationary:
        return np.zeros((0, len(own)), dtype=np.int32)
    if prod(map(len, own)) <= MOST_WITNESSES:
        return np.array(list(product(*own)), dtype=np.int32)
    return np.array([[legal[0] for legal in own]], dtype=np.int32)


def respond(problem: SearchProblem, leader: Any, witnesses: Any) -> Incumbent:
    """Return the follower's response to a full policy, and what both get, exactly.

    A stationary response is best up to rounding; ``witnesses`` are policies to start from.
    """
    policy = DeterministicLeader(tuple(int(a) for a in leader))
    if not problem.is_stationary:
        found = follower_response(problem.view, policy, ties=problem.ties)
        follower = cast("TimedFollower", found.policy)
        return Incumbent(LeaderCommitment(policy, follower), found.returns)
    row, _ = stationary_response(problem, leader, witnesses)
    return commit(problem, policy, StationaryFollower(tuple(int(b) for b in row)))


def commit(
    problem: SearchProblem, leader: DeterministicLeader, follower: StationaryFollower
) -> Incumbent:
    """Return a pair of policies with what it pays, exactly."""
    returns = leader_returns(problem.view, leader, follower)
    return Incumbent(LeaderCommitment(leader, follower), returns)


SCATTERED_STARTS = 4
MOST_CLIMBS = 8
GOLDEN = (5**0.5 - 1) / 2  # its multiples modulo 1 leave the smallest gaps


@dataclass
class LeaderSearch:
    """A search that runs: its tree, the best leader so far, and known follower policies.

    Attributes:
        witnesses (W, follower's observations): Stationary policies of the follower that bounds use.
        waiting: A heap of leaves that may hold a better leader: minus the bound, and the node.
        known: Responses to full policies that were looked at.
    """

    problem: SearchProblem
    meter: Meter
    witnesses: Any
    tree: SplitTree = field(default_factory=SplitTree)
    best: Incumbent | None = None
    waiting: list[tuple[float, int]] = field(default_factory=list[tuple[float, int]])
    known: dict[tuple[int, ...], Incumbent] = field(
        default_factory=dict[tuple[int, ...], Incumbent]
    )

    @property
    def target(self) -> float:
        """What a branch must be able to exceed to be worth a look."""
        if self.best is None:
            return -np.inf
        return self.problem.in_units(self.best.returns[0]) + self.problem.tolerance

    def bounds(self, patterns: Any) -> Any:
        """Bound patterns with all witnesses known by now."""
        return pattern_bounds(self.problem, patterns, self.witnesses).upper

    def consider(self, leader: Any) -> None:
        """Let the follower respond to a full policy, and keep the leader if he earns more."""
        key = tuple(int(a) for a in leader)
        if key in self.known:
            return
        found = self.known[key] = respond(self.problem, leader, self.witnesses)
        self.keep(found)

    def keep(self, found: Incumbent) -> None:
        """Learn from a leader and the response to him."""
        follower = found.commitment.follower_policy
        if isinstance(follower, StationaryFollower):
            row = np.array(follower.actions, dtype=np.int32)
            if not (self.witnesses == row).all(axis=1).any():
                self.witnesses = np.concatenate([self.witnesses, row[None]])
        if self.best is None or found.returns[0] > self.best.returns[0]:
            self.best = found


def start_search(search: LeaderSearch) -> None:
    """Bound the root, and look for a good leader by changing one action at a time."""
    legal = search.problem.legal[: search.problem.num_leader]
    root = open_pattern(search.problem)
    node = search.tree.add(root, float(search.bounds(root[None])[0]))
    heapq.heappush(search.waiting, (-search.tree.bounds[node], node))
    for trial in range(1 + SCATTERED_STARTS):
        places = _scattered(trial, [len(own) for own in legal])
        start = np.array(
            [own[place] if own else NEVER for own, place in zip(legal, places, strict=True)],
            dtype=np.int32,
        )
        _improve(search, start)
        if search.meter.is_exhausted or search.tree.bounds[node] <= search.target:
            break


def _scattered(trial: int, sizes: list[int]) -> list[int]:
    """Return a place below each size, evenly scattered over places and trials; trial 0 is zeros."""
    parts = (trial * (place + 1) * GOLDEN % 1.0 for place in range(len(sizes)))
    return [int(part * size) for part, size in zip(parts, sizes, strict=True)]


def _improve(search: LeaderSearch, start: Any) -> None:
    """Climb from a start until the follower responds as she was expected to."""
    problem = search.problem
    if problem.is_stationary:  # the leader who is good against a clock is rarely bad
        timed = replace(problem, follower_class=FollowerClass.TIME_AWARE)
        start = _climb(timed, search, start)
        search.consider(start)
    for _ in range(MOST_CLIMBS):
        known = len(search.known)
        search.consider(_climb(problem, search, start))
        if len(search.known) == known or search.meter.is_exhausted:
            break


def _climb(problem: SearchProblem, search: LeaderSearch, leader: Any) -> Any:
    """Change one action at a time while that raises what the leader seems to earn."""
    value = -np.inf
    while not search.meter.is_exhausted:
        near = _neighbors(leader, problem.legal[: problem.num_leader])
        values = _leader_values(problem, near, search.witnesses)
        best = int(values.argmax())
        if values[best] <= value + problem.tolerance:
            break
        value, leader = float(values[best]), near[best]
    return leader


def _neighbors(leader: Any, legal: tuple[tuple[int, ...], ...]) -> Any:
    """Return a policy and those that differ from it at one observation, one a row."""
    found = [leader]
    for o, own in enumerate(legal):
        for action in own:
            if action != leader[o]:
                other = leader.copy()
                other[o] = action
                found.append(other)
    return np.array(found, dtype=np.int32)


def _leader_values(problem: SearchProblem, leaders: Any, witnesses: Any) -> Any:
    """Return what full policies earn; roughly, where not all follower policies are witnesses."""
    if problem.is_stationary:
        own, other = pair_returns(problem, leaders, witnesses)
        sign = -1 if problem.is_adverse else 1
        best = other >= other.max(axis=1, keepdims=True) - problem.tolerance
        return sign * np.where(best, sign * own, -np.inf).max(axis=1)
    rest = open_pattern(problem)[problem.num_leader :]
    full = np.concatenate([leaders, np.tile(rest, (len(leaders), 1))], axis=1)
    return pattern_bounds(problem, full.astype(np.int32), witnesses).upper


def run_search(search: LeaderSearch) -> None:
    """Split until no branch can hold a better leader, or the budget ends."""
    tree, problem = search.tree, search.problem
    while search.waiting and not search.meter.is_exhausted:
        bound, node = heapq.heappop(search.waiting)
        if -bound <= search.target:
            search.waiting.clear()  # the largest bound of all
            return
        pattern = tree.patterns[node]
        if not np.any(pattern[: problem.num_leader] == OPEN):
            search.consider(pattern[: problem.num_leader])
            tree.bounds[node] = float(search.bounds(pattern[None])[0])
            if tree.bounds[node] <= search.target or not problem.is_stationary:
                continue
        split_node(search, node)
        if search.meter.iterations.bit_count() == 1:  # rarely: after 1, 2, 4, ... splits
            _climb_from(search, pattern)


def _climb_from(search: LeaderSearch, pattern: Any) -> None:
    """Look for a better leader near a promising pattern, completed by the best one."""
    if search.best is None:
        return
    leader = pattern[: search.problem.num_leader]
    best = np.array(search.best.commitment.leader_policy.actions, dtype=np.int32)
    _improve(search, np.where(leader == OPEN, best, leader))


def split_node(search: LeaderSearch, node: int) -> None:
    """Split a node on the observation that promises most, and put the children on the heap."""
    tree = search.tree
    pattern = tree.patterns[node]
    is_open = _candidates(search, pattern)
    if not is_open:
        return  # settled exactly, afterwards
    rows = [children_of(search.problem, pattern, int(o)) for o in is_open]
    sizes = np.array([len(own) for own in rows])
    first = np.cumsum(sizes) - sizes
    bounds = np.minimum(search.bounds(np.concatenate(rows)), tree.bounds[node])
    room = np.maximum(bounds - search.target, 0)
    room = np.where(np.isfinite(room), room, 0)
    score = np.add.reduceat(room, first) / sizes
    chosen = int(score.argmin())
    own = bounds[first[chosen] : first[chosen] + sizes[chosen]]
    for child in tree.split(node, int(is_open[chosen]), rows[chosen], own):
        heapq.heappush(search.waiting, (-tree.bounds[child], child))
    search.meter.step()


def _candidates(search: LeaderSearch, pattern: Any) -> list[int]:
    """Return the open observations that a split may be on."""
    problem = search.problem
    if not problem.is_stationary:
        return np.flatnonzero(pattern[: problem.num_leader] == OPEN).tolist()
    reached = reached_openly(problem, pattern, search.witnesses)
    return reached or np.flatnonzero(pattern == OPEN).tolist()


def children_of(problem: SearchProblem, pattern: Any, observation: int) -> Any:
    """Return a pattern with each legal action at an open observation, one a row."""
    legal = problem.legal[observation]
    rows = np.repeat(pattern[None], len(legal), axis=0)
    rows[:, observation] = legal
    return rows
