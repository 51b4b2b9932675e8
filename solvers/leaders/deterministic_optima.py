"""All optimal deterministic leaders of a Markov game, as patterns, with proof that none is missing.

After the value is known, partial policies are split until all who agree with one earn less, or all
earn the value.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from gametheory_core.errors import NotConverged
from gametheory_core.games.rules import POSG
from gametheory_core.leaders.follower_responses import FollowerClass, FollowerTies
from gametheory_core.leaders.markov_stackelberg_bounds import BoundTask, Leaves, leaf_bounds
from gametheory_core.leaders.markov_stackelberg_optima import (
    MarkovStackelbergOptimaCertificate,
    OptimalPattern,
)
from gametheory_core.leaders.policies import DeterministicLeader
from gametheory_core.leaders.view import LeaderView
from solvers.leaders.deterministic import best_leader, settled_response, written_witnesses
from solvers.leaders.layers import view_led_by
from solvers.leaders.leader_search import LeaderSearch, children_of, respond
from solvers.leaders.relaxed_leaders import OPEN, negated, open_pattern, pattern_bounds
from solvers.leaders.stationary_responses import LEAF, SplitTree, reached_openly
from solvers.requirements import a_posg
from solvers.solution import UNLIMITED, Budget, OnIteration, RunRecord, Solution
from solvers.solver import solver


@dataclass(frozen=True)
class LeaderOptima:
    """All optimal deterministic leaders.

    Attributes:
        patterns: Actions by the leader's observation; -2 where any will do. Together they describe
            all optimal leaders, each once.
        num_optimal: How many leaders that is; those who differ only where play never comes count
            separately.
        leader_value: What each of them gets; payoff units.
        certificate: That they earn this, and every other leader less.
        run: How they were got.
    """

    view: LeaderView
    patterns: tuple[tuple[int, ...], ...]
    num_optimal: int
    leader_value: Fraction
    certificate: MarkovStackelbergOptimaCertificate
    run: RunRecord

    @property
    def solution(self) -> Solution[tuple[tuple[int, ...], ...], MarkovStackelbergOptimaCertificate]:
        """All optimal leaders as one answer."""
        return Solution(self.patterns, (), self.certificate, self.run)

    def policies(self) -> tuple[DeterministicLeader, ...]:
        """Return all optimal leaders one by one, in ascending order; ``num_optimal`` of them."""
        legal = [self.view.leader_actions(o) for o in range(len(self.patterns[0]))]
        found = [
            actions
            for pattern in self.patterns
            for actions in product(
                *(own if a == OPEN else (a,) for a, own in zip(pattern, legal, strict=True))
            )
        ]
        return tuple(map(DeterministicLeader, sorted(found)))


@solver(takes=(a_posg,), unit="splits", page="leaders")
def markov_stackelberg_optima(
    game: POSG | LeaderView,
    *,
    leader: int | None = None,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> LeaderOptima:
    """Find all deterministic memoryless leaders who earn most, and prove that there is no other.

    Args:
        game: Two players, a horizon, and observations that are functions of the state.
        leader: Who commits first. Default: the leader of a view, the first player of other games.
        follower_class, ties: As for ``markov_stackelberg``.
        budget: Iterations are splits of partial policies.
        on_iteration: Called after each split.

    Raises:
        UnsupportedGame: If the game has no leader view, or is too large even for one bound.
        NotConverged: If the budget ends first; ``best`` is the solution of ``markov_stackelberg``
            if that was found, with its certificate.

    >>> from gametheory_core.catalog import iterated_stag_hunt
    >>> optima = markov_stackelberg_optima(iterated_stag_hunt())
    >>> optima.patterns, optima.num_optimal
    (((0, 0, -2, -2, -2),), 8)
    """
    view = view_led_by(game, leader)
    search, solution = best_leader(
        view, follower_class=follower_class, ties=ties, budget=budget, on_iteration=on_iteration
    )
    certificate = solution.certificate
    optima = _Optima(search, certificate.multipliers, certificate.leader_value)
    root = open_pattern(search.problem)
    optima.waiting.append(optima.tree.add(root, np.inf))
    while optima.waiting:
        if search.meter.is_exhausted:
            raise NotConverged(
                needs="all optimal leaders",
                found=f"the budget ended after {search.meter.iterations} splits",
                remedy="Give a larger budget; the exception's best is one optimal leader.",
                best=solution,
            )
        _settle_node(optima, optima.waiting.pop())
    return _answer(optima)


@dataclass
class _Optima:
    """The state of the enumeration: its tree, what waits, and the patterns found."""

    search: LeaderSearch
    multipliers: tuple[Fraction, ...]
    value: Fraction
    tree: SplitTree = field(default_factory=SplitTree)
    waiting: list[int] = field(default_factory=list[int])
    patterns: list[OptimalPattern] = field(default_factory=list[OptimalPattern])

    def upper(self, pattern: Any, *, is_negated: bool = False) -> Fraction | None:
        """Bound the leader's return exactly, or minus his return; None if there is no response."""
        problem = self.search.problem
        task = BoundTask(
            problem.view,
            problem.follower_class,
            problem.ties,
            self.multipliers,
            written_witnesses(self.search.witnesses),
            is_negated=is_negated,
        )
        count = problem.num_leader
        rows = Leaves(pattern[None, :count], pattern[None, count:])
        return leaf_bounds(task, rows)[0].upper


def _settle_node(optima: _Optima, node: int) -> None:
    """Close a node where all leaders earn less, or all the value; split it otherwise."""
    search, pattern = optima.search, optima.tree.patterns[node]
    problem, count = search.problem, search.problem.num_leader
    if _float_upper(search, pattern[None])[0] < problem.in_units(optima.value) - problem.tolerance:
        return
    upper = optima.upper(pattern)
    if upper is None or upper < optima.value:
        return
    listed = _is_listed(optima, pattern[:count]) or _lists(optima, pattern)
    if not listed and not np.any(pattern[:count] == OPEN):
        listed = _lists_policy(optima, pattern[:count])
    if listed and upper <= optima.value:
        return
    observation = _lowering_split(optima, pattern) if listed else _telling_split(optima, pattern)
    rows = children_of(problem, pattern, observation)
    children = optima.tree.split(node, observation, rows, [0.0] * len(rows))
    optima.waiting += reversed(children)
    search.meter.step()


def _float_upper(search: LeaderSearch, patterns: Any) -> Any:
    return pattern_bounds(search.problem, patterns, search.witnesses).upper


def _float_lower(search: LeaderSearch, patterns: Any) -> Any:
    """Return what leaders of patterns earn at least, whatever a stationary follower's part."""
    whole = patterns.copy()
    count = search.problem.num_leader
    whole[:, count:] = open_pattern(search.problem)[count:]
    return -pattern_bounds(negated(search.problem), whole, search.witnesses).upper


def _is_listed(optima: _Optima, leader: Any) -> bool:
    listed = np.array([pattern.actions for pattern in optima.patterns])
    return bool(len(listed)) and bool(((listed == OPEN) | (listed == leader)).all(axis=1).any())


def _lists(optima: _Optima, pattern: Any) -> bool:
    """List a pattern if a single bound proves that all its leaders earn the value."""
    search, problem = optima.search, optima.search.problem
    count, value = problem.num_leader, problem.in_units(optima.value)
    if _float_lower(search, pattern[None])[0] < value - problem.tolerance:
        return False
    whole = pattern.copy()
    whole[count:] = open_pattern(problem)[count:]
    lower = optima.upper(whole, is_negated=True)
    if lower is not None and lower > -optima.value:
        return False
    optima.patterns.append(OptimalPattern(tuple(pattern[:count].tolist()), (LEAF,)))
    return True


def _lists_policy(optima: _Optima, leader: Any) -> bool:
    """List a full policy if the response to it pays the value; only stationary ones come here."""
    search = optima.search
    found = respond(search.problem, leader, search.witnesses)
    found, nodes = settled_response(search.problem, found, optima.multipliers)
    search.keep(found)  # the follower's policy is a witness from now on
    if found.returns[0] != optima.value:
        return False
    optima.patterns.append(OptimalPattern(tuple(leader.tolist()), nodes))
    return True


def _lowering_split(optima: _Optima, pattern: Any) -> int:
    """Return an open observation that may lower the bound from above; the leaders are optimal."""
    search, problem = optima.search, optima.search.problem
    if problem.is_stationary:
        reached = reached_openly(problem, pattern, search.witnesses)
        return (reached or np.flatnonzero(pattern == OPEN).tolist())[0]
    return _telling_split(optima, pattern)


def _telling_split(optima: _Optima, pattern: Any) -> int:
    """Return the open observation whose children leave least between the bounds and the value."""
    search, problem = optima.search, optima.search.problem
    count = problem.num_leader
    places = np.flatnonzero(pattern[:count] == OPEN).tolist()
    if not places:  # only the follower's policy is left to split
        return _lowering_split(optima, pattern)
    rows = [children_of(problem, pattern, o) for o in places]
    sizes = np.array([len(own) for own in rows])
    first = np.cumsum(sizes) - sizes
    together = np.concatenate(rows)
    value, tolerance = problem.in_units(optima.value), problem.tolerance
    above = _float_upper(search, together) - value
    below = value - _float_lower(search, together)
    is_closed = (above < -tolerance) | (below <= tolerance)
    room = np.maximum(above, 0) + np.maximum(below, 0) + 1
    score = np.add.reduceat(np.where(is_closed, 0, room), first) / sizes
    return places[int(score.argmin())]


def _answer(optima: _Optima) -> LeaderOptima:
    search, view = optima.search, optima.search.problem.view
    legal = [view.leader_actions(o) for o in range(search.problem.num_leader)]
    total = sum(
        int(np.prod([len(own) for a, own in zip(p.actions, legal, strict=True) if a == OPEN]))
        for p in optima.patterns
    )
    certificate = MarkovStackelbergOptimaCertificate(
        view.game,
        view.leader,
        search.problem.follower_class,
        search.problem.ties,
        optima.value,
        total,
        tuple(optima.patterns),
        optima.multipliers,
        written_witnesses(search.witnesses),
        optima.tree.written(),
    )
    certificate.verify()
    patterns = tuple(p.actions for p in optima.patterns)
    run = search.meter.record()
    return LeaderOptima(view, patterns, total, optima.value, certificate, run)
