"""Tables too large to store are refused before they are begun."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

from gametheory_core import UnsupportedGame
from gametheory_core.conversions import posg_to_tabular
from gametheory_core.distributions import point_mass


@dataclass(frozen=True)
class Crowd:
    """Many players who see the time, and may do ``width`` things that depend on it."""

    num_players: int
    width: int
    horizon: int = 4
    discount: Fraction = Fraction(1)
    title: str = "crowd"

    @property
    def players(self):
        return tuple(str(i) for i in range(self.num_players))

    def initial(self):
        return point_mass(0)

    def initial_observation(self, state):
        return point_mass((state,) * self.num_players)

    def legal_actions(self, player, observation):
        return tuple(range(observation, observation + self.width))

    def is_terminal(self, state):
        return False

    def transition(self, state, joint_action):
        return point_mass(state + 1)

    def observation(self, joint_action, state):
        return point_mass((state,) * self.num_players)

    def reward(self, state, joint_action, next_state):
        return (0,) * self.num_players


def test_crowds_that_choose_at_once_are_refused_with_the_number_of_joint_actions():
    with pytest.raises(UnsupportedGame, match="1,208,925,819,614,629,174,706,176 in state 0"):
        posg_to_tabular(Crowd(40, width=4))


def test_keys_beyond_64_bits_are_refused():
    """Each moment has one joint action, but their codes range over five to the power of 32."""
    with pytest.raises(UnsupportedGame, match="needs at most 2\\^63 combinations"):
        posg_to_tabular(Crowd(32, width=1, horizon=5))
    assert len(posg_to_tabular(Crowd(20, width=1, horizon=5)).target.states) == 6
