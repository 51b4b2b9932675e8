"""The leader's problem: a bimatrix game seen from the player who commits.

Payoffs are kept twice: as integers over common denominators, ``own`` and ``others`` (leader's
actions x follower's), exact; and as floats scaled to [0, 1], for the float solver. The follower's
are measured from the least one of each row, which changes no comparison between answers.

Commitments within given half-spaces are a linear program,

    max  x.g   subject to   x.d_i <= 0  for all i,   sum x + s = 1,   x, s >= 0,

with an outside option ``s`` paid a floor, so that a solution always exists. All numbers are
integers. For any ``y >= 0``, no such ``x`` has more than ``max over a of g[a] - sum_i y_i d_i[a]``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import frexp
from typing import Any, cast

import numpy as np

from gametheory_core import NormalFormGame, NotConverged
from gametheory_core.arrays import ZERO, ExactArray, FloatArray, freeze, scaled_integers
from gametheory_core.certificates.wording import written
from solvers._programs.exact import ExactOptimum
from solvers._programs.linear import LinearProgram
from solvers.rounding import power_of_two
from solvers.solution import Meter, Solution
from solvers.zero_sum.certified_program import dense_program

MULTIPLIER_BITS = 32
CLOSE = 1e-7  # in spans of the leader's payoffs: too close for floats to tell


@dataclass(frozen=True, eq=False)
class LeaderProblem:
    """A game from the leader's side.

    Attributes:
        own, others (leader's actions, follower's actions): Payoffs of leader and follower, times
            ``own_scale`` and ``others_scale``; the follower's less the least one for the same
            action of the leader.
        own_scale, others_scale: Positive.
        own_least, own_span, others_span: What the scaling of floats takes away and divides by, in
            the units of the integers.
        own_floats, others_floats: The same payoffs in [0, 1].
    """

    own: ExactArray
    own_scale: int
    others: ExactArray
    others_scale: int
    own_least: int
    own_span: int
    others_span: int
    own_floats: FloatArray
    others_floats: FloatArray


@dataclass(frozen=True, eq=False)
class Commitment:
    """A commitment and what it earns.

    Attributes:
        value: The leader's payoff; for the weak solution in the limit.
        strategy: The leader's.
        answer: The follower's action.
        interior: For the weak solution: a commitment to which the answer's class is strictly best.
    """

    value: Fraction
    strategy: ExactArray
    answer: int
    interior: ExactArray | None = None


@dataclass(frozen=True, eq=False)
class BoundProof:
    """Weights and multipliers that bound what a class of answers is worth.

    No weights at all: the multipliers prove that the class does not count.
    """

    weights: dict[int, Fraction]
    multipliers: dict[int, Fraction]


def leader_problem(game: NormalFormGame, leader: int) -> LeaderProblem:
    """Look at a two-player game from the leader's side."""
    own, others = (game.scaled_payoffs[i] for i in (leader, 1 - leader))
    mine = own.numerators.T if leader == 1 else own.numerators
    theirs = others.numerators.T if leader == 1 else others.numerators
    least, most = int(mine.min()), int(mine.max())
    from_least = theirs - theirs.min(axis=1, keepdims=True)
    own_span, others_span = max(most - least, 1), max(int(from_least.max()), 1)
    return LeaderProblem(
        own=mine,
        own_scale=own.denominator,
        others=from_least,
        others_scale=others.denominator,
        own_least=least,
        own_span=own_span,
        others_span=others_span,
        own_floats=freeze(np.asarray((mine - least) / own_span, dtype=np.float64)),
        others_floats=freeze(np.asarray(from_least / others_span, dtype=np.float64)),
    )


def scaled_value(problem: LeaderProblem, value: Fraction) -> float:
    """Return a leader's payoff on the scale of ``own_floats``."""
    return float((value * problem.own_scale - problem.own_least) / problem.own_span)


def favorite_commitment(problem: LeaderProblem, strategy: ExactArray) -> Commitment:
    """Answer a commitment with the leader's favorite among the best responses."""
    found = favorite_answers([problem.own], [problem.others], strategy)
    return Commitment(found.earned / problem.own_scale, strategy, found.answers[0])


def best_pure_commitment(problem: LeaderProblem) -> Commitment:
    """Find the best commitment to one action, ties of the follower broken for the leader."""
    return favorite_commitment(problem, best_pure_strategy([problem.own], [problem.others]))


@dataclass(frozen=True)
class FavoriteAnswers:
    """What followers who move apart answer to a commitment, and the leader's sum of payoffs."""

    earned: Fraction
    answers: tuple[int, ...]


def favorite_answers(
    own: Sequence[ExactArray], others: Sequence[ExactArray], strategy: ExactArray
) -> FavoriteAnswers:
    """Answer a commitment with the leader's favorites among each follower's best responses.

    Args:
        own, others (leader's actions, follower's actions): For each follower, in integers.
    """
    scaled = scaled_integers(strategy)
    played = np.flatnonzero(scaled.numerators)
    weights = scaled.numerators[played]
    answers: list[int] = []
    total = 0
    for ours, payoffs in zip(own, others, strict=True):
        mine, theirs = weights @ ours[played], weights @ payoffs[played]
        best = np.flatnonzero(theirs == theirs.max()).tolist()
        answers.append(max(best, key=mine.__getitem__))
        total += int(mine[answers[-1]])
    return FavoriteAnswers(Fraction(total, scaled.denominator), tuple(answers))


def best_pure_strategy(own: Sequence[ExactArray], others: Sequence[ExactArray]) -> ExactArray:
    """Find the best commitment to one action; arguments as in ``favorite_answers``."""
    earned = np.zeros(len(own[0]), dtype=object)
    for mine, theirs in zip(own, others, strict=True):
        is_reply = theirs == theirs.max(axis=1, keepdims=True)
        earned += [max(row[mask]) for row, mask in zip(mine, is_reply, strict=True)]
    return pure_strategy(int(np.argmax(earned)), len(earned))


def pure_strategy(action: int, count: int) -> ExactArray:
    """Return the strategy of so many actions that surely plays one."""
    return strategy_of([int(a == action) for a in range(count)])


def strategy_of(weights: Any) -> ExactArray:
    """Return the mixed strategy with given proportions, integers of at least 0."""
    total = sum(weights)
    shares = [Fraction(int(weight), total) if weight else ZERO for weight in weights]
    return freeze(np.array(shares, dtype=object))


def region_program(problem: LeaderProblem, answer: int, *, floor: int) -> LinearProgram:
    """Write the program of ``_programs.region_model`` in integers, with the same numbering.

    Its value is in the units of ``own``, at least ``floor``.
    """
    num_actions, num_answers = problem.own.shape
    matrix = np.zeros((num_answers + 1, num_actions + 2), dtype=object)
    matrix[:num_answers, :num_actions] = problem.others.T
    matrix[:num_answers, num_actions] = -problem.others_span
    matrix[num_answers, :num_actions] = 1
    matrix[num_answers, num_actions + 1] = 1
    is_free = np.zeros(num_actions + 2, dtype=bool)
    is_free[num_actions] = True
    is_equation = np.zeros(num_answers + 1, dtype=bool)
    is_equation[[answer, num_answers]] = True
    objective = np.append(problem.own[:, answer], np.array([0, floor], dtype=object))
    return dense_program(matrix, objective, is_equation=is_equation, is_free=is_free)


def exact_multipliers(
    problem: LeaderProblem, optimum: ExactOptimum, rows: dict[int, int]
) -> dict[int, Fraction]:
    """Read multipliers in payoff units; ``rows`` maps answers to rows of the program."""
    unit = Fraction(problem.others_scale, problem.own_scale)
    dual = {c: cast("Fraction", optimum.dual[row]) for c, row in rows.items()}
    return {c: value * unit for c, value in dual.items() if value}


def rounded_multipliers(problem: LeaderProblem, multipliers: FloatArray) -> dict[int, Fraction]:
    """Round a float solver's multipliers to dyadic rationals, in payoff units."""
    unit = Fraction(
        problem.own_span * problem.others_scale, problem.others_span * problem.own_scale
    ) / (1 << MULTIPLIER_BITS)
    counts = np.rint(multipliers * 2.0**MULTIPLIER_BITS)
    return {c: int(counts[c]) * unit for c in np.flatnonzero(counts).tolist()}


def bound_by(problem: LeaderProblem, answer: int, multipliers: dict[int, Fraction]) -> Fraction:
    """Return what the leader gets at most where the follower answers so, by given multipliers."""
    rivals = problem.others[:, list(multipliers)] - problem.others[:, [answer]]
    region = HalfSpaceProblem(problem.own[:, answer], rivals.T)
    unit = Fraction(problem.own_scale, problem.others_scale)
    weights = [value * unit for value in multipliers.values()]
    return half_space_bound(region, weights) / problem.own_scale


@dataclass(frozen=True, eq=False)
class HalfSpaceProblem:
    """A leader's payoffs, and the half-spaces that a commitment must lie in.

    Attributes:
        payoffs (leader's actions,)
        normals (half-spaces, leader's actions): A commitment ``x`` satisfies ``normals @ x <= 0``.
    """

    payoffs: ExactArray
    normals: ExactArray


def half_space_program(problem: HalfSpaceProblem, *, floor: int) -> LinearProgram:
    """Write the program; columns are the leader's actions, then the outside option."""
    size = len(problem.payoffs)
    matrix = np.zeros((len(problem.normals) + 1, size + 1), dtype=object)
    matrix[:-1, :size] = problem.normals
    matrix[-1] = 1
    objective = np.append(problem.payoffs, np.array([floor], dtype=object))
    is_equation = np.arange(len(matrix)) == len(problem.normals)
    is_free = np.zeros(size + 1, dtype=bool)
    return dense_program(matrix, objective, is_equation=is_equation, is_free=is_free)


def rounded_weights(problem: HalfSpaceProblem, dual: FloatArray) -> list[Fraction]:
    """Round a float solver's multipliers to dyadic rationals of a fixed relative accuracy."""
    span = max(int(abs(problem.payoffs).max()), 1).bit_length()
    weights: list[Fraction] = []
    for normal, value in zip(problem.normals, dual.tolist(), strict=False):
        exponent = span - max(int(abs(normal).max()), 1).bit_length() - MULTIPLIER_BITS
        weights.append(rounded_count(max(value, 0.0), exponent) * power_of_two(exponent))
    return weights


def rounded_count(value: float, exponent: int) -> int:
    """Return ``value / 2**exponent``, rounded."""
    mantissa, power = frexp(value)
    shift = power - 53 - exponent
    whole = int(mantissa * 2**53)
    return whole << shift if shift >= 0 else (whole + (1 << (-shift - 1))) >> -shift


def half_space_bound(problem: HalfSpaceProblem, weights: list[Fraction]) -> Fraction:
    """Return what multipliers prove, in the units of the payoffs."""
    used = [i for i, weight in enumerate(weights) if weight]
    if not used:
        return Fraction(int(problem.payoffs.max()))
    scaled = scaled_integers(np.array([weights[i] for i in used], dtype=object))
    total = problem.payoffs * scaled.denominator - scaled.numerators @ problem.normals[used]
    return Fraction(int(total.max()), scaled.denominator)


def is_close(program: LinearProgram, primal: FloatArray, best: Fraction, *, span: int) -> bool:
    """Tell whether a relaxation beats the best commitment by a hair at most, or not at all.

    Args:
        primal: Of the relaxation, from floats.
        best: What the best commitment earns; like ``span``, in the units of the objective.
    """
    objective = (program.objective / span).astype(np.float64)
    return float(objective @ primal) <= float(best / span) + CLOSE


def proved(certificate: Any, meter: Meter) -> Solution[Any, Any]:
    """Report the commitment that a certificate proves optimal.

    Raises:
        NotConverged: If it leaves open whether another one gets more; ``best`` is the solution.
    """
    found = Solution(certificate.profile, certificate.payoffs, certificate, meter.record())
    if certificate.epsilon:
        raise NotConverged(
            needs="an optimal commitment",
            found=f"the budget ended after {meter.iterations} linear programs: the best one found "
            f"gets {written(certificate.leader_payoff)}, and none gets more than "
            f"{written(certificate.upper_bound)}",
            remedy="Give a larger budget, or use the commitment in the exception's best.",
            best=found,
        )
    return found
