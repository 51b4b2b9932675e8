"""Branch and bound over the answers of types: the best response function, with a proof.

Each node of the tree is a partial response function. Its relaxation is solved in floats; rounded
multipliers, checked in integers, prove most nodes hopeless. Where they fail by a hair, and where
all types are fixed, the program is solved exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ExactArray, FloatArray
from gametheory_core.certificates.bayesian_stackelberg import LEAF, BoundNode, ResponseMultiplier
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import Basis, FloatOutcome, solve_float
from solvers.solution import Budget, BudgetOver, Meter
from solvers.stackelberg.bayesian_problem import (
    OPEN,
    BayesianProblem,
    Relaxation,
    ResponseProgram,
    Responses,
    TypedCommitment,
    added_by_types,
    favorite_responses,
    response_program,
)
from solvers.stackelberg.leader_problem import MULTIPLIER_BITS, is_close, rounded_count, strategy_of
from solvers.workers import in_parts

MARGIN_BITS = 10  # the floor lies a thousandth of the span below the best value: slack for rounding
ALONE = 256  # linear programs, before a search is divided
PARTS = 16  # of a search, at most
AT_ONCE = 128  # linear programs of a part, between two exchanges of the best commitment
GUESS_BITS = 24  # float commitments are rounded to multiples of this power of a half


@dataclass
class ResponseSearch:
    """The search under way.

    Attributes:
        meter: Counts linear programs.
        best: The best one found.
        nodes: The tree so far: each branch before its children.
    """

    problem: BayesianProblem
    relaxation: Relaxation
    meter: Meter
    best: TypedCommitment
    nodes: list[BoundNode]


_Branch: TypeAlias = tuple[Responses, BoundNode]  # and the bound that it inherits


@dataclass(frozen=True)
class _Look:
    """What a look at a node brings: the node, and the best bound proved there, for its children."""

    node: BoundNode
    proof: BoundNode


@dataclass(frozen=True, eq=False)
class _Multipliers:
    """Weights of preferences in the units of the integers, as multiples of ``2**exponent``."""

    counts: dict[tuple[int, int, int], int]
    exponents: list[int]


def search_responses(
    problem: BayesianProblem,
    start: TypedCommitment,
    relaxation: Relaxation,
    *,
    meter: Meter,
    jobs: int | None = None,
) -> ResponseSearch:
    """Find an optimal commitment and prove it; stop with weaker bounds when the budget ends.

    Args:
        jobs: Workers; changes nothing but the time.

    A search that is not soon over is divided: in each round the branches that are left go in a
    fixed number of parts to whoever is there, each with a fixed number of programs to solve, and
    what they find comes together in the order of the branches.
    """
    search = ResponseSearch(problem, relaxation, meter, start, [])
    found = _depth_first(search, [((OPEN,) * len(problem.own), BoundNode(LEAF))], most=ALONE)
    while not meter.is_exhausted and any(not isinstance(own, BoundNode) for own in found):
        found = _round(search, found, jobs)
    search.nodes += [
        own if isinstance(own, BoundNode) else _look(search, *own).node for own in found
    ]
    return search


def _depth_first(
    search: ResponseSearch, branches: Sequence[_Branch], *, most: int
) -> list[BoundNode | _Branch]:
    """Look into branches in their order, until so many programs have been solved.

    Returns the tree so far, each branch before its children, with the branches that are left.
    """
    found: list[BoundNode | _Branch] = []
    waiting = list(reversed(branches))
    until = search.meter.iterations + most
    while waiting and search.meter.iterations < until and not search.meter.is_exhausted:
        responses, inherited = waiting.pop()
        look = _look(search, responses, inherited)
        found.append(look.node)
        if look.node.branching != LEAF:
            t = look.node.branching
            answers = reversed(range(search.problem.counts[t]))
            children = [(*responses[:t], b, *responses[t + 1 :]) for b in answers]
            waiting += [(child, look.proof) for child in children]
    return found + waiting[::-1]


def _round(
    search: ResponseSearch, found: list[BoundNode | _Branch], jobs: int | None
) -> list[BoundNode | _Branch]:
    """Look further into all branches that are left; the better commitments are shared after it."""
    meter = search.meter
    left = [own for own in found if not isinstance(own, BoundNode)]
    size = ceil(len(left) / meter.at_most(PARTS))
    groups = [left[k : k + size] for k in range(0, len(left), size)]
    limit = meter.iterations_left
    budget = replace(meter.left, iterations=None if limit is None else limit // len(groups))
    state = (search.problem, search.relaxation, search.best)
    parts = [(*state, group, AT_ONCE, budget) for group in groups]
    answers = in_parts(
        _searched, parts, jobs=jobs, what="branch", on_done=lambda own: meter.step(own.iterations)
    )
    for own in answers:
        if own.best.value > search.best.value:
            search.best = own.best
    grown = iter([tree for own in answers for tree in own.trees])
    return [
        own for place in found for own in ([place] if isinstance(place, BoundNode) else next(grown))
    ]


@dataclass(frozen=True, eq=False)
class _Part:
    """What a worker has found.

    Attributes:
        best: The best commitment it knows.
        trees: For each of its branches the tree so far, with the branches that are left.
        iterations: Programs solved.
    """

    best: TypedCommitment
    trees: list[list[BoundNode | _Branch]]
    iterations: int


def _searched(
    problem: BayesianProblem,
    relaxation: Relaxation,
    best: TypedCommitment,
    branches: list[_Branch],
    most: int,
    budget: Budget,
) -> _Part:
    """Look into some branches, until so many programs have been solved, wherever this is called."""
    search = ResponseSearch(problem, relaxation, Meter(budget, "linear programs"), best, [])
    trees = [
        _depth_first(search, [branch], most=most - search.meter.iterations) for branch in branches
    ]
    return _Part(search.best, trees, search.meter.iterations)


def improved(problem: BayesianProblem, start: TypedCommitment, *, meter: Meter) -> TypedCommitment:
    """Optimize for the responses to a commitment, again and again, until nothing is gained."""
    best = start
    while not meter.is_exhausted:
        try:
            found, _ = settle_responses(problem, best.responses, best, meter=meter)
        except BudgetOver:
            return best
        if found.value == best.value:
            return best
        best = found
    return best


def settle_responses(
    problem: BayesianProblem,
    responses: Responses,
    best: TypedCommitment,
    *,
    meter: Meter,
    basis: Basis | None = None,
) -> tuple[TypedCommitment, BoundNode]:
    """Optimize exactly over the commitments answered so: a better one if there is, and a proof."""
    written = response_program(
        problem, responses, Relaxation.LOOSE, floor=floor(best.value * problem.own_scale)
    )
    if basis is None:
        basis = solve_float(written.program, time_limit=meter.seconds_left).basis
    meter.step()
    optimum = solve_exactly(written.program, basis, tick=meter.require_time)
    node = BoundNode(LEAF, _exact_multipliers(problem, written, optimum.dual))
    if optimum.value / problem.own_scale <= best.value:
        return best, node
    return favorite_responses(problem, optimum.primal[: problem.num_actions]), node


def _look(search: ResponseSearch, responses: Responses, inherited: BoundNode) -> _Look:
    """Prove a partial response function hopeless, or solve it if it is whole, or branch.

    Where the budget has ended, the bound is the one ``inherited`` from the branch above.
    """
    problem, meter = search.problem, search.meter
    if _bound(problem, responses, _NONE) <= search.best.value:
        return _closed(BoundNode(LEAF))
    if meter.is_exhausted:
        return _closed(inherited)
    best = search.best.value * problem.own_scale
    least = floor(best) - (problem.own_span >> MARGIN_BITS) - 1
    written = response_program(problem, responses, search.relaxation, floor=least)
    estimate = solve_float(written.program, time_limit=meter.seconds_left)
    meter.step()
    proof = inherited
    if estimate.outcome is FloatOutcome.OPTIMAL:
        rounded = _rounded(problem, written, estimate.dual)
        proof = BoundNode(LEAF, _stated(problem, rounded))
        if _bound(problem, responses, rounded) <= search.best.value:
            return _closed(proof)
        _try(search, estimate.primal)
    if meter.is_exhausted:
        return _closed(proof)
    try:
        if OPEN not in responses:
            search.best, proof = settle_responses(
                problem, responses, search.best, meter=meter, basis=estimate.basis
            )
            return _closed(proof)
        best = search.best.value * problem.own_scale
        if is_close(written.program, estimate.primal, best, span=problem.own_span):
            exact = _exact_node(search, responses, estimate.basis)
            if exact is not None:
                return _closed(exact)
    except BudgetOver:
        return _closed(proof)
    return _Look(BoundNode(_branching(search, responses, estimate.primal)), proof)


def _closed(leaf: BoundNode) -> _Look:
    return _Look(leaf, leaf)


def _try(search: ResponseSearch, primal: FloatArray) -> None:
    """Keep the commitment of a relaxation, rounded and improved, if it earns more than the best."""
    shares = np.maximum(primal[: search.problem.num_actions], 0.0)
    weights = [int(weight) for weight in np.rint(shares * 2.0**GUESS_BITS)]
    if not any(weights):
        return
    found = favorite_responses(search.problem, strategy_of(weights))
    if found.value > search.best.value:
        search.best = improved(search.problem, found, meter=search.meter)


def _exact_node(
    search: ResponseSearch, responses: Responses, basis: Basis | None
) -> BoundNode | None:
    """Solve the relaxation exactly; None if it still promises more than the best commitment."""
    problem = search.problem
    least = floor(search.best.value * problem.own_scale)
    written = response_program(problem, responses, search.relaxation, floor=least)
    search.meter.step()
    optimum = solve_exactly(written.program, basis, tick=search.meter.require_time)
    if optimum.value / problem.own_scale > search.best.value:
        return None
    return BoundNode(LEAF, _exact_multipliers(problem, written, optimum.dual))


def _branching(search: ResponseSearch, responses: Responses, primal: FloatArray) -> int:
    """Choose the open type whose true answer disappoints most."""
    excess = added_by_types(search.problem, responses, search.relaxation, primal)
    open_types = [t for t, answer in enumerate(responses) if answer == OPEN]
    return max(open_types, key=lambda t: excess[t])


# Multipliers: from duals to what certificates state.

_NONE = _Multipliers({}, [])


def _rounded(problem: BayesianProblem, written: ResponseProgram, dual: FloatArray) -> _Multipliers:
    """Round a float solver's multipliers to multiples of a power of two for each type."""
    spans = [max(int(table.max()), 1) for table in problem.others]
    exponents = [
        problem.own_span.bit_length() - span.bit_length() - MULTIPLIER_BITS for span in spans
    ]
    counts: dict[tuple[int, int, int], int] = {}
    for place, value in zip(written.preferences, dual.tolist(), strict=False):
        count = rounded_count(value, exponents[place[0]])
        if count > 0:
            counts[place] = count
    return _Multipliers(counts, exponents)


def _bound(problem: BayesianProblem, responses: Responses, multipliers: _Multipliers) -> Fraction:
    """Return the bound that multipliers prove, in payoff units."""
    shift = max(0, -min(multipliers.exponents, default=0))
    total = np.zeros(problem.num_actions, dtype=object)
    columns: dict[tuple[int, int], ExactArray] = {}
    for (t, b, c), count in multipliers.counts.items():
        factor = count << (multipliers.exponents[t] + shift)
        gain = (problem.others[t][:, b] - problem.others[t][:, c]) * factor
        columns[t, b] = columns[t, b] + gain if (t, b) in columns else gain
    for t, answer in enumerate(responses):
        table = problem.own[t] << shift if shift else problem.own[t]
        if answer != OPEN:
            column = table[:, answer]
            total = total + (column + columns[t, answer] if (t, answer) in columns else column)
            continue
        touched = [b for s, b in columns if s == t]
        if touched:
            table = table.copy()
            for b in touched:
                table[:, b] += columns[t, b]
        total = total + table.max(axis=1)
    return Fraction(int(total.max()), problem.own_scale << shift)


def _stated(problem: BayesianProblem, multipliers: _Multipliers) -> tuple[ResponseMultiplier, ...]:
    return tuple(
        ResponseMultiplier(t, b, c, _unit(problem, t) * count * Fraction(2) ** exponent)
        for (t, b, c), count in multipliers.counts.items()
        for exponent in (multipliers.exponents[t],)
    )


def _exact_multipliers(
    problem: BayesianProblem, written: ResponseProgram, dual: ExactArray
) -> tuple[ResponseMultiplier, ...]:
    values = cast("list[Fraction]", dual[: len(written.preferences)].tolist())
    return tuple(
        ResponseMultiplier(t, b, c, _unit(problem, t) * value)
        for (t, b, c), value in zip(written.preferences, values, strict=True)
        if value
    )


def _unit(problem: BayesianProblem, t: int) -> Fraction:
    """Return what a weight of one in the units of the integers is in payoff units, unweighed."""
    return Fraction(problem.others_scale[t], problem.own_scale) / problem.game.prior[t]
