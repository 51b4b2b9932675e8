"""Commitment in Markov games: the best mixed actions by observation, by branch and bound.

Local searches propose mixed actions; cells of mixed actions are split until the best found are
proved to be within a tolerance (``cell_search``), in floats. The certificate bounds each cell again
in rationals, by code of its own.
"""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from gametheory_core.certificates.wording import at_most_roughly
from gametheory_core.errors import NotConverged
from gametheory_core.games.rules import POSG
from gametheory_core.leaders.commitment_cells import CellGame
from gametheory_core.leaders.follower_responses import FollowerClass, FollowerTies
from gametheory_core.leaders.policies import StochasticLeader
from gametheory_core.leaders.stochastic_stackelberg import (
    StochasticStackelbergCertificate,
    certify_stochastic_stackelberg,
)
from gametheory_core.leaders.view import LeaderView
from solvers.leaders.cell_rounds import split_cells
from solvers.leaders.cell_search import CellSearch, cell_search
from solvers.leaders.layers import refuse_long_sums, view_led_by
from solvers.leaders.lottery_search import FloatLeaders, Found, Search, climb, float_leaders
from solvers.leaders.stochastic_commitment import (
    best_deterministic,
    leader_value,
    provable_prices,
    weighted_leader,
)
from solvers.requirements import a_posg
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import open_meter, solver
from solvers.workers import processes_for

STARTS = 4  # deterministic leaders
RELATIVE = Fraction(1, 10**6)  # of the span of returns: the default tolerance


@solver(takes=(a_posg,), unit="cells", page="leaders")
def stochastic_markov_stackelberg(
    game: POSG | LeaderView,
    *,
    leader: int | None = None,
    ties: FollowerTies = FollowerTies.STRONG,
    tolerance: float | None = None,
    jobs: int | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[StochasticLeader, StochasticStackelbergCertificate]:
    """Find the best mixed actions by observation for a leader to commit to, and prove it.

    Branch and bound, for leaders who draw afresh at each use by what they observe alone, and a
    follower who knows step and state. ``stochastic_markov_commitment`` bounds larger classes of
    commitments, less tightly.

    Args:
        game: Two players and a horizon; observations are functions of the state.
        leader: Who commits. Default: the view's leader, else player 0.
        ties: With WEAK ties the best value is often approached only.
        tolerance: How far below the bound the value may be, in payoff units. Default: 1e-6 times
            the span of the leader's returns. The gap is often far smaller, and 0 where mixed
            actions of short denominators are best.
        jobs: Workers that share a long search; -1 for one a processor; changes nothing but the
            time. Default: as ``joblib.parallel_config`` has it.
        budget: Iterations are cells that are split.
        on_iteration: Called after each of these.

    Returns:
        ``payoffs`` in the order of players.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If the game does not fit ``LeaderView``, or polynomials would be too long;
            names the size, and what bounds such leaders instead.
        NotConverged: If the budget ends first; ``best`` is the best commitment found, and its
            certificate proves the interval that is left.

    The problem is NP-hard. Polynomials have a coefficient for each way to see each observation at
    most once a step; the number of cells is at worst exponential in the number of observations.

    Source: :cite:`garloff1993bernstein`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> solution = stochastic_markov_stackelberg(RepeatedGame.of("prisoners_dilemma", rounds=2))
    >>> solution.payoffs[0], solution.certificate.epsilon
    (Fraction(23, 4), Fraction(0, 1))
    """
    view = view_led_by(game, leader)
    if jobs is not None:
        processes_for(jobs)
    meter = open_meter(budget, on_iteration)
    refuse_long_sums(view)
    cells = CellGame(view)
    floats = float_leaders(view, follower_class=FollowerClass.TIME_AWARE, ties=ties)
    gap = _gap(floats, tolerance)
    prices, ceiling = provable_prices(view, FollowerClass.TIME_AWARE, meter)
    search = _started(cells, floats, ties, (gap, ceiling), meter)
    split_cells(search, jobs=jobs)
    certificate = certify_stochastic_stackelberg(
        view, search.best.policy, ties=ties, nodes=search.written()
    )
    if ceiling < certificate.upper_bound:
        certificate = replace(certificate, upper_bound=ceiling, prices=prices)
    return _answer(certificate, meter, gap)


def _gap(floats: FloatLeaders, tolerance: float | None) -> Fraction:
    if tolerance is not None:
        return Fraction(tolerance)
    view = floats.view
    span = float(np.ptp(floats.rewards[..., 0]))
    steps = sum(float(view.discount) ** t for t in range(view.horizon))
    return RELATIVE * Fraction(span * steps) * floats.unit


def _started(
    cells: CellGame,
    floats: FloatLeaders,
    ties: FollowerTies,
    limits: tuple[Fraction, Fraction],
    meter: Meter,
) -> CellSearch:
    """Bound the cell of all mixed actions, and climb from a few leaders."""
    (gap, ceiling), view = limits, cells.view
    climbs = Search(
        game=floats,
        evaluate=partial(leader_value, view, FollowerClass.TIME_AWARE, ties),
        spend=lambda _: not meter.is_exhausted,
        enough=ceiling,
    )
    uniform = weighted_leader(view, lambda legal: [1] * len(legal))
    listed = best_deterministic(view, STARTS, FollowerClass.TIME_AWARE, ties)[:STARTS]
    starts = [Found(policy, climbs.evaluate(policy)) for policy in (*listed, uniform)]
    search = cell_search(
        cells,
        floats,
        evaluate=climbs.evaluate,
        meter=meter,
        best=max(starts, key=lambda one: one.value),
        ceiling=ceiling,
        tolerance=gap,
    )
    search.start()
    for start in starts:
        if search.best.value < ceiling and not meter.is_exhausted:
            search.try_near(climb(climbs, start))
    return search


def _answer(
    certificate: StochasticStackelbergCertificate, meter: Meter, gap: Fraction
) -> Solution[StochasticLeader, StochasticStackelbergCertificate]:
    solution = Solution(
        profile=certificate.policy,
        payoffs=certificate.payoffs,
        certificate=certificate,
        run=meter.record(),
    )
    if certificate.epsilon > gap:
        raise NotConverged(
            needs=f"mixed actions within {at_most_roughly(gap)} of the best",
            found=f"{solution.run.iterations} cells were split: the best ones found may be "
            f"{at_most_roughly(certificate.epsilon)} below",
            remedy="Give a larger budget or tolerance, or use best, whose interval is proved.",
            best=solution,
        )
    return solution
