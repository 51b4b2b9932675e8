"""Changed rewards: one player's only, exact, in all forms of the game."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidGame, expected_returns
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import posg_to_tabular
from gametheory_core.games import rescale_rewards, shape_rewards
from gametheory_core.testing import policy_profiles, posgs

GAME = RepeatedGame.of("prisoners_dilemma", rounds=2, discount=Fraction(1, 2))


@given(st.data(), posgs(num_players=(2, 2)))
def test_factor_scales_one_players_return(data, game):
    profile = data.draw(policy_profiles(game))
    before = expected_returns(game, profile)
    after = expected_returns(rescale_rewards(game, player=1, factor="3/2"), profile)
    assert after.tolist() == [before[0], Fraction(3, 2) * before[1]]


def test_constant_is_paid_in_each_step():
    table = posg_to_tabular(rescale_rewards(GAME, constant=4)).target
    assert sorted({int(r) for r in table.reward_vectors[:, 0]}) == [4, 5, 7, 9]
    assert sorted({int(r) for r in table.reward_vectors[:, 1]}) == [0, 1, 3, 5]


def test_shaping_is_discounted():
    shaped = shape_rewards(GAME, lambda window: 6 if window else 2, player=1)
    joint = ("cooperate", "cooperate")
    assert shaped.reward((), joint, (joint,)) == (3, 3 + Fraction(6, 2) - 2)
    assert shaped.reward((joint,), joint, (joint,)) == (3, 3 + Fraction(6, 2) - 6)


@pytest.mark.parametrize("factor", [0, -1])
def test_factor_that_turns_the_order_is_refused(factor):
    with pytest.raises(InvalidArgument, match=f"needs a factor above 0, but got {factor}"):
        rescale_rewards(GAME, factor=factor)


def test_bad_options_are_refused():
    with pytest.raises(InvalidArgument, match="player to be an integer from 0 to 1"):
        rescale_rewards(GAME, player=2)
    with pytest.raises(InvalidArgument, match="potential to be a function"):
        shape_rewards(GAME, 3)
    with pytest.raises(InvalidGame, match=r"potential of \(\): needs a finite number"):
        shape_rewards(GAME, lambda _: None).reward((), ("defect", "defect"), ())
