"""Expected payoffs of a profile, and of each action against the others' strategies.

Exact profiles give ``Fraction``, float profiles float64. Exact tensors are contracted as integers
over a common denominator, which spares a greatest common divisor in every product.
"""

from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arrays import (
    NumberArray,
    ScaledIntegers,
    freeze,
    scaled_integers,
)
from gametheory_core.evaluation.outcomes import outcome_distribution
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile
from gametheory_core.strategies.profiles import check_profile


def expected_payoffs(
    game: NormalFormGame | ExtensiveFormGame, profile: MixedProfile | BehavioralProfile
) -> NumberArray:
    """Return each player's expected payoff, shape (num_players,).

    Parameters
    ----------
    game : NormalFormGame or ExtensiveFormGame
    profile : MixedProfile or BehavioralProfile
        Exact or float; of the game.

    Raises
    ------
    InvalidStrategy
        If the profile does not fit the game.

    Examples
    --------
    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> expected_payoffs(dilemma, pure_profile(dilemma, (0, 1))).tolist()
    [Fraction(0, 1), Fraction(5, 1)]
    """
    check_profile(game, profile)
    if isinstance(game, ExtensiveFormGame):
        law = outcome_distribution(game, cast("BehavioralProfile", profile))
        table = game.exact_terminal_payoffs if law.dtype == object else game.terminal_payoffs
        return freeze(np.asarray(law @ table))
    mixed = cast("MixedProfile", profile)
    values = [
        action_payoffs(game, mixed, player=i) @ mixed.strategies[i] for i in range(game.num_players)
    ]
    return freeze(np.array(values, dtype=object if mixed.is_exact else None))


def action_payoffs(game: NormalFormGame, profile: MixedProfile, *, player: int) -> NumberArray:
    """Return what each of a player's actions earns against the others, shape (num_actions,).

    Parameters
    ----------
    profile : MixedProfile
        Only the other players' strategies matter.
    player : int
        Whose actions, from 0.

    Examples
    --------
    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> action_payoffs(dilemma, pure_profile(dilemma, (0, 0)), player=0).tolist()
    [Fraction(3, 1), Fraction(5, 1)]
    """
    check_mixed_profile(game, profile)
    if not profile.is_exact:
        others = list(profile.strategies)
        return freeze(_contract(game.payoffs[player], others, player))
    scaled = [scaled_integers(s) for s in profile.strategies]
    tensor = scaled_payoffs(game, player)
    denominator, total = tensor.denominator, tensor.numerators
    weights = [s.numerators for s in scaled]
    for other, strategy in enumerate(weights):
        if other != player:  # only the support matters, and is often small
            support = np.flatnonzero(strategy)
            total = total.take(support, axis=other)
            weights[other] = strategy[support]
    total = _contract(total, weights, player)
    for other, strategy in enumerate(scaled):
        if other != player:
            denominator *= strategy.denominator
    out = np.empty(len(total), dtype=object)
    out[:] = [Fraction(int(value), denominator) for value in total]
    return freeze(out)


def scaled_payoffs(game: NormalFormGame, player: int) -> ScaledIntegers:
    """Return one player's exact payoffs as integers over a common denominator."""
    return game.scaled_payoffs[player]


def _contract(tensor: NumberArray, strategies: list[NumberArray], player: int) -> NumberArray:
    for axis in reversed(range(len(strategies))):  # from the back, so axes keep their numbers
        if axis != player:
            tensor = np.moveaxis(tensor, axis, -1) @ strategies[axis]
    return tensor
