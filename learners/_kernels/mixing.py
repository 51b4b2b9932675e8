"""A context mixer in compiled code: experts forecast, mixers weigh them, and everything learns.

Arrays are those of ``mixing_state``, constants those of ``mixing_tables``.
"""

from functools import partial

import numpy as np

from learners._kernels import mixing_state
from learners._kernels import mixing_tables as of
from learners._kernels.elementary import dot, exponentials, logarithms
from learners._kernels.mixing_cells import COUNT, best_reply, teach
from learners._kernels.mixing_readings import read
from learners._kernels.mixing_state import Floats, Ints, Mind, Shorts, Store, Work
from solvers._kernels.compile import compiled, inlined

RECALL = of.RECALL
DISCOUNTS, WINDOWS, MEMORIES = of.DISCOUNTS, of.WINDOWS, of.MEMORIES
NUM_CHAINED, FOLLOWED, FOLLOWER_STARTS = of.NUM_CHAINED, of.FOLLOWED, of.FOLLOWER_STARTS
NUM_EXPERTS, NUM_TABLED, NUM_TABLES = of.NUM_EXPERTS, of.NUM_TABLED, of.NUM_TABLES
NUM_SELVES, NUM_CALIBRATED, NUM_VOTES = of.NUM_SELVES, of.NUM_CALIBRATED, of.NUM_VOTES
TABLE_READINGS, TABLE_LIMITS = of.TABLE_READINGS, of.TABLE_LIMITS
BUCKETS, MOST_COUNTED = of.BUCKETS, of.MOST_COUNTED
STEPS, FORGETTING, NUM_MIXERS = of.STEPS, of.FORGETTING, of.NUM_MIXERS

mind_of, work_of = inlined(mixing_state.mind_of), inlined(mixing_state.work_of)

THIRD = 1.0 / 3.0
PRIOR = 0.4  # added to each sum of votes
SLOPE_STEP = 0.05
TRUST_MEMORY, TRUST_SHARED = 0.98, 0.02
LEAST_EDGE = 0.02  # of a throw that is not drawn at random


@compiled
def answer(store: Store, t: int, draw: float) -> int:
    """Return the throw of time ``t``, after the lesson of the throws before it.

    Args:
        store: Modified in place. Throws before ``t`` stand in ``seen``; all but the last of them
            have been answered.
        draw: Uniform in [0, 1): what is thrown where no throw is much better than others.
    """
    mind, work = mind_of(store), work_of(store)
    latest = store.seen.shape[1] - RECALL - t
    recent = store.seen[0, latest:], store.seen[1, latest:]
    if t > 0:
        _learn(recent, mind, work, t - 1)
        _lengthen_runs(recent, store.runs, t)
    _forecast(recent, store.runs, mind, work, t)
    likely = work.forecast
    best = best_reply(likely)
    edge = likely[(best + 2) % 3] - likely[(best + 1) % 3]
    return int(3.0 * draw) if edge < LEAST_EDGE else best


@compiled
def _forecast(recent: tuple[Shorts, Shorts], runs: Shorts, mind: Mind, work: Work, t: int) -> None:
    """Write how likely the other is to throw which, and all that leads there, into ``work``."""
    read(recent, runs, mind, work, t)
    _ask_tables(mind.cells, work.places, work.readings, work.buckets, work.forecasts)
    _ask_calibrated(mind, work, t)
    _take_logarithms(work.forecasts.reshape(-1), work.logs.reshape(-1), work)
    _center(work.logs, work.centered)
    _mix_by_weights(mind.weights, work)
    _mix_by_evidence(mind.evidence, work)
    for i in range(3):
        work.forecast[i] = 0.0
        for k in range(NUM_MIXERS):
            work.forecast[i] += mind.trust[k] * work.mixed[k, i]


@partial(compiled, error_model="numpy")
def _ask_tables(
    cells: Floats, places: Ints, readings: Ints, buckets: Ints, forecasts: Floats
) -> None:
    for e in range(NUM_TABLED):
        place, reference = places[e], readings[TABLE_READINGS[e], 0]
        buckets[e] = BUCKETS[int(cells[place, COUNT])]
        to = reference
        for i in range(3):
            forecasts[to, e] = cells[place, i]
            to = 0 if to == 2 else to + 1


@partial(compiled, error_model="numpy")
def _ask_calibrated(mind: Mind, work: Work, t: int) -> None:
    """Forecast by softmax(a s + b rot(s)), ``s`` the logarithms of a self cell or of votes."""
    odds, inputs, powers = work.odds, work.inputs, work.powers
    for c in range(NUM_SELVES):
        place = work.places[NUM_TABLED + c]
        for i in range(3):
            odds[i, c] = mind.cells[place, i]
    for target in range(2):
        for v in range(NUM_VOTES):
            votes = work.votes[target, v]
            scale = 1.0 / (votes[0] + votes[1] + votes[2] + 3.0 * PRIOR)
            for i in range(3):
                odds[i, NUM_SELVES + target * NUM_VOTES + v] = (votes[i] + PRIOR) * scale
    _take_logarithms(odds.reshape(-1), powers.reshape(-1), work)
    _center(powers, inputs)
    for i in range(3):
        _combine(mind.slopes[0], inputs[i], mind.slopes[1], inputs[(i + 2) % 3], powers[i])
    _take_exponentials(powers.reshape(-1), odds.reshape(-1), work)
    bucket = BUCKETS[min(t, MOST_COUNTED)]
    for c in range(NUM_CALIBRATED):
        scale = 1.0 / (odds[0, c] + odds[1, c] + odds[2, c])
        work.buckets[NUM_TABLED + c] = bucket
        for i in range(3):
            work.forecasts[i, NUM_TABLED + c] = odds[i, c] * scale


@compiled
def _combine(a: Floats, s: Floats, b: Floats, turned: Floats, found: Floats) -> None:
    for c in range(len(found)):
        found[c] = a[c] * s[c] + b[c] * turned[c]


@compiled
def _center(logs: Floats, centered: Floats) -> None:
    """Write columns of three less their mean."""
    rows = logs[0], logs[1], logs[2]
    for i in range(3):
        row, written = logs[i], centered[i]
        for e in range(len(row)):
            written[e] = row[e] - (rows[0][e] + rows[1][e] + rows[2][e]) * THIRD


@compiled
def _take_logarithms(numbers: Floats, found: Floats, work: Work) -> None:
    low, high = work.low, work.high
    logarithms(numbers.view(np.int64), found, low, low.view(np.int64), high, high.view(np.int64))


@compiled
def _take_exponentials(powers: Floats, found: Floats, work: Work) -> None:
    exponentials(powers, found, found.view(np.int64), work.low, work.low.view(np.int64))


@partial(compiled, error_model="numpy")
def _mix_by_weights(weights: Floats, work: Work) -> None:
    """Mix by online softmax regression on centered logarithms."""
    for q in range(3):
        row, of_buckets = work.weights[q], weights[q]
        for e in range(NUM_EXPERTS):
            row[e] = of_buckets[work.buckets[e], e]
    for q in range(3):
        mixed = work.mixed[q]
        for i in range(3):
            mixed[i] = dot(work.weights[q], work.centered[i])
        most = max(mixed[0], mixed[1], mixed[2])
        for i in range(3):
            mixed[i] = np.exp(mixed[i] - most)
        total = mixed[0] + mixed[1] + mixed[2]
        for i in range(3):
            mixed[i] /= total


@partial(compiled, error_model="numpy")
def _mix_by_evidence(evidence: Floats, work: Work) -> None:
    """Mix by posterior shares, and bring the evidence back to logarithms of shares."""
    _take_exponentials(evidence.reshape(-1), work.shares.reshape(-1), work)
    for g in range(3):
        mixed = work.mixed[3 + g]
        for i in range(3):
            mixed[i] = dot(work.shares[g], work.forecasts[i])
        total = mixed[0] + mixed[1] + mixed[2]  # forecasts sum to 1
        for i in range(3):
            mixed[i] /= total
        shift, row = np.log(total), evidence[g]
        for e in range(NUM_EXPERTS):
            row[e] -= shift


@compiled
def _learn(recent: tuple[Shorts, Shorts], mind: Mind, work: Work, t: int) -> None:
    """Learn from throw ``t``, which ``work`` has forecast, and remember it; it is in column 0."""
    own, other = recent[0][0], recent[1][0]
    _teach_mixers(mind, work, other)
    _teach_tables(mind.cells, work.places, work.readings, own, other)
    _teach_slopes(mind.slopes, work, other)
    for who in range(2):
        symbol = other if who == 0 else own
        _remember_follower(mind.followers[who], work.codes, symbol)
        _remember_replies(mind.records[who], work.replies[who], symbol)
        _remember_count(mind.counts[who], mind.windows[who], recent[1 - who], t)


@partial(compiled, error_model="numpy")
def _teach_mixers(mind: Mind, work: Work, symbol: int) -> None:
    trust = mind.trust
    total = 0.0
    for k in range(NUM_MIXERS):
        trust[k] = trust[k] ** TRUST_MEMORY * work.mixed[k, symbol]
        total += trust[k]
    for k in range(NUM_MIXERS):
        trust[k] = (1.0 - TRUST_SHARED) * trust[k] / total + TRUST_SHARED / NUM_MIXERS
    for q in range(3):
        row, mixed = work.weights[q], work.mixed[q]
        for i in range(3):
            _add(STEPS[q] * ((1.0 if i == symbol else 0.0) - mixed[i]), work.centered[i], row)
    for q in range(3):
        row, of_buckets = work.weights[q], mind.weights[q]
        for e in range(NUM_EXPERTS):
            of_buckets[work.buckets[e], e] = row[e]
    for g in range(3):
        row, logs = mind.evidence[g], work.logs[symbol]
        for e in range(NUM_EXPERTS):
            row[e] = FORGETTING[g] * (row[e] + logs[e])


@compiled
def _add(factor: float, row: Floats, to: Floats) -> None:
    for e in range(len(row)):
        to[e] += factor * row[e]


@compiled
def _teach_tables(cells: Floats, places: Ints, readings: Ints, own: int, other: int) -> None:
    for table in range(NUM_TABLED):
        reference = readings[TABLE_READINGS[table], 0]
        teach(cells, places[table], (other - reference + 3) % 3, TABLE_LIMITS[table])
    for table in range(NUM_TABLED, NUM_TABLES):
        teach(cells, places[table], own, TABLE_LIMITS[table])


@compiled
def _teach_slopes(slopes: Floats, work: Work, symbol: int) -> None:
    inputs, forecasts = work.inputs, work.forecasts
    for c in range(NUM_CALIBRATED):
        right, turned = inputs[symbol, c], inputs[(symbol + 2) % 3, c]
        for i in range(3):
            right -= forecasts[i, NUM_TABLED + c] * inputs[i, c]
            turned -= forecasts[i, NUM_TABLED + c] * inputs[(i + 2) % 3, c]
        slopes[0, c] += SLOPE_STEP * right
        slopes[1, c] += SLOPE_STEP * turned


@compiled
def _remember_follower(followers: Ints, codes: Ints, symbol: int) -> None:
    for f in range(len(FOLLOWED)):
        slot = FOLLOWER_STARTS[f] + codes[FOLLOWED[f]]
        followers[slot] = (4 * followers[slot] + symbol) % 256


@compiled
def _remember_replies(records: Floats, replies: Ints, symbol: int) -> None:
    for c in range(NUM_CHAINED):
        outcome = (replies[c] - symbol + 3) % 3
        score = 1.0 if outcome == 1 else (-1.0 if outcome == 2 else 0.0)
        for memory in range(len(MEMORIES)):
            records[memory, c] = MEMORIES[memory] * records[memory, c] + score


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
    own, other = recent[0][0], recent[1][0]
    owns, others = recent[0][1:t], recent[1][1:t]
    for d in range(t - 1):
        same_other, same_own = others[d] == other, owns[d] == own
        runs[0, d + 1] = runs[0, d + 1] + 1 if same_other else 0
        runs[1, d + 1] = runs[1, d + 1] + 1 if same_own else 0
        runs[2, d + 1] = runs[2, d + 1] + 1 if same_own and same_other else 0
