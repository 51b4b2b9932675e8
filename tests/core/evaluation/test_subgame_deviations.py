"""Deviation gains in every subgame are those of the subgames cut out."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import load
from gametheory_core.evaluation import subgame_deviations
from gametheory_core.games import subgame, subgame_roots
from gametheory_core.strategies import restricted_profile
from gametheory_core.testing import behavioral_profiles, extensive_form_games


@given(st.data())
def test_gains_are_those_of_the_subgames_cut_out(data):
    game = data.draw(extensive_form_games(max_depth=5, max_moves=12))
    profile = data.draw(behavioral_profiles(game))
    found = subgame_deviations(game, profile)
    assert found.roots.tolist() == subgame_roots(game).tolist()
    for root, gains in zip(found.roots.tolist(), found.gains, strict=True):
        part = subgame(game, root)
        claim = gt.certify_nash(part.game, restricted_profile(part, profile))
        assert tuple(gains) == claim.deviation_gains


def test_payoffs_count_what_was_paid_on_the_way():
    last = gt.Decision(
        1, "last", {"x": gt.Terminal([0, 1]), "y": gt.Terminal([0, 2])}, payoffs=[5, 5]
    )
    game = gt.from_sketch(
        gt.Decision(0, "start", {"in": last, "out": gt.Terminal([6, 0])}), players=("Ann", "Bob")
    )
    found = subgame_deviations(game, gt.pure_behavior(game, (0, 0)))
    assert found.payoffs.tolist() == [[5, 6], [5, 6]]
    assert found.gains.tolist() == [[1, 1], [0, 1]]


def test_float_profile_means_a_rational_one():
    game = load("centipede:rounds=2")
    profile = gt.uniform_behavior(game)
    exact = subgame_deviations(game, profile)
    assert subgame_deviations(game, profile.to_float()).gains.tolist() == exact.gains.tolist()
    assert all(isinstance(gain, Fraction) for gain in exact.gains.ravel().tolist())


def test_tree_of_one_node_leaves_nothing_to_gain():
    game = gt.from_sketch(gt.Terminal([1, "2/3"]), players=("Ann", "Bob"))
    assert subgame_deviations(game, gt.BehavioralProfile(())).gains.tolist() == [[0, 0]]


def test_forgetful_player_is_refused():
    game = load("forgetful_bit")
    with pytest.raises(gt.UnsupportedGame, match="subgame_deviations: needs perfect recall, but"):
        subgame_deviations(game, gt.uniform_behavior(game))
