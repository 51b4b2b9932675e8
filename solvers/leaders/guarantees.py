"""What the follower can guarantee herself against any leader, step by step.

With ``v[h, s] = 0``, the value of a zero-sum game at each step and state,

    v[t, s] = max over y  min over a of  sum_b y(b) (r_F(s, a, b) + gamma E v[t + 1, s']),

by one exact linear program each, where no pure action is as good as the leader's best threat.
Lotteries with long denominators are rounded, and what the rounded ones guarantee is taken.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

import numpy as np

from gametheory_core.arrays import ONE, ZERO, exact_array, scaled_integers
from gametheory_core.certificates.certificate import rationals
from gametheory_core.certificates.deviation_prices import GuaranteeLottery
from solvers._programs.exact import solve_exactly
from solvers.leaders.layers import Layers
from solvers.leaders.short_numbers import LONG
from solvers.rounding import dyadic_distribution
from solvers.stackelberg.leader_problem import dense_program


@dataclass(frozen=True)
class Guarantees:
    """The follower's security levels and how she secures them.

    Attributes:
        lotteries: The last step first.
    """

    values: dict[tuple[int, int], Fraction]
    lotteries: tuple[GuaranteeLottery, ...]


def follower_guarantees(layers: Layers, *, tick: Callable[[], None]) -> Guarantees:
    """Return what the follower can guarantee herself at each step in each state.

    Args:
        tick: Called before each stage game; may raise to stop.
    """
    view = layers.view
    values: dict[tuple[int, int], Fraction] = {}
    lotteries: list[GuaranteeLottery] = []
    for time in reversed(range(view.horizon)):
        for state in layers.states[time]:
            tick()
            payoffs = [
                [secured(layers, values, time, state, a, b) for b in layers.follower_actions[state]]
                for a in layers.leader_actions[state]
            ]
            value, weights = security_strategy(payoffs)
            lottery = [ZERO] * len(view.game.actions[view.follower])
            for b, weight in zip(layers.follower_actions[state], weights, strict=True):
                lottery[b] = weight
            values[time, state] = value
            lotteries.append(GuaranteeLottery(time, state, tuple(lottery)))
    return Guarantees(values, tuple(lotteries))


def secured(
    layers: Layers,
    values: dict[tuple[int, int], Fraction],
    time: int,
    state: int,
    mine: int,
    theirs: int,
) -> Fraction:
    """Return what the follower gets by a joint action and her guarantee afterwards."""
    step = layers.steps[state, mine, theirs]
    later = layers.mean(step.next, time + 1, lambda after: values[time + 1, after])
    return step.rewards[1] + layers.view.discount * later


def security_strategy(payoffs: list[list[Fraction]]) -> tuple[Fraction, tuple[Fraction, ...]]:
    """Return what a lottery over columns guarantees their player in a matrix game, and the lottery.

    The most possible, or almost so if the best lottery has long denominators.

    >>> security_strategy([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]])
    (Fraction(1, 2), (Fraction(1, 2), Fraction(1, 2)))
    """
    columns = list(zip(*payoffs, strict=True))
    worst = [min(column) for column in columns]
    best = max(worst)
    if best == min(max(row) for row in payoffs):
        place = worst.index(best)
        return best, tuple(ONE if b == place else ZERO for b in range(len(columns)))
    scaled = scaled_integers(exact_array(payoffs))
    rows, size = scaled.numerators.shape
    matrix = np.zeros((rows + 1, size + 1), dtype=object)
    matrix[:rows, :size] = -scaled.numerators
    matrix[:rows, size] = 1
    matrix[rows, :size] = 1
    objective = np.zeros(size + 1, dtype=object)
    objective[size] = 1
    program = dense_program(
        matrix,
        objective,
        is_equation=np.arange(rows + 1) == rows,
        is_free=np.arange(size + 1) == size,
    )
    optimum = solve_exactly(program, None)
    lottery = rationals(optimum.primal[:size])
    if max(weight.denominator.bit_length() for weight in lottery) <= LONG:
        return optimum.value / scaled.denominator, lottery
    lottery = rationals(dyadic_distribution(optimum.primal[:size]))
    earned = (sum(map(mul, row, lottery), ZERO) for row in payoffs)
    return min(earned), lottery
