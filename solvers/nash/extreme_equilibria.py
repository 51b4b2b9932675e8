"""Extreme equilibria: the pairs of vertices of the best-response polytopes that have all labels.

Every equilibrium of a bimatrix game is a convex combination of extreme ones (Mangasarian 1964), so
a complete list of them is a complete answer, also for degenerate games with infinitely many.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.certificates.completeness import CompletenessCertificate
from gametheory_core.certificates.nash import NashCertificate, certify_nash
from gametheory_core.errors import NotConverged
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.nash.best_response_polytopes import BestResponsePolytope, VertexTable, strategy_of
from solvers.solution import EquilibriumSet, Meter, Solution

LABELS_IN_A_WORD = 62


def label_array(labels: Sequence[int], *, num_labels: int) -> NDArray[Any]:
    """Store bit sets of labels: int64 if they fit, else Python integers."""
    return np.array(labels, dtype=np.int64 if num_labels <= LABELS_IN_A_WORD else object)


def vertex_table(
    weights_by_labels: dict[int, list[int]], polytope: BestResponsePolytope
) -> VertexTable:
    """Tabulate vertices given as tight labels -> weights, leaving out the origin."""
    found = {labels: weights for labels, weights in weights_by_labels.items() if any(weights)}
    weights = np.empty((len(found), len(polytope.own_labels)), dtype=object)
    for position, values in enumerate(found.values()):
        weights[position] = values
    return VertexTable(label_array(list(found), num_labels=polytope.num_labels), weights)


def fully_labelled_pairs(
    first: VertexTable, second: VertexTable, *, num_labels: int
) -> list[tuple[int, int]]:
    """Return the pairs (index in first, index in second) that have all labels, in a fixed order.

    Simple vertices pair by equality of one bit set with the complement of the other. Only a
    degenerate vertex, with more tight labels than its polytope has dimensions, can share labels
    with its partner, so only those are compared with every vertex.
    """
    everything = (1 << num_labels) - 1
    missing = everything & ~first.labels
    pairs: set[tuple[int, int]] = set()
    position = {labels: index for index, labels in enumerate(second.labels.tolist())}
    for index, labels in enumerate(missing.tolist()):
        if labels in position:
            pairs.add((index, position[labels]))
    for index in _degenerate(first):
        partners = np.flatnonzero((missing[index] & ~second.labels) == 0)
        pairs.update((index, partner) for partner in partners.tolist())
    for index in _degenerate(second):
        partners = np.flatnonzero((missing & ~second.labels[index]) == 0)
        pairs.update((partner, index) for partner in partners.tolist())
    return sorted(pairs, key=lambda pair: _order(first, second, pair))


def _degenerate(table: VertexTable) -> list[int]:
    dimension = table.weights.shape[1]
    return [i for i, labels in enumerate(table.labels.tolist()) if labels.bit_count() > dimension]


def _order(first: VertexTable, second: VertexTable, pair: tuple[int, int]) -> tuple[object, ...]:
    x, y = first.weights[pair[0]], second.weights[pair[1]]
    supports = (tuple(np.flatnonzero(x).tolist()), tuple(np.flatnonzero(y).tolist()))
    return (*supports, int(first.labels[pair[0]]), int(second.labels[pair[1]]))


def extreme_equilibria(
    game: NormalFormGame,
    polytopes: tuple[BestResponsePolytope, BestResponsePolytope],
    tables: tuple[VertexTable, VertexTable],
    *,
    meter: Meter,
    algorithm: str,
    method: str,
    unfinished: str,
) -> EquilibriumSet[MixedProfile, NashCertificate]:
    """Pair vertices, certify each equilibrium, and say whether these are all.

    Parameters
    ----------
    tables : pair of VertexTable
        Of both polytopes; all vertices, or those found when the budget ended.
    meter : Meter
        Closed into the run record.
    algorithm : str
        Name of the calling function.
    method : str
        How all vertices were found, for the evidence.
    unfinished : str
        What was left undone when the budget ended; empty if nothing was.

    Raises
    ------
    NotConverged
        If something was left undone; ``best`` is the certified set found, marked incomplete.
    """
    first, second = tables
    run = meter.record(algorithm)
    solutions: list[Solution[MixedProfile, NashCertificate]] = []
    shared: dict[tuple[int, int], Any] = {}
    for pair in fully_labelled_pairs(first, second, num_labels=polytopes[0].num_labels):
        strategies = [
            shared.setdefault((side, index), strategy_of(tables[side].weights[index]))
            if (side, index) not in shared
            else shared[side, index]
            for side, index in enumerate(pair)
        ]
        profile = MixedProfile(tuple(strategies))
        certificate = certify_nash(game, profile)
        solutions.append(Solution(profile, certificate.payoffs, certificate, run))
    equilibria = tuple(solutions)
    if unfinished:
        best = EquilibriumSet(
            game=game,
            equilibria=equilibria,
            is_complete=False,
            evidence=f"extreme equilibria may be missing: {unfinished}",
            completeness=None,
            run=run,
        )
        raise NotConverged(
            f"{algorithm}: needs all extreme equilibria, but the budget ended with "
            f"{len(equilibria)} found: {unfinished}. Give a larger budget, or use "
            "the incomplete set in the exception's best.",
            best=best,
        )
    return EquilibriumSet(
        game=game,
        equilibria=equilibria,
        is_complete=True,
        evidence=(
            f"all extreme equilibria: {method}; each of the {len(first.labels)} and "
            f"{len(second.labels)} vertices of the two best-response polytopes was compared with "
            "the other side for a full set of labels"
        ),
        completeness=CompletenessCertificate(game, tuple(s.profile for s in equilibria)),
        run=run,
    )
