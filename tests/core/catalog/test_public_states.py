"""Poker and dice over ranges: deals and ends are those of the rules, at every pair of hands."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core.catalog import (
    KuhnRules,
    LeducRules,
    Suits,
    kuhn_poker_ranges,
    leduc_poker_by_ranks_ranges,
    leduc_poker_ranges,
    liars_dice_ranges,
)
from gametheory_core.games import Showdown


@pytest.mark.parametrize("cards", [2, 3, 9])
def test_two_cards_of_a_deck_are_dealt_evenly(cards):
    game = kuhn_poker_ranges(cards=cards)
    (deal,) = game.deals
    assert np.array_equal(deal.rows(0, cards), 1 - np.eye(cards))
    assert deal.total == deal.num_pairs == cards * (cards - 1)
    assert game.hands[0] == (("J", "Q", "K") if cards == 3 else game.hands[1])


@pytest.mark.parametrize(
    ("build", "shown"),
    [(leduc_poker_ranges, Suits.SHOWN), (leduc_poker_by_ranks_ranges, Suits.HIDDEN)],
)
@pytest.mark.parametrize(("ranks", "suits"), [(2, 2), (3, 2), (4, 1), (2, 4), (1, 3)])
def test_three_cards_of_a_deck_are_dealt_evenly(ranks, suits, build, shown):
    """Weights count ordered draws: of own card, the other's, the public one."""
    game = build(ranks=ranks, suits=suits)
    cards = range(ranks * suits)
    kind = (lambda card: card) if shown is Suits.SHOWN else (lambda card: card // suits)
    kinds = len(game.hands[0])
    counts = np.zeros((kinds, kinds, kinds), dtype=int)
    for one in cards:
        for other in cards:
            for public in cards:
                if len({one, other, public}) == 3:
                    counts[kind(one), kind(other), kind(public)] += 1
    assert np.array_equal(game.deals[0].rows(0, kinds), counts.sum(axis=2))
    draw = next(one for one in game.situations if one.mover == -1)
    for public, child in enumerate(draw.children):
        deal = game.deals[game.situations[child].deal]
        assert np.array_equal(deal.rows(0, kinds), counts[:, :, public])
    assert draw.labels == game.hands[0]
    assert game.title == LeducRules(ranks, suits, shown=shown).title


def test_showdowns_beside_one_card_share_their_strengths():
    """Else a game of 500 cards would hold 10^7 integers."""
    game = leduc_poker_ranges(ranks=4)
    ends = [one.end for one in game.situations if isinstance(one.end, Showdown)]
    assert len(ends) > 8 == len({id(own) for end in ends for own in end.strengths})


def test_dice_are_counted_in_all_orders():
    game = liars_dice_ranges(sides=3, dice=2)
    assert game.hands[0] == ("1 1", "1 2", "1 3", "2 2", "2 3", "3 3")
    ways = np.array([1, 2, 2, 1, 2, 1])
    assert np.array_equal(game.deals[0].rows(0, 6), np.outer(ways, ways))


def test_sizes_beyond_the_tree_s_are_allowed():
    assert kuhn_poker_ranges(cards=100_000).num_nodes == 1 + 9 * 100_000 * 99_999
    with pytest.raises(ValueError, match="at most 100,000 deals"):
        KuhnRules(cards=1000)
    assert leduc_poker_ranges(ranks=3).payoff_parts == Fraction(1)
