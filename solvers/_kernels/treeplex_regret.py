"""Counterfactual regret minimization over sequences, in plain array code.

One sweep up a player's treeplex serves every rule: at each information set, what the actions earn
(sets below included) meets the strategy just played, a local rule changes its memory and strategy,
and what the set earned is handed up. Then one sweep down turns the strategies into a plan.

Nothing here knows numba: the functions run as they are, and ``compiled_twins`` compiles them.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.treeplex import Forest, Tree, Treeplex, find_gradient, own_treeplex

REGRETS, PREDICTED_REGRETS, EXPONENTIAL = 0, 1, 2
LEAST_TOTAL = 2.0**-1022  # the smallest normal float: one over less overflows, and keeps few digits


class RuleNumbers(NamedTuple):
    """What players do at each information set.

    ``kind`` is one of the constants above. After step ``t`` positive regrets are multiplied by
    ``t**keep_positive / (t**keep_positive + 1)`` and negative ones likewise with ``keep_negative``:
    infinity keeps them, minus infinity forgets them. ``rate / t**decay`` multiplies exponents. The
    average gives step ``t`` the weight ``t**power``. With ``alternates`` each player meets what
    those before have just become, else all move at once.
    """

    kind: int
    keep_positive: float
    keep_negative: float
    rate: float
    decay: float
    power: float
    alternates: bool


class LocalNumbers(NamedTuple):
    """What information sets do after one step.

    ``kind`` is one of the constants above; positive and negative regrets are multiplied by
    ``positive`` and ``negative``, exponents by ``rate``.
    """

    forecasts: bool
    positive: float
    negative: float
    rate: float


LocalRule: TypeAlias = Callable[..., float]


class RegretArrays(NamedTuple):
    """What players remember and do, over all players' sequences; float64, modified in place.

    ``memory``: regrets; ``behavior`` and ``plans``: what is played next; ``totals``: plans played
    so far, weighted and added up; ``gradient`` and ``forecast``: room for work.
    """

    memory: NDArray[np.float64]
    behavior: NDArray[np.float64]
    plans: NDArray[np.float64]
    totals: NDArray[np.float64]
    gradient: NDArray[np.float64]
    forecast: NDArray[np.float64]


def advance(tree: Tree, arrays: RegretArrays, rule: RuleNumbers, steps: int, count: int) -> None:
    """Play ``count`` steps after ``steps`` earlier ones; ``arrays`` are modified in place."""
    players = len(tree.forest.first_infoset) - 1
    for step in range(steps + 1, steps + count + 1):
        if rule.alternates:
            for player in range(players):
                find_gradient(tree, arrays.plans, arrays.gradient, player)
                learn(tree.forest, arrays, rule, player, step)
        else:
            for player in range(players):
                find_gradient(tree, arrays.plans, arrays.gradient, player)
            for player in range(players):
                learn(tree.forest, arrays, rule, player, step)


def learn(forest: Forest, arrays: RegretArrays, rule: RuleNumbers, player: int, step: int) -> None:
    """Let a player take in its gradient; its memory, behavior, plan and totals are modified."""
    start, stop = forest.first_entry[player], forest.first_entry[player + 1]
    treeplex = own_treeplex(forest, player)
    gradient, memory = arrays.gradient[start:stop], arrays.memory[start:stop]
    behavior, plan = arrays.behavior[start:stop], arrays.plans[start:stop]
    numbers = LocalNumbers(
        rule.kind == PREDICTED_REGRETS,
        kept(step, rule.keep_positive),
        kept(step, rule.keep_negative),
        rule.rate / float(step) ** rule.decay,
    )
    forecast = arrays.forecast[start:stop]
    if rule.kind == REGRETS:
        sweep(treeplex, match_regrets, numbers, gradient, forecast, memory, behavior)
    elif rule.kind == PREDICTED_REGRETS:
        sweep(treeplex, match_forecasts, numbers, gradient, forecast, memory, behavior)
    else:
        sweep(treeplex, weigh_exponentials, numbers, gradient, forecast, memory, behavior)
    descend(treeplex, behavior, plan, arrays.totals[start:stop], float(step) ** rule.power)


def kept(step: int, exponent: float) -> float:
    """Return the share of regrets that outlives a step."""
    if math.isinf(exponent):
        return 1.0 if exponent > 0.0 else 0.0
    weight = float(step) ** exponent
    return weight / (weight + 1.0)


def sweep(
    treeplex: Treeplex,
    rule: LocalRule,
    numbers: LocalNumbers,
    gradient: NDArray[np.float64],
    forecast: NDArray[np.float64],
    memory: NDArray[np.float64],
    behavior: NDArray[np.float64],
) -> None:
    """Let every information set learn, the last first, and hand up what it earned.

    ``gradient`` becomes what actions earn, the sets below included; if the rule wants forecasts,
    ``forecast`` becomes the same for the next strategies. All vectors are modified in place.
    """
    first, parent = treeplex.first_sequence, treeplex.parent_sequence
    if numbers.forecasts:
        np.multiply(gradient, 1.0, forecast)  # assigning slices takes numba long to compile
    stop = first[len(parent)]
    for infoset in range(len(parent) - 1, -1, -1):
        start, above = first[infoset], parent[infoset]
        earned = 0.0
        for action in range(start, stop):
            earned += behavior[action] * gradient[action]
        gradient[above] += earned
        total = rule(memory, behavior, gradient, forecast, start, stop, earned, numbers)
        normalize(behavior, start, stop, total)
        if numbers.forecasts:
            forecast[above] += expected(behavior, forecast, start, stop)
        stop = start


# Local rules: at one information set, whose actions are start .. stop - 1. Each takes in what the
# actions earned, writes weights of actions to ``behavior`` and returns their sum.


def expected(
    behavior: NDArray[np.float64], values: NDArray[np.float64], start: int, stop: int
) -> float:
    """Return what the strategy of an information set gets on average."""
    total = 0.0
    for action in range(start, stop):
        total += behavior[action] * values[action]
    return total


def match_regrets(
    memory: NDArray[np.float64],
    behavior: NDArray[np.float64],
    gradient: NDArray[np.float64],
    _forecast: NDArray[np.float64],
    start: int,
    stop: int,
    earned: float,
    numbers: LocalNumbers,
) -> float:
    """Regret matching with discounts; ``memory`` and ``behavior`` are modified in place."""
    total = 0.0
    for action in range(start, stop):
        regret = memory[action] + (gradient[action] - earned)
        gain = max(regret, 0.0) * numbers.positive
        memory[action] = gain + min(regret, 0.0) * numbers.negative
        behavior[action] = gain
        total += gain
    return total


def match_forecasts(
    memory: NDArray[np.float64],
    behavior: NDArray[np.float64],
    gradient: NDArray[np.float64],
    forecast: NDArray[np.float64],
    start: int,
    stop: int,
    earned: float,
    _numbers: LocalNumbers,
) -> float:
    """Regret matching+ as if the next step were known to pay ``forecast``.

    ``memory`` and ``behavior`` are modified in place.
    """
    foreseen = expected(behavior, forecast, start, stop)
    total = 0.0
    for action in range(start, stop):
        memory[action] = max(memory[action] + (gradient[action] - earned), 0.0)
        behavior[action] = max(memory[action] + (forecast[action] - foreseen), 0.0)
        total += behavior[action]
    return total


def weigh_exponentials(
    memory: NDArray[np.float64],
    behavior: NDArray[np.float64],
    gradient: NDArray[np.float64],
    _forecast: NDArray[np.float64],
    start: int,
    stop: int,
    earned: float,
    numbers: LocalNumbers,
) -> float:
    """Hedge; ``memory`` and ``behavior`` are modified in place."""
    highest = -math.inf
    for action in range(start, stop):
        memory[action] += gradient[action] - earned
        highest = max(highest, memory[action])
    total = 0.0
    for action in range(start, stop):
        behavior[action] = math.exp(numbers.rate * (memory[action] - highest))
        total += behavior[action]
    return total


def normalize(behavior: NDArray[np.float64], start: int, stop: int, total: float) -> None:
    """Divide an information set's weights by their total; uniform if it is too small. In place."""
    if total >= LEAST_TOTAL:
        share = 1.0 / total
        for action in range(start, stop):
            behavior[action] *= share
    else:
        for action in range(start, stop):
            behavior[action] = 1.0 / (stop - start)


def descend(
    treeplex: Treeplex,
    behavior: NDArray[np.float64],
    plan: NDArray[np.float64],
    totals: NDArray[np.float64],
    weight: float,
) -> None:
    """Add the plan just played to ``totals``, then write the next one; both in place."""
    first, parent = treeplex.first_sequence, treeplex.parent_sequence
    for sequence in range(len(plan)):
        totals[sequence] += weight * plan[sequence]
    for infoset in range(len(parent)):
        above = plan[parent[infoset]]
        for sequence in range(first[infoset], first[infoset + 1]):
            plan[sequence] = above * behavior[sequence]
