"""The pivots of floats are those of integers, ties and all."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.strategies import realization_plan, sequence_form
from gametheory_core.testing import behavioral_profiles, extensive_form_games
from solvers import UNLIMITED, Budget
from solvers._kernels.complementary_pivoting import DONE, LIMIT_REACHED, LOST, Tableau, follow
from solvers.solution import Meter
from solvers.trees.lemke_path import FloatEnd, exact_path, float_path, step
from solvers.trees.lemke_tableau import start_of


@given(st.data())
def test_same_basis_after_any_number_of_pivots(data):
    game = data.draw(extensive_form_games(num_players=(2, 2), max_depth=5, max_moves=10))
    form = sequence_form(game)
    prior = data.draw(behavioral_profiles(game))
    start = start_of(form, tuple(realization_plan(form, prior, player=i) for i in range(2)))
    path, ahead = exact_path(start), exact_path(start)
    if path.is_done:
        return
    pivots = data.draw(st.integers(0, 12))
    for _ in range(pivots):
        if not ahead.is_done:
            step(ahead)
    found = float_path(path, start, Meter(Budget(iterations=pivots), "pivots"))
    assert sorted(found.basic) == sorted(ahead.basic)
    assert (found.end is FloatEnd.DONE) == ahead.is_done
    assert np.isclose(found.weight, float(ahead.weight))
    whole = float_path(path, start, Meter(UNLIMITED, "pivots"))
    assert whole.end is FloatEnd.DONE


def tableau(entries, *, entering=0):
    """A tableau of one row: its basic variable is 1, the others are 0 and 2."""
    return Tableau(
        entries=np.array(entries),
        basic=np.array([1]),
        places=np.array([0, -1, 1]),
        order=np.array([1]),
        live=np.zeros(3, dtype=np.int64),
        keys=np.array([1, 2, 4]),
        state=np.array([entering, 0, 2, 0, 1]),
    )


def test_no_row_to_leave_is_reported():
    stuck = tableau([[-1.0, 0.0, 1.0]])
    assert follow(stuck, 5) == LOST
    assert stuck.state[1] == 0


def test_limit_is_kept_and_the_auxiliary_variable_ends_the_path():
    one = tableau([[2.0, 4.0, 1.0]])
    assert follow(one, 0) == LIMIT_REACHED
    assert follow(one, 1) == LIMIT_REACHED
    assert one.basic.tolist() == [0]
    assert one.entries.tolist() == [[0.5, 2.0, 0.5]]
    leaving = tableau([[2.0, 4.0, 1.0]], entering=0)
    leaving.basic[0], leaving.places[:] = 2, [0, 1, -1]
    assert follow(leaving, 5) == DONE


def test_cycle_is_noticed():
    """Two variables that push each other out for ever: the basis comes again."""
    turning = tableau([[1.0, 0.0, 1.0]])
    assert follow(turning, 1_000) == LOST
    assert turning.state[1] <= 4
