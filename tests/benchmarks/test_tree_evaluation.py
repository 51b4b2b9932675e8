"""The benchmark's functions run, and its contenders agree, on a tiny game. Nothing is timed."""

import contextlib

import pytest

import gametheory_core as core
from solvers.counterfactual.best_response import float_nash_conv
from tests.benchmarks.counterfactual_regret import peer_game, tree_of
from tests.benchmarks.tree_evaluation import (
    game_rows,
    lite_efg_evaluation,
    open_spiel_policy,
    random_profile,
)

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker(players=3)"])
def test_contenders_find_the_same_gains(name):
    tree = tree_of(name)
    profile = random_profile(tree)
    theirs = pyspiel.nash_conv(peer_game(name), open_spiel_policy(name, tree, profile))
    assert float_nash_conv(tree, profile) == pytest.approx(theirs, abs=1e-9)
    assert core.nash_conv(tree, profile) == pytest.approx(theirs, abs=1e-9)


def test_lite_efg_finds_the_same_gains(tmp_path):
    pytest.importorskip("LiteEFG")
    tree = tree_of("kuhn_poker")
    with contextlib.chdir(tmp_path):
        theirs = sum(lite_efg_evaluation("kuhn_poker")())
    assert float_nash_conv(tree, core.uniform_behavior(tree)) == pytest.approx(theirs, abs=1e-9)


def test_rows_name_each_contender_once(tmp_path):
    with contextlib.chdir(tmp_path):
        found = game_rows("kuhn_poker", calls=1, rounds=1)
    assert len({row.peer_name for row in found}) == len(found) >= 3
    assert all(row.ours > 0 for row in found)
