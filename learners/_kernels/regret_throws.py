"""Regret minimizers that throw rock, paper or scissors, in compiled code.

A minimizer is a set of copies of a local rule: ``L`` levels of ``K`` copies in each of ``C``
contexts. A plain rule has one level and one copy, the reduction to swap regret a copy an action,
and strong adaptivity a level for each length of interval. Its ``n`` actions are the three throws,
or nine experts, which advise throws.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners._kernels.stationary import stationary_rows
from solvers._kernels.compile import compiled
from solvers._kernels.repeated_play import drawn, remember, respond

Floats = NDArray[np.float64]
THROWS = 3
JOINT = 9  # throws of both
NOBODY = -1
MADE, CODE, CONTEXT, OWN, OTHER = range(5)  # in ``counts``


class RegretArrays(NamedTuple):
    """All that a minimizer remembers; modified in place.

    Attributes:
        copies (2, C, L, K, n): What they remember, and what each plays next.
        levels (C, L, n): What each level plays next.
        weights (C, L): Of levels; zero before their first interval.
        mixed (C, n): What is played next.
        steps (C,): Lessons so far, int64.
        counts (5,): Throws made, the code of the last joint throws, the context of the next throw,
            and the throws before the last, ``NOBODY`` if there are none; int64.
        chances (3,): From which the last throw was drawn.
    """

    copies: Floats
    levels: Floats
    weights: Floats
    mixed: Floats
    steps: NDArray[np.int64]
    counts: NDArray[np.int64]
    chances: Floats


class RegretRule(NamedTuple):
    """How a minimizer learns.

    Attributes:
        code, rate, decay: Of the local rule, as in ``solvers._kernels.repeated_play``.
        recall: How many joint throws make a context.
        span: The largest utility less the least; 0 if there are no levels.
    """

    code: int
    rate: float
    decay: float
    recall: int
    span: float


@compiled
def throw_next(arrays: RegretArrays, rule: RegretRule, own: int, other: int, draw: float) -> int:
    """Learn from the last throws, and return the next one.

    ``arrays`` is modified in place.

    Args:
        own, other: The last throws; not read before the first one.
        draw: Uniform in [0, 1).
    """
    counts = arrays.counts
    if counts[MADE] > 0:
        earned = np.empty(arrays.mixed.shape[1])
        _earned(arrays, other, earned)
        learn(arrays, rule, counts[CONTEXT], earned)
        _recall(counts, rule.recall, own, other)
    counts[MADE] += 1
    mixed = arrays.mixed[counts[CONTEXT]]
    chances = arrays.chances
    chances[:] = 0.0
    for action in range(_num_speaking(arrays)):
        chances[advised(action, counts[OWN], counts[OTHER])] += mixed[action]
    chances /= chances.sum()
    return drawn(chances, draw)


@compiled
def advised(expert: int, own: int, other: int) -> int:
    """Return the throw that an expert names, given the last ones.

    After the throws themselves: repeat the other's or one's own, beat the one or the other, lose to
    the one or the other.
    """
    if expert < THROWS:
        return expert
    seen = own if (expert - THROWS) % 2 else other
    return (seen + (0, 1, 2)[(expert - THROWS) // 2]) % THROWS


@compiled
def _num_speaking(arrays: RegretArrays) -> int:
    """Return how many experts name a throw: those who look back do not before the second one."""
    return THROWS if arrays.counts[OTHER] == NOBODY else arrays.mixed.shape[1]


@compiled
def _earned(arrays: RegretArrays, other: int, earned: Floats) -> None:
    """Write what actions earned by the last throw.

    Silent experts are said to have earned what was earned on average, so that nothing is learned of
    them: that is 0, as all throws are equally likely then.
    """
    earned[:] = 0.0
    for action in range(_num_speaking(arrays)):
        named = advised(action, arrays.counts[OWN], arrays.counts[OTHER])
        earned[action] = (named - other + 1) % THROWS - 1


@compiled
def _recall(counts: NDArray[np.int64], recall: int, own: int, other: int) -> None:
    """Write the context after another joint throw; all histories that are too short are one."""
    counts[OWN], counts[OTHER] = own, other
    if recall > 0:
        size = JOINT**recall
        counts[CODE] = (counts[CODE] * JOINT + THROWS * own + other) % size
        counts[CONTEXT] = counts[CODE] if counts[MADE] >= recall else size


@compiled
def learn(arrays: RegretArrays, rule: RegretRule, context: int, earned: Floats) -> None:
    """Learn from what actions earned, (n,), in a context; ``arrays`` is modified in place."""
    has_levels = rule.span > 0.0
    step = arrays.steps[context] + 1  # the one that was just made
    played = 0.0
    for action in range(len(earned)):
        played += arrays.mixed[context, action] * earned[action]
    for level in range(arrays.levels.shape[1]):
        size = 1 << level if has_levels else 0
        if size > step:  # its first interval is to come
            break
        if has_levels:
            gain = -played
            for action in range(len(earned)):
                gain += arrays.levels[context, level, action] * earned[action]
            arrays.weights[context, level] *= 1.0 + _level_rate(level) * gain / rule.span
        own = step % size + 1 if size else step  # steps of this interval, the last one included
        _learn_level(arrays, rule, context, level, earned, own)
    arrays.steps[context] = step
    if has_levels:
        _begin_intervals(arrays, context, step + 1)
    _mix(arrays, context)


@compiled
def _learn_level(
    arrays: RegretArrays, rule: RegretRule, context: int, level: int, earned: Floats, step: int
) -> None:
    """Let the copies of a level learn, and write what they play together."""
    memory, strategies = arrays.copies[0, context, level], arrays.copies[1, context, level]
    joint = arrays.levels[context, level]
    shares = np.ones(1) if len(memory) == 1 else joint.copy()
    for copy in range(len(memory)):
        remember(rule.code, memory[copy], shares[copy] * earned, strategies[copy])
        respond(rule.code, memory[copy], rule.rate / step**rule.decay, strategies[copy])
    if len(memory) == 1:
        np.multiply(strategies[0], 1.0, joint)  # assigning slices takes numba long to compile
    else:
        stationary_rows(
            strategies.copy().reshape(1, len(joint), len(joint)), joint.reshape(1, len(joint))
        )


@compiled
def _level_rate(level: int) -> float:
    return min(0.5, 2.0 ** (-0.5 * level))


@compiled
def _begin_intervals(arrays: RegretArrays, context: int, step: int) -> None:
    """Start afresh the levels whose next interval begins with a step."""
    for level in range(arrays.levels.shape[1]):
        if step % (1 << level):
            break
        arrays.copies[0, context, level] = 0.0
        arrays.copies[1, context, level] = 1.0 / arrays.levels.shape[2]
        arrays.levels[context, level] = 1.0 / arrays.levels.shape[2]
        arrays.weights[context, level] = _level_rate(level)


@compiled
def _mix(arrays: RegretArrays, context: int) -> None:
    """Write what is played next: the mixture of levels."""
    weights, mixed = arrays.weights[context], arrays.mixed[context]
    total = weights.sum()
    mixed[:] = 0.0
    for level in range(len(weights)):
        if weights[level] > 0.0:
            for action in range(len(mixed)):
                mixed[action] += weights[level] / total * arrays.levels[context, level, action]
