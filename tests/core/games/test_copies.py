"""Games, tables and profiles keep their content, hash and read-only arrays wherever they travel."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import conversions
from gametheory_core.testing import (
    PayoffKind,
    extensive_form_games,
    forgetful_games,
    normal_form_games,
)

MATRIX, BAYESIAN = gt.load_game("chicken"), gt.load_game("house_patrol")
TABLE = conversions.posg_to_tabular(gt.load_game("repeated_prisoners_dilemma:rounds=2")).target
EXAMPLES = [
    BAYESIAN,
    gt.load_game("guarded_targets:types=2"),
    TABLE,
    conversions.aec_to_tabular(gt.load_game("random_order_team")).target,
    conversions.markov_view(TABLE),
    gt.uniform_profile(MATRIX),
    gt.uniform_profile(MATRIX).to_float(),
    gt.MixedProfile(([1, 0],)),
    gt.uniform_behavior(gt.load_game("kuhn_poker")),
    gt.uniform_behavior(gt.load_game("kuhn_poker")).to_float(),
]
RECORDS = st.one_of(
    st.sampled_from(EXAMPLES),
    normal_form_games(kinds=tuple(PayoffKind)),
    extensive_form_games(),
    forgetful_games(),
)
CACHED = ("payoffs", "exact_payoffs", "exact_terminal_payoffs", "parent", "flat", "digest")


def arrays_of(record):
    """All public arrays that a record holds, in tuples too, cached ones included, by name."""
    for name, value in vars(record).items():
        for entry in value if isinstance(value, tuple) else (value,):
            if isinstance(entry, np.ndarray) and not name.startswith("_"):
                yield name, entry


@pytest.mark.parametrize(
    "passage",
    [copy.copy, copy.deepcopy, lambda record: pickle.loads(pickle.dumps(record))],
    ids=["copy", "deep copy", "pickle"],
)
@given(record=RECORDS)
def test_copies_are_the_same_and_read_only(passage, record):
    for name in CACHED:
        getattr(record, name, None)  # cached before the passage
    twin = passage(record)
    assert twin == record
    assert (hash(twin), repr(twin)) == (hash(record), repr(record))
    for name in CACHED:
        getattr(twin, name, None)
    kinds = [{(name, array.dtype) for name, array in arrays_of(each)} for each in (record, twin)]
    assert kinds[1] <= kinds[0]
    assert not any(array.flags.writeable for _, array in arrays_of(twin))


@pytest.mark.parametrize("game", [MATRIX, gt.load_game("kuhn_poker"), *EXAMPLES[:4]])
def test_titles_are_no_part_of_a_game(game):
    again = replace(game, title="another")
    assert again == game
    assert len({game, again, None}) == 2
