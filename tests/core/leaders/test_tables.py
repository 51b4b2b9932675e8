"""Dense tables of leader views are as small as they can be, and refused before they are made."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import UnsupportedGame
from gametheory_core.catalog import iterated_prisoners_dilemma
from gametheory_core.conversions import posg_from_tables
from gametheory_core.leaders import leader_view


def test_tables_are_made_without_arrays_of_objects():
    view = leader_view(iterated_prisoners_dilemma())
    for array in (view.tables.rewards, view.tables.weight, view.tables.initial_weight):
        assert array.dtype == np.int64
        assert not array.flags.writeable


def test_sizes_are_told_before_memory_is_taken():
    """Each state has one legal action of its own, so that tables are far larger than the game."""
    count = 200
    states = range(count)
    game = posg_from_tables(
        players=("Ann", "Bob"),
        actions=[tuple(states)] * 2,
        initial={s: Fraction(1, count) for s in states},
        transitions={(s, (s, s)): {"end": 1} for s in states},
        rewards={},
        initial_observations={s: {(s, s): 1} for s in states},
        legal_actions={(i, s): (s,) for i in range(2) for s in states},
        terminal=["end"],
        horizon=1,
    )
    tracemalloc.start()
    try:
        with pytest.raises(UnsupportedGame, match=r"has 16,080,000, for 200 legal joint actions"):
            _ = leader_view(game).tables
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
