"""The benchmark's functions run, and its contenders agree, on a tiny size. Nothing is timed."""

import pytest

from tests.benchmarks.bayesian import (
    by_dobss,
    by_harsanyi,
    by_multiple_programs,
    by_open_spiel,
    peer_game,
    random_game,
    rows,
)

pytestmark = pytest.mark.peer


def test_contenders_find_the_same_payoff():
    pytest.importorskip("pyspiel")
    pytest.importorskip("cvxpy")
    game = random_game(2, 3)
    expected = by_dobss(game)
    assert by_multiple_programs(game) == by_harsanyi(game) == expected
    assert by_open_spiel(peer_game(game)) == pytest.approx(expected, abs=1e-4)


def test_rows_compare_every_way():
    pytest.importorskip("pyspiel")
    pytest.importorskip("cvxpy")
    found = rows(sizes=((2, 2), (1, 3)), patrol="house_patrol", small=(2, 2), rounds=1)
    assert len({(row.task, row.peer_name) for row in found}) == len(found) == 7
    assert all(row.ours > 0 for row in found)
