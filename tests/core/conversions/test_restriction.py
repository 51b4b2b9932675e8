"""Games with fewer actions: the same payoffs, profiles carried there and back."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.conversions import restrict_actions
from gametheory_core.testing import PayoffKind, check_conversion, normal_form_games

GAME = gt.NormalFormGame.bimatrix(
    [[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [1, 3, 5]], actions=("ab", "xyz"), title="Small"
)


@given(st.data(), normal_form_games(kinds=(PayoffKind.RATIONAL, PayoffKind.FLOAT)))
def test_profiles_of_what_is_left_pay_the_same(data, game):
    kept = [
        sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))
        for count in game.num_actions
    ]
    restriction = restrict_actions(game, kept)
    check_conversion(restriction, rng=np.random.default_rng(3), num_profiles=2)
    target = restriction.target
    assert target.num_actions == tuple(map(len, kept))
    assert target.given_payoffs.dtype == game.given_payoffs.dtype
    profile = gt.uniform_profile(target)
    back = restriction.correspondence.to_target(restriction.correspondence.to_source(profile))
    assert back == profile


def test_labels_and_title_are_kept():
    target = restrict_actions(GAME, [(1,), (0, 2)]).target
    assert target.actions == (("b",), ("x", "z"))
    assert target.title == "Small"
    assert target.given_payoffs.tolist() == [[[4, 6]], [[1, 5]]]


def test_lost_actions_get_probability_zero_in_floats_too():
    ways = restrict_actions(GAME, [(1,), (0, 2)]).correspondence
    profile = gt.MixedProfile((np.array([1.0]), np.array([0.25, 0.75])))
    assert [s.tolist() for s in ways.to_source(profile).strategies] == [[0, 1], [0.25, 0, 0.75]]
    exact = ways.to_source(profile.to_exact())
    assert exact.strategies[1].tolist() == [Fraction(1, 4), 0, Fraction(3, 4)]
    assert list(ways.outcome_to_source((0, 1))) == [((1, 2), 1)]


def test_profile_that_plays_a_lost_action_is_refused():
    ways = restrict_actions(GAME, [(1,), (0, 2)]).correspondence
    assert ways.to_target(gt.pure_profile(GAME, (1, 2))).strategies[1].tolist() == [0, 1]
    with pytest.raises(gt.InvalidStrategy, match="player '2' plays 'y'"):
        ways.to_target(gt.pure_profile(GAME, (1, 1)))
    with pytest.raises(gt.InvalidStrategy, match="profile: needs strategies over"):
        ways.to_source(gt.uniform_profile(GAME))


@pytest.mark.parametrize(
    "kept", [[(0,)], [(0,), ()], [(0,), (3,)], [(-1,), (0,)], [(0,), (2, 1)], [(0,), (1, 1)]]
)
def test_impossible_sets_are_refused(kept):
    with pytest.raises(gt.InvalidArgument, match="at least one existing action for each player"):
        restrict_actions(GAME, kept)
