"""Regrets of a correlated distribution: what a player would gain by not doing as recommended.

A mediator draws a joint action and tells each player their own part. With ``x`` the distribution,
``u`` a player's payoffs and ``s`` the others' actions, the table

    G[a, b] = sum over s of x(a, s) (u(b, s) - u(a, s))

says what playing ``b`` whenever ``a`` is recommended gains. External regret is the largest column
sum, internal regret the largest entry, swap regret the sum of the rows' largest entries. All of
them are exact and in payoff units.

Entropies of rational distributions are enclosed between rationals. Logarithms and exponentials are
irrational, so each is computed by ``decimal``, which rounds them correctly, and widened by a unit
in its last place on either side. Sums are whole multiples of ``10**-DIGITS``, rounded down for the
lower and up for the upper end.
"""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import NamedTuple, cast

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import (
    NumberArray,
    ScaledIntegers,
    as_exact,
    freeze,
    object_array,
    scaled_integers,
)
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies import CorrelatedDistribution
from gametheory_core.strategies.correlated import check_correlated_distribution


def external_regret(
    game: NormalFormGame, distribution: CorrelatedDistribution, *, player: int
) -> Fraction:
    """Return what the best single action, always played, earns beyond obeying.

    Returns:
        Negative if every single action earns less than obeying.

    Raises:
        InvalidStrategy: If the distribution does not fit the game.
        InvalidArgument: If there is no such player.

    >>> from gametheory_core import correlated_distribution, load_game
    >>> game = load_game("prisoners_dilemma")
    >>> external_regret(game, correlated_distribution([[1, 0], [0, 0]]), player=0)
    Fraction(2, 1)
    """
    gains = deviation_table(game, distribution, player=player)
    return Fraction(max(gains.numerators.sum(axis=0).tolist()), gains.denominator)


def internal_regret(
    game: NormalFormGame, distribution: CorrelatedDistribution, *, player: int
) -> Fraction:
    """Return what the best single swap gains: one action played whenever another is recommended.

    At least 0, as an action may be swapped for itself. Raises as ``external_regret``.

    >>> from gametheory_core import correlated_distribution, load_game
    >>> game = load_game("prisoners_dilemma")
    >>> internal_regret(game, correlated_distribution([["1/2", 0], [0, "1/2"]]), player=0)
    Fraction(1, 1)
    """
    gains = deviation_table(game, distribution, player=player)
    return Fraction(max(gains.numerators.ravel().tolist()), gains.denominator)


def swap_regret(
    game: NormalFormGame, distribution: CorrelatedDistribution, *, player: int
) -> Fraction:
    """Return what the best swap map gains: an answer of one's own to each recommendation.

    At least the internal regret, and at most that times the number of actions. Raises as
    ``external_regret``.

    >>> from gametheory_core import correlated_distribution, load_game
    >>> game = load_game("matching_pennies")
    >>> obeyed = correlated_distribution([["1/2", 0], [0, "1/2"]])
    >>> [str(swap_regret(game, obeyed, player=i)) for i in (0, 1)]
    ['0', '2']
    """
    gains = deviation_table(game, distribution, player=player)
    return Fraction(sum(max(row) for row in gains.numerators.tolist()), gains.denominator)


def deviation_table(
    game: NormalFormGame, distribution: CorrelatedDistribution, *, player: int
) -> ScaledIntegers:
    """Return the table ``G`` of one player, shape (recommended, played), exactly."""
    require_normal_form(game)
    require_integer(player, name="player", low=0, high=game.num_players - 1)
    check_correlated_distribution(game, distribution)
    payoffs = game.scaled_payoffs[player]
    weights = scaled_integers(object_array(distribution.probabilities))
    places = np.array(distribution.joint_actions, dtype=np.intp).T
    others = tuple(np.delete(places, player, axis=0))
    against = np.moveaxis(payoffs.numerators, player, -1)[others]  # (support, own actions)
    earned = np.zeros((len(game.actions[player]),) * 2, dtype=object)
    np.add.at(earned, places[player], against * weights.numerators[:, None])
    gains = earned - np.diagonal(earned)[:, None]
    return ScaledIntegers(freeze(gains), payoffs.denominator * weights.denominator)


DIGITS = 26  # ends of enclosures are multiples of 10**-DIGITS
UNIT = 10**DIGITS
PRECISION = DIGITS + 4  # digits of each logarithm and exponential
NEGLIGIBLE = -60 * UNIT  # exp(-60) < 10**-DIGITS

_CONTEXT = Context(prec=PRECISION, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


class Enclosure(NamedTuple):
    """Two rationals with a real number between them.

    Attributes:
        lower, upper: Multiples of ``10**-26``.
    """

    lower: Fraction
    upper: Fraction


def entropy_enclosure(distribution: NumberArray) -> Enclosure:
    """Enclose the Shannon entropy ``-sum p ln p`` of a distribution, in nats.

    Args:
        distribution (num_outcomes,): Probabilities that sum to one (trusted); floats are the dyadic
            rationals they are.

    Returns:
        About ``10**-25`` wide.

    >>> from gametheory_core.arrays import exact_array
    >>> bounds = entropy_enclosure(exact_array(["1/2", "1/2"]))
    >>> float(bounds.lower), float(bounds.upper - bounds.lower) < 1e-24
    (0.6931471805599453, True)
    """
    scaled = scaled_integers(as_exact(distribution))
    whole = scaled.denominator
    lower = upper = 0
    for part in cast("list[int]", scaled.numerators.tolist()):
        if 0 < part < whole:
            least, most = _logarithm(whole, part)
            lower += part * least
            upper += part * most
    return Enclosure(Fraction(lower // whole, UNIT), Fraction(-(-upper // whole), UNIT))


def logarithm_enclosure(value: Fraction) -> Enclosure:
    """Enclose ``ln`` of a positive rational.

    >>> bounds = logarithm_enclosure(Fraction(1, 2))
    >>> float(bounds.lower), float(bounds.upper - bounds.lower) < 1e-25
    (-0.6931471805599453, True)
    """
    lower, upper = _logarithm(value.numerator, value.denominator)
    return Enclosure(Fraction(lower, UNIT), Fraction(upper, UNIT))


def log_sum_exp_enclosure(exponents: ScaledIntegers) -> Enclosure:
    """Enclose ``ln sum exp(z)`` over rationals ``z``.

    Args:
        exponents (num_terms,): At least one, of any size and sign.

    Returns:
        About ``10**-25`` wide for each term.
    """
    numerators = cast("list[int]", exponents.numerators.tolist())
    largest, denominator = max(numerators), exponents.denominator
    lower = upper = 0
    for numerator in numerators:
        least, most = _exponential(-((largest - numerator) * UNIT // denominator))
        lower += least
        upper += most
    shift = largest * UNIT // denominator
    return Enclosure(
        Fraction(shift + _logarithm(lower, UNIT)[0], UNIT),
        Fraction(shift + 1 + _logarithm(upper, UNIT)[1], UNIT),
    )


def _logarithm(numerator: int, denominator: int) -> tuple[int, int]:
    """Enclose ``ln(numerator / denominator)`` between multiples of the unit.

    The quotient is off by a relative ``10**(1 - PRECISION)`` at most, its logarithm by as much: far
    less than the unit by which both ends are moved.
    """
    quotient = _CONTEXT.divide(Decimal(numerator), Decimal(denominator))
    logarithm = _CONTEXT.ln(quotient)
    lower = _in_units(_CONTEXT.next_minus(logarithm), ROUND_FLOOR)
    upper = _in_units(_CONTEXT.next_plus(logarithm), ROUND_CEILING)
    return lower - 1, upper + 1


def _exponential(units: int) -> tuple[int, int]:
    """Enclose ``exp(z)`` for every ``z <= 0`` with ``units - 1 <= z * UNIT <= units``.

    There ``exp`` grows by less than a unit, so both ends come from ``units``.
    """
    if units < NEGLIGIBLE:
        return 0, 1
    # the exponent is exact: at most 60 units of 1 and DIGITS more digits
    power = _CONTEXT.exp(Decimal(units).scaleb(-DIGITS, _CONTEXT))
    lower = _in_units(_CONTEXT.next_minus(power), ROUND_FLOOR)
    upper = _in_units(_CONTEXT.next_plus(power), ROUND_CEILING)
    return max(0, lower - 1), upper


def _in_units(value: Decimal, rounding: str) -> int:
    shifted = value.scaleb(DIGITS, _CONTEXT)  # changes the exponent only
    return int(shifted.to_integral_value(rounding))
