"""Components of the set of equilibria of a bimatrix game, for degenerate games above all.

The extreme equilibria are the edges of a graph between extreme strategies of one player and of the
other. Its connected components are those of the set of equilibria, and its maximal complete
bipartite subgraphs are the maximal Nash subsets. Made complete on either side, the graph has these
subgraphs among its maximal cliques.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from gametheory_core.certificates.completeness import (
    CompletenessCertificate,
    NashComponent,
    NashComponentsCertificate,
    NashSubset,
)
from gametheory_core.certificates.equilibrium import NashCertificate
from gametheory_core.certificates.wording import rationals
from gametheory_core.errors import NotConverged
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.bimatrix.vertices import vertex_enumeration
from solvers.concepts import Concept
from solvers.requirements import a_normal_form, two_players
from solvers.solution import UNLIMITED, Budget, OnIteration, RunRecord, Solution, SolutionSet
from solvers.solver import Answers, open_meter, solver

Vertex: TypeAlias = tuple[int, Any]  # (player, extreme strategy)
Clique: TypeAlias = frozenset[Vertex]


@dataclass(frozen=True)
class NashComponents:
    """All equilibria of a bimatrix game, sorted by connected components.

    Attributes:
        extreme: All extreme equilibria, with the certificate that there are no others.
        certificate: How they make up maximal Nash subsets and components.
        run: How it was got; counts vertices and subsets.
    """

    extreme: SolutionSet[MixedProfile, NashCertificate]
    certificate: NashComponentsCertificate
    run: RunRecord

    @property
    def solution(self) -> Solution[tuple[NashComponent, ...], NashComponentsCertificate]:
        """All components as one answer; none of them is a way to play, so nothing is paid."""
        return Solution(self.components, (), self.certificate, self.run)

    @property
    def components(self) -> tuple[NashComponent, ...]:
        """The connected components, in the order of their first extreme equilibria."""
        return self.certificate.components

    @property
    def subsets(self) -> tuple[NashSubset, ...]:
        """The maximal Nash subsets of all components."""
        return tuple(subset for component in self.components for subset in component.subsets)

    @property
    def are_points(self) -> bool:
        """Whether there are finitely many equilibria, as in every nondegenerate game."""
        return all(component.is_point for component in self.components)


@solver(
    Answers(Concept.NASH_COMPONENTS, rank=10),
    takes=(a_normal_form, two_players),
    unit="vertices and subsets",
    because="two players: extreme equilibria that may be mixed belong together",
    page="dominance",
)
def nash_components(
    game: NormalFormGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> NashComponents:
    """Find all equilibria of a bimatrix game as polytopes, sorted by connected components, exactly.

    Args:
        game: Two players.
        budget: Iterations are vertices visited, as in ``vertex_enumeration``, then maximal Nash
            subsets.
        on_iteration: Called after each batch of vertices, and after each subset.

    Returns:
        Components of maximal Nash subsets; those of nondegenerate games are points.

    Raises:
        NotConverged: If the budget ends first; ``best`` is the set of extreme equilibria found by
            then.

    Beyond vertex enumeration, time is that of listing the subsets, of which there may be
    exponentially many.

    Sources:
        H.-M. Winkels, "An algorithm to determine all equilibrium points of a bimatrix game", Game
            Theory and Related Topics, 1979, 137-148.
        M. J. M. Jansen, "Maximal Nash subsets for bimatrix games", Naval Research Logistics
            Quarterly 28 (1981), 147-152.
        Avis, Rosenberg, Savani, von Stengel, "Enumeration of Nash equilibria for two-player games",
            Economic Theory 42 (2010), section 6.

    >>> game = NormalFormGame.bimatrix([[1, 1], [0, 0]], [[1, 1], [0, 0]])
    >>> found = nash_components(game)
    >>> [component.is_point for component in found.components]
    [False]
    >>> len(found.subsets[0].first), len(found.subsets[0].second)
    (1, 2)
    """
    meter = open_meter(budget, on_iteration)
    try:
        extreme = vertex_enumeration(game, budget=budget, on_iteration=on_iteration)
    except NotConverged as error:
        raise _not_converged("it has not all extreme equilibria", error.best) from None
    meter.iterations = extreme.run.iterations
    components: list[NashComponent] = []
    for graph in _connected_graphs(extreme):
        subsets: list[NashSubset] = []
        for clique in _maximal_subgraphs(graph):
            if meter.is_exhausted:
                found = f"it found {sum(len(c.subsets) for c in components) + len(subsets)} subsets"
                raise _not_converged(found, extreme)
            subsets.append(_subset(clique))
            meter.step()
        subsets.sort(key=lambda subset: (subset.first, subset.second), reverse=True)
        components.append(NashComponent(tuple(subsets)))
    completeness = cast("CompletenessCertificate", extreme.completeness)
    certificate = NashComponentsCertificate(game, tuple(components), completeness.eliminations)
    return NashComponents(extreme, certificate, meter.record())


def _connected_graphs(extreme: SolutionSet[MixedProfile, NashCertificate]) -> list[Any]:
    """Part the graph of extreme equilibria; in the order of first edges."""
    import networkx as nx  # noqa: PLC0415 takes a while to load, and few need it

    graph = nx.Graph()
    for solution in extreme.equilibria:
        x, y = map(rationals, solution.profile.strategies)
        graph.add_edge((0, x), (1, y))
    return [graph.subgraph(vertices) for vertices in nx.connected_components(graph)]


def _maximal_subgraphs(graph: Any) -> Iterator[Clique]:
    """List the maximal complete bipartite subgraphs of a connected bipartite graph."""
    import networkx as nx  # noqa: PLC0415 takes a while to load, and few need it

    sides = [[vertex for vertex in graph if vertex[0] == player] for player in (0, 1)]
    if graph.number_of_edges() == len(sides[0]) * len(sides[1]):
        yield frozenset(graph)
        return
    filled = nx.Graph(graph)
    for side in sides:
        filled.add_edges_from(nx.complete_graph(side).edges)
    for clique in nx.find_cliques(filled):
        if len({player for player, _ in clique}) == 2:  # else all of one side, with no partner
            yield frozenset(clique)


def _subset(clique: Clique) -> NashSubset:
    first, second = (
        tuple(sorted((strategy for player, strategy in clique if player == side), reverse=True))
        for side in (0, 1)
    )
    return NashSubset(first, second)


def _not_converged(
    what: str, best: SolutionSet[MixedProfile, NashCertificate] | object
) -> NotConverged:
    return NotConverged(
        needs="all maximal Nash subsets",
        found=f"the budget ended when {what}",
        remedy="Give a larger budget, or use the extreme equilibria in the exception's best.",
        best=best,
    )
