"""The benchmark's functions run, and its contenders see one tree. Nothing is timed."""

import pytest

from tests.benchmarks.tree_layout import SMALL, bytes_per_node, contenders, memory_table, rows

pytestmark = pytest.mark.peer


@pytest.mark.parametrize("task", SMALL)
def test_contenders_see_trees_of_one_size(task):
    pytest.importorskip("pyspiel")
    pytest.importorskip("pygambit")
    rules, name = SMALL[task]
    sizes = {peer: way() for peer, way in contenders(rules, name, with_gambit=True).items()}
    leaves = sizes.pop("OpenSpiel's `InfostateTree`s, C++")
    assert len(set(sizes.values())) == 1
    assert 0 < leaves < sizes["ours"]


def test_rows_name_each_task_and_peer_once():
    pytest.importorskip("pyspiel")
    pytest.importorskip("pygambit")
    found = rows(SMALL, rounds=1)
    assert len({(row.task, row.peer_name) for row in found}) == len(found) == 8
    assert all(row.ours > 0 for row in found)


def test_a_laid_out_tree_takes_less_than_a_hundred_bytes_a_node():
    peak, laid_out, derived = bytes_per_node(SMALL["liar's dice, 1 die of 3 sides"][0])
    assert laid_out < derived < 100
    assert laid_out < peak
    assert memory_table(SMALL).count("\n") == 3
