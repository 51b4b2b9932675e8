"""The benchmark's functions run, and its contenders agree, on a tiny size. Nothing is timed."""

import pytest

from tests.benchmarks.stackelberg import by_open_spiel, ours, payoffs_of, peer_game, rows

pytestmark = pytest.mark.peer


@pytest.mark.parametrize("kind", ["integers", "normal", "opposed"])
def test_contenders_find_the_same_payoff(kind):
    pytest.importorskip("pyspiel")
    pytest.importorskip("cvxpy")
    payoffs = payoffs_of(kind, 4)
    assert ours(payoffs) == pytest.approx(by_open_spiel(peer_game(payoffs)), abs=1e-4)


def test_rows_name_each_task_once():
    pytest.importorskip("pyspiel")
    pytest.importorskip("cvxpy")
    found = rows(size=3, rounds=1)
    assert len({row.task for row in found}) == len(found) == 9
    assert all(row.ours > 0 for row in found)
