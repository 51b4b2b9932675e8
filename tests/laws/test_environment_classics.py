"""PettingZoo's own rock paper scissors and tic-tac-toe obey the models that one writes for them."""

import warnings
from dataclasses import dataclass
from fractions import Fraction

import pytest

pytest.importorskip("pygame")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that the way to import games is old
    classics = pytest.importorskip("pettingzoo.classic")
    rps_v2, tictactoe_v3 = classics.rps_v2, classics.tictactoe_v3

from gametheory_core.distributions import point_mass
from gametheory_core.errors import LawBroken
from gametheory_core.games import CHANCE
from gametheory_core.testing import EnvironmentLaw
from tests.laws.seeded_check import check_environment

NOTHING_YET = 3
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


@dataclass(frozen=True)
class RockPaperScissors:
    """Each sees the other's last action."""

    horizon: int = 4
    title = "rock paper scissors"
    players = ("row", "column")
    discount = Fraction(1)

    def initial(self):
        return point_mass((NOTHING_YET, NOTHING_YET))

    def initial_observation(self, state):
        return point_mass(state)

    def legal_actions(self, player, observation):
        return (0, 1, 2)

    def is_terminal(self, state):
        return False

    def transition(self, state, joint_action):
        return point_mass(joint_action)

    def observation(self, joint_action, state):
        return point_mass(joint_action[::-1])

    def reward(self, state, joint_action, next_state):
        won = (0, 1, -1)[(joint_action[0] - joint_action[1]) % 3]
        return (won, -won)


@dataclass(frozen=True)
class TicTacToe:
    """A state is nine cells, each the player who took it or None; a player sees whose each is."""

    title = "tic-tac-toe"
    players = ("crosses", "noughts")
    discount = Fraction(1)
    horizon = None
    initial_state = (None,) * 9

    def observation(self, player, state):
        return point_mass(tuple(None if cell is None else cell == player for cell in state))

    def legal_actions(self, player, observation):
        return tuple(k for k in range(9) if observation[k] is None)

    def is_terminal(self, state):
        return None not in state or self.winner(state) is not None

    def winner(self, state):
        rows = ([state[int(k)] for k in line] for line in LINES)
        return next((a for a, b, c in rows if a == b == c and a is not None), None)

    def move(self, player, state, action):
        return (*state[:action], player, *state[action + 1 :])

    def chance(self, state):
        return point_mass(state)

    def reward(self, state, mover, action, next_state):
        winner = self.winner(next_state)
        return point_mass((0, 0) if winner is None else (1, -1) if winner == 0 else (-1, 1))

    def next_player(self, state, mover, action, next_state):
        return point_mass(0 if mover in {CHANCE, 1} else 1)


def read_board(agent, observation):
    """Two planes of three by three: own marks, and the other's."""
    own, other = (observation["observation"][:, :, k].ravel() for k in range(2))
    return tuple(
        True if mine else False if theirs else None for mine, theirs in zip(own, other, strict=True)
    )


@pytest.mark.parametrize("make", [rps_v2.env, rps_v2.parallel_env], ids=["turns", "steps"])
def test_rock_paper_scissors_of_pettingzoo_obeys_its_model(make):
    report = check_environment(
        lambda: make(max_cycles=4), RockPaperScissors(), episodes=100, replays=5
    )
    assert report.episodes == 100


def test_tic_tac_toe_of_pettingzoo_obeys_its_model():
    report = check_environment(
        tictactoe_v3.env, TicTacToe(), read_observation=read_board, episodes=60, replays=5
    )
    assert report.moves > 60 * 5


def test_another_number_of_rounds_is_noticed():
    with pytest.raises(LawBroken, match=EnvironmentLaw.END.value):
        check_environment(lambda: rps_v2.env(max_cycles=3), RockPaperScissors(), episodes=5)
