"""Tables of rules refuse what no rules can mean, naming the place."""

import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidGame
from gametheory_core.catalog import RandomOrderTeam
from gametheory_core.conversions import aec_to_tabular, posg_to_tabular
from gametheory_core.games.table_content import Kernel
from tests.theorems.random_rules import RandomPOSG

POSG = posg_to_tabular(RandomPOSG(1)).target
AEC = aec_to_tabular(RandomOrderTeam()).target
HALF = Fraction(1, 2)


def test_a_kernel_is_of_integers_and_numbers():
    with pytest.raises(InvalidGame, match="needs integers in outcome, but its type is float64"):
        Kernel([0, 1], [0.7], [1])
    assert Kernel([0, 2], [0, 1], [0.5, 0.5]).weight.tolist() == [HALF, HALF]
    with pytest.raises(InvalidGame, match="needs rows that sum to exactly 1, but row 0"):
        Kernel([0, 2], [0, 1], [HALF, 1])


@pytest.mark.parametrize("table", [POSG, AEC])
@pytest.mark.parametrize("horizon", [-1, 1.5, True])
def test_horizons_are_whole_numbers(table, horizon):
    with pytest.raises(InvalidGame, match="needs a horizon that is None or a whole number"):
        replace(table, horizon=horizon)


@pytest.mark.parametrize("table", [POSG, AEC])
def test_ends_do_not_move(table):
    with pytest.raises(InvalidGame, match="needs terminal states without transitions"):
        replace(table, terminal=np.ones(len(table.states), dtype=bool))


def test_marks_of_ends_stand_where_play_ends():
    nowhere = np.full(len(POSG.entry_signal_row), -1)
    with pytest.raises(InvalidGame, match="needs -1 in entry_signal_row for entries into termi"):
        replace(POSG, entry_signal_row=nowhere)
    with pytest.raises(InvalidGame, match="needs -1 in entry_turn_row for entries into terminal"):
        replace(AEC, entry_turn_row=np.full(len(AEC.entry_turn_row), -1))
    with pytest.raises(InvalidGame, match="needs initial_signal_row for each first state"):
        replace(POSG, initial_signal_row=np.full(len(POSG.states), -1))


def test_rows_list_each_outcome_once():
    twice = Kernel([0, 2], [0, 0], [HALF, HALF])
    with pytest.raises(InvalidGame, match="different outcomes in each row of initial_kernel, but"):
        replace(POSG, initial_kernel=twice)
    with pytest.raises(InvalidGame, match="needs one row in initial_kernel, but has 2"):
        replace(POSG, initial_kernel=Kernel([0, 1, 2], [0, 1], [1, 1]))


@pytest.mark.parametrize(
    ("table", "name"), [(POSG, "row_key"), (AEC, "row_key"), (AEC, "observation_key")]
)
def test_keys_ascend(table, name):
    keys = getattr(table, name).copy()
    keys[1] = keys[0]
    with pytest.raises(InvalidGame, match=f"needs ascending {name}, one row for each key"):
        replace(table, **{name: keys})


def test_nobody_plays_no_game():
    with pytest.raises(InvalidGame, match="needs at least one player"):
        replace(POSG, players=())


def test_digests_do_not_depend_on_the_order_of_sets():
    """Python orders sets of text anew in each run."""
    script = (
        "from gametheory_core.games.table_content import content_digest as digest\n"
        "print(digest('kind', [(frozenset('abcdef'), 1)]))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1
