"""Branch and bound over what the follower in a tree does: the best commitment, with a proof.

Each node is a case: actions of the follower that are fixed. Its program is solved in floats, and
rounded multipliers, checked in integers, prove most cases hopeless. Where recommendations are pure
they are the follower's reply, and the case is done once its program is solved exactly; else the
case branches where they are most mixed.
"""

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count

from gametheory_core.arrays import FloatArray
from gametheory_core.certificates.extensive_stackelberg_bounds import LEAF, ReplyCase, reply_bound
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import Basis, FloatOutcome, solve_float
from solvers.solution import BudgetOver, Meter
from solvers.stackelberg.extensive_problem import (
    CaseProgram,
    CommitmentProblem,
    case_program,
    open_infosets,
)
from solvers.stackelberg.extensive_replies import (
    TreeCommitment,
    better_for,
    exact_multipliers,
    favorite_reply,
    floor_of,
    improved,
    rounded_multipliers,
    rounded_weights,
    settled,
)
from solvers.stackelberg.leader_problem import is_close

MARGIN_BITS = 10  # the floor lies a thousandth of the span below the best value: slack for rounding
MOST_REPAIRS = 30  # exact steps for a case that ties with the best value; then it is split instead


class _FarOffError(Exception):
    """Leaves an exact solve that takes too many steps."""


@dataclass
class CaseNode:
    """A case with the best bound proved for it.

    Attributes:
        fixed: Position of an information set of the follower -> action.
        leaf: Proves the bound.
        bound: No commitment with a best reply in this case earns more.
        branching: What the children differ in; -1 without any.
        children: One for each action.
    """

    fixed: Mapping[int, int]
    leaf: ReplyCase
    bound: Fraction
    branching: int = LEAF
    children: list["CaseNode"] = field(default_factory=list["CaseNode"])


@dataclass
class CaseSearch:
    """The search under way.

    Attributes:
        meter: Counts linear programs.
        best: The best one found.
        root: Of the tree of cases.
        tried: Plans of the follower that commitments were optimized for.
    """

    problem: CommitmentProblem
    meter: Meter
    best: TreeCommitment
    root: CaseNode
    tried: set[tuple[int, ...]] = field(default_factory=set[tuple[int, ...]])


def search_cases(problem: CommitmentProblem, start: TreeCommitment, *, meter: Meter) -> CaseSearch:
    """Find an optimal commitment and prove it; stop with weaker bounds when the budget ends."""
    nothing = ReplyCase(LEAF)
    root = CaseNode({}, nothing, reply_bound(problem.payoffs, {}, nothing))
    search = CaseSearch(problem, meter, start, root)
    order = count()
    queue = [(-root.bound, -next(order), root)]
    while queue:
        _, _, node = heapq.heappop(queue)
        if node.bound <= search.best.value:
            continue
        if meter.is_exhausted:
            break
        _look(search, node)
        for child in node.children:
            heapq.heappush(queue, (-child.bound, -next(order), child))
        node.children.sort(key=lambda child: child.fixed[node.branching])
    return search


def cases_of(search: CaseSearch) -> tuple[ReplyCase, ...]:
    """Write the tree of cases in preorder."""
    found: list[ReplyCase] = []
    pending = [search.root]
    while pending:
        node = pending.pop()
        found.append(ReplyCase(node.branching) if node.children else node.leaf)
        pending += reversed(node.children)
    return tuple(found)


def _look(search: CaseSearch, node: CaseNode) -> None:
    """Improve the bound of a case, and branch if it may still hold something better."""
    problem, meter = search.problem, search.meter
    slack = (problem.own_span >> MARGIN_BITS) + 1
    floor = floor_of(problem, search.best) - slack
    written = case_program(problem, node.fixed, floor=floor)
    estimate = solve_float(written.for_floats, time_limit=meter.seconds_left)
    meter.step()
    if estimate.outcome is FloatOutcome.OPTIMAL:
        _tighten(search, node, rounded_multipliers(problem, written, estimate.dual))
        if node.bound <= search.best.value:
            return
        _try(search, written, estimate.primal)
        if node.bound <= search.best.value or meter.is_exhausted:
            return
    choices = open_infosets(problem, written.classes)
    try:
        if not choices:
            _settle(search, node)
            return
        best = search.best.value * problem.payoffs.own_scale
        if is_close(written.program, estimate.primal, best, span=problem.own_span):
            _prove(search, node, estimate.basis)
    except BudgetOver:
        return
    if node.bound > search.best.value:
        _branch(search, node, written, choices, estimate.primal)


def _tighten(search: CaseSearch, node: CaseNode, leaf: ReplyCase) -> None:
    bound = reply_bound(search.problem.payoffs, node.fixed, leaf)
    if bound < node.bound:
        node.bound, node.leaf = bound, leaf


def _try(search: CaseSearch, written: CaseProgram, primal: FloatArray) -> None:
    """Look for better commitments near a relaxation: for the reply to it, and for what it tells."""
    problem = search.problem
    if primal[0] <= 0:
        return
    own = problem.payoffs.own
    found = favorite_reply(problem, rounded_weights(own, primal[: own.num_sequences]))
    if found.value > search.best.value:
        search.best = found
    for reply in (found.reply, _told(problem, written, found.reply, primal)):
        if reply not in search.tried and not search.meter.is_exhausted:
            search.tried.add(reply)
            better = better_for(problem, reply, search.best, meter=search.meter)
            if better is not None:
                search.best = improved(problem, better, meter=search.meter)


def _told(
    problem: CommitmentProblem, written: CaseProgram, reply: tuple[int, ...], primal: FloatArray
) -> tuple[int, ...]:
    """Return the follower's plan of the likeliest recommendations; as in a reply where none is."""
    plan = list(reply)
    for k in range(len(plan)):
        allowed = [a for a, t in enumerate(problem.actions(k)) if written.classes[t] >= 0]
        if len(allowed) == 1:
            plan[k] = allowed[0]
        elif allowed:
            shares = [primal[written.columns[t, 0]] for t in problem.actions(k)]
            if max(shares) > 0:
                plan[k] = shares.index(max(shares))
    return tuple(plan)


def _settle(search: CaseSearch, node: CaseNode) -> None:
    """Solve a case in which all that matters is fixed."""
    reply = tuple(node.fixed.get(k, 0) for k in range(len(search.problem.meetings)))
    search.best, leaf = settled(search.problem, reply, search.best, meter=search.meter)
    _tighten(search, node, leaf)


def _prove(search: CaseSearch, node: CaseNode, basis: Basis | None) -> None:
    """Solve a case exactly, for the best bound of its kind, unless the basis is far off."""
    problem = search.problem
    written = case_program(problem, node.fixed, floor=floor_of(problem, search.best))
    search.meter.step()
    steps = count()

    def tick() -> None:
        search.meter.require_time()
        if next(steps) > MOST_REPAIRS:
            raise _FarOffError

    try:
        optimum = solve_exactly(written.program, basis, tick=tick)
    except _FarOffError:
        return
    _tighten(search, node, exact_multipliers(problem, written, optimum.dual))


def _branch(
    search: CaseSearch, node: CaseNode, written: CaseProgram, choices: list[int], primal: FloatArray
) -> None:
    """Split where what the follower is told is most mixed; the likeliest action comes first."""
    problem = search.problem
    told = {k: [primal[written.columns[t, 0]] for t in problem.actions(k)] for k in choices}
    node.branching = max(choices, key=lambda k: (sum(told[k]) - max(told[k]), sum(told[k])))
    shares = told[node.branching]
    node.children = [
        CaseNode({**node.fixed, node.branching: action}, node.leaf, node.bound)
        for action in sorted(range(len(shares)), key=shares.__getitem__)
    ]
