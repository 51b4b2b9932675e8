"""Incentives to obey a mediator, and what prices on them prove about all correlated equilibria.

A *deviation* of player ``i`` changes the payoff at joint action ``s`` by ``g(s)``: in a correlated
equilibrium ``a`` is swapped for ``b`` where ``a`` is recommended, in a coarse one ``b`` is played
whatever is recommended. A distribution ``x`` is an equilibrium if ``sum x(s) g(s) <= 0`` for every
deviation. So for any *prices* ``y >= 0``, one for each deviation, any equilibrium ``x`` and any
function ``c`` of joint actions,

    sum x(s) c(s)  <=  sum x(s) (c(s) - sum y g(s))  <=  max over s of  c(s) - sum y g(s),

a bound that takes only sums to check. By the duality of linear programs some prices make it tight.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, ScaledIntegers, freeze, scaled_integers
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.regrets import external_regret, internal_regret
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import CorrelatedDistribution


class CorrelatedKind(Enum):
    """Which deviations must not pay; the value names the equilibrium."""

    CORRELATED = "correlated"  # after seeing the recommendation
    COARSE = "coarse correlated"  # before


@dataclass(frozen=True)
class IncentivePrice:
    """The multiplier of one deviation.

    Attributes:
        player: Who deviates.
        recommended: The action that is swapped; None in the coarse kind, where the recommendation
            is not seen.
        played: What is played instead.
        price: At least 0; 0 for all deviations that are not listed.
    """

    player: int
    recommended: int | None
    played: int
    price: Fraction


def kind_regret(
    game: NormalFormGame, distribution: CorrelatedDistribution, kind: CorrelatedKind, player: int
) -> Fraction:
    """Return the largest gain of a player's deviation of a kind."""
    regret = external_regret if kind is CorrelatedKind.COARSE else internal_regret
    return regret(game, distribution, player=player)


def incentive_charges(
    game: NormalFormGame, kind: CorrelatedKind, prices: Sequence[IncentivePrice]
) -> ScaledIntegers:
    """Return ``sum y g(s)`` for all joint actions ``s``, shape ``num_actions``.

    Raises:
        CertificateRejected: If a price is negative, or its deviation is none of the game and kind.
    """
    require_prices(game, kind, prices)
    total = ScaledIntegers(freeze(np.zeros(game.num_actions, dtype=object)), 1)
    for player in range(game.num_players):
        own = [entry for entry in prices if entry.player == player and entry.price]
        if own:
            total = added(total, _player_charges(game, player, own))
    return total


def _player_charges(
    game: NormalFormGame, player: int, prices: Sequence[IncentivePrice]
) -> ScaledIntegers:
    payoffs = game.scaled_payoffs[player]
    weights = scaled_integers(objects([entry.price for entry in prices]))
    rows = np.moveaxis(payoffs.numerators, player, 0)
    charges = np.zeros(rows.shape, dtype=object)
    for entry, weight in zip(prices, weights.numerators.tolist(), strict=True):
        if entry.recommended is None:
            charges += weight * (rows[entry.played] - rows)
        else:
            swapped = entry.recommended
            charges[swapped] += weight * (rows[entry.played] - rows[swapped])
    charges = np.moveaxis(charges, 0, player)
    return ScaledIntegers(freeze(charges), payoffs.denominator * weights.denominator)


def require_prices(
    game: NormalFormGame, kind: CorrelatedKind, prices: Sequence[IncentivePrice]
) -> None:
    """Reject a negative price, and a price of a deviation that the game and kind do not have."""
    coarse = kind is CorrelatedKind.COARSE
    for entry in prices:
        if entry.price < ZERO:
            raise CertificateRejected(
                needs="prices of at least 0",
                found=f"got {entry}",
                where=f"{kind.value} certificate",
            )
        if entry.player not in range(game.num_players):
            raise CertificateRejected(
                needs=f"players from 0 to {game.num_players - 1}",
                found=f"got {entry}",
                where=f"{kind.value} certificate",
            )
        actions = range(game.num_actions[entry.player])
        known = entry.recommended is None if coarse else entry.recommended in actions
        if not known or entry.played not in actions:
            raise CertificateRejected(
                needs=f"{'no recommended action' if coarse else 'a recommended action'}, and "
                f"actions from 0 to {len(actions) - 1}",
                found=f"got {entry}",
                where=f"{kind.value} certificate",
            )


def added(
    left: ScaledIntegers, right: ScaledIntegers, *, factor: Fraction | int = 1
) -> ScaledIntegers:
    """Return ``left + factor * right``."""
    scale = Fraction(factor)
    divisor = right.denominator * scale.denominator
    numerators = left.numerators * divisor + right.numerators * (scale.numerator * left.denominator)
    return ScaledIntegers(freeze(numerators), left.denominator * divisor)


def objects(values: Sequence[Fraction]) -> ExactArray:
    """Put rationals in an exact array."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
