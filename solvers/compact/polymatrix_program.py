"""Equilibria of polymatrix games whose payoffs sum to a constant, by one linear program.

With ``c`` the constant, in any profile best replies earn at least ``c`` together, and an
equilibrium is where they earn no more. What an action earns is linear in the others' strategies,
so that

    minimise  sum of v_i   subject to   v_i >= sum over j of A_ij[a] x_j  for all i and a,
                                        x_i a probability vector,

has value ``c``, attained exactly at equilibria (Cai, Candogan, Daskalakis and Papadimitriou 2016).
"""

from itertools import accumulate
from typing import Any

import numpy as np

from gametheory_core.arrays import freeze, object_array
from gametheory_core.compact import CompactNashCertificate, PolymatrixGame, certify_compact
from gametheory_core.compact.polymatrix import edge_table
from gametheory_core.errors import NotConverged
from gametheory_core.strategies.mixed import MixedProfile, uniform_profile
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import FloatOutcome, LinearProgram, solve_float
from solvers.compact.requirements import a_polymatrix_game, constant_sum_edges
from solvers.concepts import Concept
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver


@solver(
    Answers(Concept.NASH, rank=90),
    takes=(a_polymatrix_game, constant_sum_edges),
    unit="pivots",
    because="payoffs add up over edges and sum to a constant: one linear program, proved exactly",
    page="compact-games",
)
def zero_sum_polymatrix(
    game: PolymatrixGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> Solution[MixedProfile, CompactNashCertificate]:
    """Find an equilibrium of a polymatrix game with payoffs of constant sum, in polynomial time.

    Args:
        game: Payoffs of all players together sum to the same at every joint action; on single
            edges they need not.

    Returns:
        The certificate's epsilon is 0. Payoffs may differ from one equilibrium to another.

    Raises:
        UnsupportedGame: If payoffs do not sum to a constant; the witness is two joint actions.
        NotConverged: If the budget ends first; ``best`` is the uniform profile, measured.

    Source: :cite:`cai2016zerosum`.

    >>> from gametheory_core import load_game
    >>> solution = zero_sum_polymatrix(load_game("ring_of_pennies:players=7"))
    >>> str(solution.certificate.epsilon), str(sum(solution.payoffs))
    ('0', '0')
    """
    meter = open_meter(budget, on_iteration)
    program = program_of(game)
    left = meter.iterations_left
    try:
        meter.require_time()
        limit = None if left is None else left + 1  # an optimum is seen one pivot later
        estimate = solve_float(program, time_limit=meter.seconds_left, pivot_limit=limit)
        meter.step(meter.at_most(estimate.pivots))
        if estimate.outcome is FloatOutcome.LIMIT_REACHED:
            raise BudgetOver
        optimum = solve_exactly(program, estimate.basis, tick=meter.require_time)
    except BudgetOver:
        raise NotConverged(
            needs="an optimal vertex of the linear program",
            found=f"the budget ended after {meter.iterations} pivots",
            best=_certified(game, uniform_profile(game), meter),
        ) from None
    meter.step(optimum.pivots)
    ends = list(accumulate(game.num_actions))
    parts = np.split(optimum.primal[: ends[-1]], ends[:-1])
    return _certified(game, MixedProfile(tuple(freeze(own.copy()) for own in parts)), meter)


def _certified(
    game: PolymatrixGame, profile: MixedProfile, meter: Meter
) -> Solution[MixedProfile, CompactNashCertificate]:
    certificate = certify_compact(game, profile)
    return Solution(certificate.profile, certificate.payoffs, certificate, meter.record())


def program_of(game: PolymatrixGame) -> LinearProgram:
    """Return the program: columns are all actions, then the values of the players.

    Rows are the sums of probabilities, then an action each.
    """
    count = game.num_players
    firsts = (0, *accumulate(game.num_actions))
    size = firsts[-1]
    owner = np.repeat(np.arange(count), game.num_actions)
    actions = np.arange(size)
    entries: list[tuple[Any, Any, Any]] = [
        (owner, actions, [1] * size),
        (count + actions, size + owner, [-1] * size),
    ]
    numerators = game.scaled_payoffs.numerators
    for edge, (i, j) in enumerate(game.edges.tolist()):
        first, second = edge_table(game, numerators, edge)
        for k, other, table in ((i, j, first), (j, i, second.T)):
            a, b = np.nonzero(table)
            entries.append((count + firsts[k] + a, firsts[other] + b, table[a, b].tolist()))
    rows, columns = (np.concatenate([entry[k] for entry in entries]) for k in (0, 1))
    values = object_array([value for entry in entries for value in entry[2]])
    order = np.lexsort((columns, rows))
    return LinearProgram(
        objective=object_array([0] * size + [-1] * count),
        rows=rows[order].astype(np.int32),
        columns=columns[order].astype(np.int32),
        values=values[order],
        bounds=object_array([1] * count + [0] * size),
        is_equation=np.arange(count + size) < count,
        is_free=np.arange(size + count) >= size,
    )
