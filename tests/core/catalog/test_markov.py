"""Markov games of the catalogue: what each says of itself, and moves that are easy to get wrong."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument, catalog
from gametheory_core.conversions import markov_view
from gametheory_core.distributions import point_mass, uniform
from gametheory_core.testing import check_posg

HALF = Fraction(1, 2)
PITCH = catalog.Soccer()  # 4 x 5


@pytest.mark.parametrize(
    "game",
    [
        catalog.BigMatch(),
        catalog.StoppingPennies(),
        catalog.FishWar(stock=4),
        catalog.Soccer(rows=2, columns=4),
    ],
)
def test_rules_keep_the_laws(game):
    check_posg(game, rng=np.random.default_rng(5))


def test_soccer_has_all_places_of_two_players_and_a_ball():
    view = markov_view(PITCH)
    assert view.num_states == 20 * 19 * 2
    assert not view.game.terminal.any()


def test_who_runs_into_the_other_loses_the_ball_and_stays():
    state = catalog.Field(((1, 2), (1, 1)), 0)
    assert PITCH.transition(state, ("left", "stand")) == point_mass(catalog.Field(state.cells, 1))


def test_the_order_of_moves_is_drawn():
    state = catalog.Field(((1, 2), (1, 1)), 0)  # 2 steps away first, or is run into
    after = PITCH.transition(state, ("left", "up"))
    assert after == uniform(
        [catalog.Field(((1, 2), (0, 1)), 1), catalog.Field(((1, 1), (0, 1)), 0)]
    )


def test_a_goal_pays_the_scorer_and_starts_again():
    state = catalog.Field(((1, 0), (3, 3)), 0)
    after = PITCH.transition(state, ("left", "stand"))
    assert after == PITCH.initial()
    assert PITCH.reward(state, ("left", "stand"), after.items[0][0]) == (1, -1)
    other = catalog.Field(((0, 0), (2, 4)), 1)
    law = PITCH.transition(other, ("stand", "right"))
    assert PITCH.reward(other, ("stand", "right"), law.items[0][0]) == (-1, 1)


def test_edges_beside_the_goal_stop_the_ball():
    corner = catalog.Field(((0, 0), (3, 3)), 0)
    assert PITCH.transition(corner, ("left", "stand")) == point_mass(corner)
    assert PITCH.reward(corner, ("left", "stand"), corner) == (0, 0)


def test_an_odd_number_of_rows_has_one_goal_row():
    assert catalog.Soccer(rows=5).goal_rows == (2,)
    assert catalog.Soccer(rows=4).goal_rows == (1, 2)


def test_fish_double_up_to_the_limit():
    game = catalog.FishWar(fishers=2, stock=10)
    assert game.transition(10, (1, 1)) == point_mass(10)
    assert game.transition(4, (1, 1)) == point_mass(4)
    assert game.is_terminal(1)


def test_parameters_out_of_range_are_refused():
    with pytest.raises(InvalidArgument, match="discount_percent to be an integer from"):
        catalog.big_match(discount_percent=101)
    with pytest.raises(InvalidArgument, match="columns to be an integer from 4"):
        catalog.soccer(columns=3)
    with pytest.raises(InvalidArgument, match="stock to be an integer from 3"):
        catalog.FishWar(fishers=3, stock=2)
