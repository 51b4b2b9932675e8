"""The modified prisoner's dilemma in plain numbers, for tests that judge the library.

Both players see what the other did last. A leader policy is the probabilities of D (defect) at
the start, after the other's C, and after the other's D; a follower plan has an action a step, a
memoryless follower one for each observation. Actions: 0 is C, 1 is D.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import comb

from gametheory_core.catalog import Shown, iterated_game, modified_prisoners_dilemma
from gametheory_core.leaders import StochasticLeader, TimedFollower, leader_view

LEADER = ((0, -2), (-1, -3))
FOLLOWER = ((-1, 0), (-3, -2))
START, AFTER_C, AFTER_D = 0, 1, 2
PURE = tuple(product((0, 1), repeat=3))  # leaders and memoryless followers alike
TIT_FOR_TAT = ((0, 0, 1), (1, 0, 1))


def defections(theta, plan):
    """How likely the leader defects at each step."""
    return [theta[0], *(theta[1 + action] for action in plan[:-1])]


def plan_returns(theta, plan, discount=Fraction(1)):
    """Leader's and follower's expected returns when the follower plays a plan, step by step."""
    totals, weight = [0, 0], 1
    for chance, action in zip(defections(theta, plan), plan, strict=True):
        for i, rewards in enumerate((LEADER, FOLLOWER)):
            paid = (1 - chance) * rewards[0][action] + chance * rewards[1][action]
            totals[i] += weight * paid
        weight *= discount
    return tuple(totals)


def best_plan(theta, horizon, discount=Fraction(1)):
    """The unrestricted follower's best plan by the one comparison that decides it; ties to C."""
    threat = 2 * discount * (theta[2] - theta[1]) - 1
    return (0 if threat >= 0 else 1,) * (horizon - 1) + (1,)


def memoryless_run(theta, follower, horizon):
    """Both players' actions when a pure leader meets a memoryless follower, step by step."""
    seen, run = (START, START), []
    for _ in range(horizon):
        pair = (theta[seen[0]], follower[seen[1]])
        run.append(pair)
        seen = (1 + pair[1], 1 + pair[0])
    return tuple(run)


def memoryless_law(theta, follower, horizon):
    """For each step the chance of each (leader's observation, both actions)."""
    law = {(START, START): Fraction(1)}
    steps = []
    for _ in range(horizon):
        step, after = {}, {}
        for (own, other), weight in law.items():
            for action, chance in ((0, 1 - theta[own]), (1, theta[own])):
                if chance:
                    reply = follower[other]
                    key = (own, action, reply)
                    step[key] = step.get(key, 0) + weight * chance
                    seen = (1 + reply, 1 + action)
                    after[seen] = after.get(seen, 0) + weight * chance
        steps.append(step)
        law = after
    return steps


def memoryless_returns(theta, follower, horizon, discount=Fraction(1)):
    """Leader's and follower's expected returns against a memoryless follower."""
    totals, weight = [Fraction(0), Fraction(0)], Fraction(1)
    for step in memoryless_law(theta, follower, horizon):
        for (_, action, reply), chance in step.items():
            totals[0] += weight * chance * LEADER[action][reply]
            totals[1] += weight * chance * FOLLOWER[action][reply]
        weight *= discount
    return tuple(totals)


def best_memoryless(theta, horizon, discount=Fraction(1)):
    """All memoryless followers that earn the most."""
    earned = {b: memoryless_returns(theta, b, horizon, discount)[1] for b in PURE}
    most = max(earned.values())
    return tuple(b for b in PURE if earned[b] == most)


def leader_experiences(run):
    """What a leader meets after the start: (observation, action, reward, next observation)."""
    met = set()
    for (_, before), (action, reply) in pairwise(run):
        met.add((1 + before, action, LEADER[action][reply], 1 + reply))
    return met


def return_polynomial(theta, follower, horizon):
    """The follower's undiscounted return in ``x``, where a pure leader slips with chance ``x``.

    Integer coefficients, from the constant on, as many as there are steps and one more.
    """
    width = horizon + 1
    law = {(START, START): (1,) + (0,) * horizon}
    total = (0,) * width
    for _ in range(horizon):
        after = {}
        for (own, other), weight in law.items():
            slip = (0, *weight[:-1])
            keep = tuple(w - s for w, s in zip(weight, slip, strict=True))
            for action, chance in ((theta[own], keep), (1 - theta[own], slip)):
                reply = follower[other]
                paid = FOLLOWER[action][reply]
                total = tuple(t + paid * c for t, c in zip(total, chance, strict=True))
                seen = (1 + reply, 1 + action)
                before = after.get(seen, (0,) * width)
                after[seen] = tuple(b + c for b, c in zip(before, chance, strict=True))
        law = after
    return total


def is_positive(polynomial, low, high):
    """Prove that a polynomial is positive inside an interval, at the low end perhaps zero.

    A factor ``x`` may be taken out if the interval starts at 0. It is positive if all coefficients
    in the Bernstein basis are, after halving the interval some times, and not if an end is not.
    """
    coefficients = list(polynomial)
    while coefficients and not coefficients[-1]:
        coefficients.pop()
    while coefficients and low == 0 and not coefficients[0]:
        coefficients.pop(0)
    return bool(coefficients) and _positive_pieces(coefficients, low, high, 20)


def _positive_pieces(coefficients, low, high, halvings):
    values = _bernstein(coefficients, low, high)
    if all(value > 0 for value in values):
        return True
    if values[0] <= 0 or values[-1] <= 0:
        return False
    assert halvings, "neither proved nor refuted"
    middle = (low + high) / 2
    return all(
        _positive_pieces(coefficients, *ends, halvings - 1)
        for ends in ((low, middle), (middle, high))
    )


def _bernstein(coefficients, low, high):
    """Coefficients of ``p(low + (high - low) t)`` in the Bernstein basis."""
    degree = len(coefficients) - 1
    moved = [Fraction(0)] * (degree + 1)
    for coefficient in reversed(coefficients):  # Horner's scheme in t
        stretched = [Fraction(0), *(value * (high - low) for value in moved[:-1])]
        moved = [low * value + s for value, s in zip(moved, stretched, strict=True)]
        moved[0] += coefficient
    return [
        sum(Fraction(comb(i, k), comb(degree, k)) * moved[k] for k in range(i + 1))
        for i in range(degree + 1)
    ]


@cache
def dilemma(horizon, discount=Fraction(1)):
    """The library's view of the game."""
    game = iterated_game(
        modified_prisoners_dilemma(), rounds=horizon, discount=discount, memory=Shown.OTHERS
    )
    return leader_view(game)


def stochastic(theta):
    """The library's leader of these probabilities of D; the game lasts two steps at least."""
    return StochasticLeader(tuple((1 - Fraction(p), Fraction(p)) for p in theta))


def timed_plan(view, plan):
    """The library's follower who plays an action a step."""
    seen = view.follower_observation.tolist()
    return TimedFollower(tuple(tuple(a if o >= 0 else -1 for o in seen) for a in plan))
