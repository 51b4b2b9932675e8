"""Bots that look for a period in the other's throws, or a lag at which it follows one's own."""

from learners.roshambo.bots.compiled_bot import Family, Recipe, Seat, Start
from learners.roshambo.bots.seats import drawn

LONGEST, DECAY = range(2)


def throw(seat: Seat, t: int) -> int:
    """Reply to the throw of one period ago, turned by the step, that was right most often."""
    longest, decay = int(seat.rules[LONGEST]), seat.rules[DECAY]
    scores = seat.floats
    best, most = -1, 0.0
    for j in range(6 * longest):
        lag, turn, is_own = 1 + j // 6, j % 3, j // 3 % 2 == 1
        history = seat.own if is_own else seat.other
        if t > lag:
            is_right = (history[t - 1 - lag] + turn) % 3 == seat.other[t - 1]
            scores[j] = decay * scores[j] + (1.0 if is_right else -0.5)
        if t >= lag and scores[j] > most:
            best, most = j, scores[j]
    if best < 0:
        return drawn(seat.ints, 1.0, 1.0, 1.0)
    history = seat.own if best // 3 % 2 == 1 else seat.other
    return (history[t - 1 - best // 6] + best % 3 + 1) % 3


def start(*, longest: int, decay: float) -> Start:
    """Return the memory of a bot: the longest lag, and how scores forget."""
    return Start(rules=[longest, decay], floats=6 * longest)


PERIODS = Family("periods", throw, start, unbounded="has real numbers in its memory")

BOTS = (
    Recipe(
        "periods",
        PERIODS,
        {"longest": 12, "decay": 0.9},
        "what was thrown a lag ago, by either, turned; the lag that is right most often",
    ),
)
