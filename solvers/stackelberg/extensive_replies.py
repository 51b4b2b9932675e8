"""What a follower in a tree answers to a commitment, and the leader's best plan for one answer.

The dual of a case's program gives the deviations and transfers that a certificate states.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import floor, inf
from typing import cast

import numpy as np

from gametheory_core.arrays import ONE, ExactArray, FloatArray, freeze, scaled_integers
from gametheory_core.certificates.extensive_stackelberg_bounds import (
    LEAF,
    DeviationWeight,
    ReplyCase,
    SequenceTransfer,
)
from gametheory_core.strategies.sequences import PlayerSequences
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import solve_float
from solvers.rounding import rational_distribution
from solvers.solution import BudgetOver, Meter
from solvers.stackelberg.extensive_problem import CaseProgram, CommitmentProblem, case_program
from solvers.stackelberg.leader_problem import rounded_count

MULTIPLIER_BITS = 44


def exact_multipliers(
    problem: CommitmentProblem, written: CaseProgram, dual: ExactArray
) -> ReplyCase:
    """State the exact dual of a case's program as a leaf."""
    unit = Fraction(problem.payoffs.other_scale, problem.payoffs.own_scale)
    values = cast("list[Fraction]", dual.tolist())
    return ReplyCase(
        LEAF,
        tuple(
            DeviationWeight(trigger, sequence, values[row] * unit)
            for (trigger, sequence), row in written.obedience.items()
            if values[row]
        ),
        tuple(
            SequenceTransfer(k, s, values[row] / problem.payoffs.own_scale)
            for (k, s), row in written.transfers.items()
            if values[row]
        ),
    )


def rounded_multipliers(
    problem: CommitmentProblem, written: CaseProgram, dual: FloatArray
) -> ReplyCase:
    """Round a float dual to multiples of powers of two that are valid: flows stay flows."""
    values = cast("list[float]", dual.tolist())
    own, other = problem.own_span.bit_length(), problem.other_span.bit_length()
    exponent = own - other - MULTIPLIER_BITS
    unit = Fraction(problem.payoffs.other_scale, problem.payoffs.own_scale)
    deviations = [
        DeviationWeight(trigger, sequence, unit * count * Fraction(2) ** exponent)
        for trigger, flow in _flows(problem, written, values, exponent).items()
        for sequence, count in flow.items()
    ]
    exponent = own - MULTIPLIER_BITS
    transfers = [
        SequenceTransfer(k, s, count * Fraction(2) ** exponent / problem.payoffs.own_scale)
        for (k, s), row in written.transfers.items()
        if (count := rounded_count(values[row], exponent))
    ]
    return ReplyCase(LEAF, tuple(deviations), tuple(transfers))


def _flows(
    problem: CommitmentProblem, written: CaseProgram, values: list[float], exponent: int
) -> dict[int, dict[int, int]]:
    """Split each trigger's rounded weight on the way down as the float dual does."""
    flows: dict[int, dict[int, int]] = {}
    for trigger in dict.fromkeys(trigger for trigger, _ in written.obedience):
        start = problem.ends[trigger]
        rows = {t: values[written.obedience[trigger, t]] for t in problem.actions(start)}
        whole = rounded_count(sum(max(value, 0.0) for value in rows.values()), exponent)
        pending = [(start, whole)] if whole > 0 else []
        flow: dict[int, int] = {}
        while pending:
            k, count = pending.pop()
            actions = problem.actions(k)
            shares = [max(values[written.obedience[trigger, t]], 0.0) for t in actions]
            for t, part in zip(actions, _split(count, shares), strict=True):
                if part:
                    flow[t] = part
                    pending += [(below, part) for below in problem.children[t]]
        if flow:
            flows[trigger] = flow
    return flows


def _split(count: int, shares: list[float]) -> list[int]:
    """Split an integer in proportion to shares; what is left over goes to the largest share."""
    total = sum(shares)
    parts = [int(count * Fraction(share / total)) if total > 0 else 0 for share in shares]
    parts[shares.index(max(shares))] += count - sum(parts)
    return parts


HALF = 0.5


@dataclass(frozen=True, eq=False)
class TreeCommitment:
    """A commitment in a tree, what it earns, and the follower's answer.

    Attributes:
        value: The leader's payoff.
        weights (leader's sequences,): The leader's realization plan.
        reply: The follower's action at each own information set, ties broken for the leader.
    """

    value: Fraction
    weights: ExactArray
    reply: tuple[int, ...]


def favorite_reply(problem: CommitmentProblem, weights: ExactArray) -> TreeCommitment:
    """Answer a commitment with the leader's favorite among the best replies.

    Where play never comes all actions tie, and the first one is taken.
    """
    payoffs = problem.payoffs
    scaled = scaled_integers(weights)
    plan = cast("list[int]", scaled.numerators.tolist())
    earned = [
        tuple(sum(value * plan[s] for s, value in row.items()) for row in rows)
        for rows in zip(payoffs.other_payoffs, payoffs.own_payoffs, strict=True)
    ]
    reply: list[int] = [0] * len(payoffs.other.infosets)
    for k in reversed(range(len(reply))):
        actions = problem.actions(k)
        best = max(earned[t] for t in actions)
        reply[k] = next(a for a, t in enumerate(actions) if earned[t] == best)
        parent = int(payoffs.other.parent_sequence[k])
        earned[parent] = (earned[parent][0] + best[0], earned[parent][1] + best[1])
    value = Fraction(earned[0][1], payoffs.own_scale * scaled.denominator)
    return TreeCommitment(value, weights, tuple(reply))


def rounded_weights(own: PlayerSequences, primal: FloatArray) -> ExactArray:
    """Return the realization plan that float weights stand for, with short local probabilities."""
    weights = np.zeros(own.num_sequences, dtype=object)
    weights[0] = ONE
    for i, parent in enumerate(own.parent_sequence.tolist()):
        start, stop = int(own.first_sequence[i]), int(own.first_sequence[i + 1])
        weights[start:stop] = rational_distribution(primal[start:stop]) * weights[parent]
    return freeze(weights)


def settled(
    problem: CommitmentProblem,
    reply: tuple[int, ...],
    best: TreeCommitment,
    *,
    meter: Meter,
    least_share: float = -inf,
) -> tuple[TreeCommitment, ReplyCase]:
    """Optimize exactly over the commitments to which a plan is a best reply.

    Returns the better of the optimum and what is known, and the multipliers that bound the optimum
    (or what is known, if that is larger). The exact solve is spared, and nothing is bounded, where
    floats leave less than ``least_share`` to the commitment, the rest to the outside option. Raises
    ``BudgetOver`` if time is up.
    """
    written = case_program(problem, dict(enumerate(reply)), floor=floor_of(problem, best))
    estimate = solve_float(written.for_floats, time_limit=meter.seconds_left)
    meter.step()
    if estimate.primal[0] < least_share:
        return best, ReplyCase(LEAF)
    optimum = solve_exactly(written.program, estimate.basis, tick=meter.require_time)
    leaf = exact_multipliers(problem, written, optimum.dual)
    if optimum.primal[0] != ONE:  # the outside option is as good
        return best, leaf
    found = favorite_reply(problem, optimum.primal[: problem.payoffs.own.num_sequences])
    return (found if found.value > best.value else best), leaf


def improved(problem: CommitmentProblem, start: TreeCommitment, *, meter: Meter) -> TreeCommitment:
    """Optimize for the reply to a commitment, again and again, until nothing is gained."""
    best = start
    while not meter.is_exhausted:
        found = better_for(problem, best.reply, best, meter=meter)
        if found is None:
            return best
        best = found
    return best


def better_for(
    problem: CommitmentProblem, reply: tuple[int, ...], best: TreeCommitment, *, meter: Meter
) -> TreeCommitment | None:
    """Return a commitment better than the best, to which a plan is a best reply; None if none.

    Where floats see none the exact solve is spared, so that one by a hair may be missed.
    """
    try:
        found, _ = settled(problem, reply, best, meter=meter, least_share=HALF)
    except BudgetOver:
        return None
    return found if found.value > best.value else None


def floor_of(problem: CommitmentProblem, best: TreeCommitment) -> int:
    """Return what the outside option pays: the best value known, rounded down."""
    return floor(best.value * problem.payoffs.own_scale)
