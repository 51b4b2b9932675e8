"""Linear objectives of correlated play: what is to be as large as possible, as data."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE, ZERO, ScaledIntegers, exact_array, freeze, scaled_integers
from gametheory_core.certificates.incentives import added, objects
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame


@dataclass(frozen=True)
class LinearObjective:
    """The value of a joint action: weighted payoffs, plus a number of its own.

    Attributes:
        payoff_weights: One for each player; negative ones make a payoff small.
        action_weights: One for each joint action, the last player's action changing fastest; empty
            for none.
    """

    payoff_weights: tuple[Fraction, ...]
    action_weights: tuple[Fraction, ...] = ()

    @staticmethod
    def welfare(game: NormalFormGame) -> "LinearObjective":
        """Maximize the sum of all payoffs."""
        require_normal_form(game)
        return LinearObjective((ONE,) * game.num_players)

    @staticmethod
    def payoff(game: NormalFormGame, *, player: int) -> "LinearObjective":
        """Maximize one player's payoff."""
        return LinearObjective(_unit(game, player, ONE))

    @staticmethod
    def least_payoff(game: NormalFormGame, *, player: int) -> "LinearObjective":
        """Minimize one player's payoff."""
        return LinearObjective(_unit(game, player, -ONE))

    @staticmethod
    def of_joint_actions(game: NormalFormGame, weights: object) -> "LinearObjective":
        """Maximize the expectation of any function of joint actions.

        Args:
            weights (array or nested sequences, shape ``num_actions``): Exact, or floats, which are
                the dyadic rationals they are.

        >>> from gametheory_core import load_game
        >>> game = load_game("matching_pennies")
        >>> objective = LinearObjective.of_joint_actions(game, [[1, 0], [0, "1/2"]])
        >>> [str(weight) for weight in objective.action_weights]
        ['1', '0', '0', '1/2']
        """
        name = "LinearObjective.of_joint_actions"
        require_normal_form(game)
        table = exact_array(weights, where=f"{name}: weights")
        if table.shape != game.num_actions:
            raise InvalidArgument(
                needs=f"weights of shape {game.num_actions}", found=f"got {table.shape}"
            )
        return LinearObjective((ZERO,) * game.num_players, tuple(table.ravel().tolist()))


def objective_values(game: NormalFormGame, objective: LinearObjective) -> ScaledIntegers:
    """Return the objective at all joint actions, shape ``num_actions``, exactly.

    Raises:
        InvalidArgument: If the weights do not fit the game.
    """
    num_joint = game.given_payoffs[0].size
    if len(objective.payoff_weights) != game.num_players or (
        objective.action_weights and len(objective.action_weights) != num_joint
    ):
        raise InvalidArgument(
            needs=f"{game.num_players} payoff weights, and {num_joint} action weights or none, for "
            f"{game!r}",
            found=f"has {len(objective.payoff_weights)} and {len(objective.action_weights)}",
            where="objective",
        )
    total = ScaledIntegers(freeze(np.zeros(game.num_actions, dtype=object)), 1)
    for weight, payoffs in zip(objective.payoff_weights, game.scaled_payoffs, strict=True):
        if weight:
            total = added(total, payoffs, factor=weight)
    if objective.action_weights:
        own = scaled_integers(objects(objective.action_weights))
        shaped = ScaledIntegers(own.numerators.reshape(game.num_actions), own.denominator)
        total = added(total, shaped)
    return total


OTHER = "its objective"  # the name of an objective that has none of its own


def objective_name(game: NormalFormGame, objective: LinearObjective) -> str:
    """Name what an objective is about: a player's payoff, the sum of all, or "its objective"."""
    weights = objective.payoff_weights
    counted = [i for i, weight in enumerate(weights) if weight]
    if objective.action_weights or len(weights) != game.num_players:
        return OTHER
    if {weights[i] for i in counted} not in ({ONE}, {-ONE}):
        return OTHER
    if len(counted) == 1:
        return f"the payoff of player {game.players[counted[0]]!r}"
    return "the sum of payoffs" if len(counted) == game.num_players else OTHER


def is_to_be_small(game: NormalFormGame, objective: LinearObjective) -> bool:
    """Tell whether what ``objective_name`` names is to be as small as possible, not large."""
    return objective_name(game, objective) != OTHER and min(objective.payoff_weights) < 0


def _unit(game: NormalFormGame, player: int, value: Fraction) -> tuple[Fraction, ...]:
    require_normal_form(game)
    require_integer(player, name="player", low=0, high=game.num_players - 1)
    return tuple(value if i == player else ZERO for i in range(game.num_players))
