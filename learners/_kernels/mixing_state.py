"""All that a context mixer knows in the middle of a match: one record, and a table that grows.

The table, ``seen``, is (5, K + recall), int32, for up to ``K`` throws. Rows 0 and 1 are our and the
other's throws, the latest first: at throw ``t``, that of ``k`` throws ago is in column
``K - t + k - 1``. Rows 2 to 4 count for each lag, the number of the column, how many of the last
throws are those of so long before: of the other, our own, both.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from learners._kernels import mixing_tables as of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Triple: TypeAlias = tuple[Floats, Floats, Floats]  # of rock, paper and scissors
Mind: TypeAlias = Any  # a record of this type

E, COLUMNS, VOTES = of.NUM_EXPERTS, of.NUM_COLUMNS, of.NUM_VOTES
_SLOTS = int(of.FOLLOWER_STARTS[-1])

# What is remembered. Row 0 is about the other's throws and row 1 about our own, of what has two.
_REMEMBERED: list[tuple[Any, ...]] = [
    ("cells", "f8", (4 * of.NUM_CELLS,)),  # as in ``mixing_cells``
    ("followers", "i8", (2, _SLOTS)),  # the last four of each slot, digits in base 4
    ("shares", "f8", (2, len(of.DISCOUNTS), 3)),  # how often was thrown what, discounted
    ("windows", "i8", (2, len(of.WINDOWS), 3)),  # and of late
    ("slopes", "f8", (2, of.NUM_CALIBRATED)),
    ("weights", "f8", (E, len(of.FIRST_WEIGHTS), 3)),  # of the logistic mixers, by bucket
    ("beliefs", "f8", (int(of.BELIEF_STARTS[-1]), E)),  # shares in Bayesian mixers, by context
    ("shifts", "i8", (len(of.SHIFTING), 3)),  # of family 11: shift, score, doubted shift
    ("trust", "f8", (of.NUM_MIXERS,)),
]
# What a forecast leaves for the lesson after it; all written anew by each forecast.
_AT_WORK: list[tuple[Any, ...]] = [
    ("digits", "i8", (len(of.DIGITS),)),
    ("codes", "i8", (len(of.CONTEXTS),)),  # which slot each context is in
    ("references", "i8", (of.NUM_READINGS,)),
    ("keys", "i8", (of.NUM_READINGS,)),
    ("spots", "i8", (COLUMNS,)),  # of cells, as in ``mixing_cells``
    ("buckets", "i8", (E,)),  # by how much is known
    ("votes", "f8", (2, VOTES, 3)),
    ("forecasts", "f8", (3, COLUMNS)),  # probabilities
    ("centered", "f8", (3, COLUMNS)),  # their logarithms, less the mean of the three
    ("counts", "f8", (COLUMNS,)),  # how much cells have seen
    ("rates", "f8", (COLUMNS,)),  # how fast they learn
    ("chosen", "i8", (of.NUM_BELIEFS,)),  # row of ``beliefs`` of each Bayesian mixer
    ("mixed", "f8", (of.NUM_MIXERS, 3)),  # how likely which throw is, by each mixer
    ("forecast", "f8", (3,)),  # and by all
    ("low", "f8", (COLUMNS,)),  # for ``elementary``, as the next
    ("high", "f8", (COLUMNS,)),
]
MIND = np.dtype(_REMEMBERED + _AT_WORK, align=True)
