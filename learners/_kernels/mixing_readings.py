"""What a context mixer reads off a match: slots of contexts, and a reference and a key a reading.

Arrays are those of ``mixing_state``, constants those of ``mixing_tables``.
"""

from functools import partial

import numpy as np

from learners._kernels import mixing_tables as of
from learners._kernels.mixing_cells import FROM_THROW, look_up, rank, ranking
from learners._kernels.mixing_state import Floats, Ints, Mind, Shorts
from solvers._kernels.compile import compiled

RECALL, MOST_SLOTS = of.RECALL, of.MOST_SLOTS
OTHER, OUTCOME, CLOCK, WINS = of.OTHER, of.OUTCOME, of.CLOCK, of.WINS
DIGITS, CONTEXT_DIGITS, DIGIT_STARTS = of.DIGITS, of.CONTEXT_DIGITS, of.DIGIT_STARTS
NEEDS, UNSEEN = of.NEEDS, of.UNSEEN
NUM_BASES = of.NUM_BASES
FORM_VALUES, KEYED_BY, NUM_FORMED = of.FORM_VALUES, of.KEYED_BY, of.NUM_FORMED
RANKED, MATCHED, COUNTED, VOTED = of.RANKED, of.MATCHED, of.COUNTED, of.VOTED
FOLLOWING, SHIFTED, SHIFTING = of.FOLLOWING, of.SHIFTED, of.SHIFTING
LOWEST_SCORE, HIGHEST_SCORE, NOTHING = of.LOWEST_SCORE, of.HIGHEST_SCORE, of.NOTHING
LENGTHS, LEVELS, NUM_LEVELS = of.LENGTHS, of.LEVELS, len(of.LEVELS) + 1
NUM_DISCOUNTS, NUM_WINDOWS = len(of.DISCOUNTS), len(of.WINDOWS)
NUM_VOTES, VOTERS, VOTER_WEIGHTS = of.NUM_VOTES, of.VOTERS, of.VOTER_WEIGHTS
VOTER_STARTS = of.VOTER_STARTS
FOLLOWED, FOLLOWER_STARTS, NOBODY = of.FOLLOWED, of.FOLLOWER_STARTS, of.NOBODY
FIRST_CELLS, READ_BY, LIMITS = of.FIRST_CELLS, of.READ_BY, of.LIMITS
NUM_TABLED, NUM_DIRECT, NUM_SELVES, SELVES = of.NUM_TABLED, of.NUM_DIRECT, of.NUM_SELVES, of.SELVES


@compiled
def read(recent: tuple[Shorts, Shorts], runs: Shorts, mind: Mind, t: int) -> None:
    """Write what cells forecast at throw ``t``, and all that leads there.

    Args:
        recent: Our and the other's throws, the latest first.
        runs (3, K)
    """
    codes, spots, references, keys = mind.codes, mind.spots, mind.references, mind.keys
    _find_digits(recent, t, mind.digits)
    _find_slots(mind.digits, t, codes)
    for i in range(NUM_SELVES):
        spots[i] = 4 * (FIRST_CELLS[i] + codes[i // 2])
        spots[SELVES + i] = 4 * (FIRST_CELLS[SELVES + i] + codes[i // 2])
    _look_up(mind, 0, NUM_DIRECT)
    _look_up(mind, SELVES, SELVES + NUM_SELVES)
    _read_forms(recent, t, codes, references, keys)
    _rank(mind, 0, RANKED)
    _rank(mind, SELVES, RANKED + NUM_DIRECT)
    _read_matches(recent, runs, t, references, keys)
    _read_counts(mind.shares, mind.windows, references, keys)
    _read_votes(mind.forecasts, mind.counts, mind.votes, references, keys)
    _read_followers(mind.followers, codes, references, keys)
    _read_shifts(mind.shifts, outcome_of(recent, 1), references, keys)
    for e in range(NUM_DIRECT, NUM_TABLED):
        reading = READ_BY[e]
        spots[e] = 4 * (FIRST_CELLS[e] + keys[reading]) + FROM_THROW[references[reading]]
    _look_up(mind, NUM_DIRECT, NUM_TABLED)


@compiled
def _look_up(mind: Mind, first: int, last: int) -> None:
    forecasts = mind.forecasts
    rows = forecasts[0, first:last], forecasts[1, first:last], forecasts[2, first:last]
    counts, rates = mind.counts[first:last], mind.rates[first:last]
    look_up(mind.cells, mind.spots[first:last], rows, counts, rates)


@compiled
def _rank(mind: Mind, first: int, at: int) -> None:
    last, end = first + NUM_DIRECT, at + NUM_DIRECT
    forecasts = mind.forecasts
    rows = forecasts[0, first:last], forecasts[1, first:last], forecasts[2, first:last]
    rank(rows, mind.counts[first:last], mind.references[at:end], mind.keys[at:end])


@partial(compiled, error_model="numpy")
def _find_digits(recent: tuple[Shorts, Shorts], t: int, digits: Ints) -> None:
    """Write what each digit is; too early in a match, some are not used."""
    for d in range(len(DIGITS)):
        kind, lag = DIGITS[d, 0], DIGITS[d, 1]
        if kind <= OTHER:  # also the row
            digits[d] = recent[kind][lag - 1]
        elif kind == OUTCOME:
            digits[d] = outcome_of(recent, lag)
        elif kind == CLOCK:
            digits[d] = t % DIGITS[d, 2]
        elif kind == WINS:
            digits[d] = 0
            for k in range(1, lag + 1):
                digits[d] += outcome_of(recent, k) == 1
        else:
            digits[d] = _is_steady(recent, lag // 3, lag % 3)


@partial(compiled, error_model="numpy")
def _find_slots(digits: Ints, t: int, codes: Ints) -> None:
    """Write the slot of each context."""
    for c in range(len(NEEDS)):
        code = 0
        for place in range(DIGIT_STARTS[c], DIGIT_STARTS[c + 1]):
            d = CONTEXT_DIGITS[place]
            code = code * DIGITS[d, 2] + digits[d]
        codes[c] = code if code < UNSEEN[c] else code % UNSEEN[c]
        if t < NEEDS[c]:
            codes[c] = UNSEEN[c]


@compiled
def outcome_of(recent: tuple[Shorts, Shorts], lag: int) -> int:
    """Return 0 for a tie, 1 for an own win, 2 for a loss, so many throws ago."""
    return (recent[0][lag - 1] - recent[1][lag - 1] + 3) % 3


@compiled
def _is_steady(recent: tuple[Shorts, Shorts], a: int, b: int) -> int:
    """Return 1 if the other was off ``a y + b x`` by as much in the last two throws."""
    off = recent[1][0] - a * recent[1][1] - b * recent[0][1]
    before = recent[1][1] - a * recent[1][2] - b * recent[0][2]
    return 1 if (off - before) % 3 == 0 else 0


@partial(compiled, error_model="numpy")
def _read_forms(
    recent: tuple[Shorts, Shorts], t: int, codes: Ints, references: Ints, keys: Ints
) -> None:
    last = (recent[1][0] * 3 + recent[0][0]) * 9 + recent[1][1] * 3 + recent[0][1]
    values = FORM_VALUES[last * 3 + t % 3]
    for i in range(NUM_BASES, NUM_FORMED):
        references[i] = values[i]
        keys[i] = codes[KEYED_BY[i]]


@compiled
def _read_matches(
    recent: tuple[Shorts, Shorts], runs: Shorts, t: int, references: Ints, keys: Ints
) -> None:
    """Read what followed the latest of the longest matches of the last throws."""
    thrown = np.zeros(6, dtype=np.int64)
    at = MATCHED
    for history in range(3):
        run = runs[history, 1:t]
        longest, first = np.int32(0), np.int32(len(run))
        for d in range(len(run)):
            longest = max(longest, run[d])
        for d in range(len(run)):  # to the end: a loop that may stop is not done many at a time
            first = min(first, np.int32(d) if run[d] == longest else first)
        lag = 1 + (first if longest > 0 else 0)
        length = 0
        while length < len(LENGTHS) and longest >= LENGTHS[length]:
            length += 1
        for which in range(2):
            symbol = recent[1 - which][lag - 1]
            thrown[2 * history + which] = symbol
            references[at], keys[at] = symbol, 0
            references[at + 1], keys[at + 1] = symbol, length
            at += 2
    for i in range(4):
        references[at + i] = 0
    keys[at] = thrown[0] * 3 + thrown[2]
    keys[at + 1] = thrown[0] * 3 + thrown[4]
    keys[at + 2] = thrown[4] * 3 + thrown[5]
    keys[at + 3] = (thrown[0] * 3 + thrown[2]) * 3 + thrown[4]


@partial(compiled, error_model="numpy")
def _read_counts(counts: Floats, windows: Ints, references: Ints, keys: Ints) -> None:
    at = COUNTED
    scores = np.empty(3)
    for who in range(2):
        for g in range(NUM_DISCOUNTS):
            own = counts[who, g]
            keys[at], references[at] = ranking(own, own[0] + own[1] + own[2])
            at += 1
    for who in range(2):
        for w in range(NUM_WINDOWS):
            total, most = 0.0, 0.0
            for i in range(3):
                scores[i] = windows[who, w, i]
                total += scores[i]
                most = max(most, scores[i])
            category, reference = ranking(scores, total)
            level = 0
            for bound in LEVELS:
                level += total > 0 and most / total >= bound
            references[at], keys[at] = reference, category * NUM_LEVELS + level
            at += 1


@compiled
def _read_votes(
    forecasts: Floats, counts: Floats, votes: Floats, references: Ints, keys: Ints
) -> None:
    for target in range(2):  # the other's throw, our own
        slow = 0 if target == 0 else SELVES
        for v in range(NUM_VOTES):
            a, b, c = 0.0, 0.0, 0.0
            for m in range(VOTER_STARTS[v], VOTER_STARTS[v + 1]):
                column = slow + 2 * VOTERS[m]
                weight = VOTER_WEIGHTS[m] * counts[column]
                a += weight * forecasts[0, column]
                b += weight * forecasts[1, column]
                c += weight * forecasts[2, column]
            scores = votes[target, v]
            scores[0], scores[1], scores[2] = a, b, c
            at = VOTED + target * NUM_VOTES + v
            keys[at], references[at] = ranking(scores, a + b + c)


@compiled
def _read_followers(followers: Ints, codes: Ints, references: Ints, keys: Ints) -> None:
    """Read the latest follower of each context, and the three before relative to it."""
    at = FOLLOWING
    for f in range(len(FOLLOWED)):
        slot = FOLLOWER_STARTS[f] + codes[FOLLOWED[f]]
        for who in range(2):
            code = followers[who, slot]
            latest = code % 4
            if code == NOBODY:
                references[at], keys[at] = 0, 64
                references[at + 1], keys[at + 1] = 0, 4
            else:
                key = 0
                for k in range(1, 4):
                    before = (code >> 2 * k) % 4
                    digit = 3 if before == 3 else (before - latest + 3) % 3
                    key = key * 4 + digit
                references[at], keys[at] = latest, key
                references[at + 1], keys[at + 1] = latest, key // 16
            at += 2


@compiled
def _read_shifts(shifts: Ints, last: int, references: Ints, keys: Ints) -> None:
    """Read what other readings do, shifted as it was of late; ``last`` is the last outcome."""
    for g in range(len(SHIFTING)):
        shift, score, doubted = shifts[g, 0], shifts[g, 1], shifts[g, 2]
        references[SHIFTED + g] = (references[SHIFTING[g]] + shift) % 3
        since = min(max(score, LOWEST_SCORE), HIGHEST_SCORE) - LOWEST_SCORE
        keys[SHIFTED + g] = (since * 2 + (doubted != NOTHING)) * 3 + last
