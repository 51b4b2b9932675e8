"""Repeated play of a normal form in compiled code: everyone learns by a local rule, at once.

Vectors of all players lie end to end: player ``i`` has entries ``offsets[i] .. offsets[i + 1]``.
Joint actions are numbered in C order, so that player ``i``'s action counts ``strides[i]``.
The rules are those of ``solvers.local_rules``, on slices: ``memory`` and ``strategy`` are float64
arrays of one length.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

REGRET_MATCHING, REGRET_MATCHING_PLUS, EXPONENTIAL, BEST_REPLY, REPEATED_REPLY = 0, 1, 2, 3, 4


@compiled
def remember(
    rule: int,
    memory: NDArray[np.float64],
    payoffs: NDArray[np.float64],
    strategy: NDArray[np.float64],
) -> None:
    """Take in what the actions earned; ``memory`` is modified in place."""
    earned = 0.0
    if rule <= EXPONENTIAL:
        for action in range(len(memory)):
            earned += strategy[action] * payoffs[action]
    for action in range(len(memory)):
        memory[action] += payoffs[action] - earned
        if rule == REGRET_MATCHING_PLUS and memory[action] < 0.0:
            memory[action] = 0.0


@compiled
def respond(
    rule: int, memory: NDArray[np.float64], rate: float, strategy: NDArray[np.float64]
) -> None:
    """Write the next strategy; ``strategy`` holds the previous one and is modified in place.

    ``rate`` multiplies the memory in exponents, and is read by ``EXPONENTIAL`` only.
    """
    if rule == EXPONENTIAL:
        _exponential_shares(memory, rate, strategy)
    elif rule in {REGRET_MATCHING, REGRET_MATCHING_PLUS}:
        _positive_shares(memory, strategy)
    else:
        _best_reply(rule, memory, strategy)


@compiled
def _positive_shares(memory: NDArray[np.float64], strategy: NDArray[np.float64]) -> None:
    total = 0.0
    for action in range(len(memory)):
        total += max(memory[action], 0.0)
    for action in range(len(memory)):
        strategy[action] = max(memory[action], 0.0) / total if total > 0.0 else 1.0 / len(memory)


@compiled
def _exponential_shares(
    memory: NDArray[np.float64], rate: float, strategy: NDArray[np.float64]
) -> None:
    highest = memory.max()
    total = 0.0
    for action in range(len(memory)):
        strategy[action] = math.exp(rate * (memory[action] - highest))
        total += strategy[action]
    for action in range(len(memory)):
        strategy[action] /= total


@compiled
def _best_reply(rule: int, memory: NDArray[np.float64], strategy: NDArray[np.float64]) -> None:
    best = int(np.argmax(memory))
    if rule == REPEATED_REPLY:
        last = int(np.argmax(strategy))
        if memory[last] == memory[best]:
            best = last
    for action in range(len(memory)):
        strategy[action] = 1.0 if action == best else 0.0


SIMULTANEOUS, ALTERNATING = 0, 1


class PlayTable(NamedTuple):
    """A normal form, read-only.

    ``payoffs`` (players, joint actions) float64; ``offsets`` (players + 1,) and ``strides``
    (players,) int64.
    """

    payoffs: NDArray[np.float64]
    offsets: NDArray[np.int64]
    strides: NDArray[np.int64]


class PlayArrays(NamedTuple):
    """What players remember and do; all float64, all modified in place.

    ``memory`` and ``strategies`` (all actions,); ``totals`` (joint actions,): how often each was
    played, or with what summed probability.
    """

    memory: NDArray[np.float64]
    strategies: NDArray[np.float64]
    totals: NDArray[np.float64]


@compiled
def play_mixed(
    table: PlayTable,
    arrays: PlayArrays,
    rule: int,
    rates: NDArray[np.float64],
    decay: float,
    steps: int,
    count: int,
) -> None:
    """Play ``count`` steps after ``steps`` earlier ones; players see expected payoffs.

    ``arrays`` is modified in place.
    """
    earned = np.empty_like(arrays.memory)
    for step in range(steps + 1, steps + count + 1):
        _play_strategies(table, arrays, earned)
        _learn(table, arrays, earned, rule, rates, decay, step)


@compiled
def play_drawn(
    table: PlayTable,
    arrays: PlayArrays,
    rule: int,
    rates: NDArray[np.float64],
    decay: float,
    steps: int,
    draws: NDArray[np.float64],
) -> None:
    """Play one step for each row of ``draws``, uniform numbers (steps, players).

    Players draw actions from their strategies and see what each action earned against those.
    ``arrays`` is modified in place.
    """
    earned = np.empty_like(arrays.memory)
    played = np.empty(len(table.strides), dtype=np.int64)
    for row in range(draws.shape[0]):
        for player in range(len(played)):
            first, last = table.offsets[player], table.offsets[player + 1]
            played[player] = drawn(arrays.strategies[first:last], draws[row, player])
        joint = _joint(table, played)
        arrays.totals[joint] += 1.0
        for player in range(len(played)):
            _against(table, joint, played[player], player, earned)
        _learn(table, arrays, earned, rule, rates, decay, steps + row + 1)


@compiled
def play_pure(table: PlayTable, arrays: PlayArrays, rule: int, order: int, count: int) -> None:
    """Play ``count`` steps of pure strategies; ``arrays`` is modified in place.

    If ``order`` is ``ALTERNATING``, each player has seen what those before chose for the next step.
    """
    earned = np.empty_like(arrays.memory)
    played = np.empty(len(table.strides), dtype=np.int64)
    for player in range(len(played)):
        first, last = table.offsets[player], table.offsets[player + 1]
        played[player] = np.argmax(arrays.strategies[first:last])
    for _ in range(count):
        joint = _joint(table, played)
        arrays.totals[joint] += 1.0
        for player in range(len(played)):
            first, last = table.offsets[player], table.offsets[player + 1]
            memory, strategy = arrays.memory[first:last], arrays.strategies[first:last]
            _against(
                table, joint, (joint // table.strides[player]) % (last - first), player, earned
            )
            remember(rule, memory, earned[first:last], strategy)
            respond(rule, memory, 1.0, strategy)
            played[player] = np.argmax(strategy)
            if order == ALTERNATING:
                joint = _joint(table, played)


@compiled
def _learn(
    table: PlayTable,
    arrays: PlayArrays,
    earned: NDArray[np.float64],
    rule: int,
    rates: NDArray[np.float64],
    decay: float,
    step: int,
) -> None:
    for player in range(len(table.strides)):
        first, last = table.offsets[player], table.offsets[player + 1]
        memory, strategy = arrays.memory[first:last], arrays.strategies[first:last]
        remember(rule, memory, earned[first:last], strategy)
        respond(rule, memory, rates[player] / step**decay, strategy)


@compiled
def _play_strategies(table: PlayTable, arrays: PlayArrays, earned: NDArray[np.float64]) -> None:
    """Add the joint probabilities to the totals; write what actions earn in expectation."""
    players = len(table.strides)
    digits = np.zeros(players, dtype=np.int64)
    earned[:] = 0.0
    for joint in range(len(arrays.totals)):
        whole = 1.0
        for player in range(players):
            whole *= arrays.strategies[table.offsets[player] + digits[player]]
        arrays.totals[joint] += whole
        for player in range(players):
            others = 1.0
            for other in range(players):
                if other != player:
                    others *= arrays.strategies[table.offsets[other] + digits[other]]
            earned[table.offsets[player] + digits[player]] += others * table.payoffs[player, joint]
        for player in range(players - 1, -1, -1):  # count on, the last player's action fastest
            digits[player] += 1
            if digits[player] < table.offsets[player + 1] - table.offsets[player]:
                break
            digits[player] = 0


@compiled
def _joint(table: PlayTable, played: NDArray[np.int64]) -> int:
    joint = 0
    for player in range(len(played)):
        joint += played[player] * table.strides[player]
    return joint


@compiled
def _against(
    table: PlayTable, joint: int, own: int, player: int, earned: NDArray[np.float64]
) -> None:
    """Write what a player's actions earn against the others' actions in ``joint``."""
    first = table.offsets[player]
    base = joint - own * table.strides[player]
    for action in range(table.offsets[player + 1] - first):
        earned[first + action] = table.payoffs[player, base + action * table.strides[player]]


@compiled
def drawn(strategy: NDArray[np.float64], number: float) -> int:
    """Return the first action whose cumulative probability exceeds the number."""
    total = 0.0
    last = 0
    for action in range(len(strategy)):
        if strategy[action] > 0.0:
            total += strategy[action]
            last = action
            if number < total:
                return action
    return last
