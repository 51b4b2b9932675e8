"""Profiles near equilibrium as priors: players who match their regrets, in whole numbers.

Each player plays an action in proportion to its regret, kept at 0 or above (Tammelin 2014), and the
later rounds count more in the average. That is no equilibrium of a general polymatrix game, but a
path that starts there is often a hundred times shorter than from the uniform profile. All sums are
of 64-bit integers that cannot overflow, so that every machine finds the same.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.arrays import object_array
from gametheory_core.strategies.mixed import MixedProfile
from solvers.compact.polymatrix_tableau import Tables

BITS = 12  # of probabilities in play, and of payoffs where there are few actions
GRAIN = 100  # probabilities of priors are multiples of one over it
MOST_ROUNDS = 4096  # so that sums fit


def learned_prior(tables: Tables, *, rounds: int) -> MixedProfile:
    """Return the average play of so many rounds, at most ``MOST_ROUNDS``, rounded.

    Memory is quadratic in the number of actions of all players.
    """
    payoffs = _matrix(tables)
    firsts = np.array(tables.firsts[:-1])
    counts = np.diff(tables.firsts)
    equal = np.repeat((1 << BITS) // counts, counts)
    played, regrets, average = equal, np.zeros(len(equal), dtype=np.int64), np.zeros_like(equal)
    for t in range(1, min(rounds, MOST_ROUNDS) + 1):
        values = payoffs @ played
        earned = np.add.reduceat(played * values, firsts)
        whole = np.add.reduceat(played, firsts)
        gains = values * np.repeat(whole, counts) - np.repeat(earned, counts)
        regrets = np.maximum(regrets + gains, 0)
        totals = np.repeat(np.add.reduceat(regrets >> BITS, firsts), counts)
        shares = (regrets >> BITS) / np.maximum(totals, 1)
        played = np.where(totals > 0, np.floor(shares * (1 << BITS)).astype(np.int64), equal)
        average += t * played
    return MixedProfile(tuple(map(_rounded, np.split(average, firsts[1:]))))


def _matrix(tables: Tables) -> Any:
    """Return payoffs by actions of all players, each player's scaled to few bits."""
    size = tables.firsts[-1]
    bits = max(1, BITS - max(0, size.bit_length() - 10))
    matrix = np.zeros((size, size), dtype=np.int64)
    for i, own in enumerate(tables.paid):
        largest = max((abs(v) for table in own.values() for row in table for v in row), default=0)
        rows = slice(tables.firsts[i], tables.firsts[i + 1])
        for j, table in own.items():
            part = [[(value << bits) // max(1, largest) for value in row] for row in table]
            matrix[rows, tables.firsts[j] : tables.firsts[j + 1]] = part
    return matrix


def _rounded(weights: Any) -> Any:
    """Return probabilities in parts of ``GRAIN``, the largest taking what is left over."""
    total = int(weights.sum())
    if not total:
        return object_array([Fraction(1, len(weights))] * len(weights))
    parts = [GRAIN * int(weight) // total for weight in weights]
    parts[parts.index(max(parts))] += GRAIN - sum(parts)
    return object_array([Fraction(part, GRAIN) for part in parts])
