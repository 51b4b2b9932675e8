"""Zero-sum matrix games by linear programming (von Neumann 1928; Dantzig 1951).

With ``A`` the payoffs of player 0, and ``x`` player 0's strategy,

    max v   subject to   v <= (A'x)[j] for every column j,   sum x = 1,   x >= 0,

and the multipliers of the rows are an optimal strategy of player 1. A tiny game is solved in
integers, which is exact at once. Otherwise a dense float solver finds
strategies and supports first. Supports of one size determine exact strategies, and the certificate
shows whether they are optimal. Where they are not, or there are none, the program above is solved
by HiGHS, and its basis repaired in exact arithmetic.
"""

from fractions import Fraction
from functools import partial
from typing import cast

import numpy as np

from gametheory_core.arrays import ExactArray, NumberArray, freeze, is_exact, object_array
from gametheory_core.certificates.equilibrium import MinimaxCertificate
from gametheory_core.errors import InvalidGame
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import payoff_sum
from gametheory_core.strategies.mixed import MixedProfile, uniform_profile
from solvers._programs.linear import LinearProgram
from solvers.concepts import Concept
from solvers.requirements import a_normal_form, constant_sum, two_players
from solvers.rounding import rational_distribution
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.zero_sum.certified_program import (
    MinimaxTask,
    certified_solution,
    dense_program,
    solve_certified,
)
from solvers.zero_sum.float_matrix_game import MatrixOptimum, solve_matrix_in_floats
from solvers.zero_sum.matrix_vertex import equalizing_exactly, solve_packing

MOST_INTEGER_CELLS = 36  # 6 x 6: larger determinants of floats have too many digits
MOST_PIVOTS = 10_000  # of tiny games: never met


@solver(
    Answers(Concept.MINIMAX, rank=10),
    Answers(Concept.NASH, rank=40),
    takes=(a_normal_form, two_players, constant_sum),
    unit="pivots",
    because="two players, constant sum: one linear program finds a solution",
    page="zero-sum",
)
def minimax(
    game: NormalFormGame,
    *,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, MinimaxCertificate]:
    """Find minimax strategies of a two-player constant-sum normal form.

    A float solve finds supports, an exact rational solve of these supports the strategies.

    Args:
        game: Two players, constant-sum.
        tolerance: Width of the interval around the value that is good enough, in payoff units.
            Default: the value is wanted exactly. Large float matrices have exact solutions of
            enormous size, so give a tolerance for them.
        budget: Iterations are simplex pivots, or steps of the interior point method that large
            games are solved by. Time is looked at between the phases, within the float solve, and
            between exact pivots.
        on_iteration: Called after each phase, and after each exact pivot.

    Returns:
        Without a tolerance, ``certificate.epsilon`` is 0.

    Raises:
        NotConverged: If the budget ends first; ``best`` is the best certified solution so far.

    Source: J. von Neumann (1928), "Zur Theorie der Gesellschaftsspiele", Mathematische Annalen 100.

    >>> game = NormalFormGame.zero_sum([[2, -1], [-1, 1]])
    >>> minimax(game).certificate.game_value
    Fraction(1, 5)
    """
    meter = open_meter(budget, on_iteration)
    if game.given_payoffs.size <= 2 * MOST_INTEGER_CELLS and not meter.is_exhausted:
        solution = _solved_in_integers(game, meter)
        if solution is not None:
            return solution
    optimum = _float_optimum(game, meter)
    profile = None
    if optimum is not None and tolerance is not None:
        profile = _float_profile(optimum)
    elif optimum is not None:
        profile = _exact_profile(game, optimum, meter)
    if profile is not None:
        quick = certified_solution(game, profile, meter=meter)
        if quick.certificate.epsilon <= (tolerance or 0):
            return quick
    task = MinimaxTask(
        game=game,
        float_program=partial(_program, game),
        exact_program=partial(_program, game),
        profile_of=partial(_profile_of, game),
        fallback=partial(_float_profile, optimum) if optimum else partial(uniform_profile, game),
    )
    return solve_certified(task, tolerance=tolerance, meter=meter)


def _solved_in_integers(
    game: NormalFormGame, meter: Meter
) -> Solution[MixedProfile, MinimaxCertificate] | None:
    """Pivot in integers of any size; None if the budget ends first.

    Both strategies of an optimal basis guarantee the value exactly: nothing is left to measure.
    """
    payoffs = game.scaled_payoffs[0]
    table: list[list[int]] = payoffs.numerators.tolist()
    less = min(map(min, table)) - 1
    limit = meter.budget.iterations
    found = solve_packing(
        [[entry - less for entry in row] for row in table],
        limit=MOST_PIVOTS if limit is None else limit,
    )
    if found is None:
        return None
    meter.step(found.pivots)
    total = cast("int", found.total)
    value = Fraction(cast("int", found.unit) + less * total, total * payoffs.denominator)
    strategies: list[ExactArray] = []
    for weights in (found.row_weights, found.column_weights):
        strategy = np.empty(len(weights), dtype=object)
        strategy[:] = [Fraction(weight, total) for weight in cast("list[int]", weights)]
        strategies.append(freeze(strategy))
    profile = MixedProfile(tuple(strategies))
    certificate = MinimaxCertificate(game=game, profile=profile, lower=value, upper=value)
    return Solution(profile, (value, payoff_sum(game) - value), certificate, meter.record())


def _float_optimum(game: NormalFormGame, meter: Meter) -> MatrixOptimum | None:
    if meter.is_exhausted:
        return None
    try:
        payoffs = game.payoffs[0]
    except InvalidGame:  # a payoff is too large for floats
        return None
    optimum = solve_matrix_in_floats(
        payoffs, iteration_limit=meter.iterations_left, time_limit=meter.seconds_left
    )
    meter.step(0 if optimum is None else optimum.iterations)
    return optimum


def _exact_profile(
    game: NormalFormGame, optimum: MatrixOptimum, meter: Meter
) -> MixedProfile | None:
    """Solve for what the supports determine, if anything; None also if the budget ends."""
    if not optimum.is_vertex:
        return None
    payoffs = scaled_payoffs(game, 0).numerators
    strategies: list[ExactArray] = []
    for own, others, table in (
        (optimum.rows, optimum.columns, payoffs.T),
        (optimum.columns, optimum.rows, payoffs),
    ):
        if meter.is_exhausted:
            return None
        meter.step()
        strategy = equalizing_exactly(table, others, own)
        if strategy is None:
            return None
        strategies.append(strategy)
    return MixedProfile(tuple(strategies))


def _float_profile(optimum: MatrixOptimum) -> MixedProfile:
    both = (optimum.row_strategy, optimum.column_strategy)
    return MixedProfile(tuple(map(rational_distribution, both)))


def _program(game: NormalFormGame) -> LinearProgram:
    """Write player 0's program: columns ``x``, then ``v``; rows ``A``'s columns, then the sum."""
    payoffs = scaled_payoffs(game, 0).numerators
    num_rows, num_columns = payoffs.shape
    table = np.zeros((num_columns + 1, num_rows + 1), dtype=object)
    table[:num_columns, :num_rows] = -payoffs.T
    table[:num_columns, num_rows] = 1
    table[num_columns, :num_rows] = 1
    return dense_program(
        table,
        object_array([0] * num_rows + [1]),
        is_equation=np.arange(num_columns + 1) == num_columns,
        is_free=np.arange(num_rows + 1) == num_rows,
    )


def _profile_of(game: NormalFormGame, primal: NumberArray, dual: NumberArray) -> MixedProfile:
    strategies = [
        values[:count] for values, count in zip((primal, dual), game.num_actions, strict=True)
    ]
    if is_exact(primal):
        return MixedProfile(tuple(strategies))
    return MixedProfile(tuple(map(rational_distribution, strategies)))
