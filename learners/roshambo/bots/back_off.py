"""Bots that forecast by the longest context that was met often enough, and by shorter ones else."""

from learners.roshambo.bots.compiled_bot import Family, Floats, Recipe, Seat, Start
from learners.roshambo.bots.seats import drawn, largest, part

ORDER, BASE, LEAST, DECAY, DRAWS = range(5)


@part
def place(seat: Seat, t: int, order: int, base: int) -> int:
    """Return the number of the context of so many throws before ``t``, among those of all orders.

    Shorter contexts come before longer ones. With base 9 both histories count, with 3 the other's.
    """
    code, before, size = 0, 0, 1
    for k in range(order):
        last = seat.other[t - 1 - k]
        code = base * code + (last + 3 * seat.own[t - 1 - k] if base == 9 else last)
        before += size
        size *= base
    return before + code


@part
def _add(weights: Floats, at: int, throw: int, decay: float) -> None:
    for i in range(3):
        weights[at + i] *= decay
    weights[at + throw] += 1.0


def throw(seat: Seat, t: int) -> int:
    """Reply to what is likely to follow, by the longest context with enough behind it."""
    rules, weights = seat.rules, seat.floats
    order, base = int(rules[ORDER]), int(rules[BASE])
    if t > 0:
        for k in range(min(order, t - 1) + 1):
            _add(weights, 3 * place(seat, t - 1, k, base), seat.other[t - 1], rules[DECAY])
    for k in range(min(order, t), -1, -1):
        at = 3 * place(seat, t, k, base)
        a, b, c = weights[at], weights[at + 1], weights[at + 2]
        if a + b + c >= rules[LEAST]:
            forecast = drawn(seat.ints, a, b, c) if rules[DRAWS] else largest(seat.ints, a, b, c)
            return (forecast + 1) % 3
    return drawn(seat.ints, 1.0, 1.0, 1.0)


def contexts(order: int, base: int) -> int:
    """Return how many contexts there are up to an order."""
    return sum(base**k for k in range(order + 1))


def start(
    *, order: int, joint: bool, least: float, decay: float = 1.0, draws: bool = False
) -> Start:
    """Return the memory of a bot.

    Args:
        order: Of the longest context.
        joint: Whether both histories make contexts, or the other's alone.
        least: The weight below which a context is not trusted.
        decay: By which weights of a context are multiplied before one is added.
        draws: Whether the forecast is drawn in proportion to weights.
    """
    base = 9 if joint else 3
    rules = [order, base, least, decay, float(draws)]
    return Start(rules=rules, floats=3 * contexts(order, base))


BACK_OFF = Family("back-off", throw, start, unbounded="counts without bound")

BOTS = (
    Recipe(
        "back_off_other",
        BACK_OFF,
        {"order": 6, "joint": False, "least": 3.0},
        "the longest of the other's last six throws that was met three times",
        ("cleary1984data",),
    ),
    Recipe(
        "back_off_joint",
        BACK_OFF,
        {"order": 3, "joint": True, "least": 2.0, "decay": 0.9},
        "the same for the last three of both",
        ("cleary1984data",),
    ),
    Recipe(
        "drawn_back_off",
        BACK_OFF,
        {"order": 4, "joint": False, "least": 4.0, "draws": True},
        "replies to a throw that is drawn from such a context",
        ("cleary1984data",),
    ),
)
