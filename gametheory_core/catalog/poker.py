"""Poker in small, as rules and laid out: Kuhn's for any number of players, Leduc for any deck."""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import perm
from typing import NamedTuple

from gametheory_core.arguments import numbered_players, require_integer
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tree_draft import Chance, Decision, Node, Terminal
from gametheory_core.games.tree_layout import lay_out_rules

FACES = "23456789TJQKA"


def faces(count: int) -> tuple[str, ...]:
    """Return names of ``count`` ranks, lowest first: those up to the king, or numbers if more.

    >>> faces(3), faces(14)[-2:]
    (('J', 'Q', 'K'), ('13', '14'))
    """
    top = FACES.index("K") + 1
    if count > top:
        return tuple(str(rank + 1) for rank in range(count))
    return tuple(FACES[top - count : top])


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
        require_integer(
            self.num_players, name="players", low=2, high=MOST_PLAYERS, where="kuhn_poker"
        )
        require_integer(
            self.cards, name="cards", low=self.num_players, high=MOST_CARDS, where="kuhn_poker"
        )
        deals = perm(self.cards, self.num_players)
        if deals > MOST_DEALS:
            raise InvalidArgument(
                needs=f"at most {MOST_DEALS:,} deals",
                found=f"{self.cards} cards among {self.num_players} players make {deals:,}",
                remedy="Choose fewer cards.",
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


MOST_RAISES = 20
RAISES_OF = (2, 4)  # chips a raise costs in each round


class Suits(Enum):
    """Whether players see suits, which decide nothing; the value says it in words."""

    SHOWN = "cards have ranks and suits"
    HIDDEN = "only ranks are seen, and chance deals ranks"


class LeducPosition(NamedTuple):
    """A moment of Leduc poker.

    Attributes:
        cards: Private card of each player, then the public one, as far as dealt; a card's suit is
            its remainder by the number of suits, and 0 where suits are hidden.
        rounds: Moves of each betting round: c (check or call), r (raise), f (fold).
    """

    cards: tuple[int, ...] = ()
    rounds: tuple[str, ...] = ("",)


@dataclass(frozen=True)
class LeducRules:
    """Leduc poker: two betting rounds, a public card between them, raises of 2 and then 4.

    Ante 1. A pair with the public card wins, else the higher rank; equal ranks split the pot.

    Attributes:
        ranks, suits: The deck has ``ranks * suits`` cards, at least 3.
        raises: Most raises in one betting round, 0 to 20.
        shown: Whether suits are seen; without them the tree is smaller and the game worth the same.

    Source: F. Southey et al., "Bayes' bluff: opponent modelling in poker", UAI 2005.

    >>> rules = LeducRules(shown=Suits.HIDDEN)
    >>> [label for label in rules.expand(rules.root).children]
    ['J', 'Q', 'K']
    """

    ranks: int = 3
    suits: int = 2
    raises: int = 2
    shown: Suits = Suits.SHOWN
    title: str = field(init=False, repr=False, compare=False)
    players: tuple[str, ...] = field(init=False, repr=False, compare=False)
    names: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_integer(self.ranks, name="ranks", low=1, high=MOST_CARDS, where="leduc_poker")
        require_integer(self.suits, name="suits", low=1, high=MOST_CARDS, where="leduc_poker")
        cards = self.ranks * self.suits
        require_integer(cards, name="ranks * suits", low=3, high=MOST_CARDS, where="leduc_poker")
        require_integer(self.raises, name="raises", low=0, high=MOST_RAISES, where="leduc_poker")
        standard = (self.ranks, self.suits, self.raises) == (3, 2, 2)
        size = "" if standard else f" ({self.ranks} ranks, {self.suits} suits)"
        seen = "" if self.shown is Suits.SHOWN else ", suits hidden"
        object.__setattr__(self, "title", f"Leduc poker{size}{seen}")
        object.__setattr__(self, "players", numbered_players(2))
        object.__setattr__(self, "names", _names(self.ranks, self.suits, self.shown))

    @property
    def root(self) -> LeducPosition:
        """Before the first card."""
        return LeducPosition()

    def expand(self, position: LeducPosition) -> Node[LeducPosition]:
        """Deal a card, bet, or compare hands."""
        cards, rounds = position
        if len(cards) < 2:
            return self._deal(cards, rounds)
        player, options, text, paid = _betting(rounds, self.raises)
        if options:
            names = self.names
            public = f" {names[cards[2]]}" if len(cards) == 3 else ""
            children = {label: LeducPosition(cards, after) for label, after in options}
            return Decision(player, f"{names[cards[player]]}{public}{text}", children)
        if rounds[-1].endswith("f"):
            return Terminal((paid, -paid) if player == 0 else (-paid, paid))
        if len(rounds) == 1:
            return self._deal(cards, (*rounds, ""))
        return Terminal(_showdown(cards, self.suits, paid))

    def shape_key(self, position: LeducPosition) -> tuple[object, ...]:
        """Return what fixes the shape of the tree below: not the cards, unless ranks run out."""
        cards, rounds = position
        if self.shown is Suits.SHOWN or len(cards) == 3:
            return len(cards), rounds
        ranks = [card // self.suits for card in cards]
        return len(cards), rounds, sum(ranks.count(rank) == self.suits for rank in set(ranks))

    def _deal(self, cards: tuple[int, ...], rounds: tuple[str, ...]) -> Chance[LeducPosition]:
        if self.shown is Suits.SHOWN:
            draws = _card_draws(self.ranks * self.suits, cards)
        else:
            draws = _rank_draws(self.ranks, self.suits, cards)
        names = self.names
        return Chance({names[c]: (odds, LeducPosition((*cards, c), rounds)) for c, odds in draws})


@lru_cache(maxsize=4096)
def _card_draws(num_cards: int, dealt: tuple[int, ...]) -> tuple[tuple[int, Fraction], ...]:
    """Return each card that can be dealt, and how likely it is."""
    share = Fraction(1, num_cards - len(dealt))
    return tuple((card, share) for card in range(num_cards) if card not in dealt)


@lru_cache(maxsize=4096)
def _rank_draws(ranks: int, suits: int, dealt: tuple[int, ...]) -> tuple[tuple[int, Fraction], ...]:
    """Return a card of each rank that can be dealt, and how likely the rank is."""
    total = ranks * suits - len(dealt)
    first_suits = range(0, ranks * suits, suits)
    left = [(card, suits - dealt.count(card)) for card in first_suits]
    return tuple((card, Fraction(number, total)) for card, number in left if number)


def _names(ranks: int, suits: int, shown: Suits) -> tuple[str, ...]:
    """Return the names of the cards, suits within ranks."""
    if shown is Suits.HIDDEN:
        return tuple(face for face in faces(ranks) for _ in range(suits))
    marks = "shdc" if suits <= 4 else [f".{suit + 1}" for suit in range(suits)]
    return tuple(face + mark for face in faces(ranks) for mark in marks[:suits])


class _Betting(NamedTuple):
    """Who moves, or won by a fold; what may follow; what was heard; what a loser has paid."""

    player: int
    options: tuple[tuple[str, tuple[str, ...]], ...]
    text: str
    paid: int


@lru_cache(maxsize=65_536)
def _betting(rounds: tuple[str, ...], raises: int) -> _Betting:
    """Return what the moves so far say, the same for all cards."""
    *before, moves = rounds
    player = len(moves) % 2
    paid = _paid(rounds)
    if moves.endswith("f"):
        return _Betting(player, (), "", paid[1 - player])
    if moves.endswith("c") and len(moves) >= 2:
        return _Betting(player, (), "", paid[0])
    labels = {"c": "call" if moves.endswith("r") else "check"}
    if moves.endswith("r"):
        labels = {"f": "fold", **labels}
    if moves.count("r") < raises:
        labels["r"] = "raise"
    options = tuple((label, (*before, moves + move)) for move, label in labels.items())
    return _Betting(player, options, f" {'/'.join(rounds)}".rstrip(), 0)


def _paid(rounds: tuple[str, ...]) -> list[int]:
    """Return what each player has put into the pot."""
    paid = [1, 1]
    for amount, moves in zip(RAISES_OF[: len(rounds)], rounds, strict=True):
        for turn, move in enumerate(moves):
            if move != "f":
                paid[turn % 2] = max(paid) + (amount if move == "r" else 0)
    return paid


def _showdown(cards: tuple[int, ...], suits: int, stake: int) -> tuple[int, int]:
    first, second, public = cards[0] // suits, cards[1] // suits, cards[2] // suits
    strength, other = (first == public, first), (second == public, second)
    if strength == other:
        return (0, 0)
    return (stake, -stake) if strength > other else (-stake, stake)


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
