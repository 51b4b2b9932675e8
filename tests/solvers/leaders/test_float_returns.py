"""Returns, gradients and best responses in floats are the exact ones, rounded."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, UnsupportedGame, leaders
from gametheory_core.catalog import RepeatedGame
from solvers.leaders import float_returns
from solvers.leaders.float_returns import (
    best_actions,
    float_game,
    follower_actions,
    hold,
    returns_and_partials,
    stationary_actions,
)


def table(view, leader):
    lotteries = np.zeros((len(leader.lotteries), len(view.game.actions[view.leader])))
    for o, own in enumerate(leader.lotteries):
        lotteries[o, : len(own)] = [float(p) for p in own]
    return lotteries


@given(st.data())
def test_returns_and_partials_are_the_exact_ones(data):
    view = data.draw(leaders.leader_games())
    leader = data.draw(leaders.stochastic_leaders(view))
    followers = [
        data.draw(leaders.timed_followers(view)),
        data.draw(leaders.stationary_followers(view)),
    ]
    game = float_game(view)
    held = hold(game, follower_actions(view, followers))
    returns, partials = returns_and_partials(game, held, table(view, leader))
    for k, follower in enumerate(followers):
        exact = leaders.leader_gradient(view, leader, follower)
        assert returns[k] == pytest.approx(float(exact.value), abs=1e-9)
        for o, own in enumerate(exact.partials):
            for a in view.leader_actions(o):
                assert partials[k, o, a] == pytest.approx(float(own[a]), abs=1e-9)


@given(st.data(), st.sampled_from(leaders.FollowerClass), st.sampled_from(leaders.FollowerTies))
def test_best_actions_return_what_exact_responses_do(data, kind, ties):
    view = data.draw(leaders.leader_games())
    leader = data.draw(leaders.stochastic_leaders(view))
    game, lotteries = float_game(view), table(view, leader)
    stationary = stationary_actions(view) if kind is leaders.FollowerClass.STATIONARY else None
    chosen = best_actions(game, lotteries, follower_class=kind, ties=ties, stationary=stationary)
    exact = leaders.follower_response(view, leader, follower_class=kind, ties=ties)
    for player in (0, 1):
        held = hold(game, chosen, player=player)
        returned = returns_and_partials(game, held, lotteries)[0][0]
        assert returned == pytest.approx(float(exact.returns[player]), abs=1e-9)


def test_stationary_actions_are_all_different():
    view = leaders.leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3))
    actions = stationary_actions(view)
    assert actions.shape == (3, 32, 5)
    assert len({tuple(row) for row in actions[0].tolist()}) == 32
    assert (actions[0] == actions[2]).all()


def test_games_too_large_are_refused(monkeypatch):
    view = leaders.leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3))
    monkeypatch.setattr(float_returns, "MAX_CELLS", 299)
    with pytest.raises(UnsupportedGame, match="at most 299 cells .* has 300"):
        float_game(view)
    monkeypatch.setattr(float_returns, "MAX_FOLLOWERS", 31)
    with pytest.raises(UnsupportedGame, match="at most 31 stationary .* has 32"):
        stationary_actions(view)


def test_rewards_whose_gradients_are_no_floats_are_refused():
    huge = [[10**400, 0], [0, 1]]
    view = leaders.leader_view(RepeatedGame(NormalFormGame.bimatrix(huge, huge), rounds=2))
    with pytest.raises(UnsupportedGame, match="one near 2\\^1328. Rescale the rewards"):
        float_game(view)
