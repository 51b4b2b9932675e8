"""Strictly competitive games of two players: constant-sum, up to the units of payoffs.

With some *rate* ``k > 0`` and constant ``c``, every play pays

    k * (payoff of player 0) + (payoff of player 1) = c,

so that what is better for one player is worse for the other, lotteries included. No other games are
like that (Adler, Daskalakis and Papadimitriou 2009). Best responses, equilibria and commitments are
those of the *zero-sum twin*, in which player 1 is paid minus the payoff of player 0.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame, path_to
from gametheory_core.games.kept import kept_with_game
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    HOLDS,
    Verdict,
    is_constant_sum,
    payoff_sum,
    play_payoffs,
    shortened,
)
from gametheory_core.games.tree_table import Outcome

FEW = 16  # plays that break nearly all games that are broken


@dataclass(frozen=True)
class Exchange:
    """At what rate one player's gain is the other's loss.

    Attributes:
        rate: What player 1 loses for each unit that player 0 gains; positive.
        constant: ``rate`` times the payoff of player 0, plus the payoff of player 1.
    """

    rate: Fraction
    constant: Fraction


class _Paid(NamedTuple):
    """A play, and what it pays both players."""

    play: int
    first: Fraction
    second: Fraction


@kept_with_game
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
    broken = _break_in(islice(_distinct(game), FEW))
    if not broken and not is_constant_sum(game):
        broken = _break_in(_distinct(game))
    return _differ(game, broken) if broken else HOLDS


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
    start, other, *_ = islice(_distinct(game), 2)
    rate = (other.second - start.second) / (start.first - other.first)
    return Exchange(rate, rate * start.first + start.second)


def zero_sum_twin(game: ExtensiveFormGame) -> ExtensiveFormGame:
    """Return the tree in which player 1 pays player 0 what the latter gets here.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.games import is_zero_sum
    >>> bool(is_zero_sum(zero_sum_twin(load_game("centipede"))))
    True
    """
    outcomes = (Outcome((o.payoffs[0], -o.payoffs[0]), o.label) for o in game.outcomes)
    return replace(game, outcomes=tuple(outcomes))


def _distinct(game: NormalFormGame | ExtensiveFormGame) -> Iterator[_Paid]:
    """Go over the distinct pairs of payoffs, each with the first play that pays it."""
    if isinstance(game, NormalFormGame):
        one, other = (table.ravel().tolist() for table in game.given_payoffs)
        units = 1, 1
    else:
        paid = [play_payoffs(game, player=player) for player in range(2)]
        one, other = (own.numerators.tolist() for own in paid)
        units = paid[0].denominator, paid[1].denominator
    seen = set[tuple[Any, Any]]()
    for play, pair in enumerate(zip(one, other, strict=True)):
        if pair not in seen:
            seen.add(pair)
            yield _Paid(play, *(Fraction(u) / unit for u, unit in zip(pair, units, strict=True)))


def _break_in(plays: Iterable[_Paid]) -> tuple[_Paid, ...]:
    """Return plays whose payoffs lie on no line that falls; none if all lie on one."""
    before: list[_Paid] = []
    for paid in plays:
        if len(before) < 2:
            before.append(paid)
        start, other = before[0], before[-1]
        gain, loss = other.first - start.first, start.second - other.second
        if other is not start and gain * loss <= 0:
            return (start, other)
        if gain * (start.second - paid.second) != loss * (paid.first - start.first):
            return (start, other, paid)
    return ()


def _differ(game: NormalFormGame | ExtensiveFormGame, plays: tuple[_Paid, ...]) -> Verdict:
    what = (
        "one player gains, and the other does not lose"
        if len(plays) == 2
        else "gains and losses have no fixed rate"
    )
    witness = tuple(paid.play for paid in plays)
    if isinstance(game, ExtensiveFormGame):
        witness = tuple(int(game.terminals[play]) for play in witness)
    told = [
        f"{paid.first}, {paid.second} at {_named(game, place)}"
        for paid, place in zip(plays, witness, strict=True)
    ]
    return Verdict(False, f"{what}: payoffs are {', '.join(told[:-1])} and {told[-1]}", witness)


def _named(game: NormalFormGame | ExtensiveFormGame, place: int) -> str:
    if isinstance(game, ExtensiveFormGame):
        return f"play {shortened(path_to(game, place))}" if place else "the start"
    index = np.unravel_index(place, game.num_actions)
    return f"joint action {tuple(own[a] for own, a in zip(game.actions, index, strict=True))}"
