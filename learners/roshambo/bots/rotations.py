"""Bots that keep several forecasts, turn each in six ways, and follow the best so far.

A forecast of the other's throw is replied to, or the reply is turned once or twice: for others that
expect to be forecast. A forecast of the own throw is used in the same three ways. What each of all
these would have been paid is summed, old throws counting less. Idea: :cite:`egnor2000iocaine`.
"""

from collections.abc import Sequence

from learners.roshambo.bots.compiled_bot import Family, Recipe, Seat, Start
from learners.roshambo.bots.seats import context, drawn, paid, part

CONTEXTS, TURNS, MEMORY, DECAY, FLOOR = range(5)
ORDERS = 5  # where orders of contexts lie in ``rules``: own, other, own, other, ...
WIDTH = 6  # of a forecaster: three candidates from either side
PLACES = 1  # where numbers of last contexts and then candidates lie in ``ints``


@part
def _count(seat: Seat, at: int, t: int) -> None:
    """Count in a context of either side what was thrown at ``t``."""
    weights = seat.floats
    for side in range(2):
        for i in range(3):
            weights[at + 3 * side + i] *= seat.rules[MEMORY]
    weights[at + seat.other[t]] += 1.0
    weights[at + 3 + seat.own[t]] += 1.0


@part
def _first_of_largest(seat: Seat, at: int) -> int:
    best = 0
    for i in range(1, 3):
        if seat.floats[at + i] > seat.floats[at + best]:
            best = i
    return best


@part
def _look(seat: Seat, t: int) -> None:
    """Count the last throw, and write all candidates for throw ``t``."""
    rules, ints = seat.rules, seat.ints
    contexts = int(rules[CONTEXTS])
    base = WIDTH * contexts  # in ``floats``, scores come first
    for c in range(contexts):
        own, other = int(rules[ORDERS + 2 * c]), int(rules[ORDERS + 2 * c + 1])
        if ints[PLACES + c] > 0:
            _count(seat, base + 6 * (ints[PLACES + c] - 1), t - 1)
        first = PLACES + contexts + WIDTH * c
        if t < max(own, other):
            for k in range(WIDTH):
                ints[first + k] = k % 3
        else:
            code = context(seat.own, t, own) * 3**other + context(seat.other, t, other)
            ints[PLACES + c] = code + 1
            for side in range(2):
                # beating the other's throw is one turn; the other beats ours, so ours is two
                forecast = _first_of_largest(seat, base + 6 * code + 3 * side)
                for k in range(3):
                    ints[first + 3 * side + k] = (forecast + 1 + side + k) % 3
        base += 6 * 3 ** (own + other)


def throw(seat: Seat, t: int) -> int:
    """Throw the candidate that would have been paid best so far."""
    rules, scores, ints = seat.rules, seat.floats, seat.ints
    contexts = int(rules[CONTEXTS])
    first = PLACES + contexts
    if t > 0:
        for j in range(WIDTH * contexts):
            scores[j] = rules[DECAY] * scores[j] + paid(ints[first + j], seat.other[t - 1])
    _look(seat, t)
    best, most = -1, rules[FLOOR]
    for j in range(WIDTH * contexts):
        if j % WIDTH < rules[TURNS] and scores[j] > most:
            best, most = j, scores[j]
    return ints[first + best] if best >= 0 else drawn(ints, 1.0, 1.0, 1.0)


def start(
    *,
    contexts: Sequence[tuple[int, int]],
    turns: int = 6,
    memory: float = 0.95,
    decay: float = 0.95,
    floor: float = 0.0,
) -> Start:
    """Return the memory of a bot.

    Args:
        contexts: How many last own throws and others make the context of each forecaster.
        turns: How many of the six turns it knows; the first three are of forecasts of the other.
        memory: By which counts of a context are multiplied before one is added.
        decay: Of scores, from throw to throw.
        floor: The score that a candidate must exceed; at random if none does.
    """
    orders = [float(order) for pair in contexts for order in pair]
    tables = sum(3 ** (own + other) for own, other in contexts)
    return Start(
        rules=[len(contexts), turns, memory, decay, floor, *orders],
        floats=6 * (len(contexts) + tables),
        ints=(1 + WIDTH) * len(contexts),
    )


ROTATIONS = Family("rotations", throw, start, unbounded="counts without bound")

SOURCE = ("egnor2000iocaine",)
BOTS = (
    Recipe(
        "rotations",
        ROTATIONS,
        {"contexts": ((0, 0), (0, 1), (1, 0), (1, 1), (0, 3), (2, 2))},
        "six forecasters, six turns",
        SOURCE,
    ),
    Recipe(
        "short_rotations",
        ROTATIONS,
        {"contexts": ((0, 0), (1, 1)), "decay": 0.85, "memory": 0.8},
        "two forecasters, six turns, quick to forget",
        SOURCE,
    ),
    Recipe(
        "direct_forecasts",
        ROTATIONS,
        {"contexts": ((0, 1), (0, 2), (0, 3), (0, 4), (1, 1)), "turns": 1, "decay": 0.98},
        "five forecasters of the other, replies alone",
        SOURCE,
    ),
    Recipe(
        "careful_rotations",
        ROTATIONS,
        {"contexts": ((0, 2), (1, 1), (2, 2), (3, 0)), "floor": 3.0, "memory": 0.9},
        "four forecasters, six turns; at random unless one is well ahead",
        SOURCE,
    ),
)
