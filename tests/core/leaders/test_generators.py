"""Games with a leader keep their promises and reach corners."""

from fractions import Fraction

import pytest
from hypothesis import find, given

from gametheory_core.games import NULL
from gametheory_core.leaders import leader_games
from gametheory_core.leaders.generators import DISCOUNTS
from tests.sample_sizes import to_reach


@given(leader_games())
def test_games_have_the_promised_sizes(view):
    game = view.game
    assert 1 <= len(game.states) <= 4
    assert 1 <= view.horizon <= 4
    assert game.discount in DISCOUNTS
    for player in (0, 1):
        assert 1 <= len(game.actions[player]) <= 3
        assert len(set(game.observations[player]) - {NULL}) <= 3
    for vector in game.reward_vectors.tolist():
        assert all(value.denominator == 1 and abs(value) <= 5 for value in vector)
    assert all(
        weight.denominator <= 9
        for weight in (*game.transition_kernel.weight, *game.initial_kernel.weight)
    )
    assert view.leader_observation[game.initial_kernel.outcome].max() >= 0


@given(leader_games(leader=1, stochastic=False, terminal=False, max_states=2, max_actions=2))
def test_options_are_kept(view):
    assert view.leader == 1
    assert set(view.game.transition_kernel.weight.tolist()) == {Fraction(1)}
    assert not view.game.terminal.any()
    assert len(view.game.states) <= 2
    assert max(map(len, view.game.actions)) <= 2


CORNERS = {
    "an end of play": lambda view: view.game.terminal.any(),
    "largest sizes": lambda view: len(view.game.states) == 4 and view.horizon == 4,
    "three first states": lambda view: len(view.game.initial_kernel.outcome) == 3,
    "the second player leads": lambda view: view.leader == 1,
    "one action": lambda view: any(len(own) == 1 for own in view.game.legal[view.leader]),
    "a leader without a choice": lambda view: (
        len(view.game.actions[view.leader]) < len(view.game.actions[view.follower])
    ),
    "many observations": lambda view: len(set(view.leader_observation.tolist()) - {-1}) == 3,
    "a discount": lambda view: view.discount == Fraction(1, 2),
    "states that look alike": lambda view: (
        len(set(view.follower_observation.tolist())) < len(view.game.states)
    ),
    "a state that only the end reaches": lambda view: (
        (view.leader_observation < 0).any() and not view.game.terminal.any()
    ),
}


@pytest.mark.parametrize("corner", CORNERS.values(), ids=CORNERS)
def test_corners_are_reached(corner):
    assert corner(find(leader_games(), corner, settings=to_reach))
