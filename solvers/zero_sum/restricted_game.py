"""The restricted game of double oracle: some rows and columns of a game too large to look at.

It is solved in floats from where it was solved before it grew. A small support then determines
exact strategies; those of a large one are rounded, and what the value may be off by is kept.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.arrays import ZERO, exact_array, scaled_integers
from gametheory_core.certificates.implicit_minimax import LargeGame, Mixtures
from gametheory_core.distributions import Distribution
from gametheory_core.games.implicit import ImplicitGame, implicit_payoffs, oracle_payoff
from gametheory_core.games.normal_form import NormalFormGame
from solvers.rounding import rational_distribution
from solvers.solution import Budget
from solvers.zero_sum.float_matrix_game import MatrixOptimum
from solvers.zero_sum.growing_matrix import GrowingMatrix
from solvers.zero_sum.matrix_games import minimax
from solvers.zero_sum.matrix_vertex import equalizing_exactly

MOST_EXACT = 40  # actions in a support that exact strategies are computed from in each round
CLOSE = 1e-9  # of the span of the payoffs: less is not seen in floats
LARGEST = 2.0**1000  # in floats, which only guide the search


@dataclass(frozen=True)
class RestrictedSolution:
    """Minimax strategies of the restricted game.

    Attributes:
        profile: Mixtures of both players' actions.
        value: Of the restricted game.
        slack: What the value may be off by; 0 if it is not.
        is_proved: Whether no known action does better.
    """

    profile: Mixtures
    value: Fraction
    slack: Fraction
    is_proved: bool = False


class RestrictedGame:
    """Some actions of both players with their payoffs; it changes as it grows."""

    def __init__(self, game: LargeGame) -> None:
        """Begin with no actions."""
        self._game = game
        self._floats = GrowingMatrix()
        self._table: list[list[Any]] = []  # exact numbers, or floats that mean what they are
        self._actions: tuple[dict[Any, None], dict[Any, None]] = ({}, {})

    @property
    def actions(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Rows and columns, in the order in which they came."""
        return tuple(self._actions[0]), tuple(self._actions[1])

    def has(self, player: int, action: Hashable) -> bool:
        """Tell whether an action is known."""
        return action in self._actions[player]

    def add(self, player: int, action: Hashable) -> None:
        """Let a player have one action more; nothing happens if it is known."""
        if self.has(player, action):
            return
        payoffs = self._payoffs(player, action)
        floats = np.array([float(min(max(payoff, -LARGEST), LARGEST)) for payoff in payoffs])
        self._actions[player][action] = None
        if player == 0:
            self._table.append(payoffs)
            self._floats.append_row(floats)
            return
        for row, payoff in zip(self._table, payoffs, strict=True):
            row.append(payoff)
        self._floats.append_column(floats)

    def _payoffs(self, player: int, action: Any) -> list[Any]:
        others = list(self._actions[1 - player])
        if not isinstance(self._game, ImplicitGame):
            pairs = [(action, other) if player == 0 else (other, action) for other in others]
            return [oracle_payoff(self._game, *pair) for pair in pairs]
        rows, columns = ([action], others) if player == 0 else (others, [action])
        return implicit_payoffs(self._game, rows, columns).ravel().tolist()

    def solve(self) -> RestrictedSolution:
        """Find minimax strategies: exact ones where supports are small, else nearly optimal ones.

        Exact ones equalize what the other player mixes; that no action does better is not proved.
        """
        optimum = self._floats.solve()
        if optimum is None:
            return self.solve_exactly(Budget())
        if optimum.is_vertex and len(optimum.rows) <= MOST_EXACT:
            exact = self._at_supports(optimum)
            if exact is not None:
                return exact
        payoffs = self._floats.payoffs
        value = float(optimum.row_strategy @ payoffs @ optimum.column_strategy)
        strategies = map(rational_distribution, (optimum.row_strategy, optimum.column_strategy))
        slack = Fraction(CLOSE * float(np.ptp(payoffs)))
        return RestrictedSolution(self._mixtures(*strategies), Fraction(value), slack)

    def solve_exactly(self, budget: Budget) -> RestrictedSolution:
        """Find and prove minimax strategies.

        Raises:
            NotConverged: If the budget ends first.
        """
        found = minimax(NormalFormGame.zero_sum(self._table), budget=budget)
        return RestrictedSolution(
            self._mixtures(*found.profile.strategies),
            found.certificate.game_value,
            slack=ZERO,
            is_proved=True,
        )

    def best_known(self, player: int, solution: RestrictedSolution) -> Any:
        """Return the player's known action that is best against the other's mixture, in floats."""
        weights = dict(solution.profile[1 - player])
        other = np.array([float(weights.get(a, 0)) for a in self._actions[1 - player]])
        payoffs = self._floats.payoffs
        values = payoffs @ other if player == 0 else -(other @ payoffs)
        return self.actions[player][int(np.argmax(values))]

    def _at_supports(self, optimum: MatrixOptimum) -> RestrictedSolution | None:
        block = [[self._table[i][j] for j in optimum.columns] for i in optimum.rows]
        scaled = scaled_integers(exact_array(block))
        all_of = tuple(range(len(block)))
        strategies: list[Any] = []
        for table, own, size in (
            (scaled.numerators.T, optimum.rows, len(self._table)),
            (scaled.numerators, optimum.columns, len(self._table[0])),
        ):
            weights = equalizing_exactly(table, all_of, all_of)
            if weights is None:
                return None
            strategy = np.full(size, ZERO)
            strategy[list(own)] = weights
            strategies.append(strategy)
        paid = scaled.numerators[0] @ strategies[1][list(optimum.columns)]
        value = Fraction(paid) / scaled.denominator
        return RestrictedSolution(self._mixtures(*strategies), value, ZERO)

    def _mixtures(self, *strategies: Any) -> Mixtures:
        row, column = (
            Distribution(tuple((a, w) for a, w in zip(own, strategy.tolist(), strict=True) if w))
            for own, strategy in zip(self._actions, strategies, strict=True)
        )
        return row, column
