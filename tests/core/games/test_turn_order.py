"""Shares of who moves after whom."""

from dataclasses import dataclass
from fractions import Fraction

from gametheory_core.catalog import RandomOrderTeam, ReversingOrder
from gametheory_core.conversions import aec_to_tabular
from gametheory_core.distributions import distribution, point_mass
from gametheory_core.games import stop_aec, turn_shares


@dataclass(frozen=True)
class Lopsided:
    """Chance calls Ann three times out of four, else Bob, and that is all."""

    title: str = "Lopsided"
    players: tuple[str, ...] = ("Ann", "Bob")
    discount: Fraction = Fraction(1)
    horizon: int | None = None
    initial_state: str = "start"

    def observation(self, player, state):
        return point_mass(state)

    def legal_actions(self, player, observation):
        return ("come",)

    def is_terminal(self, state):
        return state == "over"

    def move(self, player, state, action):
        return "over"

    def chance(self, state):
        return distribution({"Ann": "3/4", "Bob": "1/4"})

    def reward(self, state, mover, action, next_state):
        return point_mass((0, 0))

    def next_player(self, state, mover, action, next_state):
        return point_mass(self.players.index(next_state))


def shares_of(game):
    return turn_shares(aec_to_tabular(game).target)


def test_shares_of_random_order():
    half = Fraction(1, 2)
    assert shares_of(RandomOrderTeam()).tolist() == [[0, half, half], [0, 0, 1], [0, 1, 0]]


def test_outcomes_of_chance_count_by_their_probability():
    shares = shares_of(Lopsided())
    assert shares.tolist() == [[0, Fraction(3, 4), Fraction(1, 4)], [0, 0, 0], [0, 0, 0]]


def test_rows_sum_to_one():
    shares = shares_of(stop_aec(ReversingOrder(), moves=4))
    assert shares.sum(axis=1).tolist() == [1, 1, 1, 1]


def test_mover_after_whom_play_ends_has_no_followers():
    assert shares_of(stop_aec(RandomOrderTeam(), moves=1)).tolist()[1:] == [[0, 0, 0], [0, 0, 0]]
