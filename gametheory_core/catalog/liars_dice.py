"""Liar's dice for two players, as rules and laid out."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from gametheory_core.catalog.arguments import require_between
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tree_layout import lay_out_rules
from gametheory_core.games.tree_rules import Chance, Decision, Node, Terminal
from gametheory_core.labels import numbered_players

MOST_SIDES = 100
MOST_DICE = 20


class LiarsDicePosition(NamedTuple):
    """A moment of liar's dice.

    Attributes:
        dice: Faces from 0, as far as rolled: the first player's, then the second's.
        bids: Bid ``b`` claims ``b // sides + 1`` dice of face ``b % sides``; the number after the
            highest bid is the call.
    """

    dice: tuple[int, ...] = ()
    bids: tuple[int, ...] = ()


@dataclass(frozen=True)
class LiarsDiceRules:
    """Liar's dice for two players with hidden dice; the highest face is wild.

    A bid claims that at least so many of all dice show a face; each bid tops the last one, in
    number of dice or else in face. Calling "liar" ends the game: the bidder wins 1 if the claim
    holds, the caller otherwise.

    Attributes:
        sides: Faces of a die, 1 to 100.
        dice: Dice of each player, 1 to 20; players know how often they rolled each face.

    Source: V. Lisy, M. Lanctot and M. Bowling, "Online Monte Carlo counterfactual regret
        minimization for search in imperfect information games", AAMAS 2015, section 5.

    >>> rules = LiarsDiceRules(sides=2)
    >>> list(rules.expand(LiarsDicePosition((0, 1), (1,))).children)
    ['2x1', '2x2', 'liar']
    """

    sides: int = 4
    dice: int = 1
    title: str = field(init=False, repr=False, compare=False)
    players: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_between(self.sides, 1, MOST_SIDES, game="liars_dice", name="sides")
        require_between(self.dice, 1, MOST_DICE, game="liars_dice", name="dice")
        number = "one die" if self.dice == 1 else f"{self.dice} dice"
        object.__setattr__(self, "title", f"Liar's dice, {number} of {self.sides} sides each")
        object.__setattr__(self, "players", numbered_players(2))

    @property
    def root(self) -> LiarsDicePosition:
        """Before the first die is rolled."""
        return LiarsDicePosition()

    def expand(self, position: LiarsDicePosition) -> Node[LiarsDicePosition]:
        """Roll a die, bid, or look at all dice."""
        dice, bids = position
        if len(dice) < 2 * self.dice:
            share = Fraction(1, self.sides)
            faces = range(self.sides)
            return Chance({str(f + 1): (share, LiarsDicePosition((*dice, f))) for f in faces})
        player, options, heard = _bidding(bids, self.sides, self.dice)
        if not options:
            return Terminal(_payoffs(dice, bids, self.sides))
        children = {label: LiarsDicePosition(dice, after) for label, after in options}
        return Decision(player, _hand(dice, player) + heard, children)

    def shape_key(self, position: LiarsDicePosition) -> tuple[object, ...]:
        """Return what fixes the shape of the tree below: the last bid, not the dice."""
        return len(position.dice), position.bids[-1:]


@lru_cache(maxsize=4096)
def _hand(dice: tuple[int, ...], player: int) -> str:
    """Return what a player knows of the dice: its own, sorted."""
    half = len(dice) // 2
    own = dice[:half] if player == 0 else dice[half:]
    return " ".join(str(face + 1) for face in sorted(own)) + ":"


class _Bidding(NamedTuple):
    """Who moves, what may follow (nothing after the call), and the bids heard."""

    player: int
    options: tuple[tuple[str, tuple[int, ...]], ...]
    heard: str


@lru_cache(maxsize=65_536)
def _bidding(bids: tuple[int, ...], sides: int, dice: int) -> _Bidding:
    """Return what the bids so far say, the same for all dice."""
    call = 2 * dice * sides
    if bids and bids[-1] == call:
        return _Bidding(0, (), "")
    lowest = bids[-1] + 1 if bids else 0
    options = [(_bid_text(bid, sides), (*bids, bid)) for bid in range(lowest, call)]
    if bids:
        options.append(("liar", (*bids, call)))
    heard = "".join(f" {_bid_text(bid, sides)}" for bid in bids)
    return _Bidding(len(bids) % 2, tuple(options), heard)


def _bid_text(bid: int, sides: int) -> str:
    return f"{bid // sides + 1}x{bid % sides + 1}"


def _payoffs(dice: tuple[int, ...], bids: tuple[int, ...], sides: int) -> tuple[int, int]:
    bid, bidder = bids[-2], len(bids) % 2  # the last is the call, which comes after the bid
    face, wild = bid % sides, sides - 1
    shown = dice.count(face) + (dice.count(wild) if face != wild else 0)
    holds = shown >= bid // sides + 1
    winner = bidder if holds else 1 - bidder
    return (1, -1) if winner == 0 else (-1, 1)


def liars_dice(*, sides: int = 4, dice: int = 1) -> ExtensiveFormGame:
    """Liar's dice for two players with hidden dice; the highest face is wild.

    A bid claims that at least so many of all dice show a face; each bid tops the last one, in
    number of dice or else in face. Calling "liar" ends the game: the bidder wins 1 if the claim
    holds, the caller otherwise. With one die of four sides each the value to the first player
    is 1/16.

    Args:
        sides: Faces of a die; each one more makes the tree about 6 times larger.
        dice: Dice of each player.

    Source: V. Lisy, M. Lanctot and M. Bowling, "Online Monte Carlo counterfactual regret
        minimization for search in imperfect information games", AAMAS 2015, section 5.
    """
    return lay_out_rules(LiarsDiceRules(sides, dice))
