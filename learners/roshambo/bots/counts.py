"""Bots that count what followed what, and reply: frequencies, Markov chains of any order.

With ``W`` the weights of what followed the last throws, the likeliest throw is replied to, or one
that is drawn in proportion. Who counts own throws forecasts what the other may expect, whose best
reply is one turn further.
"""

from learners.roshambo.bots.compiled_bot import Family, Recipe, Seat, Start
from learners.roshambo.bots.seats import context, drawn, largest, uniform

OWN_ORDER, OTHER_ORDER, DECAY, SIDE, TURN, DRAWS, NOISE = range(7)
PLACE = 1  # where the number of the last context lies in ``ints``, 0 for none


def throw(seat: Seat, t: int) -> int:
    """Reply to what is likely to follow the last throws."""
    rules, weights = seat.rules, seat.floats
    own_order, other_order = int(rules[OWN_ORDER]), int(rules[OTHER_ORDER])
    counted = seat.own if rules[SIDE] == 1.0 else seat.other
    at = 3 * (seat.ints[PLACE] - 1)
    if at >= 0:
        for i in range(3):
            weights[at + i] *= rules[DECAY]
        weights[at + counted[t - 1]] += 1.0
    if t < max(own_order, other_order):
        return drawn(seat.ints, 1.0, 1.0, 1.0)
    code = context(seat.own, t, own_order) * 3**other_order + context(seat.other, t, other_order)
    seat.ints[PLACE] = code + 1
    at = 3 * code
    if rules[NOISE] > 0.0 and uniform(seat.ints) < rules[NOISE]:
        return drawn(seat.ints, 1.0, 1.0, 1.0)
    a, b, c = weights[at], weights[at + 1], weights[at + 2]
    if rules[DRAWS] == 1.0 and a + b + c > 0.0:
        forecast = drawn(seat.ints, a, b, c)
    else:
        forecast = largest(seat.ints, a, b, c)
    return (forecast + 1 + int(rules[TURN])) % 3


def start(
    *,
    own: int = 0,
    other: int = 0,
    decay: float = 1.0,
    counts_own: bool = False,
    turn: int = 0,
    draws: bool = False,
    noise: float = 0.0,
) -> Start:
    """Return the memory of a bot.

    Args:
        own, other: How many last throws of each make the context.
        decay: By which weights of a context are multiplied before one is added.
        counts_own: Whether own throws are forecast.
        turn: Added to the reply to the forecast.
        draws: Whether the forecast is drawn in proportion to weights.
        noise: How often a throw is drawn evenly instead.
    """
    rules = [own, other, decay, float(counts_own), turn, float(draws), noise]
    return Start(rules=rules, floats=3 ** (own + other + 1), ints=1)


COUNTS = Family("counts", throw, start, unbounded="counts without bound")

BOTS = (
    Recipe("majority", COUNTS, {}, "best reply to the most common throw", ("brown1951iterative",)),
    Recipe("late_majority", COUNTS, {"decay": 0.9}, "the same, old throws count less"),
    Recipe(
        "matching_law",
        COUNTS,
        {"draws": True, "decay": 0.97},
        "replies to a throw that is drawn as often as it was thrown, as people do",
        ("estes1964probability",),
    ),
    Recipe(
        "second_majority",
        COUNTS,
        {"counts_own": True, "turn": 1, "decay": 0.95},
        "beats what beats its own most common throw",
    ),
    Recipe("markov_1", COUNTS, {"other": 1, "decay": 0.95}, "what followed the other's last throw"),
    Recipe("markov_2", COUNTS, {"other": 2}, "what followed its last two"),
    Recipe("markov_joint_1", COUNTS, {"own": 1, "other": 1}, "what followed both last throws"),
    Recipe(
        "markov_joint_2",
        COUNTS,
        {"own": 2, "other": 2, "decay": 0.9, "noise": 0.1},
        "what followed the last two of both; one in ten at random",
    ),
    Recipe(
        "markov_own_2",
        COUNTS,
        {"own": 2, "decay": 0.98},
        "what the other did after its own last two",
    ),
    Recipe(
        "second_markov",
        COUNTS,
        {"own": 1, "other": 1, "counts_own": True, "turn": 1, "decay": 0.95},
        "forecasts itself by both last throws, and beats what beats that",
    ),
    Recipe(
        "drawn_markov",
        COUNTS,
        {"own": 1, "other": 1, "draws": True, "decay": 0.98},
        "replies to a throw that is drawn from what followed both last",
    ),
)
