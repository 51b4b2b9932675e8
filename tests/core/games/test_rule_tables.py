"""Tables of rules refuse what no rules can mean, naming the place."""

import os
import subprocess
import sys
from collections import Counter
from dataclasses import fields, replace
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


def index_fields(table):
    """Names of the fields of a table that are integer arrays or kernels, which hold indices."""
    kinds = {field.name: getattr(table, field.name) for field in fields(table)}
    return [
        name
        for name, value in kinds.items()
        if isinstance(value, Kernel) or (isinstance(value, np.ndarray) and value.dtype.kind == "i")
    ]


@pytest.mark.parametrize("table", [POSG, AEC])
def test_no_index_points_nowhere(table):
    for name in index_fields(table):
        value = getattr(table, name)
        array = value.outcome if isinstance(value, Kernel) else value
        for place in np.ndindex(array.shape):
            for wrong in (-2, 10**6):
                spoiled = array.copy()
                spoiled[place] = wrong
                if isinstance(value, Kernel):
                    spoiled = replace(value, outcome=spoiled)
                with pytest.raises(InvalidGame, match=rf"needs .*{name}"):
                    replace(table, **{name: spoiled})


@pytest.mark.parametrize(
    "rules", [lambda: posg_to_tabular(RandomPOSG(1)), lambda: aec_to_tabular(RandomOrderTeam())]
)
def test_digests_are_those_of_values(rules):
    """Tables built twice share no number, and are the same; one other reward makes another."""
    table, same = rules().target, rules().target
    factor = Fraction(10**30 + 1, 3**40)
    large, other = (replace(t, reward_vectors=t.reward_vectors * factor) for t in (table, same))
    assert same.digest == table.digest != large.digest == other.digest
    rewards = table.reward_vectors.copy()
    rewards[0, 0] += Fraction(1, 10**30)
    assert replace(table, reward_vectors=rewards).digest != table.digest


def test_only_who_moves_observes():
    """In each state that some player moves in, and in no other, that player sees something."""
    seen = 0
    for player in range(len(AEC.players)):
        for index, state in enumerate(AEC.states):
            moves = any(
                mover == player
                for mover, at in zip(AEC.row_mover, AEC.row_state, strict=True)
                if at == index
            )
            if moves:
                seen += bool(AEC.observation(player, state))
            else:
                with pytest.raises(InvalidGame, match="never moves in state"):
                    AEC.observation(player, state)
    assert seen


def test_weights_of_a_row_are_positive_and_sum_to_one():
    rng, kinds = np.random.default_rng(2), Counter()
    for _ in range(200):
        first = [Fraction(int(w), 4) for w in rng.integers(-1, 6, 2)]
        rows = [[w, 1 - w + (rng.random() < 0.2)] for w in first]
        is_one, is_positive = {sum(row) for row in rows} == {1}, min(map(min, rows)) > 0
        given = [0, 2, 4], [0, 1, 0, 1], [w for row in rows for w in row]
        kinds[is_one, is_positive] += 1
        if is_one and is_positive:
            assert Kernel(*given).weight.tolist() == given[2]
        else:
            match = "positive weights" if is_one else "rows that sum to exactly 1"
            with pytest.raises(InvalidGame, match=match):
                Kernel(*given)
    assert min(kinds.values()) > 10
    assert len(kinds) == 4
