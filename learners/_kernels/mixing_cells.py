"""Cells: adaptive forecasts of a throw; what ranks highest in one, and the best reply to one."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OFFSET = 1.6  # added to counts, so that the first lesson does not decide all
FLOOR = 0.003
TIE = 1e-6  # of scores
NEAR = 1e-9  # of probabilities: what is so near is alike, and the first is taken
COUNT = 3  # column of a cell
NOTHING, CLEAR_UP, CLEAR_DOWN, TWO_LEAD, TWO_TRAIL, CLOSE_DOWN = range(6)


@partial(compiled, error_model="numpy")
def teach(cells: Floats, place: int, symbol: int, limit: int) -> None:
    """Move a cell towards what was thrown.

    Args:
        cells (cells, 4): Three probabilities and a count; modified in place.
        limit: Of the count; what is older than that is forgotten.
    """
    rate = 1.0 / (cells[place, COUNT] + OFFSET)
    total = 0.0
    for i in range(3):
        p = cells[place, i]
        p += rate * ((1.0 if i == symbol else 0.0) - p)
        p = max(p, FLOOR)
        cells[place, i] = p
        total += p
    scale = 1.0 / total
    for i in range(3):
        cells[place, i] *= scale
    if cells[place, COUNT] < limit:
        cells[place, COUNT] += 1.0


@compiled
def ranking(scores: Floats, count: float) -> tuple[int, int]:
    """Return the category of a ranking and its reference, for three scores.

    Categories: nothing known; three clear places, the second one up from the first, or one down and
    far, or down and close, so that the first replies best; two lead; two trail. The reference is
    the first, or the winner over the one that trails two.
    """
    if count < 1.0:
        return NOTHING, 0
    first = 0
    for i in range(1, 3):
        if scores[i] > scores[first]:
            first = i
    up, down = (first + 1) % 3, (first + 2) % 3
    top, above, below = scores[first], scores[up], scores[down]
    if top - above <= TIE:
        return (NOTHING, 0) if top - below <= TIE else (TWO_LEAD, (down + 1) % 3)
    if top - below <= TIE:
        return TWO_LEAD, (up + 1) % 3
    if abs(above - below) <= TIE:
        return TWO_TRAIL, first
    if above > below:
        return CLEAR_UP, first
    return (CLOSE_DOWN if 2.0 * below > top + above + TIE else CLEAR_DOWN), first


@compiled
def best_reply(forecast: Floats) -> int:
    """Return the throw that wins most against a forecast, the first of those alike."""
    best = 0
    for a in range(1, 3):
        gain = forecast[(a + 2) % 3] - forecast[(a + 1) % 3]
        if gain > forecast[(best + 2) % 3] - forecast[(best + 1) % 3] + NEAR:
            best = a
    return best
