"""Commitment in Markov games: the best deterministic memoryless leader, exactly.

Branch and bound over partial policies in floats, proved in rationals by the certificate; what
rounding has left open is settled exactly before the answer is given.
"""

from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import require_member
from gametheory_core.certificates.certificate import written
from gametheory_core.certificates.markov_stackelberg import (
    MarkovStackelbergCertificate,
    certify_markov_stackelberg,
)
from gametheory_core.errors import NotConverged
from gametheory_core.evaluation.follower_responses import FollowerClass, FollowerTies
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.games.posg import POSG
from gametheory_core.strategies.leader_commitments import LeaderCommitment
from gametheory_core.strategies.leader_policies import StationaryFollower
from solvers.leaders.exact_settlement import settle, settled_response
from solvers.leaders.layers import view_led_by
from solvers.leaders.leader_responses import Incumbent, first_witnesses
from solvers.leaders.leader_search import LeaderSearch, run_search, start_search
from solvers.leaders.leader_sizes import refuse_large_problem
from solvers.leaders.relaxed_leaders import search_problem
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution

NAME = "markov_stackelberg"
LeaderSolution: TypeAlias = Solution[LeaderCommitment, MarkovStackelbergCertificate]
SLOPES = (
    Fraction(0),
    Fraction(1, 2),
    Fraction(1),
    Fraction(2),
)  # of multipliers, on the scale of payoffs


def markov_stackelberg(
    game: POSG | LeaderView,
    *,
    leader: int | None = None,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[LeaderCommitment, MarkovStackelbergCertificate]:
    """Find the deterministic memoryless leader who earns most from a follower who responds best.

    Args:
        game: Two players, a horizon, and observations that are functions of the state.
        leader: Who commits first. Default: the leader of a view, the first player of other games.
        follower_class: Time-aware: a best response among all policies. Stationary: among
            deterministic policies of the own observation alone, which is no best response in
            general.
        ties: Whether a follower who is indifferent chooses for the leader or against.
        budget: Iterations are splits of partial policies.
        on_iteration: Called after each split.

    Returns:
        The commitment and the response; the certificate proves that no deterministic memoryless
        leader earns more. Payoffs are in the order of players.

    Raises:
        UnsupportedGame: If the game has no leader view, or is too large even for one bound.
        NotConverged: If the budget ends before optimality is proved; ``best`` holds the best
            commitment found, and its certificate bounds what is missing.

    The problem is NP-hard. A bound takes time linear in the horizon times the table; how many
    are needed depends on the game, and is at worst exponential in the number of observations.

    Source: :cite:`gerstgrasser2023oracles`, section 3.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> solution = markov_stackelberg(RepeatedGame.of("prisoners_dilemma", rounds=10))
    >>> solution.profile.leader_policy.actions, str(solution.payoffs[0])
    ((1, 0, 1, 0, 1), '29')
    >>> solution.certificate.epsilon
    Fraction(0, 1)
    """
    _, solution = best_leader(
        view_led_by(game, leader, function=NAME),
        follower_class=follower_class,
        ties=ties,
        budget=budget,
        on_iteration=on_iteration,
        function=NAME,
    )
    return solution


def best_leader(
    view: LeaderView,
    *,
    follower_class: FollowerClass,
    ties: FollowerTies,
    budget: Budget,
    on_iteration: OnIteration | None,
    function: str,
) -> tuple[LeaderSearch, LeaderSolution]:
    """Search for the best leader; return the search too, for who goes on from there.

    Raises:
        UnsupportedGame, NotConverged: As ``markov_stackelberg``; ``function`` is named.
    """
    require_member(follower_class, FollowerClass, function=function, name="follower_class")
    require_member(ties, FollowerTies, function=function, name="ties")
    meter = Meter(budget, "splits", on_iteration)
    refuse_large_problem(view, follower_class, function=function)
    multipliers = payoff_slopes(view)
    problem = search_problem(view, follower_class, ties, multipliers)
    search = LeaderSearch(problem, meter, first_witnesses(problem))
    start_search(search)
    run_search(search)
    solution = _solution(search, multipliers, function)
    if solution.certificate.epsilon and not meter.is_exhausted:
        settle(search, multipliers)
        solution = _solution(search, multipliers, function)
    if solution.certificate.epsilon:
        raise _unproved(solution, function)
    return search, solution


def payoff_slopes(view: LeaderView) -> tuple[Fraction, ...]:
    """Return multipliers on the scale of the game's payoffs."""
    spans: list[int] = []
    for player in range(2):
        paid = view.tables.rewards[..., player]
        spans.append(int(paid.max(initial=0)) - int(paid.min(initial=0)))
    if not all(spans):
        return SLOPES[:1]
    if spans[1] > 16 * spans[0]:
        scale = Fraction(1, 1 << (spans[1] // spans[0]).bit_length())
    else:
        scale = Fraction(spans[0], spans[1]).limit_denominator(16)
    return tuple(slope * scale for slope in SLOPES)


def _solution(
    search: LeaderSearch, multipliers: tuple[Fraction, ...], function: str
) -> LeaderSolution:
    view, best = search.problem.view, cast("Incumbent", search.best)
    best, response_nodes = settled_response(search.problem, best, multipliers)
    certificate = certify_markov_stackelberg(
        view.game,
        best.commitment,
        leader=view.leader,
        follower_class=search.problem.follower_class,
        ties=search.problem.ties,
        multipliers=multipliers,
        witnesses=written_witnesses(search.witnesses),
        nodes=search.tree.written(),
        response_nodes=response_nodes,
    )
    payoffs = best.returns if view.leader == 0 else best.returns[::-1]
    return Solution(best.commitment, payoffs, certificate, search.meter.record(function))


def written_witnesses(rows: Any) -> tuple[StationaryFollower, ...]:
    """Return policies, one a row, as certificates hold them."""
    return tuple(StationaryFollower(tuple(row)) for row in np.asarray(rows).tolist())


def _unproved(solution: LeaderSolution, function: str) -> NotConverged:
    certificate = solution.certificate
    return NotConverged(
        f"{function}: needs an optimal leader, but the budget ended after "
        f"{solution.run.iterations} splits: the best one found gets "
        f"{written(certificate.leader_value)}, and no deterministic memoryless leader gets more "
        f"than {written(certificate.upper_bound)}. Give a larger budget, or use the commitment in "
        "the exception's best.",
        best=solution,
    )
