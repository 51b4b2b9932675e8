"""The benchmark functions run, and the promises of speed and memory hold with room to spare."""

import pytest

from tests.benchmarks import models
from tests.benchmarks.measure import interleaved


@pytest.mark.peer
def test_layouts_of_one_tree_are_of_one_size(monkeypatch):
    pytest.importorskip("pygambit")
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(models, "ROUNDS", 2)
    assert models.open_spiel_visit() == 121
    assert len(list(models.gambit_tree().nodes)) == 121
    assert [row.peer_name[:5] for row in models.layout_rows()] == ["our A", "OpenS", "Gambi"]


def test_tables_by_arrays_are_faster_than_by_rules():
    (row,) = models.table_rows(rounds=3)
    assert row.ratio > 1


def test_a_tree_costs_less_than_two_hundred_bytes_a_node():
    assert models.peak_bytes_a_node() < 200


@pytest.mark.parametrize("rounds", [5, pytest.param(6, marks=pytest.mark.slow)])
def test_a_tree_costs_little_more_than_sorting_its_nodes(rounds):
    """The promise is a million nodes a minute; the floor is one sort of as many integers."""
    row = models.million_row(rounds)
    assert row.ratio > 1 / 40


def test_interleaving_times_everybody():
    assert set(interleaved({"a": int, "b": str}, rounds=1)) == {"a", "b"}


@pytest.mark.peer
def test_states_that_repeat_are_asked_once():
    pytest.importorskip("pygame")
    rows = models.turn_rows(piles=2, tokens=4, turns=6)
    assert [row.ratio > 1 for row in rows] == [True, True]
