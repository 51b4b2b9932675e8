"""All that a context mixer knows in the middle of a match: arrays that lie in a few flat ones.

``K`` throws can be remembered. Own throws are row 0, the other's row 1, of whatever has two rows.
Experts ``E`` and tables of cells are numbered as in ``mixing_tables``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners._kernels import mixing_tables as of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]


class Store(NamedTuple):
    """All memory of a mixer; what is where, ``mind_of`` and ``work_of`` tell.

    Attributes:
        seen (2, K + recall): Throws, the latest first: at throw ``t``, that of ``k`` throws ago is
            in column ``K - t + k - 1``. int32.
        runs (3, K): For each lag, how many of the last throws are those of so long before: of the
            other, own, both. int32.
        floats, ints, spare: Flat; float64, int64, float64.
    """

    seen: Shorts
    runs: Shorts
    floats: Floats
    ints: Ints
    spare: Floats


class Mind(NamedTuple):
    """What is remembered of a match, besides throws and runs.

    Attributes:
        cells (cells, 4): Three probabilities and a count.
        followers (2, slots): The last four of each slot, digits in base 4.
        records (2, memories, chained bases): Of their replies to forecasts of each throw.
        counts (2, discounts, 3), windows (2, windows, 3): How often was thrown what.
        slopes (2, calibrated)
        weights (3, buckets, E): Of the logistic mixers.
        evidence (3, E): Logarithms of shares in the Bayesian mixers.
        trust (mixers,)
    """

    cells: Floats
    followers: Ints
    records: Floats
    counts: Floats
    windows: Ints
    slopes: Floats
    weights: Floats
    evidence: Floats
    trust: Floats


class Work(NamedTuple):
    """What a forecast leaves for the lesson after it; all written anew by each forecast.

    Attributes:
        codes (contexts,): Which slot each is in.
        readings (readings, 2): Reference and key.
        places (tables,): The cell of each.
        buckets (E,): By how much is known.
        replies (2, chained bases): To forecasts of the other's throw, and of our own.
        votes (2, sets, 3)
        inputs, powers, odds (3, calibrated): Centered logarithms, what becomes of them, and the
            exponentials of that.
        forecasts, logs, centered (3, E): Of each expert; centered ones sum to zero.
        weights, shares (3, E): Of each expert in the mixers of either kind.
        mixed (mixers, 3), forecast (3,): How likely which throw is.
        low, high (3 E,): For ``elementary``.
    """

    codes: Ints
    readings: Ints
    places: Ints
    buckets: Ints
    replies: Ints
    votes: Floats
    inputs: Floats
    powers: Floats
    odds: Floats
    forecasts: Floats
    logs: Floats
    centered: Floats
    weights: Floats
    shares: Floats
    mixed: Floats
    forecast: Floats
    low: Floats
    high: Floats


E, C, R, N = of.NUM_EXPERTS, of.NUM_CALIBRATED, of.NUM_READINGS, of.NUM_CELLS
CHAINED, MEMORIES, DISCOUNTS = of.NUM_CHAINED, len(of.MEMORIES), len(of.DISCOUNTS)
WINDOWS, MIXERS, VOTES = len(of.WINDOWS), of.NUM_MIXERS, of.NUM_VOTES
SLOTS, CONTEXTS, TABLES = int(of.FOLLOWER_STARTS[-1]), len(of.CONTEXTS), of.NUM_TABLES
BUCKETS = len(of.FIRST_WEIGHTS)

# Where each array begins, in the order of its fields.
_MIND_FLOATS = [4 * N, 2 * MEMORIES * CHAINED, 6 * DISCOUNTS, 2 * C, 3 * E * BUCKETS, 3 * E, MIXERS]
_WORK_FLOATS = [6 * VOTES, 9 * C, 15 * E, 3 * MIXERS, 3, 3 * E, 3 * E]
_INTS = [2 * SLOTS, 6 * WINDOWS, CONTEXTS, 2 * R, TABLES, E, 2 * CHAINED]
MIND_AT, WORK_AT, INTS_AT = (
    tuple(int(at) for at in np.cumsum([0, *own])) for own in (_MIND_FLOATS, _WORK_FLOATS, _INTS)
)


def mind_of(store: Store) -> Mind:
    """Return what is remembered, as arrays that lie in the store."""
    floats, ints = store.floats, store.ints
    return Mind(
        floats[MIND_AT[0] : MIND_AT[1]].reshape(N, 4),
        ints[INTS_AT[0] : INTS_AT[1]].reshape(2, SLOTS),
        floats[MIND_AT[1] : MIND_AT[2]].reshape(2, MEMORIES, CHAINED),
        floats[MIND_AT[2] : MIND_AT[3]].reshape(2, DISCOUNTS, 3),
        ints[INTS_AT[1] : INTS_AT[2]].reshape(2, WINDOWS, 3),
        floats[MIND_AT[3] : MIND_AT[4]].reshape(2, C),
        floats[MIND_AT[4] : MIND_AT[5]].reshape(3, BUCKETS, E),
        floats[MIND_AT[5] : MIND_AT[6]].reshape(3, E),
        floats[MIND_AT[6] : MIND_AT[7]],
    )


def work_of(store: Store) -> Work:
    """Return what a forecast leaves, as arrays that lie in the store."""
    floats, ints = store.spare, store.ints
    calibrated = floats[WORK_AT[1] : WORK_AT[2]].reshape(3, 3, C)
    experts = floats[WORK_AT[2] : WORK_AT[3]].reshape(5, 3, E)
    return Work(
        ints[INTS_AT[2] : INTS_AT[3]],
        ints[INTS_AT[3] : INTS_AT[4]].reshape(R, 2),
        ints[INTS_AT[4] : INTS_AT[5]],
        ints[INTS_AT[5] : INTS_AT[6]],
        ints[INTS_AT[6] : INTS_AT[7]].reshape(2, CHAINED),
        floats[WORK_AT[0] : WORK_AT[1]].reshape(2, VOTES, 3),
        calibrated[0],
        calibrated[1],
        calibrated[2],
        experts[0],
        experts[1],
        experts[2],
        experts[3],
        experts[4],
        floats[WORK_AT[3] : WORK_AT[4]].reshape(MIXERS, 3),
        floats[WORK_AT[4] : WORK_AT[5]],
        floats[WORK_AT[5] : WORK_AT[6]],
        floats[WORK_AT[6] : WORK_AT[7]],
    )
