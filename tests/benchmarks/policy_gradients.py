"""Exact policy gradients of iterated games, beside vectorised numpy and the core's rationals.

The game is the iterated prisoner's dilemma: five states, the other player's memoryless policy held.
No other library differentiates returns of tabular POSGs; the peers are the library's own numpy
code, whose held follower is laid out beforehand, and its rationals. CPU seconds of one call, the
minimum over the rounds.
"""

from fractions import Fraction

import numpy as np

from gametheory_core import leaders
from gametheory_core.catalog import iterated_prisoners_dilemma
from learners import exact_gradient
from learners.gradients import place_table
from solvers.leaders.float_returns import float_game, follower_actions, hold, returns_and_partials
from tests.benchmarks.measure import Row, interleaved

NUMPY = "numpy, follower laid out beforehand"
RATIONALS = "leader_gradient, rationals"
FOLLOWER = (0, 0, 1, 0, 1)
CHANCES = tuple(Fraction(k, 8) for k in (1, 3, 4, 5, 7))
LEADER = leaders.StochasticLeader(tuple((1 - p, p) for p in CHANCES))


def compiled(steps):
    """Return a function that computes the partials in compiled code."""
    places = place_table(iterated_prisoners_dilemma(rounds=steps))
    policies = [np.array(LEADER.lotteries, dtype=float), np.eye(2)[list(FOLLOWER)]]
    return lambda: exact_gradient(places, policies).partials


def vectorised(steps):
    """Return a function that computes the partials in numpy."""
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=steps))
    game = float_game(view)
    held = hold(game, follower_actions(view, [leaders.StationaryFollower(FOLLOWER)]))
    lotteries = np.array(LEADER.lotteries, dtype=float)
    return lambda: returns_and_partials(game, held, lotteries)[1][0]


def rational(steps):
    """Return a function that computes the partials in rationals."""
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=steps))
    return lambda: (
        leaders.leader_gradient(view, LEADER, leaders.StationaryFollower(FOLLOWER)).partials
    )


def rows(*, lengths: tuple[int, ...] = (10, 100), calls: int = 200, rounds: int = 7) -> list[Row]:
    """Measure the gradient by the number of rounds of the game."""
    found: list[Row] = []
    for steps in lengths:
        contenders = {"ours": compiled(steps), NUMPY: vectorised(steps), RATIONALS: rational(steps)}

        def repeated(name, contenders=contenders):
            times = calls if name != RATIONALS else 1
            return [contenders[name]() for _ in range(times)]

        best = interleaved({n: lambda n=n: repeated(n) for n in contenders}, rounds=rounds)
        ours = best["ours"] / calls
        task = f"exact policy gradient, iterated dilemma of {steps} rounds"
        found.append(Row(task, ours, NUMPY, best[NUMPY] / calls))
        found.append(Row(task, ours, RATIONALS, best[RATIONALS]))
    return found
