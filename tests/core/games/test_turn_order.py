"""Shares of who moves after whom."""

from fractions import Fraction

from gametheory_core.catalog import RandomOrderTeam, ReversingOrder
from gametheory_core.conversions import aec_from_tables, aec_to_tabular
from gametheory_core.games import CHANCE, NULL, stop_aec, turn_shares

# Chance calls Ann three times out of four, else Bob, and that is all
LOPSIDED = aec_from_tables(
    players=["Ann", "Bob"],
    actions=[["come"], ["come"]],
    initial_state="start",
    chances={"start": {"Ann": "3/4", "Bob": "1/4"}},
    moves={(0, "Ann", "come"): "over", (1, "Bob", "come"): "over"},
    turns={("start", CHANCE, NULL, "Ann"): {0: 1}, ("start", CHANCE, NULL, "Bob"): {1: 1}},
    terminal=["over"],
)


def shares_of(game):
    return turn_shares(aec_to_tabular(game).target)


def test_shares_of_random_order():
    half = Fraction(1, 2)
    assert shares_of(RandomOrderTeam()).tolist() == [[0, half, half], [0, 0, 1], [0, 1, 0]]


def test_outcomes_of_chance_count_by_their_probability():
    shares = shares_of(LOPSIDED)
    assert shares.tolist() == [[0, Fraction(3, 4), Fraction(1, 4)], [0, 0, 0], [0, 0, 0]]


def test_rows_sum_to_one():
    shares = shares_of(stop_aec(ReversingOrder(), moves=4))
    assert shares.sum(axis=1).tolist() == [1, 1, 1, 1]


def test_mover_after_whom_play_ends_has_no_followers():
    assert shares_of(stop_aec(RandomOrderTeam(), moves=1)).tolist()[1:] == [[0, 0, 0], [0, 0, 0]]
