"""Local rules in compiled code: the memory of one decision maker, and its next strategy.

The rules of ``solvers.local_rules``, on slices, for loops that use many of them. Each
function takes ``memory`` and ``strategy`` as float64 arrays of one length.
"""

import math

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
