"""Compiled play does what numpy play does, step by step; only rounding may differ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import load_game
from gametheory_core.catalog import random_game
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers.dynamics import repeated_play
from solvers.dynamics.play import PlayWork, first_strategies
from solvers.dynamics.repeated_play import RepeatedPlay
from solvers.local_rules import BestReply, Hedge, RegretMatching, RegretMatchingPlus, TieRule
from tests.sample_sizes import examples

MIXED = [RegretMatching(), RegretMatchingPlus(), Hedge(0.3), Hedge(0.2, 0.0), Hedge(2.0, 1.0)]


def fresh(game, *, pure=False):
    strategies = first_strategies(game, None)
    if pure:
        starts = np.cumsum([0, *game.num_actions[:-1]])
        strategies[:] = 0.0
        strategies[starts] = 1.0
    return PlayWork(0, np.zeros_like(strategies), strategies, np.zeros(game.num_actions))


def both_ways(monkeypatch, play, second_play, game, steps, *, pure=False):
    by_numpy, compiled = fresh(game, pure=pure), fresh(game, pure=pure)
    monkeypatch.setattr(repeated_play, "NUMPY_STEPS", steps)
    play.advance(by_numpy, steps)
    monkeypatch.setattr(repeated_play, "NUMPY_STEPS", 0)
    second_play.advance(compiled, steps)
    assert by_numpy.steps == compiled.steps == steps
    return by_numpy, compiled


def assert_same(first, second):
    assert np.allclose(first.memory, second.memory, rtol=1e-9, atol=1e-9)
    assert np.allclose(first.strategies, second.strategies, rtol=1e-9, atol=1e-9)
    assert np.allclose(first.totals, second.totals, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("rule", MIXED, ids=repr)
@examples(10)
@given(game=normal_form_games(num_players=(1, 3), kinds=(PayoffKind.GENERIC,)))
def test_mixed_play_is_the_same(rule, game):
    with pytest.MonkeyPatch.context() as patch:
        play = RepeatedPlay(game, (rule,) * game.num_players)
        assert_same(*both_ways(patch, play, play, game, 12))


@pytest.mark.parametrize("rule", MIXED, ids=repr)
@examples(10)
@given(game=normal_form_games(num_players=(1, 3)), seed=st.integers(0, 99))
def test_drawn_play_is_the_same(rule, game, seed):
    with pytest.MonkeyPatch.context() as patch:
        plays = [
            RepeatedPlay(game, (rule,) * game.num_players, np.random.default_rng(seed))
            for _ in range(2)
        ]
        assert_same(*both_ways(patch, *plays, game, 25))


@pytest.mark.parametrize("is_alternating", [False, True])
@pytest.mark.parametrize("ties", TieRule)
@examples(20)
@given(game=normal_form_games(num_players=(2, 2), kinds=(PayoffKind.DEGENERATE,)))
def test_pure_play_is_the_same_with_ties(ties, is_alternating, game):
    with pytest.MonkeyPatch.context() as patch:
        play = RepeatedPlay(game, (BestReply(ties),) * 2, None, is_alternating)
        first, second = both_ways(patch, play, play, game, 40, pure=True)
        assert np.array_equal(first.memory, second.memory)
        assert np.array_equal(first.totals, second.totals)


def test_four_players_are_the_same(monkeypatch):
    game = random_game((2, 3, 2, 4), rng=np.random.default_rng(5), payoff_range=(-9, 9))
    play = RepeatedPlay(game, (RegretMatching(),) * 4)
    assert_same(*both_ways(monkeypatch, play, play, game, 50))


def test_totals_count_every_step(monkeypatch):
    game = load_game("shapley_cycle")
    play = RepeatedPlay(game, (RegretMatching(),) * 2)
    first, second = both_ways(monkeypatch, play, play, game, 30)
    assert first.totals.sum() == pytest.approx(30)
    assert second.totals.sum() == pytest.approx(30)
