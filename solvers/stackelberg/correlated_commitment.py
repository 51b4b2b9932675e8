"""The leader's best commitment to a correlated strategy, by one linear program.

With the leader's payoffs ``L``, maximise ``sum x(s) L(s)`` over the distributions ``x`` of joint
actions ``s`` that every follower is willing to obey; the leader's own incentives do not count
(Conitzer and Korzhyk 2011).
"""

from fractions import Fraction
from typing import Any, cast

import numpy as np

from gametheory_core.arrays import ExactArray
from gametheory_core.certificates.correlated_commitment import (
    CorrelatedCommitmentCertificate,
    certify_correlated_commitment,
)
from gametheory_core.certificates.incentives import IncentivePrice
from gametheory_core.errors import NotConverged
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_distribution
from solvers._programs.exact import ExactOptimum, solve_exactly
from solvers._programs.linear import LinearProgram, solve_float
from solvers.requirements import require_normal_form, require_player
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution

NAME = "correlated_commitment"
Deviation = tuple[int, int, int]  # follower, recommended, played


def correlated_commitment(
    game: NormalFormGame,
    *,
    leader: int = 0,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[CorrelatedDistribution, CorrelatedCommitmentCertificate]:
    """Find the leader's best lottery over joint actions that all followers obey, exactly.

    Parameters
    ----------
    game : NormalFormGame
        Any number of players.
    leader : int
        Who commits, from 0.
    budget : Budget
        Iterations are simplex pivots. Time is looked at within the float solve, and between exact
        pivots.
    on_iteration : function, optional
        Called after the float solve, and before each exact pivot.

    Returns
    -------
    Solution[CorrelatedDistribution, CorrelatedCommitmentCertificate]
        Prices on the followers' incentives prove that no lottery earns more.

    Raises
    ------
    InvalidArgument
        If there is no such leader.
    UnsupportedGame
        If the game is a tree.
    NotConverged
        If the budget ends first; there is no ``best`` then.

    Notes
    -----
    One program with a variable for each joint action, so polynomial in the size of the game. With
    one follower it earns what ``strong_stackelberg`` does; with more it may earn more.

    References
    ----------
    .. [1] :cite:`conitzer2011correlated`.

    Examples
    --------
    >>> game = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
    >>> correlated_commitment(game).payoffs
    (Fraction(7, 2), Fraction(1, 2))
    """
    require_normal_form(game, function=NAME)
    require_player(leader, game, function=NAME, name="leader")
    meter = Meter(budget, "pivots", on_iteration)
    program, deviations = _obedience_program(game, leader)
    optimum = _solve(program, meter)
    distribution = correlated_distribution(optimum.primal.reshape(game.num_actions))
    prices = _prices(game, leader, deviations, optimum.dual)
    certificate = certify_correlated_commitment(game, distribution, leader=leader, prices=prices)
    return Solution(distribution, certificate.payoffs, certificate, meter.record(NAME))


def _obedience_program(
    game: NormalFormGame, leader: int
) -> tuple[LinearProgram, tuple[Deviation, ...]]:
    """Write the program in integers: a row for each follower's deviation, then the sum."""
    size = game.exact_payoffs[0].size
    places = np.arange(size, dtype=np.int32).reshape(game.num_actions)
    deviations: list[Deviation] = []
    rows: list[Any] = []
    columns: list[Any] = []
    values: list[Any] = []
    for j in range(game.num_players):
        if j == leader:
            continue
        table = np.moveaxis(game.scaled_payoffs[j].numerators, j, 0).reshape(
            game.num_actions[j], -1
        )
        own_places = np.moveaxis(places, j, 0).reshape(game.num_actions[j], -1)
        for a in range(game.num_actions[j]):
            for b in range(game.num_actions[j]):
                gains = table[b] - table[a]
                used = np.flatnonzero(gains)
                if a == b or not used.size:
                    continue
                rows.append(np.full(used.size, len(deviations), dtype=np.int32))
                columns.append(own_places[a][used])
                values.append(gains[used])
                deviations.append((j, a, b))
    rows.append(np.full(size, len(deviations), dtype=np.int32))
    columns.append(np.arange(size, dtype=np.int32))
    values.append(np.ones(size, dtype=int).astype(object))
    bounds = np.zeros(len(deviations) + 1, dtype=object)
    bounds[-1] = 1
    program = LinearProgram(
        objective=game.scaled_payoffs[leader].numerators.ravel(),
        rows=np.concatenate(rows),
        columns=np.concatenate(columns),
        values=np.concatenate(values),
        bounds=bounds,
        is_equation=np.arange(len(bounds)) == len(deviations),
        is_free=np.zeros(size, dtype=bool),
    )
    return program, tuple(deviations)


def _solve(program: LinearProgram, meter: Meter) -> ExactOptimum:
    def tick() -> None:
        if meter.is_exhausted:
            raise NotConverged(
                f"{NAME}: needs an optimal commitment, but the budget ended after "
                f"{meter.iterations} pivots, before one was found. Give a larger budget."
            )
        meter.step()

    limit = meter.left.iterations
    estimate = solve_float(program, time_limit=meter.seconds_left, pivot_limit=limit)
    meter.step(estimate.pivots)
    return solve_exactly(program, estimate.basis, tick=tick)


def _prices(
    game: NormalFormGame, leader: int, deviations: tuple[Deviation, ...], dual: ExactArray
) -> tuple[IncentivePrice, ...]:
    """Read the multipliers of the rows, in payoff units."""
    own_scale = game.scaled_payoffs[leader].denominator
    values = cast("list[Fraction]", dual[: len(deviations)].tolist())
    return tuple(
        IncentivePrice(j, a, b, y * game.scaled_payoffs[j].denominator / own_scale)
        for (j, a, b), y in zip(deviations, values, strict=True)
        if y
    )
