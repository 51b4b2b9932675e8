"""Linear objectives of play: what is to be as large as possible, as data."""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import (
    ONE,
    ZERO,
    ExactArray,
    ScaledIntegers,
    exact_array,
    freeze,
    scaled_integers,
)
from gametheory_core.certificates.incentives import added, objects
from gametheory_core.certificates.wording import at_least, at_most, attained
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_matrix_or_tree
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.behavioral import Game


@dataclass(frozen=True)
class LinearObjective:
    """The value of an outcome: weighted payoffs, plus a number of its own.

    Outcomes are the joint actions of a normal form, or the terminal nodes of a tree.

    Attributes:
        payoff_weights: One for each player; negative ones make a payoff small.
        outcome_weights: One for each joint action, the last player's action changing fastest, or
            for each of ``game.terminals``; empty for none.
    """

    payoff_weights: tuple[Fraction, ...]
    outcome_weights: tuple[Fraction, ...] = field(
        default=(), metadata={"formerly": ("action_weights", "play_weights")}
    )

    @staticmethod
    def welfare(game: Game) -> "LinearObjective":
        """Maximize the sum of all payoffs."""
        require_matrix_or_tree(game)
        return LinearObjective((ONE,) * game.num_players)

    @staticmethod
    def payoff(game: Game, *, player: int) -> "LinearObjective":
        """Maximize one player's payoff."""
        return LinearObjective(_unit(game, player, ONE))

    @staticmethod
    def least_payoff(game: Game, *, player: int) -> "LinearObjective":
        """Minimize one player's payoff."""
        return LinearObjective(_unit(game, player, -ONE))

    @staticmethod
    def of_outcomes(game: Game, weights: object) -> "LinearObjective":
        """Maximize the expectation of any function of outcomes.

        Args:
            weights (array or nested sequences, shape ``num_actions``, or a number for each of
                ``game.terminals``): Exact, or floats, which are the dyadic rationals they are.

        >>> from gametheory_core import load_game
        >>> game = load_game("matching_pennies")
        >>> objective = LinearObjective.of_outcomes(game, [[1, 0], [0, "1/2"]])
        >>> [str(weight) for weight in objective.outcome_weights]
        ['1', '0', '0', '1/2']
        """
        name = "LinearObjective.of_outcomes"
        require_matrix_or_tree(game)
        table = exact_array(weights, where=f"{name}: weights")
        shape = (len(game.terminals),) if isinstance(game, ExtensiveFormGame) else game.num_actions
        if table.shape != shape:
            raise InvalidArgument(needs=f"weights of shape {shape}", found=f"got {table.shape}")
        return LinearObjective((ZERO,) * game.num_players, tuple(table.ravel().tolist()))


def objective_values(game: NormalFormGame, objective: LinearObjective) -> ScaledIntegers:
    """Return the objective at all joint actions, shape ``num_actions``, exactly.

    Raises:
        InvalidArgument: If the weights do not fit the game.
    """
    _require_fit(game, objective, game.given_payoffs[0].size)
    total = ScaledIntegers(freeze(np.zeros(game.num_actions, dtype=object)), 1)
    for weight, payoffs in zip(objective.payoff_weights, game.scaled_payoffs, strict=True):
        if weight:
            total = added(total, payoffs, factor=weight)
    if objective.outcome_weights:
        own = scaled_integers(objects(objective.outcome_weights))
        shaped = ScaledIntegers(own.numerators.reshape(game.num_actions), own.denominator)
        total = added(total, shaped)
    return total


def values_at_ends(game: ExtensiveFormGame, objective: LinearObjective) -> ExactArray:
    """Return the objective at each terminal node, shape (num_terminals,).

    Raises:
        InvalidArgument: If the weights do not fit the game.
    """
    _require_fit(game, objective, len(game.terminals))
    values = np.full(len(game.terminals), ZERO, dtype=object)
    for player, weight in enumerate(objective.payoff_weights):
        if weight:
            values = values + weight * game.exact_terminal_payoffs[:, player]
    if objective.outcome_weights:
        values = values + objects(objective.outcome_weights)
    return values


def _require_fit(game: Game, objective: LinearObjective, num_outcomes: int) -> None:
    own = objective.outcome_weights
    if len(objective.payoff_weights) != game.num_players or (own and len(own) != num_outcomes):
        raise InvalidArgument(
            needs=f"{game.num_players} payoff weights, and {num_outcomes} outcome weights or none, "
            f"for {game!r}",
            found=f"has {len(objective.payoff_weights)} and {len(own)}",
            where="objective",
        )


OTHER = "its objective"  # the name of an objective that has none of its own


def objective_name(game: Game, objective: LinearObjective) -> str:
    """Name what an objective is about: a player's payoff, the sum of all, or "its objective"."""
    weights = objective.payoff_weights
    counted = [i for i, weight in enumerate(weights) if weight]
    if objective.outcome_weights or len(weights) != game.num_players:
        return OTHER
    if {weights[i] for i in counted} not in ({ONE}, {-ONE}):
        return OTHER
    if len(counted) == 1:
        return f"the payoff of player {game.players[counted[0]]!r}"
    return "the sum of payoffs" if len(counted) == game.num_players else OTHER


def is_to_be_small(game: Game, objective: LinearObjective) -> bool:
    """Tell whether what ``objective_name`` names is to be as small as possible, not large."""
    return objective_name(game, objective) != OTHER and min(objective.payoff_weights) < 0


def optimum(
    game: Game, objective: LinearObjective, value: Fraction, bound: Fraction, *, rivals: str
) -> str:
    """Say how much there is of what was to be large or small, and that no rivals have more."""
    is_small = is_to_be_small(game, objective)
    if is_small:
        value, bound = -value, -bound
    said = (
        f"{objective_name(game, objective)} is {attained(value, is_small=is_small)}, and no "
        f"{rivals} has {'less' if is_small else 'more'}"
    )
    if value == bound:
        return said
    return f"{said} than {at_least(bound) if is_small else at_most(bound)}"


def _unit(game: Game, player: int, value: Fraction) -> tuple[Fraction, ...]:
    require_matrix_or_tree(game)
    require_integer(player, name="player", low=0, high=game.num_players - 1)
    return tuple(value if i == player else ZERO for i in range(game.num_players))
