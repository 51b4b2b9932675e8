"""From float vectors over sequences to rational behavioral profiles of short numbers.

Probabilities become multiples of ``1 / GRAIN``, a power of two, so that products of many of them
keep small denominators and are measured exactly without delay.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.strategies.behavioral import BehavioralProfile
from solvers._kernels.treeplex_regret import LEAST_TOTAL
from solvers.counterfactual.sequence_tables import SequenceTables
from solvers.rounding import GRAIN


def behavior_of_totals(tables: SequenceTables, totals: FloatArray, last: FloatArray) -> FloatArray:
    """Divide summed plans by their sum at each information set.

    Where floats cannot hold the own probability of coming there, the last behavior answers.
    """
    behavior = last.copy()
    for player, treeplex in enumerate(tables.treeplexes):
        first = treeplex.first_sequence
        if len(first) == 1:
            continue
        weights = tables.own(totals, player)[1:]
        counts = np.diff(first)
        sums = np.repeat(np.add.reduceat(weights, first[:-1] - 1), counts)
        own = tables.own(behavior, player)[1:]
        np.divide(weights, sums, out=own, where=sums >= LEAST_TOTAL)
    return behavior


def rational_profile(tables: SequenceTables, behavior: FloatArray) -> BehavioralProfile:
    """Return the profile that a float behavior stands for, rounded to short rationals.

    What rounding leaves over goes to the most likely action of each information set.
    """
    vectors: list[np.ndarray[tuple[int], np.dtype[np.object_]]] = []
    known: dict[int, Fraction] = {}
    for player, treeplex in enumerate(tables.treeplexes):
        bounds = (treeplex.first_sequence - 1).tolist()
        whole = np.rint(tables.own(behavior, player)[1:] * GRAIN).astype(np.int64).tolist()
        for start, stop in pairwise(bounds):
            parts: list[int] = whole[start:stop]
            parts[parts.index(max(parts))] += GRAIN - sum(parts)
            vector = np.empty(len(parts), dtype=object)
            for place, part in enumerate(parts):
                if part not in known:
                    known[part] = Fraction(part, GRAIN)
                vector[place] = known[part]
            vectors.append(vector)
    return BehavioralProfile(tuple(vectors))
