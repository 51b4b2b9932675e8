"""Poker in small: Kuhn's and Leduc, built from their rules."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from gametheory_core.catalog.arguments import require_between
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.sketch import Chance, Decision, Node, Terminal, lay_out

MAX_LEDUC_CARDS = 24
MAX_LEDUC_RAISES = 4
FACES = "23456789TJQKA"
PLAYERS = ("Player 1", "Player 2")


def _faces(count: int) -> str:
    """Return the names of the highest ``count`` ranks up to the king, lowest first."""
    top = FACES.index("K") + 1
    return FACES[top - count : top]


# Kuhn poker


@dataclass(frozen=True)
class _KuhnPosition:
    cards: tuple[str, ...] = ()
    bets: str = ""


def kuhn_poker(*, cards: int = 3) -> ExtensiveFormGame:
    """Kuhn's poker: one card each, one bet of one chip after an ante of one.

    A player may check or bet; facing a bet, fold or call. The higher card wins. With three cards
    the value to the first player is -1/18.

    Parameters
    ----------
    cards : int
        Size of the deck, 2 to 12; each card occurs once.

    References
    ----------
    .. [1] H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games 1,
       1950, pp. 97-103.
    """
    require_between(cards, 2, FACES.index("K") + 1, game="kuhn_poker", name="cards")
    ranks = _faces(cards)
    deals = list(permutations(ranks, 2))

    def expand(position: _KuhnPosition) -> Node[_KuhnPosition]:
        if not position.cards:
            share = Fraction(1, len(deals))
            return Chance({a + b: (share, _KuhnPosition((a, b))) for a, b in deals})
        payoffs = _kuhn_payoffs(position, ranks)
        if payoffs is not None:
            return Terminal(payoffs)
        player = len(position.bets) % 2
        faces_bet = position.bets.endswith("b")
        labels = {"f": "fold", "c": "call"} if faces_bet else {"k": "check", "b": "bet"}
        children = {
            label: _KuhnPosition(position.cards, position.bets + move)
            for move, label in labels.items()
        }
        return Decision(player, _kuhn_knowledge(position.cards[player], position.bets), children)

    title = "Kuhn poker" if cards == 3 else f"Kuhn poker with {cards} cards"
    return lay_out(_KuhnPosition(), expand=expand, players=PLAYERS, title=title)


def _kuhn_knowledge(card: str, bets: str) -> str:
    words = {"k": "check", "b": "bet"}
    return ", ".join([card, *(words[move] for move in bets)])


def _kuhn_payoffs(position: _KuhnPosition, ranks: str) -> tuple[int, int] | None:
    bets = position.bets
    if bets.endswith("f"):
        folder = (len(bets) - 1) % 2
        return (-1, 1) if folder == 0 else (1, -1)
    if bets not in {"kk", "bc", "kbc"}:
        return None
    stake = 1 if bets == "kk" else 2
    first_wins = ranks.index(position.cards[0]) > ranks.index(position.cards[1])
    return (stake, -stake) if first_wins else (-stake, stake)


# Leduc poker


@dataclass(frozen=True)
class _LeducPosition:
    """A moment of Leduc poker.

    Attributes
    ----------
    cards : tuple of int
        Private card of each player, then the public one, as far as dealt; suit is card modulo
        the number of suits.
    rounds : tuple of str
        Moves of each betting round: c (check or call), r (raise), f (fold).
    """

    cards: tuple[int, ...] = ()
    rounds: tuple[str, ...] = ("",)


def leduc_poker(*, ranks: int = 3, suits: int = 2, raises: int = 2) -> ExtensiveFormGame:
    """Leduc poker: two betting rounds, a public card between them, raises of 2 and then 4.

    Ante 1. A pair with the public card wins, else the higher rank; equal ranks split the pot.
    With 3 ranks, 2 suits and 2 raises a round it has 9,457 nodes and the value
    -1454920850547486749701863871533/16995463438839962469905132501930 to the first player.

    Parameters
    ----------
    ranks, suits : int
        The deck has ``ranks * suits`` cards, 3 to 24; ranks at most 12.
    raises : int
        Most raises in one betting round, 0 to 4.

    References
    ----------
    .. [1] F. Southey et al., "Bayes' bluff: opponent modelling in poker", UAI 2005.
    """
    require_between(ranks, 1, FACES.index("K") + 1, game="leduc_poker", name="ranks")
    require_between(ranks * suits, 3, MAX_LEDUC_CARDS, game="leduc_poker", name="ranks * suits")
    require_between(raises, 0, MAX_LEDUC_RAISES, game="leduc_poker", name="raises")
    rules = _LeducRules(_faces(ranks), suits, raises)
    standard = (ranks, suits, raises) == (3, 2, 2)
    title = "Leduc poker" if standard else f"Leduc poker ({ranks} ranks, {suits} suits)"
    return lay_out(_LeducPosition(), expand=rules.expand, players=PLAYERS, title=title)


@dataclass(frozen=True)
class _LeducRules:
    faces: str
    suits: int
    raises: int

    def expand(self, position: _LeducPosition) -> Node[_LeducPosition]:
        cards, rounds = position.cards, position.rounds
        if len(cards) < 2 or (len(rounds) == 2 and len(cards) < 3):
            return self._deal(position)
        moves = rounds[-1]
        if moves.endswith("f"):
            folder = (len(moves) - 1) % 2
            lost = self._paid(rounds)[folder]
            return Terminal((-lost, lost) if folder == 0 else (lost, -lost))
        if moves.endswith("c") and len(moves) >= 2:
            if len(rounds) == 2:
                return Terminal(self._showdown(position))
            return self._deal(_LeducPosition(cards, (*rounds, "")))
        return self._decision(position)

    def _deal(self, position: _LeducPosition) -> Chance[_LeducPosition]:
        deck = [c for c in range(len(self.faces) * self.suits) if c not in position.cards]
        share = Fraction(1, len(deck))
        return Chance(
            {
                self._card(c): (share, _LeducPosition((*position.cards, c), position.rounds))
                for c in deck
            }
        )

    def _decision(self, position: _LeducPosition) -> Decision[_LeducPosition]:
        cards, (*before, moves) = position.cards, position.rounds
        player = len(moves) % 2
        labels = {"c": "call" if moves.endswith("r") else "check"}
        if moves.endswith("r"):
            labels = {"f": "fold", **labels}
        if moves.count("r") < self.raises:
            labels["r"] = "raise"
        children = {
            label: _LeducPosition(cards, (*before, moves + move)) for move, label in labels.items()
        }
        public = f" {self._card(cards[2])}" if len(cards) == 3 else ""
        knowledge = f"{self._card(cards[player])}{public} {'/'.join(position.rounds)}".rstrip()
        return Decision(player, knowledge, children)

    def _card(self, card: int) -> str:
        suit = "shdc"[card % self.suits] if self.suits <= 4 else f".{card % self.suits + 1}"
        return self.faces[card // self.suits] + suit

    def _paid(self, rounds: tuple[str, ...]) -> list[int]:
        """Return what each player has put into the pot."""
        paid = [1, 1]
        for amount, moves in zip((2, 4)[: len(rounds)], rounds, strict=True):
            for turn, move in enumerate(moves):
                if move != "f":
                    paid[turn % 2] = max(paid) + (amount if move == "r" else 0)
        return paid

    def _showdown(self, position: _LeducPosition) -> tuple[int, int]:
        stake = self._paid(position.rounds)[0]
        first, second, public = (card // self.suits for card in position.cards)
        strength = [(own == public, own) for own in (first, second)]
        if strength[0] == strength[1]:
            return (0, 0)
        return (stake, -stake) if strength[0] > strength[1] else (-stake, stake)
