"""Dominated actions: the same as QuantEcon's by mixed strategies, and Gambit's by pure ones."""

import numpy as np
import pytest

from gametheory_core import NormalFormGame
from gametheory_core.certificates import Dominance, DominatedBy
from solvers import iterated_dominance
from solvers.dominance import Pace
from tests.missing_packages import quantecon

pytestmark = pytest.mark.peer

rng = np.random.default_rng(21)
GAMES = [
    NormalFormGame.from_payoffs(rng.integers(-spread, spread + 1, (len(shape), *shape)))
    for spread in (1, 3, 50)
    for shape in [(3, 2), (4, 4), (6, 3), (8, 4), (2, 2, 3), (3, 3, 3)]
]
IDENTIFIERS = [f"{game.num_actions}-{i}" for i, game in enumerate(GAMES)]


def first_round(game, **options):
    """The actions that go first, for each player."""
    found = iterated_dominance(game, pace=Pace.ALL_AT_ONCE, **options)
    return [
        sorted(e.action for e in found.eliminations if e.player == i and e.round_number == 1)
        for i in range(game.num_players)
    ]


@pytest.mark.parametrize("game", GAMES, ids=IDENTIFIERS)
def test_quantecon_finds_the_same_strictly_dominated_actions(game):
    peer = quantecon().game_theory
    for i, dominated in enumerate(first_round(game)):
        # the own action first, then the others' in turn, as QuantEcon counts players
        axes = [(i + k) % game.num_players for k in range(game.num_players)]
        player = peer.Player(np.ascontiguousarray(game.payoffs[i].transpose(axes)))
        assert dominated == sorted(player.dominated_actions())


@pytest.mark.parametrize("dominance", list(Dominance))
@pytest.mark.parametrize("game", GAMES, ids=IDENTIFIERS)
def test_gambit_finds_the_same_actions_dominated_by_pure_ones(game, dominance):
    pygambit = pytest.importorskip("pygambit")
    peer = pygambit.Game.from_arrays(*game.payoffs.astype(int).astype(object))
    left = pygambit.supports.undominated_strategies_solve(
        peer, strict=dominance is Dominance.STRICT
    )
    ours = first_round(game, dominance=dominance, dominated_by=DominatedBy.PURE)
    for player, dominated in zip(peer.players, ours, strict=True):
        stay = [k for k, strategy in enumerate(player.strategies) if strategy in left]
        assert sorted({*range(len(player.strategies))} - set(stay)) == dominated
