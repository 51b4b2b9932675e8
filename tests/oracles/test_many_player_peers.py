"""Several players: what Gambit finds, we find; where it stops short, our lists go on."""

import numpy as np
import pytest

from gametheory_core import NormalFormGame
from solvers import logit_homotopy, polynomial_support_enumeration, pure, quantal_response

pytestmark = pytest.mark.peer

rng = np.random.default_rng(40)
GAMES = [
    NormalFormGame.from_payoffs(rng.integers(-(10**5), 10**5, (len(shape), *shape)))
    for shape in [(2, 2, 2)] * 8 + [(2, 2, 3), (2, 3, 3), (3, 3, 3), (2, 2, 2, 2)] * 3
]
IDENTIFIERS = [f"{game.num_actions}-{i}" for i, game in enumerate(GAMES)]


def peer_game(pygambit, game):
    return pygambit.Game.from_arrays(*game.payoffs)


def flat(equilibrium, peer):
    return np.array([float(equilibrium[s]) for player in peer.players for s in player.strategies])


def ours_flat(solution):
    return np.concatenate(solution.profile.to_float().strategies)


@pytest.mark.parametrize("game", GAMES, ids=IDENTIFIERS)
def test_limit_of_the_branch_is_gambit_s(game):
    pygambit = pytest.importorskip("pygambit")
    peer = peer_game(pygambit, game)
    (theirs,) = pygambit.nash.logit_solve(peer, maxregret=1e-6).equilibria
    assert np.max(np.abs(ours_flat(logit_homotopy(game).solution) - flat(theirs, peer))) < 0.02


@pytest.mark.parametrize("game", GAMES[:12], ids=IDENTIFIERS[:12])
def test_quantal_responses_are_gambit_s(game):
    pygambit = pytest.importorskip("pygambit")
    peer = peer_game(pygambit, game)
    for rationality in (1e-6, 1e-5, 3e-5):
        response = quantal_response(game, rationality=rationality)
        (theirs,) = pygambit.qre.logit_solve_lambda(peer, lam=[rationality])
        expected = flat(theirs.profile, peer)
        assert np.max(np.abs(np.concatenate(response.profile.strategies) - expected)) < 1e-4


@pytest.mark.parametrize("game", GAMES, ids=IDENTIFIERS)
def test_equilibria_that_gambit_s_enumpoly_finds_are_among_ours(game):
    pygambit = pytest.importorskip("pygambit")
    peer = peer_game(pygambit, game)
    theirs = [flat(e, peer) for e in pygambit.nash.enumpoly_solve(peer).equilibria]
    answer = polynomial_support_enumeration(game)
    ours = [ours_flat(solution) for solution in answer.found.equilibria]
    assert answer.found.is_complete
    assert all(min(np.max(np.abs(own - e)) for own in ours) < 1e-5 for e in theirs)
    assert len(ours) >= len(theirs)


@pytest.mark.parametrize("game", GAMES, ids=IDENTIFIERS)
def test_pure_equilibria_are_gambit_s(game):
    pygambit = pytest.importorskip("pygambit")
    peer = peer_game(pygambit, game)
    theirs = {tuple(flat(e, peer)) for e in pygambit.nash.enumpure_solve(peer).equilibria}
    assert {tuple(ours_flat(solution)) for solution in pure(game).equilibria} == theirs
