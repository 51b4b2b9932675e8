"""What a context mixer looks at: contexts, references, and the experts made of them, as tables.

A **context** is a string of digits, read off the histories: own and other throws, outcomes, the
clock. A **form** is a linear form of the last throws, mod 3. A **reading** is a reference (a throw)
and a key; an **expert** is a reading with a table of cells, one for each key, that count throws
relative to the reference. Readings come in families, in the order below, by what they are computed
from.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

OWN, OTHER, OUTCOME, CLOCK, WINS, STEADY = range(6)  # kinds of digits
MOST_SLOTS = 2047  # of a context; codes beyond are taken modulo it
RECALL = 8  # zeros that stand for throws before the first

# Contexts of the direct cells, which forecast the other's throw, and the self cells, the own throw.
Digit = tuple[int, int, int]  # kind, lag, number of values


def _both(*lags: int) -> list[Digit]:
    return [(kind, lag, 3) for lag in lags for kind in (OWN, OTHER)]


def _each(kind: int, *lags: int) -> list[Digit]:
    return [(kind, lag, 3) for lag in lags]


def _last(count: int) -> range:
    return range(1, count + 1)


BASES: list[list[Digit]] = [
    [],
    *(_each(OTHER, *_last(k)) for k in _last(6)),
    *(_each(OWN, *_last(k)) for k in _last(6)),
    *(_both(*_last(k)) for k in _last(5)),
    *(_each(OUTCOME, *_last(k)) + _each(OTHER, 1) for k in (1, 2, 3, 5)),
    *(_each(kind, k) for kind in (OTHER, OWN) for k in (2, 3)),
    *(_both(k) for k in (2, 3)),
    *([(CLOCK, 0, m)] for m in (2, 3, 4, 5, 6, 7, 9)),
    *([(CLOCK, 0, m), (OTHER, 1, 3)] for m in (2, 3, 6)),
]
NUM_BASES = len(BASES)
OTHERS, OWNS, BOTHS = [0, *range(1, 7)], [0, *range(7, 13)], [0, *range(13, 18)]  # by order

# Contexts that only key forms: the last outcomes, the parity of the clock, and for each way to
# throw by the last two throws: how often we won, and whether it was off by as much as before.
GEARS = list(product(range(3), repeat=2))
KEYS: list[list[Digit]] = [
    _each(OUTCOME, 1),
    [(CLOCK, 0, 2)],
    _each(OUTCOME, 1, 2, 3),
    *([(WINS, 3, 4), (STEADY, 3 * a + b, 2)] for a, b in GEARS),
]
BY_OUTCOME, BY_PARITY, BY_OUTCOMES, BY_GEAR = range(NUM_BASES, NUM_BASES + 4)

CONTEXTS = BASES + KEYS
_DIGITS = sorted({digit for own in CONTEXTS for digit in own})
DIGITS = np.array(_DIGITS)
CONTEXT_DIGITS = np.array([_DIGITS.index(digit) for own in CONTEXTS for digit in own])
DIGIT_STARTS = np.cumsum([0, *(len(own) for own in CONTEXTS)])
NEEDS = np.array(
    [max([3 if kind == STEADY else lag for kind, lag, _ in own], default=0) for own in CONTEXTS]
)
UNSEEN = np.array(  # the slot while histories are too short; also the modulus of codes
    [min(int(np.prod([count for *_, count in own], dtype=int)), MOST_SLOTS) for own in CONTEXTS]
)

# Forms: coefficients of y[1], x[1], y[2], x[2], and the number of throws made.
_PLAIN = [(*own, 0) for own in product(range(3), repeat=4) if 1 <= sum(c != 0 for c in own) <= 2]
_CLOCKED = [(y, x, 0, 0, c) for y, x in ((0, 0), (1, 0), (0, 1)) for c in (1, 2)]
_LINEAR = _PLAIN + _CLOCKED
_SHORT = [i for i, own in enumerate(_LINEAR) if not any(own[2:4]) and any(own[:2])]
_GEARED = [((1 + a) % 3, b, -a % 3, -b % 3, 0) for a, b in GEARS]  # f + (y[1] - f one throw ago)
FORMS = np.array([(0,) * 5, *_LINEAR, *_GEARED])

Reading = tuple[int, tuple[int, ...]]  # number of keys, limits of the experts that use it

# Families 1, 6 and 7: a form, keyed by a context.
_FORM_READINGS: list[tuple[int, int, tuple[int, ...]]] = [
    *((0, c, (200, 10)) for c in range(NUM_BASES)),
    *((1 + f, 0, (200, 20)) for f in range(len(_LINEAR))),
    *((1 + f, BY_OUTCOME, (60,)) for f in _SHORT),
    *((1 + f, BY_PARITY, (200,)) for f in _SHORT),
    *(
        (1 + len(_LINEAR) + g, context, (limit,))
        for g in range(len(GEARS))
        for context, limit in ((BY_OUTCOME, 30), (BY_OUTCOMES, 60), (BY_GEAR + g, 60))
    ),
]
KEYED_BY = np.array([own[1] for own in _FORM_READINGS])
NUM_FORMED = len(KEYED_BY)  # readings of forms; the first ``NUM_BASES`` have no form


def _form_values() -> NDArray[np.int8]:
    """Return the reference of each reading for what may be: y[1], x[1], y[2], x[2], clock."""
    seen = np.array(list(product(range(3), repeat=5)))
    return (seen @ FORMS[[own[0] for own in _FORM_READINGS]].T % 3).astype(np.int8)


FORM_VALUES = _form_values()

# Family 5: shares of throws, discounted and in windows.
DISCOUNTS = np.array([1.0, 0.97, 0.85])
WINDOWS = np.array([10, 20, 50])
LEVELS = np.array([0.4, 0.5, 0.65])

# Family 9: sets of contexts that vote, with weights.
_VOTES: list[dict[int, float]] = [
    *(dict.fromkeys(chain[:4], 1.0) for chain in (OTHERS, OWNS, BOTHS)),
    dict.fromkeys(OTHERS[:4] + OWNS[:4] + BOTHS[:4], 1.0),
    *({c: 4.0**k for k, c in enumerate(chain)} for chain in (OTHERS, OWNS, BOTHS)),
    dict.fromkeys(BOTHS[1:], 1.0),
    dict.fromkeys((0, OTHERS[1], OWNS[1]), 1.0),
]
NUM_VOTES = len(_VOTES)
VOTERS = np.array([c for own in _VOTES for c in own])
VOTER_WEIGHTS = np.array([weight for own in _VOTES for weight in own.values()])
VOTER_STARTS = np.cumsum([0, *map(len, _VOTES)])

# Family 10: contexts whose last four followers are kept; code of 4 digits in base 4, 3 for none.
FOLLOWED = np.array([*OTHERS[:5], *OWNS[1:5], *BOTHS[1:4]])
FOLLOWER_STARTS = np.cumsum([0, *(UNSEEN[FOLLOWED] + 1)])
NOBODY = 255

CATEGORIES = 6  # of rankings
LENGTHS = np.array([1, 3, 5, 8, 13, 26])  # where the classes of lengths of matches begin
NUM_MATCHED = 6  # three histories, on each two players
JOINT = [(0, 2), (0, 4), (4, 5), (0, 2, 4)]  # matched throws that are a key together

FAMILIES: list[list[Reading]] = [
    [(int(UNSEEN[context]) + 1, limits) for _, context, limits in _FORM_READINGS],
    [(CATEGORIES, (30,))] * (4 * NUM_BASES),  # 3: rankings of direct and self cells
    [(1, (5, 20, 200)), (len(LENGTHS) + 1, (60,))] * NUM_MATCHED  # 4
    + [(3 ** len(own), (25,)) for own in JOINT],
    [(CATEGORIES, (8, 200))] * 6 + [(CATEGORIES * (len(LEVELS) + 1), (60,))] * 6,  # 5
    [(CATEGORIES, (200, 20))] * (2 * NUM_VOTES),  # 9
    [(65, (60,)), (5, (30,))] * (2 * len(FOLLOWED)),  # 10
]
_STARTS = np.cumsum([0, *map(len, FAMILIES)]).tolist()
RANKED, MATCHED, COUNTED, VOTED, FOLLOWING, SHIFTED = _STARTS[1:]

# Family 11: readings of which the other may be off by a shift, until it changes; slow and quick to
# take what was thrown for a new shift. Keyed by what was won since, doubts, and the last outcome.
SHIFTING = np.array(
    2
    * [
        0,
        *(NUM_BASES + f for f in _SHORT if not _LINEAR[f][4]),
        *range(MATCHED, MATCHED + 2 * NUM_MATCHED, 2),
        *range(COUNTED, VOTED),
    ]
)
LOWEST_SCORE, HIGHEST_SCORE = -3, 6
NOTHING = -1  # is doubted
SHIFT_KEYS = (HIGHEST_SCORE - LOWEST_SCORE + 1) * 2 * 3
FAMILIES.append([(SHIFT_KEYS, (30,))] * len(SHIFTING))
NUM_READINGS = SHIFTED + len(SHIFTING)

# Tables of cells: of all experts but the calibrated ones, and of the self cells.
_READINGS = [reading for family in FAMILIES for reading in family]
_OF_EXPERTS = [
    (number, keys, limit) for number, (keys, limits) in enumerate(_READINGS) for limit in limits
]
_OF_SELVES = [(c, _READINGS[c][0], limit) for c in range(NUM_BASES) for limit in (200, 10)]
_TABLES = _OF_EXPERTS + _OF_SELVES
NUM_TABLED, NUM_SELVES = len(_OF_EXPERTS), len(_OF_SELVES)
NUM_DIRECT = NUM_SELVES  # the first tables: direct cells, slow and fast by turns, as self cells
NUM_CALIBRATED = NUM_SELVES + 2 * NUM_VOTES
NUM_EXPERTS = NUM_TABLED + NUM_CALIBRATED
_STARTS_OF_TABLES = np.cumsum([0, *(own[1] for own in _TABLES)])
NUM_CELLS = int(_STARTS_OF_TABLES[-1])

# Columns of a forecast: experts with tables, then calibrated ones (families 8 and 9), then what
# those calibrate, in their order: self cells and votes.
SELVES, VOTES = NUM_EXPERTS, NUM_EXPERTS + NUM_SELVES
NUM_COLUMNS = VOTES + 2 * NUM_VOTES
_COLUMNS = [*range(NUM_TABLED), *range(SELVES, VOTES)]  # of tables


def _by_column(values: list[int]) -> NDArray[np.int64]:
    columns = np.zeros(NUM_COLUMNS, dtype=np.int64)
    columns[_COLUMNS] = values
    return columns


READ_BY = _by_column([own[0] for own in _TABLES])
LIMITS = _by_column([own[2] for own in _TABLES]).astype(np.float64)
FIRST_CELLS = _by_column(_STARTS_OF_TABLES[:-1].tolist())

# How much is seen of a cell: bucket by count, and weights to begin with by bucket.
MOST_COUNTED = 200
BUCKETS = np.searchsorted([1, 2, 4, 8, 20], np.arange(MOST_COUNTED + 1), side="right")
FIRST_WEIGHTS = 0.005 * np.array([0.0, 0.3, 0.6, 1.0, 1.5, 2.0])
STEPS = np.array([0.001, 0.003, 0.01])  # of the logistic mixers

# Bayesian mixers: shares that each gives back to all alike, and how many contexts have shares of
# their own: one; the last outcome, the last two, how many of the last throws we won, the class of
# the length of the longest match.
WON_OF = 8
GIVEN_BACK = np.array([1e-9, 2e-4, 1e-3, 1e-2, 1e-3, 1e-3, 1e-3, 1e-3])
_SHARED_BY = [1, 1, 1, 1, 3, 9, WON_OF + 1, len(LENGTHS) + 1]
BY_LAST, BY_LAST_TWO, BY_WON, BY_LENGTH = range(4, 8)  # of the Bayesian mixers
BELIEF_STARTS = np.cumsum([0, *_SHARED_BY])
NUM_BELIEFS = len(GIVEN_BACK)
NUM_MIXERS = len(STEPS) + NUM_BELIEFS
