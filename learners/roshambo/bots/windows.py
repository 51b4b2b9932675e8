"""Bots that reply to the most common throw of a long window."""

from learners.roshambo.bots.compiled_bot import Family, Recipe, Seat, Start
from learners.roshambo.bots.seats import largest


def throw(seat: Seat, t: int) -> int:
    """Reply to the most common of the last throws."""
    counts, window = seat.floats, int(seat.rules[0])
    if t > 0:
        counts[seat.other[t - 1]] += 1.0
    if t > window:
        counts[seat.other[t - 1 - window]] -= 1.0
    return (largest(seat.ints, counts[0], counts[1], counts[2]) + 1 + int(seat.rules[1])) % 3


def start(*, window: int, turn: int = 0) -> Start:
    """Return the memory of a bot that looks so far back, and turns its reply."""
    return Start(rules=[window, turn], floats=3)


WINDOWS = Family("window", throw, start, unbounded="has more states than can be listed")

BOTS = (
    Recipe("majority_of_twenty", WINDOWS, {"window": 20}, "best reply to a window of twenty"),
    Recipe(
        "avoids_the_majority",
        WINDOWS,
        {"window": 100, "turn": 1},
        "throws what loses to the most common of a hundred",
    ),
)
