"""Which answer should the leader induce? One linear program for each answer worth a look.

The largest own payoff in an answer's column caps what inducing it can earn. Answers are tried in
the order of their caps, in floats, until no cap exceeds the best value seen. Then, from the most
promising on, each is settled exactly: either multipliers, checked in integers, prove that it does
not beat the best commitment, or its program is solved exactly. Rounded float multipliers prove
almost all; as a rule only the winner is solved exactly.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count
from typing import TypeAlias

import numpy as np

from gametheory_core.arrays import ONE, ExactArray, FloatArray
from gametheory_core.certificates.wording import rationals
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import LinearProgram, solve_float
from solvers._programs.warm_models import (
    RegionEstimate,
    RegionModel,
    new_region_model,
    solve_region,
)
from solvers.solution import BudgetOver, Meter
from solvers.stackelberg.leader_problem import (
    BoundProof,
    Commitment,
    LeaderProblem,
    bound_by,
    exact_multipliers,
    favorite_commitment,
    region_program,
    rounded_multipliers,
    scaled_value,
    strategy_of,
)
from solvers.zero_sum.certified_program import dense_program

FLOOR_MARGIN = 1e-3  # in the scale of own_floats: leaves float multipliers slack to be rounded


@dataclass(frozen=True)
class ExactStep:
    """What an exact look at one class brings: the best commitment now, and the class's proof."""

    best: Commitment
    proof: BoundProof


Classes: TypeAlias = tuple[tuple[int, ...], ...]
Settle: TypeAlias = Callable[[tuple[int, ...], RegionEstimate | None, Commitment], ExactStep]


@dataclass
class RegionSearch:
    """The search under way.

    Attributes:
        classes: Answers that are judged together.
        best: The best one certified so far.
        meter: Counts linear programs.
        heads: For each class, the member with the lowest cap.
        caps: That cap.
        reach: The best value seen in floats, on the scale of ``own_floats``.
        estimates: What floats said, by class.
        proofs: By class.
    """

    problem: LeaderProblem
    classes: Classes
    best: Commitment
    meter: Meter
    heads: list[int]
    caps: list[Fraction]
    reach: float
    model: RegionModel | None = None
    estimates: dict[int, RegionEstimate] = field(default_factory=dict[int, RegionEstimate])
    proofs: dict[int, BoundProof] = field(default_factory=dict[int, BoundProof])


def search_regions(
    problem: LeaderProblem, classes: Classes, start: Commitment, *, settle: Settle, meter: Meter
) -> RegionSearch:
    """Find the best class to induce, with a proof for each class; stop when the budget ends.

    Args:
        classes: Answers that are judged together.
        start: What is known before.
        settle: Solves the program of one class exactly, given the float estimate and the best
            commitment.
        meter: Counts linear programs.
    """
    most = problem.own.max(axis=0).tolist()
    heads = [min(members, key=lambda b: most[b]) for members in classes]
    caps = [Fraction(most[b], problem.own_scale) for b in heads]
    search = RegionSearch(
        problem, classes, start, meter, heads, caps, reach=scaled_value(problem, start.value)
    )
    order = sorted(range(len(classes)), key=lambda k: -caps[k])
    for k in order:
        if meter.is_exhausted or scaled_value(problem, caps[k]) <= search.reach:
            break
        _estimate(search, k)
    for k in sorted(order, key=lambda k: -_expected(search, k)):
        _prove_or_settle(search, k, settle)
    return search


def _expected(search: RegionSearch, k: int) -> float:
    cap = scaled_value(search.problem, search.caps[k])
    estimate = search.estimates.get(k)
    return cap if estimate is None else min(cap, estimate.value)


def _estimate(search: RegionSearch, k: int) -> None:
    if search.model is None:
        search.model = new_region_model(search.problem.others_floats)
    estimate = solve_region(
        search.model,
        search.heads[k],
        objective=search.problem.own_floats[:, search.heads[k]],
        floor=search.reach - FLOOR_MARGIN,
        time_limit=search.meter.seconds_left,
    )
    search.meter.step()
    if estimate is not None:
        search.estimates[k] = estimate
        search.reach = max(search.reach, estimate.value)


def _prove_or_settle(search: RegionSearch, k: int, settle: Settle) -> None:
    if search.caps[k] <= search.best.value:
        search.proofs[k] = BoundProof({search.heads[k]: ONE}, {})
        return
    search.proofs[k] = _float_proof(search, k)
    if (
        bound_by(search.problem, search.heads[k], search.proofs[k].multipliers) <= search.best.value
        or search.meter.is_exhausted
    ):
        return
    try:
        step = settle(search.classes[k], search.estimates.get(k), search.best)
    except BudgetOver:
        return
    search.meter.step()
    search.best, search.proofs[k] = step.best, step.proof


def _float_proof(search: RegionSearch, k: int) -> BoundProof:
    estimate = search.estimates.get(k)
    plain = BoundProof({search.heads[k]: ONE}, {})
    if estimate is None:
        return plain
    rounded = replace(plain, multipliers=rounded_multipliers(search.problem, estimate.multipliers))
    is_better = bound_by(search.problem, search.heads[k], rounded.multipliers) < search.caps[k]
    return rounded if is_better else plain


INTERIOR_BITS = 24


def settle_region(
    problem: LeaderProblem,
    meter: Meter,
    members: tuple[int, ...],
    estimate: RegionEstimate | None,
    best: Commitment,
) -> ExactStep:
    """Optimize exactly over the commitments answered by the one member; ties for the leader."""
    found = optimal_in_class(problem, meter, members, estimate, best)
    if found.best.value <= best.value:
        return replace(found, best=best)
    return replace(found, best=favorite_commitment(problem, found.best.strategy))


def settle_class(
    problem: LeaderProblem,
    meter: Meter,
    members: tuple[int, ...],
    estimate: RegionEstimate | None,
    best: Commitment,
) -> ExactStep:
    """Optimize exactly over the commitments answered by a class; ties against the leader."""
    found = optimal_in_class(problem, meter, members, estimate, best)
    if found.best.value <= best.value:
        return replace(found, best=best)
    return with_interior(problem, meter, members, found, best)


def optimal_in_class(
    problem: LeaderProblem,
    meter: Meter,
    members: tuple[int, ...],
    estimate: RegionEstimate | None,
    best: Commitment,
) -> ExactStep:
    """Return the best commitment answered by a class, which is at least the best known."""
    floor = math.floor(best.value * problem.own_scale)
    if len(members) == 1:
        program = region_program(problem, members[0], floor=floor)
    else:
        program = _class_program(problem, members, floor=floor)
    if len(members) == 1 and estimate is not None:
        basis = estimate.basis
    else:
        basis = solve_float(program, time_limit=meter.seconds_left).basis
    optimum = solve_exactly(program, basis, tick=meter.require_time)
    rivals = {c: c for c in range(problem.own.shape[1]) if c not in members}
    first = problem.own.shape[1]
    dual = rationals(optimum.dual[first : first + len(members)]) if len(members) > 1 else (ONE,)
    weights = {b: weight for b, weight in zip(members, dual, strict=True) if weight}
    strategy = optimum.primal[: len(problem.own)]
    earned = dict(zip(members, strategy @ problem.own[:, list(members)], strict=True))
    worst = min(members, key=earned.__getitem__)
    return ExactStep(
        Commitment(optimum.value / problem.own_scale, strategy, worst),
        BoundProof(weights, exact_multipliers(problem, optimum, rivals)),
    )


def strict_commitment(problem: LeaderProblem, classes: Classes) -> Commitment:
    """Find a commitment to which one class is strictly best, the best pure one if there is any.

    Points ``(1, t, t^2, ...)`` for ``t = 1, 2, ...`` serve where no pure one does: two classes
    tie at finitely many of them only, for their difference is a polynomial in ``t``.
    """
    size = len(problem.own)
    pure: list[tuple[Fraction, int]] = []
    for a in range(size):
        worst = _worst_of_strict(classes, problem.others[a].tolist(), problem.own[a].tolist())
        if worst is not None:
            pure.append((Fraction(problem.own[a, worst], problem.own_scale), a))
    if pure:
        action = max(pure, key=lambda found: found[0])[1]
        curve = iter([np.eye(size, dtype=int)[action].astype(object)])
    else:
        curve = (np.array([t**a for a in range(size)], dtype=object) for t in count(1))
    found = (_strict(problem, classes, weights) for weights in curve)
    return next(commitment for commitment in found if commitment is not None)


def _strict(problem: LeaderProblem, classes: Classes, weights: ExactArray) -> Commitment | None:
    mine = (weights @ problem.own).tolist()
    worst = _worst_of_strict(classes, (weights @ problem.others).tolist(), mine)
    if worst is None:
        return None
    strategy = strategy_of(weights.tolist())
    value = Fraction(mine[worst], sum(weights.tolist()) * problem.own_scale)
    return Commitment(value, strategy, worst, strategy)


def _worst_of_strict(classes: Classes, theirs: list[int], mine: list[int]) -> int | None:
    """Return the leader's worst answer of the class that is strictly best, if one class is."""
    most = max(theirs)
    replies = tuple(b for b, value in enumerate(theirs) if value == most)
    if not any(replies == own for own in classes):
        return None
    return min(replies, key=mine.__getitem__)


def with_interior(
    problem: LeaderProblem,
    meter: Meter,
    members: tuple[int, ...],
    step: ExactStep,
    best: Commitment,
) -> ExactStep:
    """Accept a better commitment if its class is somewhere strictly best; else prove it is not."""
    rivals = [c for c in range(problem.own.shape[1]) if c not in members]
    found = step.best
    if not rivals:
        return replace(step, best=replace(found, interior=found.strategy))
    program = _interior_program(problem, members[0], rivals)
    estimate = solve_float(program, time_limit=meter.seconds_left)
    meter.step()
    interior = _rounded_interior(problem, members, estimate.primal[:-1])
    if interior is not None:
        return replace(step, best=replace(found, interior=interior))
    optimum = solve_exactly(program, estimate.basis, tick=meter.require_time)
    if optimum.value > 0:
        interior = optimum.primal[: len(problem.own)]
        return replace(step, best=replace(found, interior=interior))
    rows = {c: row for row, c in enumerate(rivals)}
    return ExactStep(best, BoundProof({}, exact_multipliers(problem, optimum, rows)))


def _rounded_interior(
    problem: LeaderProblem, members: tuple[int, ...], strategy: FloatArray
) -> ExactArray | None:
    """Round a float strategy to dyadic rationals; None unless the class is strictly best there."""
    shares = np.rint(np.maximum(strategy, 0.0) * 2.0**INTERIOR_BITS)
    weights = np.array([int(share) for share in shares], dtype=object)
    rounded = _strict(problem, (members,), weights) if weights.any() else None
    return None if rounded is None else rounded.strategy


def _class_program(
    problem: LeaderProblem, members: tuple[int, ...], *, floor: int
) -> LinearProgram:
    """Maximise ``z`` with ``z <= x.L[:, b] + floor s`` for all members; columns x, u, s, z.

    Here and below, columns ``u``, ``z`` and ``t`` are measured in spans, so that they weigh no less
    than the others when the program is rounded to floats.
    """
    region = region_program(problem, members[0], floor=floor)
    num_actions, num_answers = problem.own.shape
    matrix = np.zeros((num_answers + len(members) + 1, num_actions + 3), dtype=object)
    rows = np.where(region.rows == num_answers, len(matrix) - 1, region.rows)
    matrix[rows, region.columns] = region.values
    for i, b in enumerate(members):
        matrix[num_answers + i, :num_actions] = -problem.own[:, b]
        matrix[num_answers + i, num_actions + 1 :] = [-floor, problem.own_span]
    objective = np.zeros(num_actions + 3, dtype=object)
    objective[-1] = problem.own_span
    is_equation = np.zeros(len(matrix), dtype=bool)
    is_equation[[members[0], -1]] = True
    is_free = np.append(region.is_free, True)
    return dense_program(matrix, objective, is_equation=is_equation, is_free=is_free)


def _interior_program(problem: LeaderProblem, answer: int, rivals: list[int]) -> LinearProgram:
    """Maximise the least preference ``t`` for the answer over its rivals; columns x, t."""
    num_actions = len(problem.own)
    matrix = np.zeros((len(rivals) + 1, num_actions + 1), dtype=object)
    matrix[:-1, :-1] = (problem.others[:, rivals] - problem.others[:, [answer]]).T
    matrix[:-1, -1] = problem.others_span
    matrix[-1, :-1] = 1
    objective = np.zeros(num_actions + 1, dtype=object)
    objective[-1] = 1
    is_equation = np.zeros(len(matrix), dtype=bool)
    is_equation[-1] = True
    is_free = np.zeros(num_actions + 1, dtype=bool)
    is_free[-1] = True
    return dense_program(matrix, objective, is_equation=is_equation, is_free=is_free)
