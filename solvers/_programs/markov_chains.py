"""Stationary distributions of finite Markov chains, given by the rates of their moves.

In floats by eliminating states without a subtraction (Grassmann, Taksar and Heyman 1985), so that
each probability has full relative accuracy, however small; with rates as logarithms, so that none
underflows. Exactly by linear algebra over the rationals, and over polynomials in a noise.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, cast

import numpy as np

from gametheory_core.arrays import FloatArray, IntArray

MOST_DENSE = 2_000  # states; beyond, a sparse factorization
LOWEST_PLAIN = -30.0  # logarithm of a rate below which products may underflow


@dataclass(frozen=True, eq=False)
class Moves:
    """The moves of a chain.

    Attributes:
        num_states: States are numbered from 0.
        sources, targets: From where to where, each pair once, never equal.
    """

    num_states: int
    sources: IntArray
    targets: IntArray


def float_stationary(moves: Moves, logarithms: FloatArray, tick: Callable[[], None]) -> FloatArray:
    """Return the stationary distribution of a chain in which every state can be reached.

    Args:
        logarithms (moves,): Natural logarithms of the rates.
        tick: Called before each state is eliminated, or once before a sparse factorization; may
            raise to stop.
    """
    if moves.num_states > MOST_DENSE:
        tick()
        return _sparse(moves, np.exp(logarithms))
    if logarithms.min(initial=0.0) < LOWEST_PLAIN:
        return _eliminated_in_logarithms(moves, logarithms, tick)
    return _eliminated(moves, np.exp(logarithms), tick)


def _eliminated(moves: Moves, values: FloatArray, tick: Callable[[], None]) -> FloatArray:
    rates = np.zeros((moves.num_states, moves.num_states))
    rates[moves.sources, moves.targets] = values
    for last in range(moves.num_states - 1, 0, -1):
        tick()
        rates[:last, last] /= rates[last, :last].sum()
        rates[:last, :last] += np.multiply.outer(rates[:last, last], rates[last, :last])
    weights = np.ones(moves.num_states)
    for state in range(1, moves.num_states):
        weights[state] = weights[:state] @ rates[:state, state]
    return weights / weights.sum()


def _eliminated_in_logarithms(
    moves: Moves, logarithms: FloatArray, tick: Callable[[], None]
) -> FloatArray:
    rates = np.full((moves.num_states, moves.num_states), -np.inf)
    rates[moves.sources, moves.targets] = logarithms
    for last in range(moves.num_states - 1, 0, -1):
        tick()
        rates[:last, last] -= np.logaddexp.reduce(rates[last, :last])
        through = np.add.outer(rates[:last, last], rates[last, :last])
        np.logaddexp(rates[:last, :last], through, out=rates[:last, :last])
    weights = np.zeros(moves.num_states)
    for state in range(1, moves.num_states):
        weights[state] = np.logaddexp.reduce(weights[:state] + rates[:state, state])
    shares = np.exp(weights - weights.max())
    return shares / shares.sum()


def _sparse(moves: Moves, rates: FloatArray) -> FloatArray:
    """Solve the balance of all states but the first, whose weight is one."""
    from scipy.sparse import coo_array  # noqa: PLC0415 takes time to load
    from scipy.sparse.linalg import spsolve  # noqa: PLC0415

    count = moves.num_states
    leaving = np.bincount(moves.sources, weights=rates, minlength=count)
    diagonal = np.arange(count)
    balance = cast(
        "Any",
        coo_array(
            (
                np.concatenate([rates, -leaving]),
                (
                    np.concatenate([moves.targets, diagonal]),
                    np.concatenate([moves.sources, diagonal]),
                ),
            ),
            shape=(count, count),
        ),
    ).tocsc()
    inflow = -balance[1:, [0]].toarray().ravel()
    solved = cast("FloatArray", spsolve(balance[1:, 1:], inflow))
    weights = np.concatenate([[1.0], solved])
    weights = np.maximum(weights, 0.0)
    return weights / weights.sum()


def exact_stationary(moves: Moves, rates: list[Fraction]) -> list[Fraction]:
    """Return the exact stationary distribution of a chain in which every state can be reached."""
    from flint import fmpq, fmpq_mat  # noqa: PLC0415 as elsewhere behind this door

    count = moves.num_states
    balance = [[fmpq(0)] * count for _ in range(count)]
    for source, target, rate in zip(
        moves.sources.tolist(), moves.targets.tolist(), rates, strict=True
    ):
        flow = fmpq(rate.numerator, rate.denominator)
        balance[target][source] += flow
        balance[source][source] -= flow
    balance[0] = [fmpq(1)] * count  # one balance follows from the others
    ends = fmpq_mat(count, 1, [fmpq(int(i == 0)) for i in range(count)])
    found = fmpq_mat(balance).solve(ends)
    return [Fraction(int(found[i, 0].p), int(found[i, 0].q)) for i in range(count)]


def absorption_shares(
    moves: Moves, rates: list[Fraction], classes: list[list[int]]
) -> list[list[Fraction]]:
    """Return, for each state, how likely each of the closed classes is where it ends up."""
    from flint import fmpq, fmpq_mat  # noqa: PLC0415 as elsewhere behind this door

    home = {state: k for k, members in enumerate(classes) for state in members}
    passing = [state for state in range(moves.num_states) if state not in home]
    place = {state: i for i, state in enumerate(passing)}
    system = [[fmpq(0)] * len(passing) for _ in passing]
    ends = [[fmpq(0)] * len(classes) for _ in passing]
    for source, target, rate in zip(
        moves.sources.tolist(), moves.targets.tolist(), rates, strict=True
    ):
        if source in place:
            flow, row = fmpq(rate.numerator, rate.denominator), place[source]
            system[row][row] += flow
            if target in place:
                system[row][place[target]] -= flow
            else:
                ends[row][home[target]] += flow
    shares = [
        [Fraction(int(home.get(s) == k)) for k in range(len(classes))]
        for s in range(moves.num_states)
    ]
    if passing:
        found = fmpq_mat(system).solve(fmpq_mat(ends))
        for state, row in place.items():
            shares[state] = [
                Fraction(int(found[row, k].p), int(found[row, k].q)) for k in range(len(classes))
            ]
    return shares


def limit_stationary(
    moves: Moves, constants: list[Fraction], slopes: list[Fraction], tick: Callable[[], None]
) -> list[Fraction]:
    """Return the limit of stationary distributions as the noise in the rates vanishes.

    Args:
        moves: Every state can be reached while there is noise.
        constants, slopes (moves,): A rate is ``constant + slope * noise``, positive for small
            positive noise.
        tick: Called before each state is eliminated; may raise to stop.

    The stationary weights are the cofactors of a column of the matrix of balances, polynomials in
    the noise. They are found by elimination without fractions (Bareiss 1968), and their lowest
    terms compared.
    """
    from flint import fmpz_poly  # noqa: PLC0415 as elsewhere behind this door

    count = moves.num_states
    scale = lcm(*{number.denominator for number in (*constants, *slopes)})
    balance = [[fmpz_poly([]) for _ in range(count)] for _ in range(count)]
    for source, target, constant, slope in zip(
        moves.sources.tolist(), moves.targets.tolist(), constants, slopes, strict=True
    ):
        flow = fmpz_poly([int(constant * scale), int(slope * scale)])
        balance[target][source] += flow
        balance[source][source] -= flow
    weights = _null_vector(balance, tick)
    lowest = [next(((k, int(c)) for k, c in enumerate(weight.coeffs()) if c)) for weight in weights]
    least = min(exponent for exponent, _ in lowest)
    leading = [abs(c) if exponent == least else 0 for exponent, c in lowest]
    return [Fraction(weight, sum(leading)) for weight in leading]


def _null_vector(matrix: list[list[Any]], tick: Callable[[], None]) -> list[Any]:
    """Return polynomials that every row but the first multiplies to zero.

    Fraction-free elimination of columns 1, 2, ... from rows 1, 2, ...: in the end, row ``i`` says
    ``divisor * weight[i] + row[i][0] * weight[0] = 0``.
    """
    from flint import fmpz_poly  # noqa: PLC0415 as elsewhere behind this door

    rows = [row[:] for row in matrix[1:]]
    divisor = fmpz_poly([1])
    for k in range(len(rows)):
        tick()
        pivot = rows[k][k + 1]  # minors of a chain's balances do not vanish
        for i, row in enumerate(rows):
            if i != k:
                factor = row[k + 1]
                rows[i] = [
                    (pivot * a - factor * b) // divisor for a, b in zip(row, rows[k], strict=True)
                ]
        divisor = pivot
    return [divisor, *(-row[0] for row in rows)]


def balance_residual(moves: Moves, rates: FloatArray, weights: FloatArray) -> float:
    """Return the largest net flow into a state, as a share of the largest rate."""
    flows = weights[moves.sources] * rates
    count = moves.num_states
    into = np.bincount(moves.targets, weights=flows, minlength=count)
    out = np.bincount(moves.sources, weights=flows, minlength=count)
    return float(np.abs(into - out).max(initial=0.0) / (rates.max(initial=0.0) or 1.0))
