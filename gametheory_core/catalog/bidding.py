"""Bidding games as rules and laid out: goofspiel for prizes, oshi-zumo to push a wrestler out."""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from gametheory_core.arguments import numbered_players, require_integer
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tree_draft import Chance, Decision, Node, Terminal
from gametheory_core.games.tree_layout import lay_out_rules

MOST_CARDS = 100
Cards: TypeAlias = tuple[int, ...]


class Prizes(Enum):
    """In which order prizes are played for."""

    DESCENDING = "descending"
    ASCENDING = "ascending"
    RANDOM = "random"


class Bids(Enum):
    """What players learn of a round, besides who won it."""

    HIDDEN = "hidden"
    OPEN = "open"


class Payment(Enum):
    """What the winner is paid, at the loser's cost."""

    WIN = "1 for more points"
    POINT_DIFFERENCE = "the difference in points"


class GoofspielPosition(NamedTuple):
    """A moment of goofspiel.

    Attributes:
        first, second: Cards played so far; the first player is ahead by one in mid-round.
        results: What the first player did in each round: ``>`` won, ``<`` lost, ``=`` neither.
        prizes: Shown so far, where their order is random.
    """

    first: Cards = ()
    second: Cards = ()
    results: str = ""
    prizes: Cards = ()


@dataclass(frozen=True)
class GoofspielRules:
    """Goofspiel: bid a card of 1 to n for each prize; the higher card wins it.

    In each round both players bid one card they still hold, at once, for the prize on show; equal
    bids discard it. The last cards play themselves.

    Attributes:
        cards: Cards in each hand, and prizes, worth 1 to ``cards`` points; 1 to 100.
        prizes: Their order; a random one shows the next prize before bids.
        bids: Hidden: players learn who won a round, not the other's card.
        payment: One for more points, or the difference in points.

    Source: S. M. Ross, "Goofspiel - the game of pure strategy", Journal of Applied Probability 8,
        1971; with hidden bids as in M. Lanctot et al., "No-regret learning in extensive-form games
        with imperfect recall", ICML 2012.

    >>> rules = GoofspielRules(cards=3, bids=Bids.OPEN)
    >>> rules.expand(GoofspielPosition((2,), (3,), "<")).infoset
    '2-3'
    """

    cards: int = 4
    prizes: Prizes = Prizes.DESCENDING
    bids: Bids = Bids.HIDDEN
    payment: Payment = Payment.WIN
    title: str = field(init=False, repr=False, compare=False)
    players: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_integer(self.cards, name="cards", low=1, high=MOST_CARDS, where="goofspiel")
        order = "" if self.prizes is Prizes.DESCENDING else f", {self.prizes.value} prizes"
        paid = "" if self.payment is Payment.WIN else ", paid by points"
        title = f"Goofspiel with {self.bids.value} bids, {self.cards} cards{order}{paid}"
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "players", numbered_players(2))

    @property
    def root(self) -> GoofspielPosition:
        """Before the first bid, and before the first prize is shown."""
        return GoofspielPosition()

    def expand(self, position: GoofspielPosition) -> Node[GoofspielPosition]:
        """Show a prize, bid, or count points."""
        first, second, results, prizes = position
        rounds = len(second)
        if rounds >= self.cards - 1:
            return Terminal(self._payoffs(position))
        if self.prizes is Prizes.RANDOM and len(prizes) == rounds:
            left = _left(self.cards, prizes)
            share = Fraction(1, len(left))
            shown = {str(p): (share, position._replace(prizes=(*prizes, p))) for p in left}
            return Chance(shown)
        if len(first) == rounds:
            children = {
                str(card): GoofspielPosition((*first, card), second, results, prizes)
                for card in _left(self.cards, first)
            }
            return Decision(0, self._known(first, second, results, prizes), children)
        bid = first[-1]
        children = {
            str(card): GoofspielPosition(
                first, (*second, card), results + _compared(bid, card), prizes
            )
            for card in _left(self.cards, second)
        }
        mirrored = results.translate(MIRRORED)
        return Decision(1, self._known(second, first[:-1], mirrored, prizes), children)

    def shape_key(self, position: GoofspielPosition) -> tuple[int, int, int]:
        """Return what fixes the shape of the tree below: how much was played, not what."""
        return len(position.first), len(position.second), len(position.prizes)

    def _known(self, own: Cards, other: Cards, results: str, prizes: Cards) -> str:
        if self.bids is Bids.HIDDEN:
            return _seen(own, results, prizes)
        return _all_seen(own, other, prizes)

    def _payoffs(self, position: GoofspielPosition) -> tuple[int, int]:
        first, second, results, prizes = position
        if self.prizes is Prizes.RANDOM:
            worth = (*prizes, *_left(self.cards, prizes))
        else:
            worth = _in_order(self.cards, self.prizes)
        bids = _left(self.cards, first)[-1], _left(self.cards, second)[-1]
        last = _compared(*bids)
        points = 0
        for prize, result in zip(worth, results + last, strict=True):
            points += prize * ((result == ">") - (result == "<"))
        if self.payment is Payment.WIN:
            points = (points > 0) - (points < 0)
        return (points, -points)


MIRRORED = str.maketrans("<>", "><")


def _compared(bid: int, other: int) -> str:
    return ">" if bid > other else "<" if bid < other else "="


@lru_cache(maxsize=16_384)
def _left(cards: int, played: Cards) -> Cards:
    return tuple(card for card in range(1, cards + 1) if card not in played)


@lru_cache(maxsize=16)
def _in_order(cards: int, prizes: Prizes) -> Cards:
    ascending = tuple(range(1, cards + 1))
    return ascending if prizes is Prizes.ASCENDING else ascending[::-1]


@lru_cache(maxsize=65_536)
def _seen(own: Cards, results: str, prizes: Cards) -> str:
    """Return own bids and who won, and before each its prize if their order is random."""
    bids = [f"{card}{result}" for card, result in zip(own, results, strict=True)]
    return _with_prizes(bids, prizes) or "start"


@lru_cache(maxsize=65_536)
def _all_seen(own: Cards, other: Cards, prizes: Cards) -> str:
    """Return the bids of both, own ones first."""
    bids = [f"{card}-{their}" for card, their in zip(own, other, strict=True)]
    return _with_prizes(bids, prizes) or "start"


def _with_prizes(bids: list[str], prizes: Cards) -> str:
    if not prizes:
        return " ".join(bids)
    asked = [f"{prize}:" for prize in prizes]
    return " ".join(a + b for a, b in zip(asked, [*bids, ""], strict=True))


def goofspiel(*, cards: int = 4) -> ExtensiveFormGame:
    """Goofspiel with imperfect information and prizes in descending order.

    Both players hold the cards 1 to ``cards``. In each round they bid one card in secret for the
    prize (first ``cards``, then ``cards - 1``, ... points); the higher bid wins it, and equal bids
    discard it. Players learn who won a round, not the other's card. The last cards play
    themselves. The player who has more points in the end wins 1. By symmetry the value is 0.

    Args:
        cards: Cards in each hand; 6 make a million nodes, and one more about 49 times as many.

    Source: S. M. Ross, "Goofspiel - the game of pure strategy", Journal of Applied Probability 8,
        1971; with hidden bids as in M. Lanctot et al., "No-regret learning in extensive-form games
        with imperfect recall", ICML 2012.
    """
    return lay_out_rules(GoofspielRules(cards))


def goofspiel_points(*, cards: int = 4) -> ExtensiveFormGame:
    """Goofspiel with imperfect information in which the difference in points is paid.

    As ``goofspiel``, but each point more than the other's is worth 1. By symmetry the value is 0.

    Args:
        cards: Cards in each hand.

    Source: S. M. Ross, "Goofspiel - the game of pure strategy", Journal of Applied Probability 8,
        1971.
    """
    return lay_out_rules(GoofspielRules(cards, payment=Payment.POINT_DIFFERENCE))


def goofspiel_random_prizes(*, cards: int = 3) -> ExtensiveFormGame:
    """Goofspiel with open bids and prizes in random order, the difference in points being paid.

    The next prize is shown before both bid; then both bids are shown. This is the game of pure
    strategy as it is played. By symmetry the value is 0.

    Args:
        cards: Cards in each hand.

    Source: S. M. Ross, "Goofspiel - the game of pure strategy", Journal of Applied Probability 8,
        1971.
    """
    return lay_out_rules(GoofspielRules(cards, Prizes.RANDOM, Bids.OPEN, Payment.POINT_DIFFERENCE))


MOST_COINS_OF_A_TREE = 100
MOST_COINS = 1_000
MOST_SIZE = 1_000
MOST_ROUNDS = 1_000
OPEN = -1  # no bid is waiting for an answer


class OshiZumoPosition(NamedTuple):
    """A moment of oshi-zumo.

    Attributes:
        coins: Left to each player.
        place: Steps by which the wrestler was pushed towards the second player; negative: the
            first.
        heard: The bids of each round so far, the first player's first.
        bid: What the first player has just bid, unseen; ``OPEN`` if nothing.
    """

    coins: tuple[int, int]
    place: int = 0
    heard: tuple[str, ...] = ()
    bid: int = OPEN


@dataclass(frozen=True)
class OshiZumoRules:
    """Oshi-zumo: both bid coins at once, and the higher bid pushes the wrestler one step.

    Bids are paid, and seen once both are made. Play ends when the wrestler is out of the ring,
    nobody has coins, or after the last round; the player who pushed him beyond the middle wins 1.

    Attributes:
        coins: Of each player at the start, 1 to 1,000.
        size: Steps from the middle to the edge of the ring; one more is out. 0 to 1,000.
        min_bid: Least bid; who has less bids all. 0 to 1,000.
        horizon: Most rounds, 1 to 1,000.

    Source: M. Buro, "Solving the Oshi-Zumo game", Advances in Computer Games 10, 2004, pp. 361-366.

    >>> rules = OshiZumoRules(coins=3, size=1, min_bid=1)
    >>> list(rules.expand(rules.root).children)
    ['1', '2', '3']
    """

    coins: int = 4
    size: int = 1
    min_bid: int = 1
    horizon: int = MOST_ROUNDS
    title: str = field(init=False, repr=False, compare=False)
    players: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_integer(self.coins, name="coins", low=1, high=MOST_COINS, where="oshi_zumo")
        require_integer(self.size, name="size", low=0, high=MOST_SIZE, where="oshi_zumo")
        require_integer(self.min_bid, name="min_bid", low=0, high=MOST_COINS, where="oshi_zumo")
        require_integer(self.horizon, name="horizon", low=1, high=MOST_ROUNDS, where="oshi_zumo")
        object.__setattr__(self, "title", f"Oshi-zumo with {self.coins} coins, size {self.size}")
        object.__setattr__(self, "players", numbered_players(2))

    @property
    def root(self) -> OshiZumoPosition:
        """All coins, and the wrestler in the middle."""
        return OshiZumoPosition((self.coins, self.coins))

    def expand(self, position: OshiZumoPosition) -> Node[OshiZumoPosition]:
        """Bid, or see where the wrestler stands in the end."""
        (first, second), place, heard, bid = position
        if bid != OPEN:
            children = {
                str(answer): OshiZumoPosition(
                    (first - bid, second - answer),
                    place + (bid > answer) - (bid < answer),
                    (*heard, f"{bid}-{answer}"),
                )
                for answer in self._bids(second)
            }
            return Decision(1, _known(heard), children)
        if abs(place) > self.size or first == second == 0 or len(heard) == self.horizon:
            winner = (place > 0) - (place < 0)
            return Terminal((winner, -winner))
        children = {str(mine): position._replace(bid=mine) for mine in self._bids(first)}
        return Decision(0, _known(heard), children)

    def shape_key(self, position: OshiZumoPosition) -> tuple[object, ...]:
        """Return what, besides the depth, fixes the shape of the tree below: what is left."""
        return position.coins, position.place, position.bid

    def _bids(self, coins: int) -> range:
        return range(min(self.min_bid, coins), coins + 1)


@lru_cache(maxsize=65_536)
def _known(heard: tuple[str, ...]) -> str:
    return " ".join(heard) or "start"


def oshi_zumo(
    *, coins: int = 4, size: int = 1, min_bid: int = 1, horizon: int = MOST_ROUNDS
) -> ExtensiveFormGame:
    """Oshi-zumo: both bid coins at once, and the higher bid pushes the wrestler one step.

    Bids are paid, and seen once both are made. Play ends when the wrestler is out of the ring,
    nobody has coins, or after the last round; the player who pushed him beyond the middle wins 1.
    By symmetry the value is 0.

    Args:
        coins: Of each player at the start, at most 100: trees of more are too large.
        size: Steps from the middle to the edge of the ring; one more is out.
        min_bid: Least bid; who has less bids all. With 0, plays can last until the horizon.
        horizon: Most rounds.

    Source: M. Buro, "Solving the Oshi-Zumo game", Advances in Computer Games 10, 2004, pp. 361-366.
    """
    require_integer(coins, name="coins", low=1, high=MOST_COINS_OF_A_TREE, where="oshi_zumo")
    return lay_out_rules(OshiZumoRules(coins, size, min_bid, horizon))
