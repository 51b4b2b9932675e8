"""Oshi-zumo as rules and laid out: coins are bid to push a wrestler out of the ring."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from gametheory_core.catalog.arguments import require_between
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tree_layout import lay_out_rules
from gametheory_core.games.tree_nodes import Decision, Node, Terminal
from gametheory_core.labels import numbered_players

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
    nobody has coins, or after the last round; whoever pushed him beyond the middle wins 1.

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
        require_between(self.coins, 1, MOST_COINS, game="oshi_zumo", name="coins")
        require_between(self.size, 0, MOST_SIZE, game="oshi_zumo", name="size")
        require_between(self.min_bid, 0, MOST_COINS, game="oshi_zumo", name="min_bid")
        require_between(self.horizon, 1, MOST_ROUNDS, game="oshi_zumo", name="horizon")
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
    nobody has coins, or after the last round; whoever pushed him beyond the middle wins 1. By
    symmetry the value is 0.

    Args:
        coins: Of each player at the start.
        size: Steps from the middle to the edge of the ring; one more is out.
        min_bid: Least bid; who has less bids all. With 0, plays can last until the horizon.
        horizon: Most rounds.

    Source: M. Buro, "Solving the Oshi-Zumo game", Advances in Computer Games 10, 2004, pp. 361-366.
    """
    return lay_out_rules(OshiZumoRules(coins, size, min_bid, horizon))
