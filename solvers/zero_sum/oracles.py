"""Double oracle: solve a small game, and let best responses over all actions make it grow.

The *restricted game* has some rows and columns. Its minimax strategies ``x`` and ``y`` are answered
by best responses over all actions (McMahan, Gordon and Blum 2003), which bound the value ``v``:

    min over all b of x'A[:, b]  <=  v  <=  max over all a of A[a, :]y.

A response that does better than the restricted game's value is new, and joins it. When neither
does, ``x`` and ``y`` are minimax strategies of the whole game, however few of its actions were ever
looked at. The value of the restricted game may go up and down; the best bounds so far only close.

Restricted games are solved in floats, from where the one before was solved; small supports then
determine exact strategies. Where nothing new is found that floats can see, the restricted game is
solved exactly, so that the end is exact, too.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core import MinimaxCertificate, MixedProfile, NormalFormGame
from gametheory_core.arguments import require_instance
from gametheory_core.arrays import ZERO, ExactArray
from gametheory_core.certificates.implicit_minimax import (
    ImplicitMinimaxCertificate,
    LargeGame,
    Mixtures,
    supports,
)
from gametheory_core.distributions import point_mass
from gametheory_core.games.implicit import ImplicitGame, Mixture, OracleGame, require_no_wrapping
from solvers.concepts import Concept
from solvers.requirements import Kind, a_normal_form, constant_sum, two_players
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.zero_sum.certified_program import certified_solution
from solvers.zero_sum.oracle_rounds import DoubleOracleRun, OracleSearch, not_converged

a_large_game = Kind(
    "an ImplicitGame or OracleGame",
    lambda game: isinstance(game, ImplicitGame | OracleGame),
    remedy="Use double_oracle for tables, and sequence_form_double_oracle for trees.",
)


ImplicitRun = DoubleOracleRun[Solution[Mixtures, ImplicitMinimaxCertificate]]
MatrixRun = DoubleOracleRun[Solution[MixedProfile, MinimaxCertificate]]


@solver(
    Answers(Concept.MINIMAX, rank=15),
    takes=(a_normal_form, two_players, constant_sum),
    unit="rounds",
    because="two players, constant sum: best responses make a small game grow",
    page="double-oracle",
)
def double_oracle(
    game: NormalFormGame,
    *,
    tolerance: float | None = None,
    start: MatrixRun | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> MatrixRun:
    """Find minimax strategies by growing a restricted game with best responses.

    Args:
        game: Two players, constant-sum.
        tolerance: Width of the interval around the value that is good enough, in payoff units.
            Default: the value is wanted exactly.
        start: Go on from the actions of an earlier run, of the same game or a part of it.
        budget: Iterations are rounds. Time is looked at between them.
        on_iteration: Called after each round.

    Returns:
        Without a tolerance, ``solution.certificate.epsilon`` is 0.

    Raises:
        NotConverged: If the budget ends first; ``best`` is the run so far, with certified bounds.

    Worth while where supports are small; else ``minimax`` is quicker. For games that no table can
    hold, use ``implicit_double_oracle``.

    Source: :cite:`mcmahan2003planning`.

    >>> game = NormalFormGame.zero_sum([[2, -1, 3], [-1, 1, 3]])
    >>> str(double_oracle(game).solution.certificate.game_value)
    '1/5'
    """
    require_instance(start, (DoubleOracleRun, type(None)), name="start")
    meter = open_meter(budget, on_iteration)
    scaled = game.scaled_payoffs[0]
    table, unit = scaled.numerators, Fraction(1, scaled.denominator)
    if max(map(abs, (table.max(), table.min()))) < 2**62:
        table = table.astype(np.int64)
    rows, columns = game.num_actions
    inner = ImplicitGame(lambda i, j: table[i, j], (rows, columns))

    search = OracleSearch(inner, meter, unit)

    def finish() -> MatrixRun:
        vectors = map(_vector, search.profile, game.num_actions)
        return search.run(certified_solution(game, MixedProfile(tuple(vectors)), meter=meter))

    return _grown(search, start, tolerance, finish)


@solver(takes=(a_large_game,), unit="rounds", page="double-oracle")
def implicit_double_oracle(
    game: LargeGame,
    *,
    tolerance: float | None = None,
    start: ImplicitRun | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> ImplicitRun:
    """Find minimax strategies of a zero-sum game that is given by functions.

    Args:
        game: An ``ImplicitGame``, whose actions are all looked at in each round, or an
            ``OracleGame``, whose oracles are asked.
        tolerance, start, budget, on_iteration: As for ``double_oracle``.

    Returns:
        Without a tolerance, ``solution.certificate.epsilon`` is 0.

    Raises:
        InvalidGame: If payoffs have another shape, are no finite numbers, or wrap around in 64-bit
            integers, or an oracle names a payoff that its action does not get, or overlooks a
            better action that is known.
        NotConverged: If the budget ends first; ``best`` is the run so far, with certified bounds.

    A round takes time linear in the number of actions times the size of the support; memory is
    that of the restricted game and a block of payoffs.

    Source: :cite:`mcmahan2003planning`.

    >>> game = ImplicitGame(lambda row, column: (row - column) ** 2, (10**6 + 1, 10**6 + 1))
    >>> str(implicit_double_oracle(game).solution.certificate.game_value)
    '250000000000'
    """
    require_instance(start, (DoubleOracleRun, type(None)), name="start")
    meter = open_meter(budget, on_iteration)

    search = OracleSearch(game, meter)

    def finish() -> ImplicitRun:
        if isinstance(game, ImplicitGame):
            require_no_wrapping(game, *supports(search.profile))
        lower, upper = (value for _, value in search.best)
        certificate = ImplicitMinimaxCertificate(game, search.profile, lower, upper)
        return search.run(
            Solution(search.profile, certificate.payoffs, certificate, meter.record())
        )

    return _grown(search, start, tolerance, finish)


def _grown(
    search: OracleSearch,
    start: DoubleOracleRun[Any] | None,
    tolerance: float | None,
    finish: Callable[[], Any],
) -> Any:
    """Go round by round until the bounds are near enough.

    Raises:
        NotConverged: If the budget ends first.
    """
    if start is not None:
        search.begin(start.actions)
    elif isinstance(search.game, ImplicitGame):
        search.begin(((0,), (0,)))
    else:
        row, column = search.game.first_actions
        search.begin(((row,), (column,)))
    while not search.best or search.epsilon > Fraction(tolerance or 0):
        if search.meter.is_exhausted:
            if not search.best:
                row, column = (own[0] for own in search.restricted.actions)
                search.look((point_mass(row), point_mass(column)))
            raise not_converged(search.epsilon, tolerance, len(search.rounds), finish())
        search.round()
        search.meter.step()
    return finish()


def _vector(mixture: Mixture, count: int) -> ExactArray:
    vector = np.full(count, ZERO)
    for action, weight in mixture:
        vector[action] = weight
    return vector
