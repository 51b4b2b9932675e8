"""Correlated and coarse correlated equilibria of normal forms by linear programs (Aumann 1974).

The best one for any linear objective, for any number of players; ``incentive_program`` writes the
program down.

What they pay two players is a polygon, whose corners are found by programs in directions: start
with the most and least payoff of the first player; then look beyond every edge found so far, in the
direction of its outer normal, until nothing is farther out. Each program is solved exactly, and its
multipliers prove that its edge is the outermost.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import cast

from gametheory_core import CorrelatedDistribution, InvalidArgument, NormalFormGame, NotConverged
from gametheory_core.arrays import ONE, ZERO, Number
from gametheory_core.certificates import CorrelatedKind, CorrelatedPayoffsCertificate
from gametheory_core.certificates.correlated import CorrelatedCertificate, CorrelatedOptimality
from gametheory_core.certificates.correlated_payoffs import (
    PayoffEdge,
    Point,
    certify_correlated_payoffs,
)
from gametheory_core.certificates.incentives import LinearObjective
from gametheory_core.games.competition import is_strictly_competitive
from solvers.concepts import Concept, Objective
from solvers.correlated.certified_program import (
    CorrelatedTask,
    correlated_task,
    linear_objective,
    solve_exact_task,
    solve_task,
    within,
)
from solvers.correlated.competition import minimax_distribution
from solvers.requirements import a_normal_form, as_tuple, require_player, several_players
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, RunRecord, Solution
from solvers.solver import Answers, open_meter, solver


@solver(
    Answers(
        Concept.CORRELATED,
        rank=10,
        given={"kind": CorrelatedKind.CORRELATED},
        because="one linear program over joint actions, each player's swaps as rows",
    ),
    Answers(
        Concept.COARSE_CORRELATED,
        rank=10,
        given={"kind": CorrelatedKind.COARSE},
        because="one linear program over joint actions, each player's fixed deviations as rows",
    ),
    takes=(a_normal_form,),
    unit="pivots",
    page="correlated",
)
def correlated_equilibrium(
    game: NormalFormGame,
    *,
    kind: CorrelatedKind = CorrelatedKind.CORRELATED,
    objective: Objective | LinearObjective = Objective.LARGEST_WELFARE,
    player: int | None = None,
    payoff_floors: Mapping[int, Number] | None = None,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[CorrelatedDistribution, CorrelatedCertificate]:
    """Find the correlated equilibrium with the most of an objective, exactly.

    A mediator draws a joint action and tells each player their own part; nobody gains by swapping
    an action for another one where it is recommended.

    Args:
        game: Any number of players.
        kind: Coarse equilibria are judged before the draw: nobody gains by always playing one
            action instead of committing to the recommendation, unseen.
        objective: What is preferred, in words or as weights.
        player: Whose payoff an objective in words is about. Default: the first player's.
        payoff_floors: What the equilibrium must pay some players at least.
        tolerance: Largest gain of a swap, shortfall of a floor, and distance from the best
            objective that is good enough, in payoff units. Default: all are wanted to be 0.
        budget: Iterations are simplex pivots, and rounds of exact refinement.

    Returns:
        Without a tolerance, ``certificate.epsilon`` and ``certificate.optimality_gap`` are 0.

    Raises:
        UnsupportedGame: If the program is too large.
        InvalidArgument: If objective or floors make no sense for the game.
        InfeasibleProgram: If no equilibrium meets the floors; ``witness`` is a certificate that
            proves it.
        NotConverged: If the budget ends first; ``best`` is the best certified answer so far.

    Swaps times joint actions bound the size of the program. Floats find a basis, in which rationals
    find what is wrong and floats mend it, magnified. In strictly competitive games (constant-sum,
    up to the units of payoffs) minimax strategies are as good as any equilibrium; with a tolerance
    or floors, the general program is solved all the same.

    Sources: :cite:`aumann1974subjectivity`, :cite:`moulin1978strategically`.

    >>> from gametheory_core import NormalFormGame
    >>> chicken = NormalFormGame.symmetric([[6, 2], [7, 0]])
    >>> best = correlated_equilibrium(chicken)
    >>> best.payoffs
    (Fraction(21, 4), Fraction(21, 4))
    >>> best.profile.joint_actions
    ((0, 0), (0, 1), (1, 0))
    """
    meter = open_meter(budget, on_iteration)
    if tolerance is None and not payoff_floors and is_strictly_competitive(game):
        wanted = linear_objective(game, objective, player)
        if not wanted.outcome_weights:
            return within(minimax_distribution(game, kind, wanted, meter), tolerance, meter)
    task = correlated_task(game, kind, objective, player, payoff_floors, meter)
    return solve_task(task, tolerance=tolerance, meter=meter)


@dataclass(frozen=True)
class PayoffPolygon:
    """All payoffs of two players in correlated equilibria.

    Attributes:
        vertices: The corners, counterclockwise; one or two if there is no area.
        certificate: An equilibrium for each corner, and a proof for each edge.
        run: How it was got.
    """

    vertices: tuple[Point, ...]
    certificate: CorrelatedPayoffsCertificate
    run: RunRecord

    @property
    def solution(self) -> Solution[tuple[Point, ...], CorrelatedPayoffsCertificate]:
        """All corners as one answer."""
        return Solution(self.vertices, (), self.certificate, self.run)


@dataclass(frozen=True)
class _Corner:
    """The farthest equilibrium in a direction, with the proof that none is farther."""

    point: Point
    distribution: CorrelatedDistribution
    edge: PayoffEdge


@solver(
    Answers(Concept.CORRELATED_PAYOFFS, rank=10, takes=(several_players,)),
    takes=(a_normal_form,),
    unit="pivots",
    because="one exact linear program for each corner and each edge of the first two players'"
    " payoffs",
    page="correlated",
)
def correlated_payoff_vertices(
    game: NormalFormGame,
    *,
    kind: CorrelatedKind = CorrelatedKind.CORRELATED,
    players: tuple[int, int] = (0, 1),
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> PayoffPolygon:
    """Find the corners of what correlated equilibria pay two players, exactly.

    Args:
        game: At least two players.
        kind: Correlated or coarse correlated.
        players: Whose payoffs.
        budget: Iterations are simplex pivots, and rounds of exact refinement.

    Raises:
        UnsupportedGame: If the program is too large.
        InvalidArgument: If there are no two such players.
        NotConverged: If the budget ends first; ``best`` is None.

    A polygon of k corners takes about 2 k linear programs.

    >>> chicken = NormalFormGame.symmetric([[6, 2], [7, 0]])
    >>> polygon = correlated_payoff_vertices(chicken)
    >>> [(str(x), str(y)) for x, y in polygon.vertices]
    [('7', '2'), ('21/4', '21/4'), ('2', '7'), ('18/5', '18/5')]
    """
    seats = as_tuple(players, name="players", remedy="Give two: players=(0, 1).")
    for seat in seats:
        require_player(seat, game, name="each of the players")
    if len(seats) != 2 or seats[0] == seats[1] or not set(seats) <= set(range(game.num_players)):
        raise InvalidArgument(
            needs=f"two different players from 0 to {game.num_players - 1}",
            found=f"got {players!r}",
        )
    meter = open_meter(budget, on_iteration)
    task = correlated_task(
        game, kind, LinearObjective.welfare(game), None, None, meter, is_long=True
    )
    search = _Search((seats[0], seats[1]), task, meter)
    try:
        certificate = _polygon(search)
    except BudgetOver:
        raise NotConverged(
            needs="all corners", found=f"the budget ended after {meter.iterations} pivots"
        ) from None
    return PayoffPolygon(certificate.vertices, certificate, meter.record())


@dataclass(frozen=True, eq=False)
class _Search:
    """What all directions share."""

    players: tuple[int, int]
    task: CorrelatedTask
    meter: Meter


def _polygon(search: _Search) -> CorrelatedPayoffsCertificate:
    right, left = _farthest(search, (ONE, ZERO)), _farthest(search, (-ONE, ZERO))
    if right.point[0] == left.point[0]:
        up, down = _farthest(search, (ZERO, ONE)), _farthest(search, (ZERO, -ONE))
        ends = [right, up, left, down]
        corners = [up] if up.point == down.point else [up, down]
    else:
        ends = [right, left]
        corners = [right, left]
    proved: dict[Point, PayoffEdge] = {corner.edge.normal: corner.edge for corner in ends}
    k = 0
    while len(corners) > 1 and k < len(corners):
        here, there = corners[k], corners[(k + 1) % len(corners)]
        normal = _outer(here.point, there.point)
        found = _farthest(search, normal)
        proved[normal] = found.edge
        if _dot(normal, found.point) > _dot(normal, here.point):
            corners.insert(k + 1, found)
        else:
            k += 1
    return _certified(search, _without_flat_ones(corners), proved)


def _certified(
    search: _Search, corners: list[_Corner], proved: dict[Point, PayoffEdge]
) -> CorrelatedPayoffsCertificate:
    points = [corner.point for corner in corners]
    if len(points) == 1:
        normals = [(ONE, ZERO), (ZERO, ONE), (-ONE, ZERO), (ZERO, -ONE)]
    else:
        normals = [_outer(a, b) for a, b in zip(points, [*points[1:], points[0]], strict=True)]
    if len(points) == 2:
        (x, y), _ = normals
        normals += [(-y, x), (y, -x)]
    edges = [proved.get(normal) or _farthest(search, normal).edge for normal in normals]
    return certify_correlated_payoffs(
        search.task.game,
        [corner.distribution for corner in corners],
        edges,
        kind=search.task.rows.kind,
        players=search.players,
    )


def _farthest(search: _Search, normal: Point) -> _Corner:
    """Solve in one direction."""
    weights = [ZERO] * search.task.game.num_players
    weights[search.players[0]], weights[search.players[1]] = normal
    objective = LinearObjective(tuple(weights))
    game, kind = search.task.game, search.task.rows.kind
    if is_strictly_competitive(game):
        certificate = minimax_distribution(game, kind, objective, search.meter).certificate
        if certificate.epsilon:
            raise BudgetOver
    else:
        task = replace(search.task, objective=objective)
        certificate = solve_exact_task(task, search.meter).certificate
    first, second = (certificate.payoffs[i] for i in search.players)
    edge = PayoffEdge(normal, cast("CorrelatedOptimality", certificate.optimality).prices)
    return _Corner((first, second), certificate.distribution, edge)


def _without_flat_ones(corners: list[_Corner]) -> list[_Corner]:
    """Drop points within an edge, which a direction with several optima may return."""
    count = len(corners)
    if count < 3:
        return corners
    kept = [
        corners[k]
        for k in range(count)
        if _turn(corners[k - 1].point, corners[k].point, corners[(k + 1) % count].point) > 0
    ]
    ends = sorted(corners, key=lambda corner: corner.point, reverse=True)
    return kept if len(kept) > 2 else [ends[0], ends[-1]]


def _outer(here: Point, there: Point) -> Point:
    return (there[1] - here[1], here[0] - there[0])


def _dot(left: Point, right: Point) -> Fraction:
    return left[0] * right[0] + left[1] * right[1]


def _turn(before: Point, here: Point, after: Point) -> Fraction:
    return (here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (
        after[0] - here[0]
    )
