"""What a context mixer reads off a match: slots of contexts, and a reference and a key a reading.

Arrays are those of ``mixing_state``, constants those of ``mixing_tables``; all of ``work.codes``,
``work.readings`` and ``work.places`` is written.
"""

from functools import partial

import numpy as np

from learners._kernels import mixing_tables as of
from learners._kernels.mixing_cells import COUNT, NEAR, best_reply, ranking
from learners._kernels.mixing_state import Floats, Ints, Mind, Shorts, Work
from solvers._kernels.compile import compiled

RECALL, MOST_SLOTS = of.RECALL, of.MOST_SLOTS
OTHER, OUTCOME, CLOCK, WINS = of.OTHER, of.OUTCOME, of.CLOCK, of.WINS
DIGITS, DIGIT_STARTS, NEEDS, UNSEEN = of.DIGITS, of.DIGIT_STARTS, of.NEEDS, of.UNSEEN
NUM_BASES, NUM_CHAINED = of.NUM_BASES, of.NUM_CHAINED
FORMS, FORM_READINGS = of.FORMS, of.FORM_READINGS
RANKED, MATCHED, COUNTED, VOTED = of.RANKED, of.MATCHED, of.COUNTED, of.VOTED
FOLLOWING, LED = of.FOLLOWING, of.LED
LENGTHS, LEVELS, NUM_LEVELS = of.LENGTHS, of.LEVELS, len(of.LEVELS) + 1
NUM_DISCOUNTS, NUM_WINDOWS = len(of.DISCOUNTS), len(of.WINDOWS)
NUM_VOTES, VOTERS, VOTER_WEIGHTS = of.NUM_VOTES, of.VOTERS, of.VOTER_WEIGHTS
VOTER_STARTS = of.VOTER_STARTS
FOLLOWED, FOLLOWER_STARTS, NOBODY = of.FOLLOWED, of.FOLLOWER_STARTS, of.NOBODY
NUM_LEADERS, MEMBERS, MEMBER_STARTS = of.NUM_LEADERS, of.MEMBERS, of.MEMBER_STARTS
NUM_MEMORIES = len(of.MEMORIES)
TABLE_READINGS, TABLE_STARTS = of.TABLE_READINGS, of.TABLE_STARTS
NUM_TABLED, NUM_TABLES = of.NUM_TABLED, of.NUM_TABLES


@partial(compiled, error_model="numpy")
def read(recent: tuple[Shorts, Shorts], runs: Shorts, mind: Mind, work: Work, t: int) -> None:
    """Write slots, references, keys and places at throw ``t``; column 0 is the throw before."""
    _find_slots(recent, t, work.codes)
    readings, places = work.readings, work.places
    _read_forms(recent, t, work.codes, readings)
    for i in range(2 * NUM_BASES):
        places[i] = TABLE_STARTS[i] + work.codes[i // 2]
        places[NUM_TABLED + i] = TABLE_STARTS[NUM_TABLED + i] + work.codes[i // 2]
    _read_rankings(mind.cells, places, readings)
    _read_matches(recent, runs, t, readings)
    _read_counts(mind, readings)
    _read_votes(mind.cells, places, work.votes, readings)
    _read_followers(mind.followers, work.codes, readings)
    _read_leaders(mind, work, readings)
    for i in range(2 * NUM_BASES, NUM_TABLED):
        places[i] = TABLE_STARTS[i] + readings[TABLE_READINGS[i], 1]


@partial(compiled, error_model="numpy")
def _find_slots(recent: tuple[Shorts, Shorts], t: int, codes: Ints) -> None:
    """Write the slot of each context; ``recent`` has the last throw in column 0."""
    for c in range(len(NEEDS)):
        if t < NEEDS[c]:
            codes[c] = UNSEEN[c]
            continue
        code = 0
        for d in range(DIGIT_STARTS[c], DIGIT_STARTS[c + 1]):
            kind, lag, values = DIGITS[d, 0], DIGITS[d, 1], DIGITS[d, 2]
            if kind <= OTHER:  # also the row
                digit = recent[kind][lag - 1]
            elif kind == OUTCOME:
                digit = _outcome(recent, lag)
            elif kind == CLOCK:
                digit = t % values
            elif kind == WINS:
                digit = 0
                for k in range(1, lag + 1):
                    digit += _outcome(recent, k) == 1
            else:
                digit = _is_steady(recent, lag // 3, lag % 3)
            code = code * values + digit
        codes[c] = code % UNSEEN[c]


@compiled
def _outcome(recent: tuple[Shorts, Shorts], lag: int) -> int:
    """Return 0 for a tie, 1 for an own win, 2 for a loss, so many throws ago."""
    return (recent[0][lag - 1] - recent[1][lag - 1] + 3) % 3


@compiled
def _is_steady(recent: tuple[Shorts, Shorts], a: int, b: int) -> int:
    """Return 1 if the other was off ``a y + b x`` by as much in the last two throws."""
    off = recent[1][0] - a * recent[1][1] - b * recent[0][1]
    before = recent[1][1] - a * recent[1][2] - b * recent[0][2]
    return 1 if (off - before) % 3 == 0 else 0


@partial(compiled, error_model="numpy")
def _read_forms(recent: tuple[Shorts, Shorts], t: int, codes: Ints, readings: Ints) -> None:
    for i in range(len(FORM_READINGS)):
        f = FORM_READINGS[i, 0]
        total = FORMS[f, 0] * recent[1][0] + FORMS[f, 1] * recent[0][0]
        total += FORMS[f, 2] * recent[1][1] + FORMS[f, 3] * recent[0][1] + FORMS[f, 4] * (t % 3)
        readings[i, 0] = total % 3
        readings[i, 1] = codes[FORM_READINGS[i, 1]]


@compiled
def _read_rankings(cells: Floats, places: Ints, readings: Ints) -> None:
    for i in range(4 * NUM_BASES):
        table = i if i < 2 * NUM_BASES else NUM_TABLED + i - 2 * NUM_BASES
        place = places[table]
        category, reference = ranking(cells[place, :3], cells[place, COUNT])
        readings[RANKED + i, 0], readings[RANKED + i, 1] = reference, category


@compiled
def _read_matches(recent: tuple[Shorts, Shorts], runs: Shorts, t: int, readings: Ints) -> None:
    """Read what followed the latest of the longest matches of the last throws."""
    thrown = np.zeros(6, dtype=np.int64)
    at = MATCHED
    for history in range(3):
        run = runs[history, 1:t]
        longest = np.int32(0)
        for d in range(len(run)):
            longest = max(longest, run[d])
        lag = 1
        while longest > 0 and run[lag - 1] < longest:
            lag += 1
        length = 0
        while length < len(LENGTHS) and longest >= LENGTHS[length]:
            length += 1
        for which in range(2):
            symbol = recent[1 - which][lag - 1]
            thrown[2 * history + which] = symbol
            readings[at, 0], readings[at, 1] = symbol, 0
            readings[at + 1, 0], readings[at + 1, 1] = symbol, length
            at += 2
    for i in range(4):
        readings[at + i, 0] = 0
    readings[at, 1] = thrown[0] * 3 + thrown[2]
    readings[at + 1, 1] = thrown[0] * 3 + thrown[4]
    readings[at + 2, 1] = thrown[4] * 3 + thrown[5]
    readings[at + 3, 1] = (thrown[0] * 3 + thrown[2]) * 3 + thrown[4]


@partial(compiled, error_model="numpy")
def _read_counts(mind: Mind, readings: Ints) -> None:
    at = COUNTED
    scores = np.empty(3)
    for who in range(2):
        for g in range(NUM_DISCOUNTS):
            counts = mind.counts[who, g]
            category, reference = ranking(counts, counts[0] + counts[1] + counts[2])
            readings[at, 0], readings[at, 1] = reference, category
            at += 1
    for who in range(2):
        for w in range(NUM_WINDOWS):
            total, most = 0.0, 0.0
            for i in range(3):
                scores[i] = mind.windows[who, w, i]
                total += scores[i]
                most = max(most, scores[i])
            category, reference = ranking(scores, total)
            level = 0
            for bound in LEVELS:
                level += total > 0 and most / total >= bound
            readings[at, 0], readings[at, 1] = reference, category * NUM_LEVELS + level
            at += 1


@compiled
def _read_votes(cells: Floats, places: Ints, votes: Floats, readings: Ints) -> None:
    for target in range(2):  # the other's throw, our own
        slow = 0 if target == 0 else NUM_TABLED
        for v in range(NUM_VOTES):
            scores = votes[target, v]
            scores[:] = 0.0
            for m in range(VOTER_STARTS[v], VOTER_STARTS[v + 1]):
                place = places[slow + 2 * VOTERS[m]]
                weight = VOTER_WEIGHTS[m] * cells[place, COUNT]
                for i in range(3):
                    scores[i] += weight * cells[place, i]
            category, reference = ranking(scores, scores[0] + scores[1] + scores[2])
            at = VOTED + target * NUM_VOTES + v
            readings[at, 0], readings[at, 1] = reference, category


@compiled
def _read_followers(followers: Ints, codes: Ints, readings: Ints) -> None:
    """Read the latest follower of each context, and the three before relative to it."""
    at = FOLLOWING
    for f in range(len(FOLLOWED)):
        slot = FOLLOWER_STARTS[f] + codes[FOLLOWED[f]]
        for who in range(2):
            code = followers[who, slot]
            latest = code % 4
            if code == NOBODY:
                readings[at, 0], readings[at, 1] = 0, 64
                readings[at + 1, 0], readings[at + 1, 1] = 0, 4
            else:
                key = 0
                for k in range(1, 4):
                    before = (code >> 2 * k) % 4
                    digit = 3 if before == 3 else (before - latest + 3) % 3
                    key = key * 4 + digit
                readings[at, 0], readings[at, 1] = latest, key
                readings[at + 1, 0], readings[at + 1, 1] = latest, key // 16
            at += 2


@compiled
def _read_leaders(mind: Mind, work: Work, readings: Ints) -> None:
    """Read the replies of the contexts that have won most, and of the most extreme one."""
    cells, replies, at = mind.cells, work.replies, LED
    for target in range(2):
        slow = 0 if target == 0 else NUM_TABLED
        for c in range(NUM_CHAINED):
            replies[target, c] = best_reply(cells[work.places[slow + 2 * c], :3])
        for group in range(NUM_LEADERS):
            first, last = MEMBER_STARTS[group], MEMBER_STARTS[group + 1]
            for memory in range(NUM_MEMORIES):
                records = mind.records[target, memory]
                leader = MEMBERS[first]
                for m in range(first + 1, last):
                    if records[MEMBERS[m]] > records[leader]:
                        leader = MEMBERS[m]
                record = records[leader]
                at = _write_leader(readings, at, replies[target, leader], record)
            leader, most, count = MEMBERS[first], 0.0, 0.0
            for m in range(first, last):
                place = work.places[slow + 2 * MEMBERS[m]]
                top = max(cells[place, 0], cells[place, 1], cells[place, 2])
                if cells[place, COUNT] >= 2.0 and top > most + NEAR:
                    leader, most, count = MEMBERS[m], top, cells[place, COUNT]
            at = _write_leader(readings, at, replies[target, leader], count)


@compiled
def _write_leader(readings: Ints, at: int, reply: int, record: float) -> int:
    readings[at, 0], readings[at, 1] = reply, (record > 2.0) + (record > 6.0)
    readings[at + 1, 0], readings[at + 1, 1] = reply, 0
    return at + 2
