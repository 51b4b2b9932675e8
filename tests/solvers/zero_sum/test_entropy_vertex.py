"""Only optima: returned where they are the only ones, and never where there are others."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import NormalFormGame
from gametheory_core.testing import PayoffKind, zero_sum_games
from solvers import UNLIMITED, vertex_enumeration
from solvers.zero_sum.entropy_bounds import only_optimum, only_prices


def all_actions(game):
    return tuple(np.arange(count, dtype=np.int32) for count in game.num_actions)


@given(zero_sum_games(max_actions=4, kinds=tuple(PayoffKind)))
def test_optimum_with_prices_is_the_only_equilibrium(game):
    extreme = {found.profile for found in vertex_enumeration(game).equilibria}
    profile = only_optimum(game, all_actions(game), UNLIMITED)
    if profile is None:
        # of one only, each action not played earns strictly less
        assert len(extreme) > 1
    elif all(only_prices(game, profile, player) for player in (0, 1)):
        assert extreme == {profile}


@pytest.mark.parametrize("matrix", [[[0, 0], [0, 0]], [[1, 1], [0, 0]], [[1, -1, 1], [-1, 1, -1]]])
def test_there_is_none_where_an_action_not_played_earns_as_much(matrix):
    game = NormalFormGame.zero_sum(matrix)
    assert only_optimum(game, all_actions(game), UNLIMITED) is None


def test_there_is_none_where_an_action_left_out_earns_more():
    game = NormalFormGame.zero_sum([[1, -1], [-1, 1], [2, 2]])
    near = (np.array([0, 1], dtype=np.int32), np.array([0, 1], dtype=np.int32))
    assert only_optimum(game, near, UNLIMITED) is None


def test_nearly_equal_payoffs_are_told_apart():
    hair = Fraction(1, 10**30)
    game = NormalFormGame.zero_sum([[1 + hair, 0], [0, 1]])
    found = only_optimum(game, all_actions(game), UNLIMITED)
    assert found.strategies[0].tolist() == [1 / (2 + hair), (1 + hair) / (2 + hair)]
