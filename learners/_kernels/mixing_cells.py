"""Cells: adaptive forecasts of a throw; what ranks highest in one, and the best reply to one."""

from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from learners._kernels.mixing_tables import MOST_COUNTED
from solvers._kernels.compile import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RATES = 1.0 / (np.arange(MOST_COUNTED + 1) + 1.6)  # by count: the first lesson does not decide all
FLOOR = 0.003
TIE = 1e-6  # of scores
NEAR = 1e-9  # of probabilities: what is so near is alike, and the first is taken
COUNT = 3  # column of a cell
NOTHING, CLEAR_UP, CLEAR_DOWN, TWO_LEAD, TWO_TRAIL, CLOSE_DOWN = range(6)


def _ranked(scores: tuple[int, ...], tie: int) -> int:
    """Return 4 times the category and the reference of a ranking, but for close ones."""
    first = scores.index(max(scores))
    up, down = (first + 1) % 3, (first + 2) % 3
    ties_up, ties_down = (scores[first] - scores[i] <= tie for i in (up, down))
    if ties_up and ties_down:
        return 4 * NOTHING
    if ties_up or ties_down:
        return 4 * TWO_LEAD + ((down if ties_up else up) + 1) % 3
    if abs(scores[up] - scores[down]) <= tie:
        return 4 * TWO_TRAIL + first
    return 4 * (CLEAR_UP if scores[up] > scores[down] else CLEAR_DOWN) + first


def _rankings() -> NDArray[np.int64]:
    """Rank by which scores are above which: loops that ask for many need not guess branches."""
    table = np.zeros(64, dtype=np.int64)
    for a, b, c in product(range(0, 16, 3), repeat=3):
        signs = [x - y > 4 for x, y in ((a, b), (b, a), (a, c), (c, a), (b, c), (c, b))]
        table[sum(2**k for k, sign in enumerate(signs) if sign)] = _ranked((a, b, c), 4)
    return table


RANKINGS = _rankings()
BELOW = np.array([2, 0, 1])


@partial(compiled, error_model="numpy")
def teach(cells: Floats, place: int, symbol: int, limit: int) -> None:
    """Move a cell towards what was thrown.

    Args:
        cells (cells, 4): Three probabilities and a count; modified in place.
        limit: Of the count, at most 200; what is older than that is forgotten.
    """
    count = int(cells[place, COUNT])
    rate = RATES[count]
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
    if count < limit:
        cells[place, COUNT] = count + 1.0


@compiled
def ranking(scores: Floats, count: float) -> tuple[int, int]:
    """Return the category of a ranking and its reference, for three scores.

    Categories: nothing known; three clear places, the second one up from the first, or one down and
    far, or down and close, so that the first replies best; two lead; two trail. The reference is
    the first, or the winner over the one that trails two.
    """
    a, b, c = scores[0], scores[1], scores[2]
    signs = (a - b > TIE) + 2 * (b - a > TIE) + 4 * (a - c > TIE) + 8 * (c - a > TIE)
    signs += 16 * (b - c > TIE) + 32 * (c - b > TIE)
    found = int(RANKINGS[signs]) * int(count >= 1.0)
    category, reference = found >> 2, found & 3
    below = scores[BELOW[reference]]
    is_close = int(category == CLEAR_DOWN) * int(3.0 * below > a + b + c + TIE)
    return category + (CLOSE_DOWN - CLEAR_DOWN) * is_close, reference


@compiled
def best_reply(forecast: Floats) -> int:
    """Return the throw that wins most against a forecast, the first of those alike."""
    rock, paper = forecast[2] - forecast[1], forecast[0] - forecast[2]
    scissors = forecast[1] - forecast[0]
    best = 1 if paper > rock + NEAR else 0
    most = paper if paper > rock + NEAR else rock
    return 2 if scissors > most + NEAR else best
