"""The benchmark's functions run, and its contenders agree, on a small tree. Nothing is timed."""

import pytest

from tests.benchmarks.extensive_stackelberg import (
    by_normal_form,
    by_open_spiel,
    ours,
    rows,
    tree_of,
)

pytestmark = pytest.mark.peer


def test_contenders_find_the_same_payoff():
    pytest.importorskip("pyspiel")
    pytest.importorskip("cvxpy")
    game = tree_of(4, 13)
    assert ours(game) == by_normal_form(game) == pytest.approx(by_open_spiel(game), abs=1e-4)


def test_rows_name_each_peer_once():
    pytest.importorskip("pyspiel")
    pytest.importorskip("cvxpy")
    found = rows(trees=((4, 13),), rounds=1)
    assert len({row.peer_name for row in found}) == len(found) == 3
    assert all(row.ours > 0 for row in found)
