"""What players could gain by deviating: deviation gains, NashConv, exploitability."""

from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arrays import NumberArray, freeze
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.best_response import best_response
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.properties import is_constant_sum
from gametheory_core.strategies.profiles import Game, Profile


def deviation_gains(game: Game, profile: Profile) -> NumberArray:
    """Return, for each player, best-response value minus own value; payoff units, at least 0.

    Args:
        profile: Exact or float; of the game.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If a player of a tree lacks perfect recall.

    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> deviation_gains(dilemma, pure_profile(dilemma, (0, 0))).tolist()
    [Fraction(2, 1), Fraction(2, 1)]
    """
    values = expected_payoffs(game, profile)
    responses = [best_response(game, profile, player=i).value for i in range(game.num_players)]
    best = np.array(responses, dtype=values.dtype)
    return freeze(best - values)


def epsilon(game: Game, profile: Profile) -> Fraction | float:
    """Return the largest deviation gain: the profile is an epsilon-Nash equilibrium.

    Args:
        profile: Exact or float; of the game.

    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> str(epsilon(dilemma, pure_profile(dilemma, (1, 1))))
    '0'
    """
    return cast("Fraction | float", max(deviation_gains(game, profile)))


def nash_conv(game: Game, profile: Profile) -> Fraction | float:
    """Return the sum of all deviation gains.

    Args:
        profile: Exact or float; of the game.

    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> str(nash_conv(dilemma, pure_profile(dilemma, (0, 0))))
    '4'
    """
    return cast("Fraction | float", sum(deviation_gains(game, profile).tolist()))


def exploitability(game: Game, profile: Profile) -> Fraction | float:
    """Return NashConv divided by two, for two-player constant-sum games.

    Args:
        profile: Exact or float; of the game.

    Raises:
        UnsupportedGame: If the game has not two players, or is not constant-sum.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> kuhn = load_game("kuhn_poker")
    >>> str(exploitability(kuhn, uniform_behavior(kuhn)))
    '11/24'
    """
    if game.num_players != 2:
        raise UnsupportedGame(
            f"exploitability: needs two players, but {game!r} has {game.num_players}. "
            "Use nash_conv."
        )
    constant = is_constant_sum(game)
    if not constant:
        raise UnsupportedGame(
            f"exploitability: needs a constant-sum game, but {constant.reason}. Use nash_conv."
        )
    return nash_conv(game, profile) / 2
