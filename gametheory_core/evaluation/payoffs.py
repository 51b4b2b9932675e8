"""Expected payoffs of a profile, and of each action against the others' strategies.

Exact profiles give ``Fraction``, float profiles float64. Exact tensors are contracted as integers
over a common denominator, which spares a greatest common divisor in every product.
"""

from fractions import Fraction
from operator import mul
from typing import cast

import numpy as np

from gametheory_core.arrays import (
    ExactArray,
    NumberArray,
    ScaledIntegers,
    freeze,
    scaled_integers,
)
from gametheory_core.evaluation.collected_payoffs import expected_payoff
from gametheory_core.evaluation.exact_products import exact_product
from gametheory_core.evaluation.outcomes import outcome_distribution
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile
from gametheory_core.strategies.profiles import check_profile

WORTH_CUTTING = 800  # payoffs; below, Python integers are quicker than digits


def expected_payoffs(
    game: NormalFormGame | ExtensiveFormGame, profile: MixedProfile | BehavioralProfile
) -> NumberArray:
    """Return each player's expected payoff, shape (num_players,).

    Args:
        profile: Exact or float; of the game.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> expected_payoffs(dilemma, pure_profile(dilemma, (0, 1))).tolist()
    [Fraction(0, 1), Fraction(5, 1)]
    """
    check_profile(game, profile)
    if isinstance(game, ExtensiveFormGame):
        behavior = cast("BehavioralProfile", profile)
        if not behavior.is_exact:
            return freeze(outcome_distribution(game, behavior) @ game.terminal_payoffs)
        payoffs = np.empty(game.num_players, dtype=object)
        payoffs[:] = [expected_payoff(game, behavior, player=i) for i in range(game.num_players)]
        return freeze(payoffs)
    mixed = cast("MixedProfile", profile)
    if mixed.is_exact:
        exact = [
            expected_value(scaled_action_payoffs(game, mixed, player=i), own)
            for i, own in enumerate(mixed.strategies)
        ]
        return freeze(np.array(exact, dtype=object))
    floats = [action_payoffs(game, mixed, player=i) @ own for i, own in enumerate(mixed.strategies)]
    return freeze(np.array(floats))


def action_payoffs(game: NormalFormGame, profile: MixedProfile, *, player: int) -> NumberArray:
    """Return what each of a player's actions earns against the others, shape (num_actions,).

    Args:
        profile: Only the other players' strategies matter.
        player: Whose actions, from 0.

    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> action_payoffs(dilemma, pure_profile(dilemma, (0, 0)), player=0).tolist()
    [Fraction(3, 1), Fraction(5, 1)]
    """
    check_mixed_profile(game, profile)
    if not profile.is_exact:
        others = list(profile.strategies)
        return freeze(_contract(game.payoffs[player], others, player))
    return _fractions(scaled_action_payoffs(game, profile, player=player))


def scaled_action_payoffs(
    game: NormalFormGame, profile: MixedProfile, *, player: int
) -> ScaledIntegers:
    """Return the same of an exact profile as integers over a common denominator.

    Comparing and adding them needs no greatest common divisors.

    Args:
        profile: Exact, and of the game (trusted).
        player: Whose actions, from 0.
    """
    others = {
        other: scaled_integers(strategy)
        for other, strategy in enumerate(profile.strategies)
        if other != player
    }
    if game.num_players == 2 and game.given_payoffs.size >= WORTH_CUTTING:
        floats = game.scaled_floats[player]
        if floats is not None:
            own_first = floats.numerators if player == 0 else floats.numerators.T
            product = exact_product(own_first, others[1 - player])
            return ScaledIntegers(product.numerators, product.denominator * floats.denominator)
    return _contract_in_integers(scaled_payoffs(game, player), others)


def expected_value(values: ScaledIntegers, strategy: NumberArray) -> Fraction:
    """Average the values of actions, with one greatest common divisor in all."""
    weights = scaled_integers(strategy)
    total = sum(map(mul, weights.numerators.tolist(), values.numerators.tolist()))
    return Fraction(total, weights.denominator * values.denominator)


def largest_value(values: ScaledIntegers) -> Fraction:
    """Return the value of the best action."""
    return Fraction(max(values.numerators.tolist()), values.denominator)


def _fractions(scaled: ScaledIntegers) -> ExactArray:
    out = np.empty(len(scaled.numerators), dtype=object)
    out[:] = [Fraction(value, scaled.denominator) for value in scaled.numerators.tolist()]
    return freeze(out)


def _contract_in_integers(
    tensor: ScaledIntegers, others: dict[int, ScaledIntegers]
) -> ScaledIntegers:
    denominator, total = tensor.denominator, tensor.numerators
    supports = {axis: np.flatnonzero(weights.numerators) for axis, weights in others.items()}
    for axis, support in supports.items():  # only they matter, and they are often small
        total = total.take(support, axis=axis)
    for axis in sorted(others, reverse=True):  # from the back, so axes keep their numbers
        total = np.moveaxis(total, axis, -1) @ others[axis].numerators[supports[axis]]
        denominator *= others[axis].denominator
    return ScaledIntegers(freeze(total), denominator)


def scaled_payoffs(game: NormalFormGame, player: int) -> ScaledIntegers:
    """Return one player's exact payoffs as integers over a common denominator."""
    return game.scaled_payoffs[player]


def _contract(tensor: NumberArray, strategies: list[NumberArray], player: int) -> NumberArray:
    for axis in reversed(range(len(strategies))):  # from the back, so axes keep their numbers
        if axis != player:
            tensor = np.moveaxis(tensor, axis, -1) @ strategies[axis]
    return tensor
