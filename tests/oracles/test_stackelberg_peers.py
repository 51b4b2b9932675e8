"""Strong Stackelberg solutions: the same leader's payoff as OpenSpiel finds in floats."""

import numpy as np
import pytest

from gametheory_core import NormalFormGame
from solvers import strong_stackelberg

pytestmark = pytest.mark.peer

rng = np.random.default_rng(60)
GAMES = [
    NormalFormGame.from_payoffs(rng.integers(-spread, spread + 1, (2, m, n)))
    for spread in (1, 50)
    for m, n in [(1, 3), (3, 1), (2, 2), (3, 5), (6, 4), (8, 8)]
]
IDENTIFIERS = [f"{game.num_actions}-{i}" for i, game in enumerate(GAMES)]


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize("game", GAMES, ids=IDENTIFIERS)
def test_same_payoff_as_open_spiel(game, leader):
    pyspiel = pytest.importorskip("pyspiel")
    peer = pytest.importorskip("open_spiel.python.algorithms.stackelberg_lp", exc_type=ImportError)
    theirs = peer.solve_stackelberg(
        pyspiel.create_matrix_game(*game.payoffs.tolist()), is_first_leader=leader == 0
    )
    ours = strong_stackelberg(game, leader=leader)
    ours.certificate.verify()
    assert float(ours.payoffs[leader]) == pytest.approx(theirs[2 + leader], abs=1e-4)
