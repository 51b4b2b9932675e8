"""Zero-sum matrix games by one linear program (von Neumann 1928; Dantzig 1951).

With ``A`` the payoffs of player 0, and ``x`` player 0's strategy,

    max v   subject to   v <= (A'x)[j] for every column j,   sum x = 1,   x >= 0,

and the multipliers of the rows are an optimal strategy of player 1. Where a tolerance is enough,
payoffs are shifted and scaled to a positive matrix ``B``, and weights ``x``, divided by their sum,
are found with half the pivots from

    min sum x   subject to   (B'x)[j] >= 1 for every column j,   x >= 0.
"""

from functools import partial

import numpy as np

from gametheory_core.arrays import NumberArray, is_exact
from gametheory_core.certificates.minimax import MinimaxCertificate
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, uniform_profile
from solvers._programs.linear import LinearProgram
from solvers.nash.certified_program import (
    MinimaxTask,
    integer_array,
    rational_distribution,
    solve_certified,
)
from solvers.requirements import require_constant_sum, require_normal_form, require_two_players
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution

NAME = "minimax"


def minimax(
    game: NormalFormGame,
    *,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, MinimaxCertificate]:
    """Find minimax strategies of a two-player constant-sum normal form.

    A float solve finds the basis, an exact rational solve of that basis the strategies.

    Parameters
    ----------
    game : NormalFormGame
        Two players, constant-sum.
    tolerance : float, optional
        Width of the interval around the value that is good enough, in payoff units. Default: the
        value is wanted exactly. Large float matrices have exact solutions of enormous size, so give
        a tolerance for them.
    budget : Budget
        Iterations are simplex pivots. Time is looked at between the phases, within the float solve,
        and between exact pivots.
    on_iteration : function, optional
        Called after each phase, and after each exact pivot.

    Returns
    -------
    Solution[MixedProfile, MinimaxCertificate]
        Without a tolerance, ``certificate.epsilon`` is 0.

    Raises
    ------
    UnsupportedGame
        If the game has not two players, or is not constant-sum; the message has the witness.
    NotConverged
        If the budget ends first; ``best`` is the best certified solution so far.

    References
    ----------
    .. [1] J. von Neumann (1928), "Zur Theorie der Gesellschaftsspiele", Mathematische Annalen 100.

    Examples
    --------
    >>> game = NormalFormGame.zero_sum([[2, -1], [-1, 1]])
    >>> minimax(game).certificate.game_value
    Fraction(1, 5)
    """
    require_normal_form(game, function=NAME)
    require_two_players(game, function=NAME)
    require_constant_sum(game, function=NAME)
    exact_program = partial(_exact_program, game)
    task = MinimaxTask(
        function=NAME,
        game=game,
        float_program=partial(_float_program, game)
        if tolerance is not None and not is_exact(game.given_payoffs)
        else exact_program,
        exact_program=exact_program,
        profile_of=partial(_profile, game),
        fallback=partial(uniform_profile, game),
    )
    meter = Meter(budget, "pivots", on_iteration)
    return solve_certified(task, tolerance=tolerance, meter=meter)


def _exact_program(game: NormalFormGame) -> LinearProgram:
    """Write player 0's program: columns ``x``, then ``v``; rows ``A``'s columns, then the sum."""
    payoffs = scaled_payoffs(game, 0).numerators
    num_rows, num_columns = payoffs.shape
    table = np.zeros((num_columns + 1, num_rows + 1), dtype=object)
    table[:num_columns, :num_rows] = -payoffs.T
    table[:num_columns, num_rows] = 1
    table[num_columns, :num_rows] = 1
    rows, columns = np.nonzero(table)
    return LinearProgram(
        objective=integer_array([0] * num_rows + [1]),
        rows=rows.astype(np.int32),
        columns=columns.astype(np.int32),
        values=table[rows, columns],
        bounds=integer_array([0] * num_columns + [1]),
        is_equation=np.arange(num_columns + 1) == num_columns,
        is_free=np.arange(num_rows + 1) == num_rows,
    )


def _float_program(game: NormalFormGame) -> LinearProgram:
    """Write the covering program of ``B``, with entries between 1 and 2."""
    halves = game.payoffs[0] / 2  # so that differences cannot overflow
    above = halves - halves.min()
    positive = above / (above.max() or 1.0) + 1.0
    num_rows, num_columns = positive.shape
    return LinearProgram(
        objective=np.full(num_rows, -1.0),
        rows=np.repeat(np.arange(num_columns, dtype=np.int32), num_rows),
        columns=np.tile(np.arange(num_rows, dtype=np.int32), num_columns),
        values=-positive.T.ravel(),
        bounds=np.full(num_columns, -1.0),
        is_equation=np.zeros(num_columns, dtype=bool),
        is_free=np.zeros(num_rows, dtype=bool),
    )


def _profile(game: NormalFormGame, primal: NumberArray, dual: NumberArray) -> MixedProfile:
    strategies = [
        values[:count] for values, count in zip((primal, dual), game.num_actions, strict=True)
    ]
    if is_exact(primal):
        return MixedProfile(tuple(strategies))
    return MixedProfile(tuple(map(rational_distribution, strategies)))
