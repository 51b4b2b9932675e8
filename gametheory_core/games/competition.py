"""Strictly competitive games of two players: constant-sum, up to the units of payoffs.

With some *rate* ``k > 0`` and constant ``c``, every play pays

    k * (payoff of player 0) + (payoff of player 1) = c,

so that what is better for one player is worse for the other, lotteries included. No other games are
like that (Adler, Daskalakis and Papadimitriou 2009). Best responses, equilibria and commitments are
those of the *zero-sum twin*, in which player 1 is paid minus the payoff of player 0.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame, path_to
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    HOLDS,
    Verdict,
    decided_once,
    is_constant_sum,
    payoff_sum,
    play_payoffs,
    shortened,
)
from gametheory_core.games.tree_table import Outcome

Pair = tuple[int, int]  # numerators of both payoffs, each over the player's own denominator


@dataclass(frozen=True)
class Exchange:
    """At what rate one player's gain is the other's loss.

    Attributes:
        rate: What player 1 loses for each unit that player 0 gains; positive.
        constant: ``rate`` times the payoff of player 0, plus the payoff of player 1.
    """

    rate: Fraction
    constant: Fraction


@dataclass(frozen=True, eq=False)
class _Payoffs:
    """The distinct pairs of payoffs, each with the number of the first play that pays it."""

    first_play: dict[Pair, int]
    denominators: tuple[int, int]


@decided_once
def is_strictly_competitive(game: NormalFormGame | ExtensiveFormGame) -> Verdict:
    """Decide whether a game of two players is constant-sum, up to the units of payoffs.

    The witness is two or three plays that break it: terminal nodes, or entries of the table by
    their place in row-major order.

    >>> from gametheory_core import NormalFormGame
    >>> game = NormalFormGame.bimatrix([[0, 1], [3, 0]], [[7, 5], [1, 7]])
    >>> bool(is_strictly_competitive(game))
    True
    >>> from gametheory_core import load_game
    >>> from gametheory_core.games import is_strictly_competitive
    >>> is_strictly_competitive(load_game("stag_hunt")).reason
    "one player gains, and the other does not lose: payoffs are 4, 4 at joint action ('stag', \
'stag') and 0, 3 at joint action ('stag', 'hare')"
    """
    if game.num_players != 2:
        return Verdict(False, f"{game!r} has {game.num_players} players")
    if is_constant_sum(game):
        return HOLDS
    found = _payoffs(game)
    start, other, *more = found.first_play
    if (other[0] - start[0]) * (other[1] - start[1]) >= 0:
        return _differ(game, found, (start, other), "one player gains, and the other does not lose")
    for pair in more:
        if not _is_on_line(start, other, pair):
            return _differ(game, found, (start, other, pair), "gains and losses have no fixed rate")
    return HOLDS


def exchange_of(game: NormalFormGame | ExtensiveFormGame) -> Exchange:
    """Return at what rate the players of a strictly competitive game exchange payoffs.

    If neither player's payoff ever changes, every rate would do, and it is 1.

    Raises:
        UnsupportedGame: If the game is not strictly competitive.

    >>> from gametheory_core import NormalFormGame
    >>> game = NormalFormGame.bimatrix([[0, 1], [3, 0]], [[7, 5], [1, 7]])
    >>> exchange_of(game)
    Exchange(rate=Fraction(2, 1), constant=Fraction(7, 1))
    """
    verdict = is_strictly_competitive(game)
    if not verdict:
        raise UnsupportedGame(needs="a strictly competitive game", found=verdict.reason)
    if is_constant_sum(game):
        return Exchange(Fraction(1), payoff_sum(game))
    found = _payoffs(game)
    (a, b), (other_a, other_b), *_ = found.first_play
    own, others = found.denominators
    rate = Fraction(b - other_b, others) / Fraction(other_a - a, own)
    return Exchange(rate, rate * Fraction(a, own) + Fraction(b, others))


def zero_sum_twin(game: ExtensiveFormGame) -> ExtensiveFormGame:
    """Return the tree in which player 1 pays player 0 what the latter gets here.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.games import is_zero_sum
    >>> bool(is_zero_sum(zero_sum_twin(load_game("centipede"))))
    True
    """
    outcomes = (Outcome((o.payoffs[0], -o.payoffs[0]), o.label) for o in game.outcomes)
    return replace(game, outcomes=tuple(outcomes))


def _payoffs(game: NormalFormGame | ExtensiveFormGame) -> _Payoffs:
    if isinstance(game, NormalFormGame):
        one, other = game.scaled_payoffs
    else:
        one, other = (play_payoffs(game, player=player) for player in range(2))
    pairs = zip(one.numerators.ravel().tolist(), other.numerators.ravel().tolist(), strict=True)
    first_play: dict[Pair, int] = {}
    for play, pair in enumerate(pairs):
        first_play.setdefault(pair, play)
    return _Payoffs(first_play, (one.denominator, other.denominator))


def _is_on_line(start: Pair, other: Pair, pair: Pair) -> bool:
    """Tell whether a pair of payoffs lies on the line through two others."""
    rise = (other[1] - start[1]) * (pair[0] - start[0])
    return rise == (pair[1] - start[1]) * (other[0] - start[0])


def _differ(
    game: NormalFormGame | ExtensiveFormGame, found: _Payoffs, pairs: tuple[Pair, ...], what: str
) -> Verdict:
    plays = [found.first_play[pair] for pair in pairs]
    if isinstance(game, ExtensiveFormGame):
        plays = [int(game.terminals[play]) for play in plays]
    units = found.denominators
    told = [
        f"{Fraction(pair[0], units[0])}, {Fraction(pair[1], units[1])} at {_named(game, play)}"
        for pair, play in zip(pairs, plays, strict=True)
    ]
    listed = f"{', '.join(told[:-1])} and {told[-1]}"
    return Verdict(False, f"{what}: payoffs are {listed}", tuple(plays))


def _named(game: NormalFormGame | ExtensiveFormGame, play: int) -> str:
    if isinstance(game, ExtensiveFormGame):
        return f"play {shortened(path_to(game, play))}" if play else "the start"
    index = np.unravel_index(play, game.num_actions)
    return f"joint action {tuple(own[a] for own, a in zip(game.actions, index, strict=True))}"
