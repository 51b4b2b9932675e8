"""Shares of who moves after whom."""

from fractions import Fraction

from gametheory_core.catalog.turn_orders import RandomOrderTeam, ReversingOrder
from gametheory_core.conversions.tabular_aec import aec_to_tabular
from gametheory_core.games.aec import stop_aec
from gametheory_core.games.turn_order import turn_shares


def shares_of(game):
    return turn_shares(aec_to_tabular(game).target)


def test_shares_of_random_order():
    half = Fraction(1, 2)
    assert shares_of(RandomOrderTeam()).tolist() == [[0, half, half], [0, 0, 1], [0, 1, 0]]


def test_rows_sum_to_one():
    shares = shares_of(stop_aec(ReversingOrder(), moves=4))
    assert shares.sum(axis=1).tolist() == [1, 1, 1, 1]


def test_mover_after_whom_play_ends_has_no_followers():
    assert shares_of(stop_aec(RandomOrderTeam(), moves=1)).tolist()[1:] == [[0, 0, 0], [0, 0, 0]]
