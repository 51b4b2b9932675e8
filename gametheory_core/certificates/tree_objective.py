"""Linear objectives of play in trees: what is to be as large as possible, as data."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE, ZERO, ExactArray, exact_array
from gametheory_core.certificates.linear_objective import (
    OTHER,
    LinearObjective,
    objective_name,
)
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree


@dataclass(frozen=True)
class TreeObjective:
    """The value of an end of play: weighted payoffs, plus a number of its own.

    Attributes:
        payoff_weights: One for each player; negative ones make a payoff small.
        play_weights: One for each end of play, in the order of ``game.terminals``; empty for none.
    """

    payoff_weights: tuple[Fraction, ...]
    play_weights: tuple[Fraction, ...] = ()

    @staticmethod
    def welfare(game: ExtensiveFormGame) -> "TreeObjective":
        """Maximize the sum of all payoffs."""
        require_tree(game)
        return TreeObjective((ONE,) * game.num_players)

    @staticmethod
    def payoff(game: ExtensiveFormGame, *, player: int) -> "TreeObjective":
        """Maximize one player's payoff."""
        return TreeObjective(_unit(game, player, ONE))

    @staticmethod
    def least_payoff(game: ExtensiveFormGame, *, player: int) -> "TreeObjective":
        """Minimize one player's payoff."""
        return TreeObjective(_unit(game, player, -ONE))

    @staticmethod
    def of_plays(game: ExtensiveFormGame, weights: object) -> "TreeObjective":
        """Maximize the expectation of any function of the end of play.

        Args:
            weights (vector of numbers, one for each of ``game.terminals``): Exact, or floats, which
                are the dyadic rationals they are.

        >>> from gametheory_core import load_game
        >>> tree = load_game("centipede:rounds=2")
        >>> TreeObjective.of_plays(tree, [0, 0, 1]).play_weights[2]
        Fraction(1, 1)
        """
        name = "TreeObjective.of_plays"
        require_tree(game)
        table = exact_array(weights, where=f"{name}: weights")
        if table.shape != (len(game.terminals),):
            raise InvalidArgument(
                needs=f"a weight for each of {len(game.terminals)} ends of play",
                found=f"got shape {table.shape}",
            )
        return TreeObjective((ZERO,) * game.num_players, tuple(table.tolist()))


def values_at_ends(game: ExtensiveFormGame, objective: TreeObjective) -> ExactArray:
    """Return the objective at each end of play, shape (num_terminals,).

    Raises:
        InvalidArgument: If the weights do not fit the game.
    """
    ends = len(game.terminals)
    if len(objective.payoff_weights) != game.num_players or (
        objective.play_weights and len(objective.play_weights) != ends
    ):
        raise InvalidArgument(
            needs=f"{game.num_players} payoff weights, and {ends} play weights or none, for "
            f"{game!r}",
            found=f"has {len(objective.payoff_weights)} and {len(objective.play_weights)}",
            where="objective",
        )
    values = np.full(ends, ZERO, dtype=object)
    for player, weight in enumerate(objective.payoff_weights):
        if weight:
            values = values + weight * game.exact_terminal_payoffs[:, player]
    if objective.play_weights:
        values = values + np.array(objective.play_weights, dtype=object)
    return values


def tree_objective_name(game: ExtensiveFormGame, objective: TreeObjective) -> str:
    """Name what an objective is about: a player's payoff, the sum of all, or "its objective"."""
    same = LinearObjective(objective.payoff_weights, objective.play_weights)
    return objective_name(cast("Any", game), same)  # only players' names and weights are read


def is_named_to_be_small(game: ExtensiveFormGame, objective: TreeObjective) -> bool:
    """Tell whether what ``tree_objective_name`` names is to be as small as possible."""
    return tree_objective_name(game, objective) != OTHER and min(objective.payoff_weights) < 0


def _unit(game: ExtensiveFormGame, player: int, value: Fraction) -> tuple[Fraction, ...]:
    require_tree(game)
    require_integer(player, name="player", low=0, high=game.num_players - 1)
    return tuple(value if i == player else ZERO for i in range(game.num_players))
