"""Bots that forecast by softmax regression on the last throws, learned as they play.

Features are a constant and, for each of the last throws of both, which of three it was.
"""

import numpy as np

from learners.roshambo.bots.compiled_bot import Family, Floats, Recipe, Seat, Start
from learners.roshambo.bots.seats import largest, part

RECALL, RATE = range(2)
LOGITS = 3  # the last numbers in ``floats``


@part
def _forecast(seat: Seat, t: int, p: Floats) -> None:
    """Write the forecast of throw ``t``."""
    weights, recall = seat.floats, int(seat.rules[RECALL])
    for i in range(3):
        p[i] = weights[i]
    for k in range(min(recall, t)):
        at = 3 * (1 + 6 * k + seat.own[t - 1 - k])
        to = 3 * (1 + 6 * k + 3 + seat.other[t - 1 - k])
        for i in range(3):
            p[i] += weights[at + i] + weights[to + i]
    most = max(p[0], p[1], p[2])
    for i in range(3):
        p[i] = np.exp(p[i] - most)
    total = p[0] + p[1] + p[2]
    for i in range(3):
        p[i] /= total


def throw(seat: Seat, t: int) -> int:
    """Reply to the likeliest throw."""
    weights, recall, rate = seat.floats, int(seat.rules[RECALL]), seat.rules[RATE]
    p = weights[len(weights) - LOGITS :]
    if t > 0:  # ``p`` is the forecast of the last throw
        for i in range(3):
            step = rate * ((1.0 if i == seat.other[t - 1] else 0.0) - p[i])
            weights[i] += step
            for k in range(min(recall, t - 1)):
                weights[3 * (1 + 6 * k + seat.own[t - 2 - k]) + i] += step
                weights[3 * (1 + 6 * k + 3 + seat.other[t - 2 - k]) + i] += step
    _forecast(seat, t, p)
    return (largest(seat.ints, p[0], p[1], p[2]) + 1) % 3


def start(*, recall: int, rate: float) -> Start:
    """Return the memory of a bot that looks at so many last throws of both."""
    return Start(rules=[recall, rate], floats=3 * (1 + 6 * recall) + LOGITS)


REGRESSION = Family("regression", throw, start, unbounded="has real numbers in its memory")

BOTS = (
    Recipe(
        "regression_short",
        REGRESSION,
        {"recall": 2, "rate": 0.1},
        "softmax regression on the last two throws of both",
    ),
    Recipe(
        "regression_long", REGRESSION, {"recall": 8, "rate": 0.05}, "the same on the last eight"
    ),
)
