"""Returns of memoryless policies are those of the same policies as functions of whole pasts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidStrategy, UnsupportedGame, expected_returns
from gametheory_core.catalog import RepeatedGame
from gametheory_core.distributions import point_mass, uniform
from gametheory_core.evaluation import memoryless_returns
from gametheory_core.games import NULL, list_posg
from gametheory_core.strategies import reactive
from gametheory_core.testing import posgs


@given(st.data(), posgs(max_states=3, max_horizon=3))
def test_same_as_over_whole_plays(data, game):
    tables = []
    for player in range(len(game.players)):
        law = {}
        for seen in (*"uvwxyz", NULL):
            legal = game.legal_actions(player, seen)
            law[seen] = uniform(data.draw(st.lists(st.sampled_from(legal), min_size=1, max_size=3)))
        tables.append(law)
    expected = expected_returns(game, tuple(map(reactive, tables)))
    assert memoryless_returns(game, tables).tolist() == expected.tolist()


def test_play_without_end_is_refused():
    game = RepeatedGame.of("matching_pennies", rounds=None, recall=0)
    heads = {NULL: point_mass("heads")}
    with pytest.raises(UnsupportedGame, match="memoryless_returns: needs plays that end"):
        memoryless_returns(game, [heads, heads])


def test_too_many_states_are_refused():
    game = RepeatedGame.of("matching_pennies", rounds=9, recall=9)
    coin = {(): uniform(["heads", "tails"])}
    with pytest.raises(UnsupportedGame, match="max_states = 3 pairs .* after 1 steps there are 4"):
        memoryless_returns(game, [coin, coin], max_states=3)


def test_missing_observation_is_refused():
    game = list_posg(
        players=["Ann"],
        actions=[["go"]],
        initial={0: 1},
        transitions={(0, ("go",)): {0: 1}},
        horizon=1,
    )
    with pytest.raises(InvalidStrategy, match="needs a distribution after observation NULL"):
        memoryless_returns(game, [{}])
