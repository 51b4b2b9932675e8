"""Vertex enumeration: visit all vertices of both best-response polytopes, then pair their labels.

The vertices of a polytope in general position, and the edges between them, form a connected graph
with as many edges at each vertex as the polytope has dimensions. Following every edge from every
vertex once therefore finds them all. Degenerate polytopes are put in general position by
infinitesimals (see ``best_response_polytopes``).

Large polytopes are searched in reverse: every vertex of one of them is visited, none is remembered,
and the vertices of the other are worked out where it may be part of an equilibrium. Where many
labels are tight at once, so that floats cannot tell vertices apart, machine words are quicker, as
long as numbers have no more than about 95 bits and memory lasts. The kernels of both take half a
second to load, so that small polytopes are left to Python integers.
"""

from collections.abc import Callable
from contextlib import suppress
from itertools import product
from typing import TypeAlias

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ExactArray
from gametheory_core.certificates.equilibrium import NashCertificate
from gametheory_core.certificates.reduced_game import Reduction
from gametheory_core.errors import NotConverged
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
    tight_labels,
    vertex_table,
)
from solvers.bimatrix.enumeration_state import EnumerationState
from solvers.bimatrix.extreme_equilibria import (
    Polytopes,
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
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, SolutionSet
from solvers.solver import Answers, open_meter, solver

WORTH_LOADING = 1_000  # vertices, about a tenth of a second in Python integers
EXPECTED_SHARE = 4  # a random polytope of 10 x 10 actions has a quarter of the most vertices

Edge: TypeAlias = tuple[int, int]  # row and column


def traverse_in_integers(polytope: BestResponsePolytope, meter: Meter) -> Traversal:
    """Visit all vertices in Python integers of any size, as far as the budget goes.

    An edge is followed only when its other end is visited, so that vertices wait without tableaus
    of their own.
    """
    tableau = origin(polytope)
    seen = {_bits(tableau.nonbasic)}
    waiting: list[tuple[Tableau, list[Edge]]] = []
    weights: dict[int, list[int]] = {}
    is_complete = False
    while not meter.is_exhausted:
        weights[tight_labels(tableau)] = basic_weights(tableau, polytope.own_labels)
        meter.step()
        edges = _new_edges(tableau, seen, meter)
        if edges is None:
            break
        if edges:
            waiting.append((tableau, edges))
        is_complete = not waiting
        if is_complete:
            break
        start, left = waiting[-1]
        row, column = left.pop()
        if not left:
            waiting.pop()
        tableau = pivot(start, row=row, column=column)
    return Traversal(vertex_table(weights, polytope), is_complete=is_complete)


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


@solver(
    Answers(Concept.ALL_NASH, rank=10, lists=True),
    takes=(a_normal_form, two_choose),
    through=(reduced_normal_form,),
    unit="vertices",
    because="two players: every extreme equilibrium is a pair of best-response vertices",
    page="nash",
)
def vertex_enumeration(
    game: NormalFormGame,
    *,
    state: EnumerationState | None = None,
    jobs: int = 1,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> SolutionSet[MixedProfile, NashCertificate]:
    """Find all extreme equilibria of a bimatrix game, degenerate or not, exactly.

    Args:
        game: Two players, or more of whom strict dominance and copies leave two a choice.
        state: Of a search for the same equilibria that was interrupted: what it found is kept.
        jobs: Threads that search large polytopes.
        budget: Iterations are vertices visited.
        on_iteration: Called after each batch of vertices; the total is an estimate.

    Returns:
        Complete; each certificate's epsilon is 0.

    Raises:
        NotConverged: If the budget ends first, or Ctrl-C is pressed; ``best`` holds the equilibria
            found among the vertices visited, and ``state``, of large games, what to go on from.
        InvalidArgument: If the state is of another game, or jobs are not a positive number.

    Time is linear in the number of vertices of the smaller polytope, which grows exponentially with
    the number of actions: about 1,000 for random 10 x 10 games, 200,000 for 17 x 17. Memory is that
    of a few hundred vertices. In degenerate games a vertex is visited once for each set of tight
    labels that makes it one.

    Sources:
        Mangasarian, "Equilibrium points of bimatrix games", SIAM J. 12 (1964).
        Avis, Rosenberg, Savani, von Stengel, "Enumeration of Nash equilibria for two-player games",
            Economic Theory 42 (2010).
        Avis, Fukuda, "A pivoting algorithm for convex hulls and vertex enumeration of arrangements
            and polyhedra", Discrete and Computational Geometry 8 (1992), 295-313.

    >>> game = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    >>> [solution.payoffs[0] for solution in vertex_enumeration(game).equilibria]
    [Fraction(3, 1), Fraction(6, 5), Fraction(2, 1)]
    """
    require_integer(jobs, name="jobs", low=1)
    meter = open_meter(budget, on_iteration)
    reduction = reduced_first(game, meter)
    left = bimatrix_left(reduction)
    payoffs = zero_sum_payoffs(left)
    if payoffs is not None and state is None:
        return _pairs_of_optimal(reduction, payoffs, meter)
    polytopes = best_response_polytopes(left)
    if state is None and max(map(most_vertices, polytopes)) < EXPECTED_SHARE * WORTH_LOADING:
        return _pairs_of_all(reduction, polytopes, traverse_in_integers, meter)
    return _searched_in_reverse(reduction, polytopes, state, jobs, meter)


def _pairs_of_all(
    reduction: Reduction,
    polytopes: Polytopes,
    traverse: Callable[[BestResponsePolytope, Meter], Traversal],
    meter: Meter,
) -> SolutionSet[MixedProfile, NashCertificate]:
    """List the vertices of both polytopes, and pair their labels."""
    first, second = (traverse(polytope, meter) for polytope in polytopes)
    unfinished = ""
    if not (first.is_complete and second.is_complete):
        unfinished = f"{meter.iterations:,} vertices were visited, and some of their edges lead on"
    return extreme_equilibria(
        reduction,
        polytopes,
        (first.table, second.table),
        meter=meter,
        method="every edge was followed from every vertex, by exact lexicographic pivoting",
        unfinished=unfinished,
    )


def _searched_in_reverse(
    reduction: Reduction,
    polytopes: Polytopes,
    state: EnumerationState | None,
    jobs: int,
    meter: Meter,
) -> SolutionSet[MixedProfile, NashCertificate]:
    """Visit every vertex of the smaller polytope, and find the partners of those that have any."""
    from solvers.bimatrix.reverse_search import begun, go_on, pairs_found, state_of  # noqa: PLC0415 loads numba
    from solvers.bimatrix.word_traversal import OutOfReach, traverse_in_words  # noqa: PLC0415 loads numba

    search = begun(polytopes, state)
    unfinished, ended = "", "the budget ended"
    pairs: list[tuple[list[int], list[int]]] = []
    try:
        go_on(search, meter, jobs=jobs, is_patient=state is not None)
        if search.left and not meter.is_exhausted:
            with suppress(OutOfReach):
                return _pairs_of_all(reduction, polytopes, traverse_in_words, meter)
            go_on(search, meter, jobs=jobs)
    except KeyboardInterrupt:
        ended = "it was interrupted"
    try:
        pairs.extend(pairs_found(search, meter))  # those before the end of the budget are kept
    except BudgetOver:
        unfinished = "some of the vertices visited were not paired"
    if search.left:
        unfinished = f"{search.visited:,} vertices were visited, and others are left"
    try:
        return certified_pairs(
            reduction,
            pairs,
            meter=meter,
            method=f"all {search.visited:,} vertices of a best-response polytope were visited by "
            "reverse search; where floats leave doubt, decisions are exact",
            unfinished=unfinished,
            ended=ended,
        )
    except NotConverged as error:
        raise error.changed(state=state_of(search)) from None


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
