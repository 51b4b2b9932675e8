"""Mixers: how much each expert's forecast counts, and what that is worth, by all forecasts so far.

Arrays are those of ``mixing_state``, constants those of ``mixing_tables``. Logistic mixers learn
weights by gradient steps. A Bayesian mixer holds shares, and gives a little of them back to all
alike, so that it is never far behind any sequence of experts with few changes.
Source: :cite:`herbster1998tracking`.
"""

from functools import partial

import numpy as np

from learners._kernels import mixing_tables as of
from learners._kernels.elementary import dot
from learners._kernels.mixing_cells import HIT
from learners._kernels.mixing_readings import outcome_of
from learners._kernels.mixing_state import Floats, Ints, Shorts
from solvers._kernels.compile import compiled

NUM_EXPERTS, NUM_TABLED, BUCKETS, MOST_COUNTED = (
    of.NUM_EXPERTS,
    of.NUM_TABLED,
    of.BUCKETS,
    of.MOST_COUNTED,
)
STEPS, NUM_MIXERS, NUM_BELIEFS = of.STEPS, of.NUM_MIXERS, of.NUM_BELIEFS
BELIEF_STARTS, WON_OF = of.BELIEF_STARTS, of.WON_OF
BY_LAST, BY_LAST_TWO, BY_WON, BY_LENGTH = of.BY_LAST, of.BY_LAST_TWO, of.BY_WON, of.BY_LENGTH

TRUST_MEMORY, TRUST_SHARED = 0.98, 0.02


@compiled
def find_buckets(counts: Floats, buckets: Ints, t: int) -> None:
    for e in range(NUM_TABLED):
        buckets[e] = BUCKETS[int(counts[e])]
    bucket = BUCKETS[min(t, MOST_COUNTED)]
    for e in range(NUM_TABLED, NUM_EXPERTS):
        buckets[e] = bucket


@partial(compiled, error_model="numpy", fastmath={"contract"})
def mix_by_weights(weights: Floats, buckets: Ints, centered: Floats, mixed: Floats) -> None:
    """Mix by online softmax regression on centered logarithms."""
    a0, a1, a2, b0, b1, b2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    rock, paper = centered[0], centered[1]  # and scissors, less both
    for e in range(NUM_EXPERTS):
        bucket, a, b = buckets[e], rock[e], paper[e]
        a0 += weights[e, bucket, 0] * a
        a1 += weights[e, bucket, 1] * a
        a2 += weights[e, bucket, 2] * a
        b0 += weights[e, bucket, 0] * b
        b1 += weights[e, bucket, 1] * b
        b2 += weights[e, bucket, 2] * b
    for q, (a, b) in enumerate(((a0, b0), (a1, b1), (a2, b2))):
        most = max(a, b, -a - b)
        x, y, z = np.exp(a - most), np.exp(b - most), np.exp(-a - b - most)
        total = x + y + z
        mixed[q, 0], mixed[q, 1], mixed[q, 2] = x / total, y / total, z / total


@compiled
def choose_beliefs(recent: tuple[Shorts, Shorts], length: int, chosen: Ints) -> None:
    """Write which shares each Bayesian mixer has in this context."""
    won = 0
    for k in range(1, WON_OF + 1):
        won += outcome_of(recent, k) == 1
    for k in range(NUM_BELIEFS):
        chosen[k] = BELIEF_STARTS[k]
    chosen[BY_LAST] += outcome_of(recent, 1)
    chosen[BY_LAST_TWO] += 3 * outcome_of(recent, 1) + outcome_of(recent, 2)
    chosen[BY_WON] += won
    chosen[BY_LENGTH] += length


@partial(compiled, error_model="numpy")
def mix_by_shares(shares: Floats, forecasts: Floats, mixed: Floats) -> None:
    """Mix by posterior shares."""
    for i in range(3):
        mixed[i] = dot(shares, forecasts[i, :NUM_EXPERTS])
    total = mixed[0] + mixed[1] + mixed[2]  # 1 but for rounding
    for i in range(3):
        mixed[i] /= total


@partial(compiled, error_model="numpy")
def teach_trust(trust: Floats, mixed: Floats, symbol: int) -> None:
    total = 0.0
    for k in range(NUM_MIXERS):
        trust[k] = trust[k] ** TRUST_MEMORY * mixed[k, symbol]
        total += trust[k]
    for k in range(NUM_MIXERS):
        trust[k] = (1.0 - TRUST_SHARED) * trust[k] / total + TRUST_SHARED / NUM_MIXERS


@partial(compiled, error_model="numpy", fastmath={"contract"})
def teach_weights(
    weights: Floats, buckets: Ints, centered: Floats, mixed: Floats, symbol: int
) -> None:
    a0, b0 = _gains(HIT[symbol], mixed[0], STEPS[0])
    a1, b1 = _gains(HIT[symbol], mixed[1], STEPS[1])
    a2, b2 = _gains(HIT[symbol], mixed[2], STEPS[2])
    rock, paper = centered[0], centered[1]
    for e in range(NUM_EXPERTS):
        bucket, a, b = buckets[e], rock[e], paper[e]
        weights[e, bucket, 0] += a0 * a + b0 * b
        weights[e, bucket, 1] += a1 * a + b1 * b
        weights[e, bucket, 2] += a2 * a + b2 * b


@compiled
def _gains(hit: Floats, likely: Floats, step: float) -> tuple[float, float]:
    """Return by how much weights grow for a centered logarithm of 1 of rock, and of paper."""
    scissors = hit[2] - likely[2]
    return step * (hit[0] - likely[0] - scissors), step * (hit[1] - likely[1] - scissors)


@partial(compiled, error_model="numpy", fastmath={"reassoc", "contract"})
def teach_shares(shares: Floats, forecasts: Floats, given_back: float) -> None:
    """Weigh experts by what each held likely of what was thrown; any may come to lead later."""
    total = 0.0
    for e in range(NUM_EXPERTS):
        shares[e] *= forecasts[e]
        total += shares[e]
    kept, even = (1.0 - given_back) / total, given_back / NUM_EXPERTS
    for e in range(NUM_EXPERTS):
        shares[e] = kept * shares[e] + even
