"""Support enumeration: every vertex of the best-response polytopes from a square system.

A vertex of ``{z >= 0 : M z <= 1}`` with support ``I`` solves ``M[J, I] z_I = 1`` for some set ``J``
of as many tight replies with ``M[J, I]`` nonsingular: the tight rows have full rank on the support.
So trying all ``I`` and ``J`` of one size misses no vertex, also in degenerate games.
"""

from itertools import combinations
from math import comb

from gametheory_core.certificates.equilibrium import NashCertificate
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.bimatrix.best_response_polytopes import (
    BestResponsePolytope,
    VertexTable,
    best_response_polytopes,
    vertex_table,
)
from solvers.bimatrix.extreme_equilibria import extreme_equilibria, reduced_first
from solvers.concepts import Concept
from solvers.reduced_normal_form import reduced_normal_form
from solvers.requirements import a_normal_form, two_players
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, SolutionSet
from solvers.solver import Answers, open_meter, solver

LARGEST_UNBUDGETED = 50_000  # square systems a player: 9 x 9 actions


@solver(
    Answers(Concept.ALL_NASH, rank=20, lists=True),
    takes=(a_normal_form, two_players),
    through=(reduced_normal_form,),
    unit="square systems",
    because="two players, few actions: every pair of supports can be tried",
    page="nash",
)
def support_enumeration(
    game: NormalFormGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> SolutionSet[MixedProfile, NashCertificate]:
    """Find all extreme equilibria of a small bimatrix game by trying all supports, exactly.

    Args:
        game: Two players, degenerate or not; up to about 9 x 9 actions unless a budget is given.
        budget: Iterations are square systems.
        on_iteration: Called after each square system.

    Returns:
        Complete; each certificate's epsilon is 0.

    Raises:
        UnsupportedGame: If the game has not two players or is a tree; or is large, and no budget is
            given.
        NotConverged: If the budget ends first; ``best`` holds the equilibria found.

    Solves ``C(m + n, n)`` systems for each player. ``vertex_enumeration`` gives the same set, far
    faster on large games; this one is simple, and independent of pivoting rules.

    Source: O. L. Mangasarian (1964), "Equilibrium points of bimatrix games", Journal of the Society
        for Industrial and Applied Mathematics 12, 778-780.

    >>> game = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    >>> [solution.payoffs[0] for solution in support_enumeration(game).equilibria]
    [Fraction(3, 1), Fraction(6, 5), Fraction(2, 1)]
    """
    meter = open_meter(budget, on_iteration)
    reduction = reduced_first(game, meter)
    left = reduction.target.num_actions
    systems = comb(sum(left), left[0]) - 1
    if budget.is_endless and systems > LARGEST_UNBUDGETED:
        raise UnsupportedGame(
            needs="a small game",
            found=f"{reduction.target!r} has {systems:,} pairs of supports for each player, more "
            f"than {LARGEST_UNBUDGETED:,}",
            remedy="Use vertex_enumeration, or give a budget.",
        )
    meter.total = 2 * systems
    polytopes = best_response_polytopes(reduction.target)
    tables = _vertices(polytopes[0], meter), _vertices(polytopes[1], meter)
    unfinished = ""
    if meter.iterations < 2 * systems:
        unfinished = f"{meter.iterations:,} of {2 * systems:,} pairs of supports were tried"
    return extreme_equilibria(
        reduction,
        polytopes,
        tables,
        meter=meter,
        method=f"all {2 * systems:,} square systems of supports were solved exactly",
        unfinished=unfinished,
    )


def _vertices(polytope: BestResponsePolytope, meter: Meter) -> VertexTable:
    matrix = polytope.matrix.tolist()
    num_replies, num_actions = polytope.matrix.shape
    found: dict[int, list[int]] = {}
    for size in range(1, min(num_replies, num_actions) + 1):
        for support in combinations(range(num_actions), size):
            restricted = [[row[a] for a in support] for row in matrix]
            for replies in combinations(range(num_replies), size):
                if meter.is_exhausted:
                    return vertex_table(found, polytope)
                meter.step()
                point = _solve([[*restricted[j], 1] for j in replies])
                if point and min(point[:-1]) > 0:
                    _add_if_feasible(found, polytope, support, restricted, point)
    return vertex_table(found, polytope)


def _add_if_feasible(
    found: dict[int, list[int]],
    polytope: BestResponsePolytope,
    support: tuple[int, ...],
    restricted: list[list[int]],
    point: list[int],
) -> None:
    """Add the vertex ``point[:-1] / point[-1]`` on a support unless an inequality is broken."""
    *numerators, determinant = point
    weights = [0] * len(polytope.own_labels)
    for action, numerator in zip(support, numerators, strict=True):
        weights[action] = numerator
    labels = 0
    for label, weight in zip(polytope.own_labels, weights, strict=True):
        if not weight:
            labels |= 1 << label
    for label, row in zip(polytope.reply_labels, restricted, strict=True):
        value = sum(a * b for a, b in zip(row, numerators, strict=True))
        if value > determinant:
            return
        if value == determinant:
            labels |= 1 << label
    found[labels] = weights


def _solve(system: list[list[int]]) -> list[int] | None:
    """Solve a square integer system ``[A | b]``; None if singular.

    Fraction-free elimination (Bareiss 1968). Returns the numerators, then their common positive
    denominator, the absolute value of the determinant.
    """
    size, determinant = len(system), 1
    for k in range(size):
        row = next((i for i in range(k, size) if system[i][k]), None)
        if row is None:
            return None
        system[k], system[row] = system[row], system[k]
        element, pivot_row = system[k][k], system[k]
        system = [
            other
            if i == k
            else [
                (element * a - other[k] * b) // determinant
                for a, b in zip(other, pivot_row, strict=True)
            ]
            for i, other in enumerate(system)
        ]
        determinant = element
    sign = 1 if determinant > 0 else -1
    return [*(sign * row[-1] for row in system), sign * determinant]
