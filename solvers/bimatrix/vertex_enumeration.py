"""Vertex enumeration: visit all vertices of both best-response polytopes, then pair their labels.

The vertices of a polytope in general position, and the edges between them, form a connected graph
with as many edges at each vertex as the polytope has dimensions. Following every edge from every
vertex once therefore finds them all. Degenerate polytopes are put in general position by
infinitesimals (see ``lexicographic_pivoting``).
"""

from gametheory_core.certificates.nash import NashCertificate
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.bimatrix.best_response_polytopes import best_response_polytopes
from solvers.bimatrix.extreme_equilibria import extreme_equilibria
from solvers.bimatrix.vertex_traversal import traverse
from solvers.concepts import Concept
from solvers.reduced_normal_form import reduced_normal_form
from solvers.requirements import (
    a_normal_form,
    two_players,
)
from solvers.solution import UNLIMITED, Budget, OnIteration, SolutionSet
from solvers.solver import Answers, open_meter, solver


@solver(
    Answers(Concept.ALL_NASH, rank=10, lists=True),
    takes=(a_normal_form, two_players),
    through=(reduced_normal_form,),
    unit="vertices",
    because="two players: every extreme equilibrium is a pair of best-response vertices",
    page="nash",
)
def vertex_enumeration(
    game: NormalFormGame,
    *,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> SolutionSet[MixedProfile, NashCertificate]:
    """Find all extreme equilibria of a bimatrix game, degenerate or not, exactly.

    Args:
        game: Two players.
        budget: Iterations are vertices visited, of both polytopes.
        on_iteration: Called after each batch of vertices.

    Returns:
        Complete; each certificate's epsilon is 0.

    Raises:
        UnsupportedGame: If the game has not two players, or is a tree.
        NotConverged: If the budget ends first, or the vertices of a polytope fill 1 GB, or half of
            what is free; ``best`` holds the equilibria found among the vertices visited.

    Time and memory are linear in the number of vertices of the polytopes, which grows
    exponentially with the number of actions: about 1,000 each for random 10 x 10 games. In
    degenerate games a vertex is visited once for each set of tight labels that makes it one.

    Sources:
        Mangasarian, "Equilibrium points of bimatrix games", SIAM J. 12 (1964).
        Avis, Rosenberg, Savani, von Stengel, "Enumeration of Nash equilibria for two-player games",
            Economic Theory 42 (2010).

    >>> game = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    >>> [solution.payoffs[0] for solution in vertex_enumeration(game).equilibria]
    [Fraction(3, 1), Fraction(6, 5), Fraction(2, 1)]
    """
    meter = open_meter(budget, on_iteration)
    polytopes = best_response_polytopes(game)
    first, second = (traverse(polytope, meter) for polytope in polytopes)
    unfinished = ""
    if not (first.is_complete and second.is_complete):
        unfinished = f"{meter.iterations:,} vertices were visited, and some of their edges lead on"
    is_full = first.is_full or second.is_full
    return extreme_equilibria(
        game,
        polytopes,
        (first.table, second.table),
        meter=meter,
        algorithm="vertex_enumeration",
        method="every edge was followed from every vertex, by exact lexicographic pivoting",
        unfinished=unfinished,
        is_full=is_full,
    )
