"""Goofspiel with hidden bids, built from its rules."""

from dataclasses import dataclass

from gametheory_core.catalog.arguments import require_between
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.sketch import Decision, Node, Terminal, lay_out

MAX_CARDS = 6  # a million nodes


@dataclass(frozen=True)
class _Position:
    """Cards played so far by each player; the first player is ahead by one in mid-round."""

    played: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


def goofspiel(*, cards: int = 4) -> ExtensiveFormGame:
    """Goofspiel with imperfect information and prizes in descending order.

    Both players hold the cards 1 to ``cards``. In each round they bid one card in secret for the
    prize (first ``cards``, then ``cards - 1``, ... points); the higher bid wins it, and equal bids
    discard it. Players learn who won a round, not the other's card. The last cards play
    themselves. Whoever has more points in the end wins 1. By symmetry the value is 0.

    Parameters
    ----------
    cards : int
        Cards in each hand, 1 to 6; each one more makes the tree about 25 times larger.

    References
    ----------
    .. [1] S. M. Ross, "Goofspiel - the game of pure strategy", Journal of Applied Probability 8,
       1971; with hidden bids as in M. Lanctot et al., "No-regret learning in extensive-form games
       with imperfect recall", ICML 2012.
    """
    require_between(cards, 1, MAX_CARDS, game="goofspiel", name="cards")

    def expand(position: _Position) -> Node[_Position]:
        first, second = position.played
        if len(second) >= cards - 1:
            return Terminal(_payoffs(first, second, cards))
        player = len(first) - len(second)
        own = position.played[player]
        children = {
            str(card): _Position(
                ((*first, card), second) if player == 0 else (first, (*second, card))
            )
            for card in range(1, cards + 1)
            if card not in own
        }
        rounds = range(len(second))
        seen = " ".join(f"{own[r]}{'=<>'[_result(first, second, r, player)]}" for r in rounds)
        return Decision(player, seen or "start", children)

    title = f"Goofspiel with hidden bids, {cards} cards"
    return lay_out(_Position(), expand=expand, players=("Player 1", "Player 2"), title=title)


def _result(first: tuple[int, ...], second: tuple[int, ...], r: int, player: int) -> int:
    """Return 0 for equal bids, -1 (the last sign, ``>``) if the player won, 1 if lost."""
    difference = (first[r] > second[r]) - (first[r] < second[r])
    return -difference if player == 0 else difference


def _payoffs(first: tuple[int, ...], second: tuple[int, ...], cards: int) -> tuple[int, int]:
    hands = [(*played, *(set(range(1, cards + 1)) - set(played))) for played in (first, second)]
    points = 0
    for r, (mine, other) in enumerate(zip(*hands, strict=True)):
        points += (cards - r) * ((mine > other) - (mine < other))
    winner = (points > 0) - (points < 0)
    return (winner, -winner)
