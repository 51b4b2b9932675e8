"""Mediators: incentives to obey them, what prices on these prove, and objectives of play.

A *deviation* of player ``i`` changes the payoff at joint action ``s`` by ``g(s)``: in a correlated
equilibrium ``a`` is swapped for ``b`` where ``a`` is recommended, in a coarse one ``b`` is played
whatever is recommended. A distribution ``x`` is an equilibrium if ``sum x(s) g(s) <= 0`` for every
deviation. So for any *prices* ``y >= 0``, one for each deviation, any equilibrium ``x`` and any
function ``c`` of joint actions,

    sum x(s) c(s)  <=  sum x(s) (c(s) - sum y g(s))  <=  max over s of  c(s) - sum y g(s),

a bound that takes only sums to check. By the duality of linear programs some prices make it tight.

How even a distribution is, and what prices on deviations prove about all correlated equilibria.

As in ``incentives``, prices ``y >= 0`` on deviations with gains ``g`` bound every equilibrium
``x``. With ``q(s) = sum y g(s)``, its Gini impurity ``1 - sum x(s)**2`` is at most one minus

    sum x(s)**2 + sum x(s) q(s)  >=  min over distributions of the same,

which is at ``x(s) = max(0, (t - q(s)) / 2)``, ``t`` such that these sum to 1: one sort finds it,
exactly. Its entropy ``H`` is at most

    H(x) - sum x(s) q(s)  <=  ln sum exp(-q(s)),

where logarithms and exponentials are enclosed between rationals.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import (
    ONE,
    ZERO,
    ExactArray,
    ScaledIntegers,
    exact_array,
    freeze,
    object_array,
    scaled_integers,
    to_fraction,
)
from gametheory_core.certificates.wording import at_least, at_most, attained, written
from gametheory_core.errors import CertificateRejected, InvalidArgument, InvalidGame
from gametheory_core.evaluation.regrets import (
    entropy_enclosure,
    external_regret,
    internal_regret,
    log_sum_exp_enclosure,
)
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_matrix_or_tree
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.behavioral import Game
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
    weights = scaled_integers(object_array([entry.price for entry in prices]))
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
            raise CertificateRejected(needs="prices of at least 0", found=f"got {written(entry)}")
        if entry.player not in range(game.num_players):
            raise CertificateRejected(
                needs=f"players from 0 to {game.num_players - 1}", found=f"got {written(entry)}"
            )
        actions = range(game.num_actions[entry.player])
        known = entry.recommended is None if coarse else entry.recommended in actions
        if not known or entry.played not in actions:
            raise CertificateRejected(
                needs=f"{'no recommended action' if coarse else 'a recommended action'}, and "
                f"actions from 0 to {len(actions) - 1}",
                found=f"got {written(entry)}",
            )


def added(
    left: ScaledIntegers, right: ScaledIntegers, *, factor: Fraction | int = 1
) -> ScaledIntegers:
    """Return ``left + factor * right``."""
    scale = Fraction(factor)
    divisor = right.denominator * scale.denominator
    numerators = left.numerators * divisor + right.numerators * (scale.numerator * left.denominator)
    return ScaledIntegers(freeze(numerators), left.denominator * divisor)


class Evenness(Enum):
    """A measure of how even a distribution is."""

    GINI = "gini"  # the chance that two draws differ
    ENTROPY = "entropy"  # in nats


def evenness_of(distribution: CorrelatedDistribution, measure: Evenness) -> Fraction:
    """Return how even a distribution is; of its entropy a lower bound, within ``10**-24``."""
    if measure is Evenness.ENTROPY:
        return entropy_enclosure(object_array(distribution.probabilities)).lower
    shares = scaled_integers(object_array(distribution.probabilities))
    squares = sum(share * share for share in shares.numerators.tolist())
    return 1 - Fraction(squares, shares.denominator**2)


def evenness_bound(charges: ScaledIntegers, measure: Evenness) -> Fraction:
    """Return what no equilibrium exceeds, given ``sum y g(s)`` for all joint actions."""
    if measure is Evenness.GINI:
        return 1 - least_penalized_square(charges)
    exponents = ScaledIntegers(freeze(-charges.numerators.ravel()), charges.denominator)
    return log_sum_exp_enclosure(exponents).upper


def least_penalized_square(penalties: ScaledIntegers) -> Fraction:
    """Return the minimum of ``sum x**2 + q x`` over distributions ``x``, exactly."""
    scale = penalties.denominator
    rising = sorted(cast("list[int]", penalties.numerators.ravel().tolist()))
    count, total = 0, 0  # those below t = (2 + their sum) / their count carry weight
    for penalty in rising:
        if count and penalty * count >= 2 * scale + total:
            break
        count += 1
        total += penalty
    level = Fraction(2 * scale + total, scale * count)
    # x = (t - q) / 2 makes x**2 + q x equal to (t**2 - q**2) / 4
    squares = sum(penalty * penalty for penalty in rising[:count])
    return (count * level * level - Fraction(squares, scale * scale)) / 4


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

    def __post_init__(self) -> None:
        """Read the weights exactly: floats are the dyadic rationals they are."""
        for name in ("payoff_weights", "outcome_weights"):
            given = getattr(self, name)
            if not all(isinstance(weight, Fraction) for weight in given):
                object.__setattr__(self, name, _weights(given, name))

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
            weights (num_actions or num_terminals): A number for each joint action, as an array or
                nested sequences, or for each of ``game.terminals``. Exact, or floats, which are the
                dyadic rationals they are.

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


def _weights(given: Iterable[object], name: str) -> tuple[Fraction, ...]:
    try:
        return tuple(to_fraction(weight, where=f"{name}[{k}]") for k, weight in enumerate(given))
    except InvalidGame as error:
        raise error.changed(InvalidArgument) from None


def objective_values(game: NormalFormGame, objective: LinearObjective) -> ScaledIntegers:
    """Return the objective at all joint actions, shape ``num_actions``, exactly.

    Raises:
        InvalidArgument: If the weights do not fit the game.
    """
    require_objective(game, objective, game.given_payoffs[0].size)
    total = ScaledIntegers(freeze(np.zeros(game.num_actions, dtype=object)), 1)
    for weight, payoffs in zip(objective.payoff_weights, game.scaled_payoffs, strict=True):
        if weight:
            total = added(total, payoffs, factor=weight)
    if objective.outcome_weights:
        own = scaled_integers(object_array(objective.outcome_weights))
        shaped = ScaledIntegers(own.numerators.reshape(game.num_actions), own.denominator)
        total = added(total, shaped)
    return total


def values_at_ends(game: ExtensiveFormGame, objective: LinearObjective) -> ExactArray:
    """Return the objective at each terminal node, shape (num_terminals,).

    Raises:
        InvalidArgument: If the weights do not fit the game.
    """
    require_objective(game, objective, len(game.terminals))
    values = np.full(len(game.terminals), ZERO, dtype=object)
    for player, weight in enumerate(objective.payoff_weights):
        if weight:
            values = values + weight * game.exact_terminal_payoffs[:, player]
    if objective.outcome_weights:
        values = values + object_array(objective.outcome_weights)
    return values


def require_objective(game: Game, objective: LinearObjective, num_outcomes: int) -> None:
    """Refuse weights that do not fit a game.

    Raises:
        InvalidArgument: Says how many there are and should be.
    """
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
