"""A context mixer in compiled code: experts forecast, mixers weigh them, and everything learns.

Arrays are those of ``mixing_state``, constants those of ``mixing_tables``.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from learners._kernels import mixing_tables as of
from learners._kernels.elementary import exponentials, logarithms
from learners._kernels.mixing_cells import best_reply, put_back, teach
from learners._kernels.mixing_mixers import (
    choose_beliefs,
    find_buckets,
    mix_by_shares,
    mix_by_weights,
    teach_shares,
    teach_trust,
    teach_weights,
)
from learners._kernels.mixing_readings import read
from learners._kernels.mixing_state import Floats, Ints, Mind, Shorts
from solvers._kernels.compile import compiled

RECALL = of.RECALL
DISCOUNTS, WINDOWS = of.DISCOUNTS, of.WINDOWS
FOLLOWED, FOLLOWER_STARTS = of.FOLLOWED, of.FOLLOWER_STARTS
NUM_EXPERTS, NUM_TABLED, NUM_SELVES = of.NUM_EXPERTS, of.NUM_TABLED, of.NUM_SELVES
NUM_CALIBRATED, NUM_VOTES, NUM_COLUMNS = of.NUM_CALIBRATED, of.NUM_VOTES, of.NUM_COLUMNS
SELVES, VOTES, LIMITS = of.SELVES, of.VOTES, of.LIMITS
NUM_MIXERS, NUM_BELIEFS, GIVEN_BACK = of.NUM_MIXERS, of.NUM_BELIEFS, of.GIVEN_BACK
LENGTH_READING = of.MATCHED + 2 * of.NUM_MATCHED - 1  # of the match of both histories
SHIFTED, NOTHING = of.SHIFTED, of.NOTHING
FIRST_SHIFTED = int(np.flatnonzero(of.READ_BY == SHIFTED)[0])  # column

THIRD = 1.0 / 3.0
PRIOR = 0.4  # added to each sum of votes
SLOPE_STEP = 0.05
LEAST_EDGE = 0.02  # of a throw that is not drawn at random


@compiled
def answer(
    seen: Shorts, minds: NDArray[np.void], t: int, last: tuple[int, int], draw: float
) -> int:
    """Return the throw of time ``t``, after the lesson of the throws before it.

    Args:
        seen (5, K + recall): Modified in place. Throws before ``t - 1`` are there.
        minds (1,): Modified in place. Those throws were answered.
        last: The own and the other's throw of time ``t - 1``, if that is not before the first.
        draw: Uniform in [0, 1): what is thrown where no throw is much better than others.
    """
    mind = minds[0]
    latest = seen.shape[1] - RECALL - t
    recent, runs = (seen[0, latest:], seen[1, latest:]), seen[2:]
    if t > 0:
        recent[0][0], recent[1][0] = last
        _learn(recent, mind, t - 1)
        _lengthen_runs(recent, runs, t)
    _forecast(recent, runs, mind, t)
    likely = mind.forecast
    best = best_reply(likely)
    edge = likely[(best + 2) % 3] - likely[(best + 1) % 3]
    return int(3.0 * draw) if edge < LEAST_EDGE else best


@compiled
def _forecast(recent: tuple[Shorts, Shorts], runs: Shorts, mind: Mind, t: int) -> None:
    """Write how likely the other is to throw which, and all that leads there."""
    read(recent, runs, mind, t)
    forecasts, centered, mixed = mind.forecasts, mind.centered, mind.mixed
    _write_shares(mind.votes, forecasts)
    _take_logarithms(mind, 0, NUM_TABLED)
    _take_logarithms(mind, SELVES, NUM_COLUMNS)
    _ask_calibrated(mind.slopes, forecasts, centered, mind.low)
    find_buckets(mind.counts, mind.buckets, t)
    mix_by_weights(mind.weights, mind.buckets, centered, mixed)
    choose_beliefs(recent, mind.keys[LENGTH_READING], mind.chosen)
    for k in range(NUM_BELIEFS):
        mix_by_shares(mind.beliefs[mind.chosen[k]], forecasts, mixed[NUM_MIXERS - NUM_BELIEFS + k])
    for i in range(3):
        mind.forecast[i] = 0.0
        for k in range(NUM_MIXERS):
            mind.forecast[i] += mind.trust[k] * mixed[k, i]


@partial(compiled, error_model="numpy")
def _write_shares(votes: Floats, forecasts: Floats) -> None:
    for target in range(2):
        for v in range(NUM_VOTES):
            own = votes[target, v]
            scale = 1.0 / (own[0] + own[1] + own[2] + 3.0 * PRIOR)
            for i in range(3):
                forecasts[i, VOTES + target * NUM_VOTES + v] = (own[i] + PRIOR) * scale


@compiled
def _take_logarithms(mind: Mind, first: int, last: int) -> None:
    """Write logarithms of forecasts, less the mean of the three."""
    low, high = mind.low, mind.high
    for i in range(3):
        numbers, found = mind.forecasts[i, first:last], mind.centered[i, first:last]
        logarithms(
            numbers.view(np.int64), found, low, low.view(np.int64), high, high.view(np.int64)
        )
    _center(
        mind.centered[0, first:last], mind.centered[1, first:last], mind.centered[2, first:last]
    )


@compiled
def _center(rock: Floats, paper: Floats, scissors: Floats) -> None:
    for e in range(len(rock)):
        mean = (rock[e] + paper[e] + scissors[e]) * THIRD
        rock[e] -= mean
        paper[e] -= mean
        scissors[e] -= mean


@partial(compiled, error_model="numpy")
def _ask_calibrated(slopes: Floats, forecasts: Floats, centered: Floats, low: Floats) -> None:
    """Forecast by softmax(a s + b rot(s)), ``s`` the logarithms of a self cell or of votes."""
    end = NUM_TABLED + NUM_CALIBRATED
    for i in range(3):
        powers, found = centered[i, NUM_TABLED:end], forecasts[i, NUM_TABLED:end]
        _combine(slopes[0], centered[i, SELVES:], slopes[1], centered[(i + 2) % 3, SELVES:], powers)
        exponentials(powers, found, found.view(np.int64), low, low.view(np.int64))
    _normalize(
        forecasts[0, NUM_TABLED:end], forecasts[1, NUM_TABLED:end], forecasts[2, NUM_TABLED:end]
    )


@compiled
def _combine(a: Floats, s: Floats, b: Floats, turned: Floats, found: Floats) -> None:
    for c in range(len(found)):
        found[c] = a[c] * s[c] + b[c] * turned[c]


@partial(compiled, error_model="numpy")
def _normalize(rock: Floats, paper: Floats, scissors: Floats) -> None:
    for c in range(len(rock)):
        scale = 1.0 / (rock[c] + paper[c] + scissors[c])
        rock[c] *= scale
        paper[c] *= scale
        scissors[c] *= scale


@compiled
def _learn(recent: tuple[Shorts, Shorts], mind: Mind, t: int) -> None:
    """Learn from throw ``t``, which was forecast, and remember it; it is in column 0."""
    own, other = recent[0][0], recent[1][0]
    teach_trust(mind.trust, mind.mixed, other)
    teach_weights(mind.weights, mind.buckets, mind.centered, mind.mixed, other)
    for k in range(NUM_BELIEFS):
        teach_shares(mind.beliefs[mind.chosen[k]], mind.forecasts[other], GIVEN_BACK[k])
    _teach_slopes(mind.slopes, mind.forecasts, mind.centered, other)
    _move_shifts(mind.shifts, mind.references, mind.forecasts[other], own, other)
    _teach_tables(mind, 0, NUM_TABLED, other)
    _teach_tables(mind, SELVES, SELVES + NUM_SELVES, own)
    for who in range(2):
        symbol = other if who == 0 else own
        _remember_follower(mind.followers[who], mind.codes, symbol)
        _remember_count(mind.shares[who], mind.windows[who], recent[1 - who], t)


@compiled
def _teach_slopes(slopes: Floats, forecasts: Floats, centered: Floats, symbol: int) -> None:
    for c in range(NUM_CALIBRATED):
        right, turned = centered[symbol, SELVES + c], centered[(symbol + 2) % 3, SELVES + c]
        for i in range(3):
            p = forecasts[i, NUM_TABLED + c]
            right -= p * centered[i, SELVES + c]
            turned -= p * centered[(i + 2) % 3, SELVES + c]
        slopes[0, c] += SLOPE_STEP * right
        slopes[1, c] += SLOPE_STEP * turned


@compiled
def _teach_tables(mind: Mind, first: int, last: int, symbol: int) -> None:
    forecasts = mind.forecasts
    rows = forecasts[0, first:last], forecasts[1, first:last], forecasts[2, first:last]
    teach(rows, mind.rates[first:last], symbol)
    put_back(mind.cells, mind.spots[first:last], rows, mind.counts[first:last], LIMITS[first:last])


@compiled
def _move_shifts(shifts: Ints, references: Ints, likely: Floats, own: int, other: int) -> None:
    """Take a throw that is off for a new shift: if quick, expected, or off as the one before."""
    outcome = (own - other + 3) % 3
    won = 1 if outcome == 1 else (-1 if outcome == 2 else 0)
    for g in range(len(shifts)):
        found = shifts[g]
        found[1] += won
        off = (other - references[SHIFTED + g] + 3) % 3
        shift = (found[0] + off) % 3
        is_quick = 2 * g >= len(shifts)
        if off == 0:
            found[2] = NOTHING
        elif is_quick or found[2] == shift or likely[FIRST_SHIFTED + g] > 0.5:
            found[0], found[1], found[2] = shift, won, NOTHING
        else:
            found[2] = shift


@compiled
def _remember_follower(followers: Ints, codes: Ints, symbol: int) -> None:
    for f in range(len(FOLLOWED)):
        slot = FOLLOWER_STARTS[f] + codes[FOLLOWED[f]]
        followers[slot] = (4 * followers[slot] + symbol) % 256


@compiled
def _remember_count(counts: Floats, windows: Ints, thrown: Shorts, t: int) -> None:
    """Count throw ``t``, the first of ``thrown``."""
    for g in range(len(DISCOUNTS)):
        for i in range(3):
            counts[g, i] *= DISCOUNTS[g]
        counts[g, thrown[0]] += 1.0
    for w in range(len(WINDOWS)):
        windows[w, thrown[0]] += 1
        if t >= WINDOWS[w]:
            windows[w, thrown[WINDOWS[w]]] -= 1


@compiled
def _lengthen_runs(recent: tuple[Shorts, Shorts], runs: Shorts, t: int) -> None:
    """Count for each lag how many of the last throws are those of so long before."""
    own, other = recent[0], recent[1]
    of_other, of_own, of_both = runs[0, 1:t], runs[1, 1:t], runs[2, 1:t]
    for d in range(t - 1):
        of_other[d] = of_other[d] + 1 if other[d + 1] == other[0] else 0
    for d in range(t - 1):
        of_own[d] = of_own[d] + 1 if own[d + 1] == own[0] else 0
    for d in range(t - 1):  # that of both is one more where both are
        of_both[d] = of_both[d] + 1 if min(of_other[d], of_own[d]) > 0 else 0
