"""Best-response correspondences of 2 x 2 games, as rectangles in the unit square."""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame


@dataclass(frozen=True)
class ReplyPiece:
    """Where the other's strategy lies, and which of the own ones are then best responses.

    Attributes:
        start, end: The other plays the first action with a probability from ``start`` to ``end``.
        low, high: Then playing the own first action with any probability from ``low`` to ``high``
            is best.
    """

    start: Fraction
    end: Fraction
    low: Fraction
    high: Fraction


def reply_correspondence(game: NormalFormGame, *, player: int) -> tuple[ReplyPiece, ...]:
    """Return a player's best responses to every mixed strategy of the other, exactly.

    Args:
        game: Two players with two actions each.
        player: Whose best responses: 0 or 1.

    Returns:
        Closed pieces in the order of the other's probability, each beginning where the last ends. A
        piece of no width is the strategy to which everything is best.

    Raises:
        InvalidArgument: If there is no such player.
        UnsupportedGame: If the game is not 2 x 2.

    >>> from gametheory_core import load_game
    >>> pieces = reply_correspondence(load_game("battle_of_the_sexes"), player=0)
    >>> [tuple(map(str, (p.start, p.end, p.low, p.high))) for p in pieces]
    [('0', '2/5', '0', '0'), ('2/5', '2/5', '0', '1'), ('2/5', '1', '1', '1')]
    """
    require_normal_form(game, function="reply_correspondence")
    if game.num_actions != (2, 2):
        raise UnsupportedGame(
            f"reply_correspondence: needs two players with two actions each, but got {game!r}."
        )
    require_integer(player, function="reply_correspondence", name="player", low=0, high=1)
    own = game.exact_payoffs[player] if player == 0 else game.exact_payoffs[player].T
    at_one, at_zero = (cast("Fraction", own[0, b] - own[1, b]) for b in (0, 1))
    before, after = _best(at_zero), _best(at_one)
    if at_one == at_zero or (before == after and at_one and at_zero):
        return (ReplyPiece(ZERO, ONE, *after),)
    turn = at_zero / (at_zero - at_one)  # where the first action is as good as the second
    everything = ReplyPiece(turn, turn, ZERO, ONE)
    left, right = ReplyPiece(ZERO, turn, *before), ReplyPiece(turn, ONE, *after)
    return (*([left] if turn > 0 else []), everything, *([right] if turn < 1 else []))


def _best(advantage: Fraction) -> tuple[Fraction, Fraction]:
    """Return which probabilities of the first action are best, given its advantage."""
    return (ONE if advantage > 0 else ZERO, ONE if advantage >= 0 else ZERO)
