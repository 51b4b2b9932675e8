"""Liar's dice with one die each, built from its rules."""

from dataclasses import dataclass
from fractions import Fraction

from gametheory_core.catalog.arguments import require_between
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.sketch import Chance, Decision, Node, Terminal, lay_out

NUM_DICE = 2
MAX_SIDES = 7  # over a million nodes


@dataclass(frozen=True)
class _Position:
    """Dice rolled so far and bids made; bid ``b`` claims ``b // sides + 1`` dice of a face."""

    dice: tuple[int, ...] = ()
    bids: tuple[int, ...] = ()
    called: bool = False


def liars_dice(*, sides: int = 4) -> ExtensiveFormGame:
    """Liar's dice for two players with one hidden die each; the highest face is wild.

    A bid claims that at least so many of the two dice show a face; each bid tops the last one, in
    number of dice or else in face. Calling "liar" ends the game: the bidder wins 1 if the claim
    holds, the caller otherwise. With four sides the value to the first player is 1/16.

    Parameters
    ----------
    sides : int
        Faces of a die, 1 to 7; each one more makes the tree about 6 times larger.

    References
    ----------
    .. [1] V. Lisy, M. Lanctot and M. Bowling, "Online Monte Carlo counterfactual regret
       minimization for search in imperfect information games", AAMAS 2015, section 5.
    """
    require_between(sides, 1, MAX_SIDES, game="liars_dice", name="sides")
    last_bid = NUM_DICE * sides - 1

    def expand(position: _Position) -> Node[_Position]:
        dice, bids = position.dice, position.bids
        if len(dice) < NUM_DICE:
            share = Fraction(1, sides)
            return Chance({str(f + 1): (share, _Position((*dice, f))) for f in range(sides)})
        if position.called:
            return Terminal(_payoffs(dice, bids, sides))
        player = len(bids) % 2
        lowest = bids[-1] + 1 if bids else 0
        children = {
            _bid_text(bid, sides): _Position(dice, (*bids, bid))
            for bid in range(lowest, last_bid + 1)
        }
        if bids:
            children["liar"] = _Position(dice, bids, called=True)
        heard = "".join(f" {_bid_text(bid, sides)}" for bid in bids)
        return Decision(player, f"{dice[player] + 1}:{heard}", children)

    title = f"Liar's dice, one die of {sides} sides each"
    return lay_out(_Position(), expand=expand, players=("Player 1", "Player 2"), title=title)


def _bid_text(bid: int, sides: int) -> str:
    return f"{bid // sides + 1}x{bid % sides + 1}"


def _payoffs(dice: tuple[int, ...], bids: tuple[int, ...], sides: int) -> tuple[int, int]:
    count, face = bids[-1] // sides + 1, bids[-1] % sides
    holds = sum(die in (face, sides - 1) for die in dice) >= count
    bidder = (len(bids) - 1) % 2
    winner = bidder if holds else 1 - bidder
    return (1, -1) if winner == 0 else (-1, 1)
