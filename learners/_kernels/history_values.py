"""Q-learning of repeated rock-paper-scissors, by recalled history, in compiled code.

A history of ``m`` joint throws, at most ``R`` of which are recalled, has the *key* ``9^m + code``,
where ``code`` has the joint throws as digits in base 9, the latest last. So keys of different
lengths differ, the empty history's is 1, and none is 0.

Values lie in a table with open addressing: a power of two of slots, at most half of them used.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

THROWS = 3
JOINT = 9  # throws of both
NO_KEY = 0
SLOT, KEY, USED = range(3)  # in ``now``
SPREAD = 0x9E3779B97F4A7C15  # 2^64 by the golden ratio


class HistoryValues(NamedTuple):
    """What each own throw is worth after each history that was met; modified in place.

    Attributes:
        keys (slots,): int64; ``NO_KEY`` where a slot is free.
        values (slots, 3)
        now (3,): The slot and the key of the present history, and how many slots are used; int64.
    """

    keys: NDArray[np.int64]
    values: NDArray[np.float64]
    now: NDArray[np.int64]


class QRule(NamedTuple):
    """How values are learned, and throws chosen: as ``QLearning`` has it."""

    recall: int
    rate: float
    discount: float
    epsilon: float


@compiled
def throw_first(table: HistoryValues, rule: QRule, draw: float) -> int:
    """Begin a match, and return the first throw; ``table`` is modified in place."""
    table.now[KEY] = 1
    table.now[SLOT] = _slot(table, 1)
    return chosen(table.values[table.now[SLOT]], rule.epsilon, draw)


@compiled
def throw_next(table: HistoryValues, rule: QRule, own: int, other: int, draw: float) -> int:
    """Learn from the last throws, and return the next one; ``table`` is modified in place."""
    before = table.values[table.now[SLOT]]
    table.now[KEY] = longer(table.now[KEY], rule.recall, own, other)
    table.now[SLOT] = _slot(table, table.now[KEY])
    after = table.values[table.now[SLOT]]
    target = paid(own, other) + rule.discount * after.max()
    before[own] += rule.rate * (target - before[own])
    return chosen(after, rule.epsilon, draw)


@compiled
def learn_last(table: HistoryValues, rule: QRule, own: int, other: int) -> None:
    """Learn from the last throws of a match; ``table`` is modified in place."""
    values = table.values[table.now[SLOT]]
    values[own] += rule.rate * (paid(own, other) - values[own])


@compiled
def play_copies(
    first: HistoryValues, second: HistoryValues, rule: QRule, draws: NDArray[np.float64]
) -> None:
    """Let two learners play a match; both tables are modified in place.

    Args:
        draws (2, throws): Uniform in [0, 1), for each throw of both.
    """
    one, two = throw_first(first, rule, draws[0, 0]), throw_first(second, rule, draws[1, 0])
    for t in range(1, draws.shape[1]):
        after_one = throw_next(first, rule, one, two, draws[0, t])
        after_two = throw_next(second, rule, two, one, draws[1, t])
        one, two = after_one, after_two
    learn_last(first, rule, one, two)
    learn_last(second, rule, two, one)


@compiled
def paid(own: int, other: int) -> int:
    """Return what a throw is paid: 1, 0 or -1."""
    return (own - other + 1) % THROWS - 1


@compiled
def longer(key: int, recall: int, own: int, other: int) -> int:
    """Return the key of a history after one more joint throw."""
    full = JOINT**recall
    if key < full:
        return key * JOINT + THROWS * own + other
    return full + ((key - full) * JOINT + THROWS * own + other) % full


@compiled
def chosen(values: NDArray[np.float64], epsilon: float, draw: float) -> int:
    """Return a throw at random with chance ``epsilon``, else one of the best, all equally likely.

    ``draw`` is uniform in [0, 1) and settles both.
    """
    if draw < epsilon:
        return min(int(THROWS * draw / epsilon), THROWS - 1)
    best = values.max()
    count = 0
    for throw in range(THROWS):
        count += values[throw] == best
    left = min(int(count * (draw - epsilon) / (1.0 - epsilon)), count - 1)
    for throw in range(THROWS):
        if values[throw] == best:
            if left == 0:
                return throw
            left -= 1
    return 0


@compiled
def throw_greedily(
    keys: NDArray[np.int64], values: NDArray[np.float64], key: int, draw: float
) -> int:
    """Return a best throw by values (n, 3) of sorted keys (n,); any, after another history."""
    place = np.searchsorted(keys, key)
    if place < len(keys) and keys[place] == key:
        return chosen(values[place], 0.0, draw)
    return min(int(THROWS * draw), THROWS - 1)


@compiled
def move_all(old: HistoryValues, table: HistoryValues) -> None:
    """Put all that one table has into an empty one; ``table`` is modified in place."""
    for slot in range(len(old.keys)):
        if old.keys[slot] != NO_KEY:
            table.values[_slot(table, old.keys[slot])] = old.values[slot]


@compiled
def _slot(table: HistoryValues, key: int) -> int:
    """Return the slot of a key; a free one becomes its own."""
    mixed = np.uint64(key) * np.uint64(SPREAD)
    slot = np.int64((mixed >> np.uint64(20)) & np.uint64(len(table.keys) - 1))
    while table.keys[slot] != NO_KEY and table.keys[slot] != key:
        slot = (slot + 1) & (len(table.keys) - 1)
    table.now[USED] += table.keys[slot] == NO_KEY
    table.keys[slot] = key
    return int(slot)
