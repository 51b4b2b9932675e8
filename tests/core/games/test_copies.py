"""Games, tables and profiles keep their content, hash and read-only arrays wherever they travel."""

import copy
import pickle
from dataclasses import fields, replace

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
    """All arrays that a record holds, in tuples too, cached ones included."""
    for value in vars(record).values():
        for entry in value if isinstance(value, tuple) else (value,):
            if isinstance(entry, np.ndarray):
                yield entry


@pytest.mark.parametrize(
    "passage",
    [copy.copy, copy.deepcopy, lambda record: pickle.loads(pickle.dumps(record))],
    ids=["copy", "deep copy", "pickle"],
)
@given(record=RECORDS)
def test_copies_are_the_same_and_read_only(passage, record):
    known = [getattr(record, name) for name in CACHED if hasattr(record, name)]  # cached before
    twin = passage(record)
    assert twin == record
    assert hash(twin) == hash(record)
    assert type(twin) is type(record)
    found = [getattr(twin, name) for name in CACHED if hasattr(twin, name)]
    assert list(map(str, found)) == list(map(str, known))
    assert not any(array.flags.writeable for array in arrays_of(twin))
    given_arrays = [getattr(record, field.name) for field in fields(record)]
    kept = [getattr(twin, field.name) for field in fields(record)]
    dtypes = [[getattr(a, "dtype", None) for a in values] for values in (given_arrays, kept)]
    assert dtypes[0] == dtypes[1]


@pytest.mark.parametrize("game", [MATRIX, gt.load_game("kuhn_poker"), *EXAMPLES[:4]])
def test_titles_are_no_part_of_a_game(game):
    again = replace(game, title="another")
    assert again == game
    assert len({game, again, None}) == 2
