"""Poker and dice as public-state games: the catalog's rules, with ranges of hands for single deals.

Who may do what is asked of the rules of the tree, at hands that stand for all. Sizes are limited by
memory alone.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Any

import numpy as np

from gametheory_core.arguments import counted, require_integer
from gametheory_core.catalog.hidden_information import LiarsDicePosition, LiarsDiceRules
from gametheory_core.catalog.poker import (
    KuhnPosition,
    KuhnRules,
    LeducPosition,
    LeducRules,
    Suits,
    faces,
)
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.public_deals import Deal
from gametheory_core.games.public_rules import PublicDraw, PublicMove, public_state_game
from gametheory_core.games.public_states import Paid, PublicStateGame, Showdown
from gametheory_core.games.tree_draft import Chance, Decision

MOST_HANDS = 1_000_000


@dataclass(frozen=True)
class _Kuhn:
    """Positions are moves."""

    players: tuple[str, ...]
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    deal: Deal
    title: str
    root: str = ""

    def expand(self, position: str) -> PublicMove | Paid | Showdown:
        tree = KuhnRules()
        node: Any = tree.expand(KuhnPosition((1, 0), position))
        if isinstance(node, Decision):
            return PublicMove(node.player, {k: after.moves for k, after in node.children.items()})
        other: Any = tree.expand(KuhnPosition((0, 1), position))
        strengths = tuple(range(len(self.hands[0])))
        return _compared((strengths, strengths), node.payoffs[0], 0, other.payoffs[0])


def _compared(strengths: Any, above: int, equal: int, below: int) -> Paid | Showdown:
    return Paid(above) if above == below else Showdown(strengths, above, equal, below)


def kuhn_poker_ranges(*, cards: int = 3) -> PublicStateGame:
    """Kuhn's poker for two as a public-state game: any number of cards, nine histories.

    Args:
        cards: 2 to 1,000,000.

    Source: H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games 1,
        1950, pp. 97-103.

    >>> kuhn_poker_ranges(cards=10_000)
    PublicStateGame('Kuhn poker with 10000 cards', 899,910,001 nodes)
    """
    require_integer(cards, name="cards", low=2, high=MOST_HANDS)
    once = np.ones((1, cards), dtype=np.int64)
    names = faces(cards)
    deal = Deal(once, once, -once[0])
    title = "Kuhn poker" if cards == 3 else f"Kuhn poker with {cards} cards"
    return public_state_game(_Kuhn(KuhnRules().players, (names, names), deal, title))


@dataclass(frozen=True)
class _Leduc:
    """Positions are the public card and moves; -1 before that card is seen.

    Attributes:
        ranks: Of each kind of card that hands tell apart.
        copies: Cards of each kind.
    """

    tree: LeducRules
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    deal: Deal
    title: str
    ranks: tuple[int, ...]
    copies: int
    root: tuple[int, tuple[str, ...]] = (-1, ("",))

    @property
    def players(self) -> tuple[str, ...]:
        return self.tree.players

    def expand(self, position: tuple[int, tuple[str, ...]]) -> Any:
        card, rounds = position
        shown = () if card < 0 else (4,)
        node: Any = self.tree.expand(LeducPosition((2, 0, *shown), rounds))
        if isinstance(node, Decision):
            after = node.children.items()
            return PublicMove(node.player, {label: (card, pos.rounds) for label, pos in after})
        if isinstance(node, Chance):
            following = next(iter(node.children.values()))[1].rounds
            kinds = enumerate(self.hands[0])
            return PublicDraw({name: (self.after(k), (k, following)) for k, name in kinds})
        other: Any = self.tree.expand(LeducPosition((0, 2, *shown), rounds))
        return _compared((self.strengths[card],) * 2, node.payoffs[0], 0, other.payoffs[0])

    @cached_property
    def strengths(self) -> tuple[tuple[int, ...], ...]:
        """Of hands beside each public card: a pair is the strongest."""
        best = len(self.ranks)
        return tuple(
            tuple(best if rank == public else rank for rank in self.ranks) for public in self.ranks
        )

    def after(self, card: int) -> Deal:
        """Count the cards of each kind that can be held beside the public one."""
        left = np.full(len(self.ranks), self.copies)
        left[card] -= 1
        return Deal(self.copies * left[None], left[None], -self.copies * left)


def leduc_poker_ranges(*, ranks: int = 3, suits: int = 2, raises: int = 2) -> PublicStateGame:
    """Leduc poker as a public-state game: trees of 10^9 nodes, never built.

    Args:
        ranks, suits, raises: As for ``leduc_poker``.

    Source: F. Southey et al., "Bayes' bluff: opponent modelling in poker", UAI 2005.

    >>> leduc_poker_ranges(ranks=60, suits=2)
    PublicStateGame('Leduc poker (60 ranks, 2 suits)', 126,592,201 nodes)
    """
    return _leduc(LeducRules(ranks, suits, raises))


def leduc_poker_by_ranks_ranges(
    *, ranks: int = 3, suits: int = 2, raises: int = 2
) -> PublicStateGame:
    """Leduc poker in which nobody sees suits, as a public-state game: hands are ranks.

    Args:
        ranks, suits, raises: As for ``leduc_poker``.

    Source: F. Southey et al., "Bayes' bluff: opponent modelling in poker", UAI 2005.

    >>> leduc_poker_by_ranks_ranges(ranks=60, suits=2)
    PublicStateGame('Leduc poker (60 ranks, 2 suits), suits hidden', 16,249,501 nodes)
    """
    return _leduc(LeducRules(ranks, suits, raises, Suits.HIDDEN))


def _leduc(rules: LeducRules) -> PublicStateGame:
    ranks, suits = rules.ranks, rules.suits
    copies = 1 if rules.shown is Suits.SHOWN else suits
    apart = suits // copies
    names, left = rules.names[::copies], ranks * suits - 2
    held = np.full((1, len(names)), copies)
    deal = Deal(left * held, held, -left * held[0])
    own = tuple(kind // apart for kind in range(len(names)))
    tree = LeducRules(raises=rules.raises)
    return public_state_game(_Leduc(tree, (names, names), deal, rules.title, own, copies))


def _require_hands(hands: int) -> None:
    """Refuse more hands than arrays over them can be summed over in seconds."""
    if hands > MOST_HANDS:
        raise InvalidArgument(
            needs=f"at most {MOST_HANDS:,} hands of a player",
            found=f"there are {counted(hands)}",
            remedy="Choose smaller parameters.",
        )


@dataclass(frozen=True)
class _LiarsDice:
    """Positions are the last bid, who moves, and whether all dice are looked at."""

    tree: LiarsDiceRules
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    deal: Deal
    title: str
    faces: tuple[tuple[int, ...], ...]
    root: tuple[int, int, bool] = (-1, 0, False)

    @property
    def players(self) -> tuple[str, ...]:
        return self.tree.players

    def expand(self, position: tuple[int, int, bool]) -> PublicMove | Showdown:
        bid, mover, is_called = position
        if is_called:
            return self._looked_at(bid, bidder=mover)
        bids = () if bid < 0 else (bid,) * (2 - mover)
        rolled = self.faces[0] * 2
        node: Any = self.tree.expand(LiarsDicePosition(rolled, bids))
        call = 2 * self.tree.sides * self.tree.dice
        following = {label: after.bids[-1] for label, after in node.children.items()}
        return PublicMove(
            mover,
            {
                label: (bid, 1 - mover, True) if after == call else (after, 1 - mover, False)
                for label, after in following.items()
            },
        )

    def _looked_at(self, bid: int, *, bidder: int) -> Showdown:
        """The bid holds if the first player shows more than the others leave to show."""
        face, wild = bid % self.tree.sides, self.tree.sides - 1
        shows = tuple(sum(own in (face, wild) for own in hand) for hand in self.faces)
        left = tuple(bid // self.tree.sides - own for own in shows)
        holds = 1 if bidder == 0 else -1
        return Showdown((shows, left), holds, -holds, -holds)


def liars_dice_ranges(*, sides: int = 4, dice: int = 1) -> PublicStateGame:
    """Liar's dice as a public-state game: trees of 10^8 nodes and more, never built.

    Args:
        sides, dice: As for ``liars_dice``.

    Source: V. Lisy, M. Lanctot and M. Bowling, "Online Monte Carlo counterfactual regret
        minimization for search in imperfect information games", AAMAS 2015, section 5.

    >>> liars_dice_ranges(sides=10)
    PublicStateGame("Liar's dice, one die of 10 sides each", 209,715,101 nodes)
    """
    tree = LiarsDiceRules(sides, dice)
    _require_hands(comb(sides + dice - 1, dice))
    faces = tuple(combinations_with_replacement(range(sides), dice))
    names = tuple(" ".join(str(face + 1) for face in hand) for hand in faces)
    ways = [factorial(dice) // prod(map(factorial, Counter(hand).values())) for hand in faces]
    deal = Deal(np.array([ways]), np.array([ways]))
    return public_state_game(_LiarsDice(tree, (names, names), deal, tree.title, faces))
