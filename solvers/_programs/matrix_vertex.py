"""Strategies that make rows and columns of a matrix game equally good (Shapley and Snow 1950).

With ``C`` the payoffs of as many rows as columns, the weights ``x`` and ``y`` and the value ``v``
of the smaller game are determined by

    C'x = v,   sum x = 1,      C y = v,   sum y = 1,

if the bordered matrix is regular. Every optimal vertex of a game comes from such a square.
"""

from fractions import Fraction
from typing import Any

import flint
import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, FloatArray, freeze


def equalizing(
    payoffs: FloatArray, rows: tuple[int, ...], columns: tuple[int, ...]
) -> tuple[FloatArray, FloatArray] | None:
    """Return equalizing strategies of all rows and columns in floats; None if there are none.

    Args:
        payoffs (num_rows, num_columns)
        rows, columns: Equally many.
    """
    size = len(rows)
    block = payoffs[np.ix_(rows, columns)]
    center, unit = block.mean(), float(np.abs(payoffs).max()) or 1.0
    bordered = np.ones((size + 1, size + 1))
    bordered[:size, :size] = (block - center) / unit
    bordered[size, size] = 0.0
    last = np.zeros(size + 1)
    last[size] = 1.0
    try:
        inverse = np.linalg.inv(bordered)
    except np.linalg.LinAlgError:
        return None
    strategies: list[FloatArray] = []
    for matrix, solver, support, count in (
        (bordered.T, inverse.T, rows, payoffs.shape[0]),
        (bordered, inverse, columns, payoffs.shape[1]),
    ):
        solved = solver @ last
        solved += solver @ (last - matrix @ solved)  # one refinement
        if not np.all(np.isfinite(solved)):
            return None
        weights = np.zeros(count)
        weights[list(support)] = np.maximum(solved[:size], 0.0)
        strategies.append(weights / weights.sum())
    return strategies[0], strategies[1]


def guarantee_gap(payoffs: FloatArray, x: FloatArray, y: FloatArray) -> float:
    """Return what two strategies guarantee apart from each other, up to rounding."""
    return float((payoffs @ y).max() - (x @ payoffs).min())


def equalizing_exactly(
    payoffs: ExactArray, rows: tuple[int, ...], columns: tuple[int, ...]
) -> ExactArray | None:
    """Return the rational weights of the columns that equalize the rows.

    Args:
        payoffs (num_rows, num_columns): Transposed for the weights of rows.
        rows, columns: Equally many.

    Returns:
        (num_columns,): Zero outside ``columns``; None if there are no such weights, or one is
        negative.
    """
    size = len(rows)
    entries = [[*row, 1] for row in payoffs[np.ix_(rows, columns)].tolist()]
    bordered: Any = flint.fmpz_mat([*entries, [1] * size + [0]])
    try:
        solved = bordered.solve(flint.fmpz_mat(size + 1, 1, [0] * size + [1]))
    except ZeroDivisionError:
        return None
    numerators, denominator = solved.numer_denom()
    parts = [int(part) for part in numerators.entries()[:size]]
    whole = int(denominator)
    if min(parts) < 0:  # the denominator is positive
        return None
    weights = np.full(payoffs.shape[1], ZERO, dtype=object)
    weights[list(columns)] = [Fraction(part, whole) for part in parts]
    return freeze(weights)
