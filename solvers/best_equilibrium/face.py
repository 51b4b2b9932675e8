"""The best equilibrium in which only given actions are played, all of them best replies.

Such equilibria form a face: pairs of a strategy of each player, chosen independently. What a player
earns depends on the other's strategy alone, so that two small exact linear programs, one for each
player's strategy, find the best pair.
"""

from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ExactArray, freeze
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import LinearProgram, solve_float
from solvers.zero_sum.certified_program import integer_array

Supports = tuple[tuple[int, ...], tuple[int, ...]]


def best_on_face(
    game: NormalFormGame, actions: Supports, *, weights: tuple[int, int]
) -> MixedProfile | None:
    """Return an equilibrium that plays given actions only, all best replies; None if there is none.

    Args:
        actions: Each player's actions that may be played and must be best replies.
        weights: The sum of payoffs, so weighted, is made large; 1, 0 or -1.
    """
    strategies: list[ExactArray] = []
    for player in range(2):
        found = _strategy(game, actions, player, earned=weights[1 - player])
        if found is None:
            return None
        strategies.append(found)
    return MixedProfile(tuple(strategies))


def widest_on_face(game: NormalFormGame, actions: Supports) -> MixedProfile | None:
    """Return an equilibrium of the same kind that plays as many actions as one can."""
    strategies: list[ExactArray] = []
    for player in range(2):
        corners = [_strategy(game, actions, player, played=action) for action in actions[player]]
        found = [corner for corner in corners if corner is not None]
        if not found:
            return None
        strategies.append(freeze(sum(found[1:], found[0]) * Fraction(1, len(found))))
    return MixedProfile(tuple(strategies))


def _strategy(
    game: NormalFormGame, actions: Supports, player: int, *, earned: int = 0, played: int = -1
) -> ExactArray | None:
    """Maximise ``earned`` times the other's payoff, or the probability of an action ``played``."""
    own, replies = actions[player], actions[1 - player]
    table = scaled_payoffs(game, 1 - player).numerators
    table = (table.T if player == 0 else table)[:, own]  # replies x own actions
    program = _program(table, replies, [int(a == played) for a in own], earned)
    try:
        optimum = solve_exactly(program, solve_float(program).basis)
    except InfeasibleProgram:
        return None
    strategy = np.empty(game.num_actions[player], dtype=object)
    strategy[:] = Fraction(0)
    strategy[list(own)] = optimum.primal[: len(own)]
    return freeze(strategy)


def _program(
    table: ExactArray, replies: tuple[int, ...], costs: list[int], earned: int
) -> LinearProgram:
    """Columns: probabilities, then what the best reply earns; rows: replies, then the sum."""
    num_replies, num_own = table.shape
    full = np.zeros((num_replies + 1, num_own + 1), dtype=object)
    full[:-1, :-1] = table
    full[:-1, -1] = -1
    full[-1, :-1] = 1
    rows, columns = np.nonzero(full)
    is_equation = np.zeros(num_replies + 1, dtype=bool)
    is_equation[[*replies, num_replies]] = True
    return LinearProgram(
        objective=integer_array([*costs, earned]),
        rows=rows.astype(np.int32),
        columns=columns.astype(np.int32),
        values=full[rows, columns],
        bounds=integer_array([0] * num_replies + [1]),
        is_equation=is_equation,
        is_free=np.arange(num_own + 1) == num_own,
    )
