"""Best-response paths: in congestion games they end; elsewhere they may go round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import (
    InvalidStrategy,
    NotConverged,
    compact,
    load_game,
    pure_profile,
    uniform_profile,
)
from solvers import Budget
from solvers.compact import best_response_path

GAMES = st.one_of(compact.polymatrix_games(), compact.graphical_games(), compact.anonymous_games())


@given(compact.congestion_games())
def test_the_potential_falls_until_nobody_gains(game):
    path = best_response_path(game)
    assert path.repeats is None
    assert path.solution.certificate.epsilon == 0
    assert list(path.potentials) == sorted(set(path.potentials), reverse=True)


@given(GAMES)
def test_a_path_ends_in_equilibrium_or_comes_back(game):
    path = best_response_path(game)
    pairs = zip(path.actions, path.actions[1:], path.movers, strict=False)
    for before, after, mover in pairs:
        assert [i for i in range(game.num_players) if before[i] != after[i]] == [mover]
        pays = [compact.pure_payoffs(game, joint)[mover] for joint in (before, after)]
        assert pays[0] < pays[1]
    if path.repeats is None:
        assert path.solution.certificate.epsilon == 0
    else:
        assert path.solution is None
        assert path.actions[path.repeats] == path.actions[-1]
        assert path.repeats < len(path.movers)


def test_pennies_go_round():
    pennies = ([[1, -1], [-1, 1]], [[-1, 1], [1, -1]])
    path = best_response_path(compact.PolymatrixGame.from_edges({(0, 1): pennies}))
    assert path.repeats == 0
    assert len(path.movers) == 4


def test_a_start_must_be_a_joint_action():
    roads = load_game("pigou:players=3")
    with pytest.raises(InvalidStrategy, match="player 1 mixes"):
        best_response_path(roads, start=uniform_profile(roads))


def test_a_budget_that_ends_returns_the_path_so_far():
    roads = load_game("pigou:players=5")
    start = pure_profile(roads, (1,) * 5)
    with pytest.raises(NotConverged, match="2 steps") as caught:
        best_response_path(roads, start=start, budget=Budget(iterations=2))
    assert caught.value.best.movers == (0, 1)
    assert caught.value.best.solution.certificate.epsilon > 0
