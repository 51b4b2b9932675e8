"""Tables too large to store are refused before they are begun."""

import pytest

from gametheory_core import UnsupportedGame
from gametheory_core.conversions import posg_to_tabular
from gametheory_core.distributions import point_mass
from tests.core.conversions.changed_rules import changed
from tests.theorems.random_rules import RandomPOSG


def crowd(num_players, *, width, horizon=4):
    """Many players who see the time, and may do ``width`` things that depend on it."""
    return changed(
        RandomPOSG(0, num_players),
        horizon=horizon,
        initial=lambda: point_mass(0),
        initial_observation=lambda state: point_mass((state,) * num_players),
        legal_actions=lambda _, observation: tuple(range(observation, observation + width)),
        is_terminal=lambda _: False,
        transition=lambda state, _: point_mass(state + 1),
        observation=lambda _, state: point_mass((state,) * num_players),
        reward=lambda *_: (0,) * num_players,
    )


def test_crowds_that_choose_at_once_are_refused_with_the_number_of_joint_actions():
    with pytest.raises(UnsupportedGame, match="1,208,925,819,614,629,174,706,176 in state 0"):
        posg_to_tabular(crowd(40, width=4))


def test_keys_beyond_64_bits_are_refused():
    """Each moment has one joint action, but their codes range over five to the power of 32."""
    with pytest.raises(UnsupportedGame, match="needs at most 2\\^63 combinations"):
        posg_to_tabular(crowd(32, width=1, horizon=5))
    assert len(posg_to_tabular(crowd(20, width=1, horizon=5)).target.states) == 6
