"""From the dual of a case's program to the deviations and transfers that a certificate states."""

from fractions import Fraction
from math import frexp
from typing import cast

from gametheory_core.arrays import ExactArray, FloatArray
from gametheory_core.certificates.extensive_stackelberg_bounds import (
    LEAF,
    DeviationWeight,
    ReplyCase,
    SequenceTransfer,
)
from solvers.stackelberg.extensive_problem import CaseProgram, CommitmentProblem

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
        if (count := _count(values[row], exponent))
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
        whole = _count(sum(max(value, 0.0) for value in rows.values()), exponent)
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


def _count(value: float, exponent: int) -> int:
    """Return ``value / 2**exponent``, rounded."""
    mantissa, power = frexp(value)
    shift = power - 53 - exponent
    whole = int(mantissa * 2**53)
    return whole << shift if shift >= 0 else (whole + (1 << (-shift - 1))) >> -shift
