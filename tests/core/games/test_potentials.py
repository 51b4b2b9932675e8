"""Exact potentials of normal forms, and cycles where there are none."""

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import UnsupportedGame, load_game
from gametheory_core.games import exact_potential, is_potential_game
from gametheory_core.testing import normal_form_games, potential_games


def gain(game, joint, player, action):
    """What a player gains by another action, and the joint action after."""
    after = (*joint[:player], action, *joint[player + 1 :])
    return game.exact_payoffs[player][after] - game.exact_payoffs[player][joint], after


@given(potential_games())
def test_the_potential_gains_what_the_mover_gains(game):
    potential = exact_potential(game)
    assert potential.shape == game.num_actions
    assert potential.flat[0] == 0
    for joint in np.ndindex(*game.num_actions):
        for player, count in enumerate(game.num_actions):
            for action in range(count):
                won, after = gain(game, joint, player, action)
                assert potential[after] - potential[joint] == won


@given(normal_form_games(num_players=(2, 3), max_actions=2))
def test_a_game_without_potential_has_a_cycle(game):
    verdict = is_potential_game(game)
    if verdict:
        exact_potential(game)
        return
    count = game.num_players
    start, (i, j, a, b) = verdict.witness[:count], verdict.witness[count:]
    now, total = tuple(start), 0
    for player, action in ((i, a), (j, b), (i, start[i]), (j, start[j])):
        won, now = gain(game, now, player, action)
        total += won
    assert now == tuple(start)
    assert total != 0
    with pytest.raises(UnsupportedGame, match="exact potential") as caught:
        exact_potential(game)
    assert caught.value.witness == verdict.witness


@pytest.mark.parametrize(
    ("name", "has_one"), [("stag_hunt", True), ("matching_pennies", False), ("chicken", True)]
)
def test_games_of_the_catalogue(name, has_one):
    assert bool(is_potential_game(load_game(name))) is has_one
