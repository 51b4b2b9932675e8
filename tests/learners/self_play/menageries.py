"""Menageries of all kinds, drawn for tests."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from learners.self_play import (
    DeltaLimitUniform,
    DeltaUniform,
    EloKernel,
    Menagerie,
    MetaGame,
    MetaStrategy,
    Naive,
    PastUniform,
    PresentAndPast,
    Prioritized,
    Priority,
    Record,
)

SLOW = MetaStrategy.PROJECTED_REPLICATOR
SAMPLINGS = (
    Naive(),
    DeltaUniform(),
    DeltaUniform("1/2"),
    DeltaLimitUniform(),
    DeltaLimitUniform(0.3),
    PastUniform(),
    Prioritized(),
    Prioritized(Priority.EVEN, 1),
    Prioritized(power=0.5),
    PresentAndPast(),
    *(MetaGame(solver) for solver in MetaStrategy if solver is not SLOW),
    EloKernel(),
)


@st.composite
def menageries(draw, *, most=5):
    """Draw snapshots with win rates, records and ratings."""
    size = draw(st.integers(1, most))
    rates = np.full((size, size), Fraction(1, 2), dtype=object)
    for i in range(size):
        for j in range(i):
            rates[i, j] = Fraction(draw(st.integers(0, 6)), 6)
            rates[j, i] = 1 - rates[i, j]
    records = []
    for _ in range(size):
        matches = draw(st.integers(0, 20))
        records.append(Record(Fraction(draw(st.integers(0, 2 * matches)), 2), matches))
    ratings = draw(st.lists(st.floats(0, 3000), min_size=size + 1, max_size=size + 1))
    return Menagerie(
        tuple(range(size)), win_rates=rates, records=tuple(records), ratings=tuple(ratings)
    )
