"""Which answer should the leader induce? One linear program for each answer worth a look.

The largest own payoff in an answer's column caps what inducing it can earn. Answers are tried in
the order of their caps, in floats, until no cap exceeds the best value seen. Then, from the most
promising on, each is settled exactly: either multipliers, checked in integers, prove that it does
not beat the best commitment, or its program is solved exactly. Rounded float multipliers prove
almost all; as a rule only the winner is solved exactly.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeAlias

from gametheory_core.arrays import ONE
from solvers._programs.region_model import (
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
    rounded_multipliers,
    scaled_value,
)

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
    if k not in search.estimates and not search.meter.is_exhausted:
        _estimate(search, k)
    search.proofs[k] = _float_proof(search, k)
    if _bound(search, k) <= search.best.value or search.meter.is_exhausted:
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


def _bound(search: RegionSearch, k: int) -> Fraction:
    return bound_by(search.problem, search.heads[k], search.proofs[k].multipliers)
