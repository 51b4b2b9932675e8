"""Minimax strategies of a two-player zero-sum (or constant-sum) matrix game, exactly.

With ``A`` (actions_0 x actions_1) the payoffs of player 0 (von Neumann 1928; Dantzig 1951):

    maximise v   subject to   v - sum_i A[i, j] x[i] <= 0 for all j,   sum_i x[i] = 1,   x >= 0.

The multipliers of the first rows are player 1's minimax strategy.
"""

import numpy as np

from gametheory_core.arrays import NumberArray, is_exact
from gametheory_core.certificates.minimax import MinimaxCertificate
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, uniform_profile
from solvers._programs.linear import LinearProgram
from solvers.nash.zero_sum import ZeroSumProblem, solve_zero_sum
from solvers.requirements import require_constant_sum, require_normal_form, require_two_players
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution


def minimax(
    game: NormalFormGame,
    *,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, MinimaxCertificate]:
    """Find minimax strategies of a two-player zero-sum matrix game.

    Parameters
    ----------
    game : NormalFormGame
        Two players, zero-sum or constant-sum.
    tolerance : float, optional
        Widest certified interval for the value accepted, in payoff units. Default: exact.
    budget : Budget
        Limits on time and on exact repairs.
    on_iteration : function, optional
        Called after the float solve and before each exact repair.

    Returns
    -------
    Solution[MixedProfile, MinimaxCertificate]
        ``certificate.game_value`` is the value to player 0; ``certificate.epsilon`` is 0 unless a
        tolerance was given.

    Raises
    ------
    UnsupportedGame
        If the game has not two players or is not constant-sum; carries the witness.
    NotConverged
        If the budget ends first; ``best`` is the best certified solution found.

    Notes
    -----
    One linear program with ``actions_0 + 1`` columns; memory linear in the matrix.

    References
    ----------
    .. [1] J. von Neumann, "Zur Theorie der Gesellschaftsspiele", Math. Annalen 100, 1928.

    Examples
    --------
    >>> game = NormalFormGame.zero_sum([[2, -1], [-1, 1]])
    >>> str(minimax(game).certificate.game_value)
    '1/5'
    """
    require_normal_form(game, function="minimax")
    require_two_players(game, function="minimax")
    require_constant_sum(game, function="minimax")
    rows = game.num_actions[0]

    def profile(primal: NumberArray, dual: NumberArray) -> MixedProfile:
        return MixedProfile((_strategy(primal[:rows]), _strategy(dual[:-1])))

    def exact_program() -> LinearProgram:
        return matrix_program(scaled_payoffs(game, 0).numerators)

    given_floats = not is_exact(game.given_payoffs)
    problem = ZeroSumProblem(
        game=game,
        float_program=matrix_program(game.payoffs[0]) if given_floats else exact_program(),
        exact_program=exact_program,
        profile=profile,
        fallback=uniform_profile(game),
    )
    meter = Meter(budget, "linear programs", on_iteration)
    return solve_zero_sum(problem, tolerance=tolerance, meter=meter, algorithm="minimax")


def matrix_program(matrix: NumberArray) -> LinearProgram:
    """Write the linear program of a matrix of integers (or of floats, for a float solve)."""
    num_rows, num_columns = matrix.shape
    whole = np.empty((num_columns + 1, num_rows + 1), dtype=matrix.dtype)
    whole[:num_columns, :num_rows] = -matrix.T
    whole[:num_columns, num_rows] = 1
    whole[num_columns, :num_rows] = 1
    whole[num_columns, num_rows] = 0
    rows, columns = np.nonzero(whole)
    objective, bounds = whole[0].copy(), whole[:, 0].copy()
    objective[:], bounds[:] = 0, 0
    objective[num_rows], bounds[num_columns] = 1, 1
    return LinearProgram(
        objective=objective,
        rows=rows.astype(np.int32),
        columns=columns.astype(np.int32),
        values=whole[rows, columns],
        bounds=bounds,
        is_equation=np.arange(num_columns + 1) == num_columns,
        is_free=np.arange(num_rows + 1) == num_rows,
    )


def _strategy(weights: NumberArray) -> NumberArray:
    """Normalise weights; float ones may be negative by rounding error."""
    if is_exact(weights):
        return weights
    clipped = np.maximum(weights, 0.0)
    return clipped / clipped.sum()
