"""What plays pay, as integers over one denominator, so that adding them up needs no fractions.

Outcomes are few compared with plays: they are scaled once, and plays add up integers, in the words
of the machine where sums surely fit.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.information_sets import NO_OUTCOME

WORD = 2**63  # integers below it in absolute value fit a word


@dataclass(frozen=True, eq=False)
class WholeNumbers:
    """Rationals as integers over one denominator.

    Attributes:
        numerators: Words only if every numerator fits.
        denominator: Positive; entry = numerator / denominator.
        largest: No numerator is larger in absolute value.
    """

    numerators: NDArray[Any]
    denominator: int
    largest: int


def whole_numbers(values: Sequence[Fraction], *, sums: int = 1) -> WholeNumbers:
    """Write rationals over their least common denominator.

    Args:
        sums: So many numerators are going to be added up: they are words only if each sum fits.
    """
    denominators = [value.denominator for value in values]
    denominator = math.lcm(*set(denominators))
    factors = {own: denominator // own for own in set(denominators)}
    whole = [
        value.numerator * factors[own] for value, own in zip(values, denominators, strict=True)
    ]
    largest = max(map(abs, whole), default=0)
    numerators = np.empty(len(whole), dtype=np.int64 if largest * sums < WORD else object)
    numerators[:] = whole
    return WholeNumbers(numerators, denominator, largest)


def play_payoffs(game: ExtensiveFormGame, *, player: int) -> WholeNumbers:
    """Return what each play pays a player, in the order of ``game.terminals``."""
    return _play_sums(game, [outcome.payoffs[player] for outcome in game.outcomes])


def play_totals(game: ExtensiveFormGame) -> WholeNumbers:
    """Return what each play pays all players together, in the order of ``game.terminals``."""
    return _play_sums(game, [_total(outcome.payoffs) for outcome in game.outcomes])


def play_total(game: ExtensiveFormGame, node: int) -> Fraction:
    """Return what is paid to all players together on the way to a node, and there."""
    total = Fraction(0)
    while node >= 0:
        outcome = int(game.node_outcome[node])
        if outcome != NO_OUTCOME:
            total += _total(game.outcomes[outcome].payoffs)
        node = int(game.parent[node])
    return total


def _total(payoffs: tuple[Fraction, ...]) -> Fraction:
    return sum(payoffs, Fraction(0))


def _play_sums(game: ExtensiveFormGame, paid: list[Fraction]) -> WholeNumbers:
    """Add up what outcomes pay on the way to each end of play."""
    longest = len(game.level_offset) - 1
    own = whole_numbers([*paid, Fraction(0)], sums=longest)  # the last entry serves NO_OUTCOME
    inner = game.node_infoset >= 0
    if not np.any(game.node_outcome[inner] != NO_OUTCOME):
        at_ends = own.numerators[game.node_outcome[game.terminals]]
        return WholeNumbers(at_ends, own.denominator, own.largest)
    total = own.numerators[game.node_outcome]
    for start, stop in zip(game.level_offset[1:-1], game.level_offset[2:], strict=True):
        total[start:stop] += total[game.parent[start:stop]]
    return WholeNumbers(total[game.terminals], own.denominator, own.largest * longest)
