"""Vertex enumeration: visit all vertices of both best-response polytopes, then pair their labels.

The vertices of a polytope in general position, and the edges between them, form a connected graph
with as many edges at each vertex as the polytope has dimensions. Following every edge from every
vertex once therefore finds them all. Degenerate polytopes are put in general position by
infinitesimals (see ``best_response_polytopes``).

There are three ways to the same answer. Python integers take numbers of any size. Machine words are
some forty times faster, but give up on numbers of more than about 95 bits. Floats, with bounds on
their errors that prove the answer, take numbers of any size, such as payoffs that were given as
floats, but give up where more labels are tight than a vertex needs. Both kernels take half a second
to load, so that small polytopes are left to Python integers.
"""

from itertools import product
from typing import TypeAlias

from gametheory_core.arrays import ExactArray
from gametheory_core.certificates.equilibrium import NashCertificate
from gametheory_core.certificates.reduced_game import Reduction
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.bimatrix.best_response_polytopes import (
    BestResponsePolytope,
    Tableau,
    Traversal,
    basic_weights,
    best_response_polytopes,
    leaving_row,
    most_vertices,
    origin,
    pivot,
    room_for_vertices,
    tight_labels,
    vertex_table,
)
from solvers.bimatrix.extreme_equilibria import (
    bimatrix_left,
    certified_pairs,
    extreme_equilibria,
    reduced_first,
    two_choose,
)
from solvers.bimatrix.optimal_vertices import optimal_vertices, zero_sum_payoffs
from solvers.concepts import Concept
from solvers.reduced_normal_form import reduced_normal_form
from solvers.requirements import a_normal_form
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, SolutionSet
from solvers.solver import Answers, open_meter, solver

WORTH_LOADING = 1_000  # vertices, about a tenth of a second in Python integers
EXPECTED_SHARE = 4  # a random polytope of 10 x 10 actions has a quarter of the most vertices
BYTES_OF_A_NUMBER = 40  # a Python integer and the place that refers to it
BYTES_OF_A_BASIS = 160  # noted as seen, and its edge while it waits

Edge: TypeAlias = tuple[int, int]  # row and column


def traverse(polytope: BestResponsePolytope, meter: Meter) -> Traversal:
    """Visit all vertices, as far as the budget goes."""
    if most_vertices(polytope) // EXPECTED_SHARE >= WORTH_LOADING:
        from solvers.bimatrix.float_traversal import traverse_in_floats  # noqa: PLC0415 loads numba
        from solvers.bimatrix.word_traversal import traverse_in_words  # noqa: PLC0415 loads numba

        done = traverse_in_words(polytope, meter) or traverse_in_floats(polytope, meter)
        if done is not None:
            return done
    return traverse_in_integers(polytope, meter)


def traverse_in_integers(polytope: BestResponsePolytope, meter: Meter) -> Traversal:
    """Visit all vertices in Python integers of any size, as far as budget and memory go.

    An edge is followed only when its other end is visited, so that vertices wait without tableaus
    of their own.
    """
    tableau = origin(polytope)
    seen = {_bits(tableau.nonbasic)}
    waiting: list[tuple[Tableau, list[Edge]]] = []
    weights: dict[int, list[int]] = {}
    room, held = room_for_vertices(), 0
    is_complete = False
    while not (meter.is_exhausted or held > room):
        weights[tight_labels(tableau)] = basic_weights(tableau, polytope.own_labels)
        meter.step()
        edges = _new_edges(tableau, seen, meter)
        if edges is None:
            break
        held += (len(edges) + 1) * BYTES_OF_A_BASIS + BYTES_OF_A_NUMBER * len(polytope.own_labels)
        if edges:
            waiting.append((tableau, edges))
            held += _bytes_of(tableau)
        is_complete = not waiting
        if is_complete:
            break
        start, left = waiting[-1]
        row, column = left.pop()
        if not left:
            waiting.pop()
            held -= _bytes_of(start)
        tableau = pivot(start, row=row, column=column)
    table = vertex_table(weights, polytope)
    return Traversal(table, is_complete=is_complete, is_full=held > room)


def _new_edges(tableau: Tableau, seen: set[int], meter: Meter) -> list[Edge] | None:
    """List the edges to bases not seen before, and note those; None if time is over."""
    tight = _bits(tableau.nonbasic)
    edges: list[Edge] = []
    for column, label in enumerate(tableau.nonbasic):
        if meter.seconds_left == 0.0:  # a single vertex of a large polytope takes minutes
            return None
        row = leaving_row(tableau, column=column)
        neighbor = tight ^ (1 << label) ^ (1 << tableau.basic[row])
        if neighbor not in seen:
            seen.add(neighbor)
            edges.append((row, column))
    return edges


def _bits(labels: tuple[int, ...]) -> int:
    return sum(1 << label for label in labels)


def _bytes_of(tableau: Tableau) -> int:
    """Estimate a tableau's memory: its entries are about as long as its determinant."""
    entries = len(tableau.rows) * len(tableau.rows[0])
    return entries * (BYTES_OF_A_NUMBER + tableau.determinant.bit_length() // 8)


@solver(
    Answers(Concept.ALL_NASH, rank=10, lists=True),
    takes=(a_normal_form, two_choose),
    through=(reduced_normal_form,),
    unit="vertices",
    because="two players: every extreme equilibrium is a pair of best-response vertices",
    page="nash",
)
def vertex_enumeration(
    game: NormalFormGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> SolutionSet[MixedProfile, NashCertificate]:
    """Find all extreme equilibria of a bimatrix game, degenerate or not, exactly.

    Args:
        game: Two players, or more of whom strict dominance and copies leave two a choice.
        budget: Iterations are vertices visited, of both polytopes.
        on_iteration: Called after each batch of vertices.

    Returns:
        Complete; each certificate's epsilon is 0.

    Raises:
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
    reduction = reduced_first(game, meter)
    left = bimatrix_left(reduction)
    payoffs = zero_sum_payoffs(left)
    if payoffs is not None:
        return _pairs_of_optimal(reduction, payoffs, meter)
    polytopes = best_response_polytopes(left)
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
        method="every edge was followed from every vertex, by exact lexicographic pivoting",
        unfinished=unfinished,
        is_full=is_full,
        reduction=reduction,
    )


def _pairs_of_optimal(
    reduction: Reduction, payoffs: ExactArray, meter: Meter
) -> SolutionSet[MixedProfile, NashCertificate]:
    """Pair the vertices of both players' optimal strategies in a game that is zero-sum."""
    first, second = (optimal_vertices(payoffs, player, meter) for player in (0, 1))
    unfinished = ""
    if not (first.is_complete and second.is_complete):
        unfinished = f"{meter.iterations:,} optimal vertices were visited, and there may be more"
    return certified_pairs(
        reduction,
        list(product(first.weights, second.weights)),
        meter=meter,
        method="best replies are those of a zero-sum game, of whose optimal strategies "
        f"{len(first.weights)} and {len(second.weights)} are vertices: every edge between these "
        "was followed, by exact lexicographic pivoting",
        unfinished=unfinished,
    )
