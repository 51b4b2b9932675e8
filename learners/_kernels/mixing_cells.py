"""Cells: adaptive forecasts of a throw; what ranks highest in one, and the best reply to one."""

from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from learners._kernels.mixing_tables import MOST_COUNTED
from solvers._kernels.compile import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Triple = tuple[Floats, Floats, Floats]  # of rock, paper and scissors

RATES = 1.0 / (np.arange(MOST_COUNTED + 1) + 1.6)  # by count: the first lesson does not decide all
FLOOR = 0.003
TIE = 1e-6  # of scores
NEAR = 1e-9  # of probabilities: what is so near is alike, and the first is taken
HIT = np.eye(3)
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


# Cells lie one after another, four floats each: three probabilities and a count. A spot is four
# times a cell, and the place in it of what forecasts throw 0; the other two follow in a circle.
FROM_THROW = np.array([0, 2, 1])  # that place, by what the cell's probabilities are relative to
NEXT, LAST = np.array([1, 2, 0]), np.array([2, 0, 1])


@partial(compiled, error_model="numpy")
def look_up(cells: Floats, spots: Ints, forecasts: Triple, counts: Floats, rates: Floats) -> None:
    """Write what cells forecast, how much they have seen, and how fast they learn.

    Args:
        spots, forecasts, counts, rates (n,): Of each of the cells.
    """
    rock, paper, scissors = forecasts
    for e in range(len(spots)):
        first = spots[e] & 3
        cell = spots[e] - first
        rock[e] = cells[cell + first]
        paper[e] = cells[cell + NEXT[first]]
        scissors[e] = cells[cell + LAST[first]]
        counts[e] = cells[cell + COUNT]
        rates[e] = RATES[int(counts[e])]


@partial(compiled, error_model="numpy", fastmath={"contract"})
def teach(forecasts: Triple, rates: Floats, symbol: int) -> None:
    """Move forecasts, modified in place, towards what was thrown."""
    rock, paper, scissors = forecasts
    is_rock, is_paper, is_scissors = HIT[symbol, 0], HIT[symbol, 1], HIT[symbol, 2]
    for e in range(len(rates)):
        rate = rates[e]
        a = max(rock[e] + rate * (is_rock - rock[e]), FLOOR)
        b = max(paper[e] + rate * (is_paper - paper[e]), FLOOR)
        c = max(scissors[e] + rate * (is_scissors - scissors[e]), FLOOR)
        scale = 1.0 / (a + b + c)
        rock[e] = a * scale
        paper[e] = b * scale
        scissors[e] = c * scale


@partial(compiled, error_model="numpy")
def put_back(cells: Floats, spots: Ints, forecasts: Triple, counts: Floats, limits: Floats) -> None:
    """Write what cells have learned, and count it.

    Args:
        cells: Modified in place.
        limits (n,): Of the counts, at most 200; what is older than that is forgotten.
    """
    rock, paper, scissors = forecasts
    for e in range(len(spots)):
        first = spots[e] & 3
        cell = spots[e] - first
        cells[cell + first] = rock[e]
        cells[cell + NEXT[first]] = paper[e]
        cells[cell + LAST[first]] = scissors[e]
        cells[cell + COUNT] = min(counts[e] + 1.0, limits[e])


@partial(compiled, error_model="numpy")
def rank(forecasts: Triple, counts: Floats, references: Ints, keys: Ints) -> None:
    """Write the reference and the category of many rankings, as ``ranking`` does."""
    rock, paper, scissors = forecasts
    for e in range(len(counts)):
        a, b, c = rock[e], paper[e], scissors[e]
        signs = (a - b > TIE) + 2 * (b - a > TIE) + 4 * (a - c > TIE) + 8 * (c - a > TIE)
        signs += 16 * (b - c > TIE) + 32 * (c - b > TIE)
        found = RANKINGS[signs] * (counts[e] >= 1.0)
        category, reference = found >> 2, found & 3
        below = c if reference == 0 else (a if reference == 1 else b)
        is_close = (category == CLEAR_DOWN) & (3.0 * below > a + b + c + TIE)
        references[e] = reference
        keys[e] = category + (CLOSE_DOWN - CLEAR_DOWN) * is_close


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
