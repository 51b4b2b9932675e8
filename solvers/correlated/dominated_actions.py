"""Correlated equilibria of what strict dominance leaves of a game, proved in the game as given.

No correlated equilibrium plays an action that iterated strict dominance eliminates. Prices prove
it: let ``W(s) = c(s) - sum y g(s)`` be what prices ``y`` leave of an objective ``c``, at most ``U``
at joint actions ``s`` of which all is left. If a mixture ``m`` dominates action ``a`` of player
``i`` against all that was left then, prices ``t m(b)`` on the swaps of ``a`` for ``b`` take

    t (u_i(m, s) - u_i(a, s))

from ``W(s)`` where ``a`` is played: for a large ``t``, as much as is needed against what was left.
The actions that went last come first: so each joint action is priced for good by the earliest of
its actions that went, and ``U`` bounds the whole game.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from gametheory_core import NormalFormGame
from gametheory_core.arrays import ScaledIntegers
from gametheory_core.certificates import CorrelatedKind, IncentivePrice
from gametheory_core.certificates.dominance import Elimination
from gametheory_core.certificates.incentives import added, incentive_charges
from gametheory_core.certificates.reduced_game import Reduction
from gametheory_core.strategies import CorrelatedDistribution
from solvers.dominance.reduction import unreduced, without_dominated
from solvers.solution import Budget, Meter

LEAST, LARGEST_UNLESS_SEEN = 400, 2_500  # joint actions: in one program of fewer, looking is long
LEAST_FOR_SEVERAL = 36  # joint actions, where several programs are solved or one takes long
GRAIN_BITS = 8  # prices are rounded up to so many


def reduced_for(
    game: NormalFormGame, kind: CorrelatedKind, meter: Meter, *, is_long: bool = False
) -> Reduction:
    """Leave out what no equilibrium of the kind plays, where that may pay; coarse ones may.

    Args:
        is_long: Whether what follows takes far longer than a program for each action.
    """
    least = LEAST_FOR_SEVERAL if is_long else LEAST
    if kind is CorrelatedKind.COARSE or game.given_payoffs[0].size < least:
        return unreduced(game)
    left = Budget(seconds=meter.seconds_left)
    return without_dominated(game, left, largest_unless_seen=0 if is_long else LARGEST_UNLESS_SEEN)


def restricted(reduction: Reduction, values: ScaledIntegers) -> ScaledIntegers:
    """Return the values at joint actions of what is left."""
    cells = np.ix_(*_kept(reduction))
    return ScaledIntegers(values.numerators[cells], values.denominator)


def distribution_in_game(
    reduction: Reduction, distribution: CorrelatedDistribution
) -> CorrelatedDistribution:
    """Number the actions as in the game."""
    kept = _kept(reduction)
    return CorrelatedDistribution(
        reduction.game.num_actions,
        tuple(
            tuple(own[action] for own, action in zip(kept, joint, strict=True))
            for joint in distribution.joint_actions
        ),
        distribution.probabilities,
    )


def prices_in_game(
    reduction: Reduction, prices: Sequence[IncentivePrice], values: ScaledIntegers
) -> tuple[IncentivePrice, ...]:
    """Add prices of swaps from dominated actions, so that they prove no less in the game.

    Args:
        prices: Of swaps of what is left, numbered there.
        values: What is bounded, at all joint actions of the game.
    """
    game, kept = reduction.game, _kept(reduction)
    found = [
        IncentivePrice(
            own.player,
            None if own.recommended is None else kept[own.player][own.recommended],
            kept[own.player][own.played],
            own.price,
        )
        for own in prices
    ]
    charges = incentive_charges(game, CorrelatedKind.CORRELATED, found)
    total = added(values, charges, factor=-1)
    worth = ScaledIntegers(np.array(total.numerators), total.denominator)
    most = worth.numerators[np.ix_(*kept)].max()
    left = [set(own) for own in kept]
    rounds = sorted({each.round_number for each in reduction.eliminations}, reverse=True)
    for number in rounds:
        gone = [each for each in reduction.eliminations if each.round_number == number]
        for each in gone:
            left[each.player].add(each.action)
        for each in gone:
            price = _priced(game, each, worth, most, left)
            found += [
                IncentivePrice(each.player, each.action, instead, price * weight)
                for instead, weight in zip(each.dominators, each.weights, strict=True)
                if price and weight
            ]
    return tuple(found)


def _priced(
    game: NormalFormGame,
    gone: Elimination,
    worth: ScaledIntegers,
    most: int,
    left: Sequence[set[int]],
) -> Fraction:
    """Price an action, changing ``worth.numerators`` in place, so that they are at most ``most``.

    Prices are such that the denominator of ``worth`` stays.
    """
    player, payoffs = gone.player, game.scaled_payoffs[gone.player]
    rows = np.moveaxis(payoffs.numerators, player, 0)
    unit = lcm(*(weight.denominator for weight in gone.weights))
    gain = -unit * rows[gone.action]
    for instead, weight in zip(gone.dominators, gone.weights, strict=True):
        gain = gain + int(weight * unit) * rows[instead]
    own = np.moveaxis(worth.numerators, player, 0)[gone.action, ...]
    cells = np.ix_(*(sorted(others) for j, others in enumerate(left) if j != player))
    times = _rounded_up(max(0, -((most - own[cells]) // gain[cells]).min()))
    own -= times * gain
    return Fraction(times * unit * payoffs.denominator, worth.denominator)


def _rounded_up(value: int) -> int:
    """Return a number of few bits that is at least as large."""
    grain = max(0, value.bit_length() - GRAIN_BITS)
    return -(-value >> grain) << grain


def _kept(reduction: Reduction) -> list[list[int]]:
    return [[classes[0] for classes in own] for own in reduction.copies]
