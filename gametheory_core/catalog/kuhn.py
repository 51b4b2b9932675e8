"""Kuhn poker as rules, for any number of cards and players."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import perm
from typing import NamedTuple

from gametheory_core.catalog.arguments import require_between
from gametheory_core.catalog.cards import faces
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.tree_nodes import Chance, Decision, Node, Terminal
from gametheory_core.labels import numbered_players

MOST_CARDS = 1_000
MOST_PLAYERS = 10
MOST_DEALS = 100_000  # all in one chance move: some seconds to lay out and solve
WORDS = {"k": "check", "b": "bet", "f": "fold", "c": "call"}


class KuhnPosition(NamedTuple):
    """A moment of Kuhn poker.

    Attributes:
        cards: The card of each player, 0 the lowest; empty before the deal.
        moves: Moves so far: k (check), b (bet), f (fold), c (call).
    """

    cards: tuple[int, ...] = ()
    moves: str = ""


@dataclass(frozen=True)
class KuhnRules:
    """Kuhn's poker: one card each, one bet of one chip after an ante of one.

    In turn players check until one bets; then each of the others, in turn, folds or calls. The
    highest card among those who paid the same wins the pot.

    Attributes:
        cards: Size of the deck, at least ``num_players``; each card occurs once.
        num_players: 2 to 10.

    Sources:
        H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games 1, 1950,
            pp. 97-103.
        D. Szafron, R. Gibson and N. Sturtevant, "A parameterized family of equilibrium profiles for
            three-player Kuhn poker", AAMAS 2013: three players, four cards.

    >>> rules = KuhnRules(cards=4, num_players=3)
    >>> deal = rules.expand(rules.root)
    >>> len(deal.children), deal.children["KQJ"][1]
    (24, KuhnPosition(cards=(3, 2, 1), moves=''))
    """

    cards: int = 3
    num_players: int = 2
    title: str = field(init=False, repr=False, compare=False)
    players: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_between(self.num_players, 2, MOST_PLAYERS, game="kuhn_poker", name="players")
        require_between(self.cards, self.num_players, MOST_CARDS, game="kuhn_poker", name="cards")
        deals = perm(self.cards, self.num_players)
        if deals > MOST_DEALS:
            raise InvalidArgument(
                f"kuhn_poker: needs at most {MOST_DEALS:,} deals, but {self.cards} cards among "
                f"{self.num_players} players make {deals:,}. Choose fewer cards."
            )
        several = "" if self.num_players == 2 else f" for {self.num_players} players"
        deck = "" if self.cards == 3 and not several else f" with {self.cards} cards"
        object.__setattr__(self, "title", f"Kuhn poker{several}{deck}")
        object.__setattr__(self, "players", numbered_players(self.num_players))

    @property
    def root(self) -> KuhnPosition:
        """Before the deal."""
        return KuhnPosition()

    def expand(self, position: KuhnPosition) -> Node[KuhnPosition]:
        """Deal, bet, or compare the cards of those who are in."""
        cards, moves = position
        if not cards:
            return self._deal()
        player, labels = _menu(moves, self.num_players)
        if not labels:
            return Terminal(_payoffs(cards, moves))
        children = {label: KuhnPosition(cards, moves + move) for label, move in labels}
        return Decision(player, _faces(self.cards)[cards[player]] + _heard(moves), children)

    def shape_key(self, position: KuhnPosition) -> tuple[bool, str]:
        """Return what fixes the shape of the tree below: cards decide only who is paid."""
        return bool(position.cards), position.moves

    def _deal(self) -> Chance[KuhnPosition]:
        names = _faces(self.cards)
        gap = "" if max(map(len, names)) == 1 else " "
        deals = list(permutations(range(self.cards), self.num_players))
        share = Fraction(1, len(deals))
        return Chance(
            {gap.join(names[c] for c in deal): (share, KuhnPosition(deal)) for deal in deals}
        )


_faces = lru_cache(maxsize=8)(faces)


@lru_cache(maxsize=4096)
def _menu(moves: str, num_players: int) -> tuple[int, tuple[tuple[str, str], ...]]:
    """Return who moves, and (label, move) of each choice; none if play is over."""
    bettor = moves.find("b")
    end = num_players if bettor < 0 else bettor + num_players
    words = "kb" if bettor < 0 else "fc"
    options = () if len(moves) == end else tuple((WORDS[move], move) for move in words)
    return len(moves) % num_players, options


@lru_cache(maxsize=4096)
def _heard(moves: str) -> str:
    return "".join(f", {WORDS[move]}" for move in moves)


def _payoffs(cards: tuple[int, ...], moves: str) -> tuple[int, ...]:
    """Pay the pot to the highest card of those who paid the most, and take what each paid."""
    paid = [1] * len(cards)
    for turn, move in enumerate(moves):
        if move in "bc":
            paid[turn % len(cards)] = 2
    stake = max(paid)
    winner = max(range(len(cards)), key=lambda player: (paid[player] == stake, cards[player]))
    return tuple(sum(paid) * (player == winner) - own for player, own in enumerate(paid))
