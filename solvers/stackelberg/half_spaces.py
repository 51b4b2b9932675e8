"""Commitments within given half-spaces: the leader's program, and bounds by multipliers.

    max  x.g   subject to   x.d_i <= 0  for all i,   sum x + s = 1,   x, s >= 0,

with an outside option ``s`` paid a floor, so that a solution always exists. All numbers are
integers. For any ``y >= 0``, no such ``x`` has more than ``max over a of g[a] - sum_i y_i d_i[a]``.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import frexp

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, FloatArray, scaled_integers
from solvers._programs.linear import LinearProgram
from solvers.stackelberg.leader_problem import dense_program

MULTIPLIER_BITS = 32


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
        mantissa, power = frexp(max(value, 0.0))
        whole = Fraction(int(mantissa * 2**53)) * Fraction(2) ** (power - 53 - exponent)
        weights.append(round(whole) * Fraction(2) ** exponent)
    return weights


def half_space_bound(problem: HalfSpaceProblem, weights: list[Fraction]) -> Fraction:
    """Return what multipliers prove, in the units of the payoffs."""
    used = [i for i, weight in enumerate(weights) if weight]
    if not used:
        return Fraction(int(problem.payoffs.max()))
    y = np.empty(len(used), dtype=object)
    y[:] = [weights[i] for i in used]
    scaled = scaled_integers(y)
    total = problem.payoffs * scaled.denominator - scaled.numerators @ problem.normals[used]
    return Fraction(int(total.max()), scaled.denominator)


def no_weights(problem: HalfSpaceProblem) -> list[Fraction]:
    """Return the multipliers that bound a commitment by the largest payoff."""
    return [ZERO] * len(problem.normals)
