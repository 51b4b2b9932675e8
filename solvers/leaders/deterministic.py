"""Commitment in Markov games: the best deterministic memoryless leader, exactly.

Branch and bound over partial policies in floats, proved in rationals by the certificate; what
rounding has left open is settled exactly before the answer is given. Leaves that the certificate's
own bounds do not close are split further, until they do. That takes few steps, as only differences
on the scale of rounding are left.
"""

from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.certificates.wording import written
from gametheory_core.errors import NotConverged
from gametheory_core.games.rules import POSG
from gametheory_core.leaders.follower_responses import FollowerClass, FollowerTies
from gametheory_core.leaders.markov_stackelberg import (
    MarkovStackelbergCertificate,
    certify_markov_stackelberg,
)
from gametheory_core.leaders.markov_stackelberg_bounds import (
    BoundTask,
    LeafBound,
    Leaves,
    leaf_bounds,
)
from gametheory_core.leaders.policies import LeaderCommitment, StationaryFollower
from gametheory_core.leaders.view import LeaderView
from solvers.concepts import Concept
from solvers.leaders.layers import refuse_large_problem, view_led_by
from solvers.leaders.leader_search import (
    Incumbent,
    LeaderSearch,
    children_of,
    commit,
    first_witnesses,
    respond,
    run_search,
    start_search,
)
from solvers.leaders.relaxed_leaders import OPEN, SearchProblem, search_problem
from solvers.leaders.stationary_responses import LEAF, SplitTree, stationary_response
from solvers.requirements import a_horizon, a_posg, two_players
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver


def settled_response(
    problem: SearchProblem, found: Incumbent, multipliers: tuple[Fraction, ...]
) -> tuple[Incumbent, tuple[int, ...]]:
    """Return the exact response to a leader, and the splits that prove it.

    Only a stationary follower needs splits; she may turn out to have a slightly better policy.
    """
    if not problem.is_stationary:
        return found, (LEAF,)
    leader = found.commitment.leader_policy
    row = np.array([found.commitment.follower_policy.actions], dtype=np.int32)
    _, tree = stationary_response(problem, np.array(leader.actions), row)
    waiting = tree.leaves()
    is_weak = problem.ties is FollowerTies.WEAK
    while waiting:  # leaves that may hold a better response to this leader
        follower = found.commitment.follower_policy
        task = BoundTask(
            problem.view,
            problem.follower_class,
            problem.ties,
            multipliers,
            (follower,) if isinstance(follower, StationaryFollower) else (),
            is_negated=is_weak,
        )
        own = -found.returns[0] if is_weak else found.returns[0]
        bounds = leaf_bounds(task, _leaves(problem, [tree.patterns[k] for k in waiting]))
        waiting, better = _reopened(problem, tree, waiting, bounds, (own, found.returns[1]))
        if better is not None:
            found = commit(problem, leader, better)
            waiting = tree.leaves()
    return found, tree.written()


def _reopened(
    problem: SearchProblem,
    tree: SplitTree,
    nodes: list[int],
    bounds: list[LeafBound],
    returns: tuple[Fraction, Fraction],
) -> tuple[list[int], StationaryFollower | None]:
    """Split the leaves that may hold a better response; return one where it is fully fixed."""
    fresh: list[int] = []
    for node, bound in zip(nodes, bounds, strict=True):
        no_more = bound.follower_upper <= returns[1]
        if no_more and (bound.upper is None or bound.upper <= returns[0]):
            continue
        pattern = tree.patterns[node]
        if not np.any(pattern == OPEN):
            return [], StationaryFollower(tuple(pattern[problem.num_leader :].tolist()))
        fresh += _split(problem, tree, node, np.flatnonzero(pattern == OPEN)[0])
    return fresh, None


def settle(search: LeaderSearch, multipliers: tuple[Fraction, ...]) -> None:
    """Split leaves whose exact bound exceeds what the best leader gets, until there is none."""
    problem, tree = search.problem, search.tree
    rounded, search.best = list(search.known.values()), None
    for found in rounded:
        _learn(search, settled_response(problem, found, multipliers)[0])
    waiting = tree.leaves()
    while waiting:
        witnesses = tuple(StationaryFollower(tuple(row)) for row in search.witnesses.tolist())
        task = BoundTask(problem.view, problem.follower_class, problem.ties, multipliers, witnesses)
        bounds = leaf_bounds(task, _leaves(problem, [tree.patterns[k] for k in waiting]))
        fresh: list[int] = []
        for node, bound in zip(waiting, bounds, strict=True):
            fresh += _settle_leaf(search, node, bound, multipliers)
        waiting = fresh


def _learn(search: LeaderSearch, found: Incumbent) -> None:
    search.known[found.commitment.leader_policy.actions] = found
    search.keep(found)


def _settle_leaf(
    search: LeaderSearch, node: int, bound: LeafBound, multipliers: tuple[Fraction, ...]
) -> range:
    """Return what is to be looked at again after a leaf: nothing if it is closed."""
    problem, best = search.problem, search.best
    if bound.upper is None or (best is not None and bound.upper <= best.returns[0]):
        return range(0)
    pattern = search.tree.patterns[node]
    leader = pattern[: problem.num_leader]
    if not np.any(leader == OPEN) and tuple(leader.tolist()) not in search.known:
        found = respond(problem, leader, search.witnesses)
        _learn(search, settled_response(problem, found, multipliers)[0])
        return range(node, node + 1)  # once more, now that the response is known
    splits = pattern if problem.is_stationary else leader
    places = np.flatnonzero(splits == OPEN)
    if not places.size:
        return range(0)
    return _split(problem, search.tree, node, places[0])


def _split(problem: SearchProblem, tree: SplitTree, node: int, observation: Any) -> range:
    rows = children_of(problem, tree.patterns[node], int(observation))
    return tree.split(node, int(observation), rows, [tree.bounds[node]] * len(rows))


def _leaves(problem: SearchProblem, patterns: list[Any]) -> Leaves:
    rows = np.array(patterns, dtype=np.int32)
    return Leaves(rows[:, : problem.num_leader], rows[:, problem.num_leader :])


LeaderSolution: TypeAlias = Solution[LeaderCommitment, MarkovStackelbergCertificate]
SLOPES = (
    Fraction(0),
    Fraction(1, 2),
    Fraction(1),
    Fraction(2),
)  # of multipliers, on the scale of payoffs


@solver(
    Answers(Concept.MARKOV_STACKELBERG, rank=10, takes=(a_horizon, two_players)),
    takes=(a_posg,),
    unit="splits",
    because="two players and a horizon: branch and bound over deterministic memoryless leaders",
    page="leaders",
)
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
            deterministic policies of its own observation alone, which is not a best response in
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

    >>> from gametheory_core.catalog import RepeatedGame
    >>> solution = markov_stackelberg(RepeatedGame.of("prisoners_dilemma", rounds=10))
    >>> solution.profile.leader_policy.actions, str(solution.payoffs[0])
    ((1, 0, 1, 0, 1), '29')
    >>> solution.certificate.epsilon
    Fraction(0, 1)
    """
    _, solution = best_leader(
        view_led_by(game, leader),
        follower_class=follower_class,
        ties=ties,
        budget=budget,
        on_iteration=on_iteration,
    )
    return solution


def best_leader(
    view: LeaderView,
    *,
    follower_class: FollowerClass,
    ties: FollowerTies,
    budget: Budget,
    on_iteration: OnIteration | None,
) -> tuple[LeaderSearch, LeaderSolution]:
    """Search for the best leader; return the search too, for who goes on from there.

    Raises:
        UnsupportedGame, NotConverged: As ``markov_stackelberg``.
    """
    meter = open_meter(budget, on_iteration)
    refuse_large_problem(view, follower_class)
    multipliers = payoff_slopes(view)
    problem = search_problem(view, follower_class, ties, multipliers)
    search = LeaderSearch(problem, meter, first_witnesses(problem))
    start_search(search)
    run_search(search)
    solution = _solution(search, multipliers)
    if solution.certificate.epsilon and not meter.is_exhausted:
        settle(search, multipliers)
        solution = _solution(search, multipliers)
    if solution.certificate.epsilon:
        raise _unproved(solution)
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


def _solution(search: LeaderSearch, multipliers: tuple[Fraction, ...]) -> LeaderSolution:
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
    return Solution(best.commitment, payoffs, certificate, search.meter.record())


def written_witnesses(rows: Any) -> tuple[StationaryFollower, ...]:
    """Return policies, one a row, as certificates hold them."""
    return tuple(StationaryFollower(tuple(row)) for row in np.asarray(rows).tolist())


def _unproved(solution: LeaderSolution) -> NotConverged:
    certificate = solution.certificate
    return NotConverged(
        needs="an optimal leader",
        found=f"the budget ended after {solution.run.iterations} splits: the best one found gets "
        f"{written(certificate.leader_value)}, and no deterministic memoryless leader gets "
        f"more than {written(certificate.upper_bound)}",
        remedy="Give a larger budget, or use the commitment in the exception's best.",
        best=solution,
    )
