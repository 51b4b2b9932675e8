"""Windows are shown as OpenSpiel shows them, and numbered one by one."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument
from learners.roshambo import Recall, Shows
from learners.roshambo.matches.recall import MOST_WINDOWS

histories = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=12)


def arrays(pairs):
    return np.array(pairs, dtype=np.int64).reshape(-1, 2).T[:, None]


def test_every_window_has_its_number():
    windows = [pairs for k in range(3) for pairs in product(product(range(3), repeat=2), repeat=k)]
    shown = [Recall(2, Shows.NUMBER).seen(arrays(window)).item() for window in windows]
    assert sorted(shown) == list(range(91)) == list(range(Recall(2, Shows.NUMBER).num_observations))


@given(histories, histories, st.integers(1, 4))
def test_bits_and_numbers_tell_the_same_windows_apart(first, second, recall):
    numbers, bits = (
        [Recall(recall, shows).seen(arrays(own)).tolist() for own in (first, second)]
        for shows in (Shows.NUMBER, Shows.BITS)
    )
    is_same = first[-recall:] == second[-recall:]
    assert (numbers[0] == numbers[1]) is (bits[0] == bits[1]) is is_same


@given(histories, st.integers(1, 4))
def test_bits_are_those_of_open_spiel(pairs, recall):
    pyspiel = pytest.importorskip("pyspiel")
    stage = "repeated_game(stage_game=matrix_rps(),num_repetitions=20,recall="
    state = pyspiel.load_game(f"{stage}{recall})").new_initial_state()
    for pair in pairs:
        state.apply_actions(list(pair))
    assert Recall(recall).seen(arrays(pairs))[0].tolist() == state.observation_tensor(0)


def test_matches_are_seen_apart():
    both = np.array([[[0, 1], [2, 2]], [[1, 1], [0, 1]]])
    for recall in (Recall(2), Recall(2, Shows.NUMBER)):
        alone = [recall.seen(both[:, [e]])[0].tolist() for e in range(2)]
        assert recall.seen(both).tolist() == alone


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"throws": 0}, "throws.* at least 1, but got 0"),
        ({"throws": 8, "shows": Shows.NUMBER}, "8 throws of both have .*7 throws at most"),
        ({"throws": 10, "shows": Shows.NUMBER}, "10 throws of both have .*7 throws at most"),
        ({"shows": "bits"}, "shows"),
    ],
)
def test_what_cannot_be_shown_is_refused(options, said):
    with pytest.raises(InvalidArgument, match=said):
        Recall(**options)
    assert Recall(7, Shows.NUMBER).num_observations < MOST_WINDOWS
