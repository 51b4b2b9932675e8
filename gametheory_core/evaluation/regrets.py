"""Regrets of a correlated distribution: what a player would gain by not doing as recommended.

A mediator draws a joint action and tells each player the own part. With ``x`` the distribution,
``u`` a player's payoffs and ``s`` the others' actions, the table

    G[a, b] = sum over s of x(a, s) (u(b, s) - u(a, s))

says what playing ``b`` whenever ``a`` is recommended gains. External regret is the largest column
sum, internal regret the largest entry, swap regret the sum of the rows' largest entries. All of
them are exact and in payoff units.
"""

from fractions import Fraction

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ExactArray, ScaledIntegers, freeze, scaled_integers
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import (
    CorrelatedDistribution,
    check_correlated_distribution,
)


def external_regret(
    game: NormalFormGame, distribution: CorrelatedDistribution, *, player: int
) -> Fraction:
    """Return what the best single action, always played, earns beyond obeying.

    Args:
        distribution: Over the joint actions of the game.
        player: Who deviates, from 0.

    Returns:
        Negative if every single action earns less than obeying.

    Raises:
        InvalidStrategy: If the distribution does not fit the game.
        InvalidArgument: If there is no such player.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.strategies.correlated import correlated_distribution
    >>> game = load_game("prisoners_dilemma")
    >>> external_regret(game, correlated_distribution([[1, 0], [0, 0]]), player=0)
    Fraction(2, 1)
    """
    require_normal_form(game, function="external_regret")
    require_integer(
        player, function="external_regret", name="player", low=0, high=game.num_players - 1
    )
    gains = deviation_table(game, distribution, player=player)
    return Fraction(max(gains.numerators.sum(axis=0).tolist()), gains.denominator)


def internal_regret(
    game: NormalFormGame, distribution: CorrelatedDistribution, *, player: int
) -> Fraction:
    """Return what the best single swap gains: one action played whenever another is recommended.

    Args:
        distribution: Over the joint actions of the game.
        player: Who deviates, from 0.

    Returns:
        At least 0, as an action may be swapped for itself.

    Raises:
        InvalidStrategy: If the distribution does not fit the game.
        InvalidArgument: If there is no such player.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.strategies.correlated import correlated_distribution
    >>> game = load_game("prisoners_dilemma")
    >>> internal_regret(game, correlated_distribution([["1/2", 0], [0, "1/2"]]), player=0)
    Fraction(1, 1)
    """
    require_normal_form(game, function="internal_regret")
    require_integer(
        player, function="internal_regret", name="player", low=0, high=game.num_players - 1
    )
    gains = deviation_table(game, distribution, player=player)
    return Fraction(max(gains.numerators.ravel().tolist()), gains.denominator)


def swap_regret(
    game: NormalFormGame, distribution: CorrelatedDistribution, *, player: int
) -> Fraction:
    """Return what the best swap map gains: an answer of one's own to each recommendation.

    Args:
        distribution: Over the joint actions of the game.
        player: Who deviates, from 0.

    Returns:
        At least the internal regret, and at most that times the number of actions.

    Raises:
        InvalidStrategy: If the distribution does not fit the game.
        InvalidArgument: If there is no such player.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.strategies.correlated import correlated_distribution
    >>> game = load_game("matching_pennies")
    >>> obeyed = correlated_distribution([["1/2", 0], [0, "1/2"]])
    >>> [str(swap_regret(game, obeyed, player=i)) for i in (0, 1)]
    ['0', '2']
    """
    require_normal_form(game, function="swap_regret")
    require_integer(player, function="swap_regret", name="player", low=0, high=game.num_players - 1)
    gains = deviation_table(game, distribution, player=player)
    return Fraction(sum(max(row) for row in gains.numerators.tolist()), gains.denominator)


def deviation_table(
    game: NormalFormGame, distribution: CorrelatedDistribution, *, player: int
) -> ScaledIntegers:
    """Return the table ``G`` of one player, shape (recommended, played), exactly.

    Raises:
        InvalidStrategy: If the distribution does not fit the game.
        InvalidArgument: If there is no such player.
    """
    check_correlated_distribution(game, distribution)
    if player not in range(game.num_players):
        raise InvalidArgument(
            f"regret: needs a player from 0 to {game.num_players - 1}, but got {player!r}."
        )
    payoffs = game.scaled_payoffs[player]
    weights = scaled_integers(_objects(distribution.probabilities))
    places = np.array(distribution.joint_actions, dtype=np.intp).T
    others = tuple(np.delete(places, player, axis=0))
    against = np.moveaxis(payoffs.numerators, player, -1)[others]  # (support, own actions)
    earned = np.zeros((len(game.actions[player]),) * 2, dtype=object)
    np.add.at(earned, places[player], against * weights.numerators[:, None])
    gains = earned - np.diagonal(earned)[:, None]
    return ScaledIntegers(freeze(gains), payoffs.denominator * weights.denominator)


def _objects(values: tuple[Fraction, ...]) -> ExactArray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
