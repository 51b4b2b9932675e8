"""Poker in small: Kuhn's and Leduc, laid out as trees."""

from gametheory_core.catalog.kuhn import KuhnRules
from gametheory_core.catalog.leduc import LeducRules, Suits
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tree_layout import lay_out_rules


def kuhn_poker(*, cards: int = 3, players: int = 2) -> ExtensiveFormGame:
    """Kuhn's poker: one card each, one bet of one chip after an ante of one.

    A player may check or bet; facing a bet, fold or call. The highest card wins. With three cards
    the value to the first player is -1/18. Three players usually have four cards.

    Args:
        cards: Size of the deck, at least ``players``; each card occurs once.
        players: 2 to 10.

    Source: H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games 1,
        1950, pp. 97-103; for three players D. Szafron, R. Gibson and N. Sturtevant, "A
        parameterized family of equilibrium profiles for three-player Kuhn poker", AAMAS 2013.
    """
    return lay_out_rules(KuhnRules(cards=cards, num_players=players))


def leduc_poker(*, ranks: int = 3, suits: int = 2, raises: int = 2) -> ExtensiveFormGame:
    """Leduc poker: two betting rounds, a public card between them, raises of 2 and then 4.

    Ante 1. A pair with the public card wins, else the higher rank; equal ranks split the pot.
    With 3 ranks, 2 suits and 2 raises a round it has 9,457 nodes and the value
    -1454920850547486749701863871533/16995463438839962469905132501930 to the first player.

    Args:
        ranks, suits: The deck has ``ranks * suits`` cards, at least 3.
        raises: Most raises in one betting round, 0 to 20.

    Source: F. Southey et al., "Bayes' bluff: opponent modelling in poker", UAI 2005.
    """
    return lay_out_rules(LeducRules(ranks, suits, raises))


def leduc_poker_by_ranks(*, ranks: int = 3, suits: int = 2, raises: int = 2) -> ExtensiveFormGame:
    """Leduc poker in which nobody sees suits: the same value from a smaller tree.

    Chance deals ranks, as likely as there are cards of them left. The rest is as in
    ``leduc_poker``.

    Args:
        ranks, suits: The deck has ``ranks * suits`` cards, at least 3.
        raises: Most raises in one betting round, 0 to 20.

    Source: F. Southey et al., "Bayes' bluff: opponent modelling in poker", UAI 2005.
    """
    return lay_out_rules(LeducRules(ranks, suits, raises, Suits.HIDDEN))
