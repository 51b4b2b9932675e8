"""The benchmark's functions run, and its contenders agree, on a tiny size. Nothing is timed."""

import pytest

from gametheory_core.adapters.open_spiel_tree import open_spiel_tree
from tests.benchmarks.extensive_correlated import (
    by_open_spiel,
    coarse_distance,
    extensive_form,
    half_seen_tree,
    over_normal_form,
    over_plans,
    peer_device,
    random_mixture,
    rows,
)

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")


def test_contenders_find_the_same_welfare():
    tree = half_seen_tree(3)
    assert over_plans(tree) == over_normal_form(tree)
    assert extensive_form(tree) <= over_plans(tree)


def test_contenders_measure_the_same_distance():
    tree, game = open_spiel_tree("kuhn_poker"), pyspiel.load_game("kuhn_poker")
    mixture = random_mixture(tree)
    device = peer_device(game, tree, mixture)
    assert coarse_distance(tree, mixture) == pytest.approx(by_open_spiel(game, device), abs=1e-9)


def test_rows_name_each_task_once():
    found = rows(depth=2, games=("kuhn_poker",), rounds=1)
    assert len({row.task for row in found}) == len(found) == 3
    assert all(row.ours > 0 for row in found)
