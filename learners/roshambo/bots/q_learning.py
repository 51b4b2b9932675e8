"""Bots that learn values of throws by last throws: Q-learning, and policy hill-climbing."""

from learners.roshambo.bots.compiled_bot import Family, Recipe, Seat, Start
from learners.roshambo.bots.seats import context, drawn, largest, paid, part, uniform

OWN, OTHER, STEP, DISCOUNT, EXPLORATION, WINNING, LOSING = range(7)
PLACE = 1  # where the number of the last context lies in ``ints``, 0 for none


@part
def _context(seat: Seat, t: int) -> int:
    """Return the number of the context before throw ``t`` from 1; 0 if there is none yet."""
    own, other = int(seat.rules[OWN]), int(seat.rules[OTHER])
    if t < max(own, other):
        return 0
    return 1 + context(seat.own, t, own) * 3**other + context(seat.other, t, other)


@part
def _learn(seat: Seat, t: int, now: int) -> None:
    """Move the value of the last throw toward its payoff and the best that comes after it."""
    before, values = seat.ints[PLACE], seat.floats
    seat.ints[PLACE] = now
    if before == 0:
        return
    last, at = seat.own[t - 1], 3 * (now - 1)
    best = max(values[at], values[at + 1], values[at + 2])
    reached = 3 * (before - 1) + last
    target = paid(last, seat.other[t - 1]) + seat.rules[DISCOUNT] * best
    values[reached] += seat.rules[STEP] * (target - values[reached])


def q_throw(seat: Seat, t: int) -> int:
    """Throw the best by value; at random so often."""
    now = _context(seat, t)
    _learn(seat, t, now)
    if now == 0 or uniform(seat.ints) < seat.rules[EXPLORATION]:
        return drawn(seat.ints, 1.0, 1.0, 1.0)
    at = 3 * (now - 1)
    return largest(seat.ints, seat.floats[at], seat.floats[at + 1], seat.floats[at + 2])


def hill_throw(seat: Seat, t: int) -> int:
    """Throw by a policy that climbs toward the best value, slowly while it wins."""
    values, now = seat.floats, _context(seat, t)
    before = seat.ints[PLACE]
    _learn(seat, t, now)
    size = len(values) // 4  # values, policy, average policy; then visits
    policy, average = values[size : 2 * size], values[2 * size : 3 * size]
    if before > 0:
        at = 3 * (before - 1)
        values[3 * size + before - 1] += 1.0
        visits = values[3 * size + before - 1]
        worth, usual = 0.0, 0.0
        for i in range(at, at + 3):
            average[i] += (policy[i] - average[i]) / visits
            worth += policy[i] * values[i]
            usual += average[i] * values[i]
        step = seat.rules[WINNING] if worth > usual else seat.rules[LOSING]
        best = 0
        for i in range(1, 3):
            if values[at + i] > values[at + best]:
                best = i
        for i in range(3):
            if i != best:
                moved = min(policy[at + i], step / 2.0)
                policy[at + i] -= moved
                policy[at + best] += moved
    if now == 0 or uniform(seat.ints) < seat.rules[EXPLORATION]:
        return drawn(seat.ints, 1.0, 1.0, 1.0)
    at = 3 * (now - 1)
    return drawn(seat.ints, policy[at], policy[at + 1], policy[at + 2])


def start_q(
    *, own: int, other: int, step: float, discount: float = 0.0, exploration: float = 0.05
) -> Start:
    """Return the memory of a Q-learner whose states are the last throws of each."""
    rules = [own, other, step, discount, exploration]
    return Start(rules=rules, floats=3 ** (own + other + 1), ints=1)


def start_hill(
    *, own: int, other: int, step: float, winning: float, losing: float, exploration: float
) -> Start:
    """Return the memory of a hill-climber: steps of values, and of policies that win or lose."""
    size = 3 ** (own + other + 1)
    floats = [0.0] * size + [1 / 3] * (2 * size) + [0.0] * size
    rules = [own, other, step, 0.0, exploration, winning, losing]
    return Start(rules=rules, floats=floats, ints=1)


Q_LEARNING = Family("Q-learning", q_throw, start_q, unbounded="has real values in its memory")
HILL_CLIMBING = Family(
    "policy hill-climbing", hill_throw, start_hill, unbounded="has real values in its memory"
)

Q, WOLF = ("watkins1992qlearning",), ("bowling2002wolf",)
BOTS = (
    Recipe(
        "q_stateless",
        Q_LEARNING,
        {"own": 0, "other": 0, "step": 0.1, "exploration": 0.1},
        "values of the three throws",
        Q,
    ),
    Recipe(
        "q_joint_1",
        Q_LEARNING,
        {"own": 1, "other": 1, "step": 0.2, "discount": 0.5},
        "values by both last throws",
        Q,
    ),
    Recipe(
        "q_other_2",
        Q_LEARNING,
        {"own": 0, "other": 2, "step": 0.3, "exploration": 0.02},
        "values by the other's last two",
        Q,
    ),
    Recipe(
        "wolf",
        HILL_CLIMBING,
        {"own": 0, "other": 1, "step": 0.2, "winning": 0.05, "losing": 0.2, "exploration": 0.05},
        "wins or learns fast: a policy that climbs slowly while it wins",
        WOLF,
    ),
)
