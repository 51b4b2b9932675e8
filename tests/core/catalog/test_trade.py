"""Bilateral trade: the rules, and moves that are easy to get wrong."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument, catalog, load_game
from gametheory_core.catalog import BilateralTrade, Buying
from gametheory_core.distributions import distribution, point_mass
from gametheory_core.testing import check_posg

GAME = BilateralTrade(Buying.HIGHEST_PRICE, hits=80, seller=10, buyer=100)
HERE, USED = (1, True), (1, False)
OWN, HERS = Fraction(8, 100), Fraction(8, 10)


@pytest.mark.parametrize("buying", Buying)
@pytest.mark.parametrize("arrival", [0, 50, 100])
def test_rules_keep_the_laws(buying, arrival):
    game = BilateralTrade(buying, bullets=2, steps=3, arrival=arrival)
    check_posg(game, rng=np.random.default_rng(5))


@pytest.mark.parametrize(
    ("named", "highest", "paid"),
    [
        ("1/2", "3/4", (Fraction(1, 2), HERS - Fraction(1, 2))),  # at his price, not at hers
        ("3/4", "3/4", (Fraction(3, 4), HERS - Fraction(3, 4))),
        ("1", "3/4", (OWN, 0)),
        ("1", "1/2", (OWN, 0)),
        ("shoot", "1", (OWN, 0)),
        ("0", "0", (0, HERS)),
        ("1", "1", (1, HERS - 1)),  # she may pay more than a bullet is worth
    ],
)
def test_a_trade_is_at_the_sellers_price_if_the_buyer_goes_as_high(named, highest, paid):
    assert GAME.reward(HERE, (named, highest), USED) == paid


@pytest.mark.parametrize(
    ("named", "answer", "paid"),
    [("1", "buy", (1, HERS - 1)), ("1/4", "pass", (OWN, 0)), ("shoot", "buy", (OWN, 0))],
)
def test_who_buys_unseen_pays_any_price(named, answer, paid):
    game = BilateralTrade(Buying.YES_OR_NO, hits=80)
    assert game.reward(HERE, (named, answer), USED) == paid


def test_every_bullet_is_used_at_once_and_the_next_may_come():
    half = Fraction(1, 2)
    assert GAME.initial() == distribution({(1, True): half, (2, False): half})
    for action in (("shoot", "0"), ("1/4", "1")):
        assert GAME.transition(HERE, action) == distribution({(0, True): half, USED: half})
    assert GAME.transition((0, True), ("shoot", "0")) == point_mass((0, False))
    assert GAME.is_terminal((0, False))
    assert not GAME.is_terminal((0, True))


def test_without_a_bullet_both_wait_for_nothing():
    assert [GAME.legal_actions(player, USED) for player in (0, 1)] == [("wait",)] * 2
    assert GAME.reward(USED, ("wait", "wait"), HERE) == (0, 0)


def test_prices_and_protocols_are_asked_for_by_name():
    game = load_game("bilateral_trade:prices=2,bullets=3")
    assert game == BilateralTrade(Buying.HIGHEST_PRICE, bullets=3, prices=2)
    assert game.price_list == ("0", "1/2", "1")
    assert game.legal_actions(0, HERE) == ("shoot", "0", "1/2", "1")
    assert load_game("bilateral_trade_unseen").legal_actions(1, HERE) == ("buy", "pass")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bullets": 0}, "bullets"),
        ({"steps": 0}, "steps"),
        ({"prices": 0}, "prices"),
        ({"arrival": 101}, "arrival"),
        ({"hits": -1}, "hits"),
        ({"seller": 101}, "seller"),
        ({"buyer": True}, "buyer"),
    ],
)
def test_numbers_out_of_range_are_refused(options, message):
    with pytest.raises(InvalidArgument, match=message):
        catalog.bilateral_trade(**options)


def test_the_protocol_is_no_word():
    with pytest.raises(InvalidArgument, match="a member of Buying, but got 'yes'"):
        BilateralTrade("yes")
