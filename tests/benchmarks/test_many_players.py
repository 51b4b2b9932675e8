"""The benchmark's functions run, and its contenders agree, on tiny sizes. Nothing is timed."""

import pytest

from solvers.many_players.logit_homotopy import logit_homotopy
from tests.benchmarks.many_players import (
    all_equilibria,
    by_gambit,
    compiled,
    games_of,
    number_of_pure,
    peer_game,
    rows,
    uncompiled,
)

pytestmark = pytest.mark.peer


@pytest.mark.parametrize("exact", [False, True])
def test_contenders_agree(exact):
    pytest.importorskip("pygambit")
    for game in games_of((2, 2, 2), 5, exact=exact):
        peer = peer_game(game)
        assert number_of_pure(game) == by_gambit("enumpure", peer)
        assert all_equilibria(game) >= by_gambit("enumpoly", peer) >= 1
        assert by_gambit("logit", peer) == by_gambit("ipa", peer) == 1
        span = max(table.max() - table.min() for table in game.payoffs)
        assert compiled(game) <= 1e-12 * span
        assert uncompiled(game) <= 1e-12 * span
        assert logit_homotopy(game).solution.certificate.epsilon <= 1e-12 * span


def test_rows_name_each_task_once():
    pytest.importorskip("pygambit")
    found = rows(
        pure_shapes=((2, 2, 2),), logit_shapes=((2, 2),), all_shapes=((2, 2),), count=1, rounds=1
    )
    assert len({(row.task, row.peer_name) for row in found}) == len(found) == 7
    assert all(row.ours > 0 for row in found)
