"""Random tables of windows, exact and in floats, and small matches."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from gametheory_core.catalog import RepeatedGame, RirRPS
from learners.matches import match_form

SMALL = [
    RirRPS(repetitions=1, recall=1),
    RirRPS(repetitions=2, recall=2),
    RirRPS(repetitions=3, recall=1),
    RirRPS(repetitions=3, recall=2),
    RepeatedGame.of("prisoners_dilemma", rounds=4, recall=1),
]


def exact_rows(counts):
    """Return rows of small whole numbers as shares; of zeros, all of the first."""
    counts = np.array(counts)
    counts[counts.sum(axis=1) == 0, 0] = 1
    sums = counts.sum(axis=1).tolist()
    shares = [[Fraction(c, s) for c in row] for row, s in zip(counts.tolist(), sums, strict=True)]
    return np.array(shares, dtype=object)


@st.composite
def exact_tables(draw, game, seat=0):
    """Draw a table of a match: a seed, so that large ones are quick."""
    form = match_form(game, seat=seat)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    largest = draw(st.integers(1, 4))
    return exact_rows(rng.integers(0, largest, (form.num_windows, len(form.actions[0]))))


def float_tables(count, *, windows=820, seed=0):
    """Return tables of floats."""
    return list(np.random.default_rng(seed).dirichlet(np.ones(3), (count, windows)))
