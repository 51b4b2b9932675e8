"""Extreme equilibria: the pairs of vertices of the best-response polytopes that have all labels.

Every equilibrium of a bimatrix game is a convex combination of extreme ones (Mangasarian 1964), so
a complete list of them is a complete answer, also for degenerate games with infinitely many.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from math import comb
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.certificates.completeness import CompletenessCertificate
from gametheory_core.certificates.dominance import DominatedBy
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.certificates.reduced_game import Reduction
from gametheory_core.errors import NotConverged
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import HOLDS, Verdict
from gametheory_core.strategies.mixed import MixedProfile, pure_profile
from solvers.bimatrix.best_response_polytopes import BestResponsePolytope, VertexTable, strategy_of
from solvers.bimatrix.pivoting import lemke_howson
from solvers.dominance.reduction import reduce_game, reduce_in_time, told_of
from solvers.many_players.pure_equilibria import stable_cells
from solvers.requirements import Requirement, two_players
from solvers.solution import Budget, Meter, Solution, SolutionSet

Pair: TypeAlias = tuple[int, int]
Polytopes: TypeAlias = tuple[BestResponsePolytope, BestResponsePolytope]
NormalSolution: TypeAlias = Solution[MixedProfile, NashCertificate]

CERTIFIED_BEYOND_BUDGET = 20
LARGEST_FOR_PURE = 3_000_000  # bases of a polytope: 12 x 12 actions; programs take as long below


@lru_cache(maxsize=1)
def _reduced(game: NormalFormGame) -> Reduction:
    """Reduce a game once, to see who chooses and to solve what is left."""
    return reduce_game(game)


def _two_choose(game: Any) -> Verdict:
    """Tell whether two players choose, or would without strictly dominated actions and copies."""
    plain = two_players.test(game)
    if plain or game.num_players < 2 or not isinstance(game, NormalFormGame):
        return plain
    left = _reduced(game).target.num_actions
    if sum(count > 1 for count in left) <= 2:
        return HOLDS
    sizes = " x ".join(map(str, left))
    found = f"{plain.reason}, to whom strict dominance leaves {sizes} actions"
    return Verdict(False, found, plain.witness)


two_choose = Requirement("two players", _two_choose, two_players.remedy)


def reduced_first(game: NormalFormGame, meter: Meter) -> Reduction:
    """Reduce a game; by mixed strategies only where listing vertices takes far longer."""
    if game.num_players > 2:
        return _reduced(game)
    polytope_size = comb(sum(game.num_actions), min(game.num_actions))
    dominated_by = DominatedBy.MIXED if polytope_size > LARGEST_FOR_PURE else DominatedBy.PURE
    return reduce_in_time(game, Budget(seconds=meter.seconds_left), dominated_by=dominated_by)


def bimatrix_left(reduction: Reduction) -> NormalFormGame:
    """Return what is left of a game as one of two players: those who choose."""
    target = reduction.target
    if target.num_players == 2:
        return target
    pair = _choosing(target)
    actions = tuple(target.actions[player] for player in pair)
    payoffs = target.given_payoffs[list(pair)].reshape(2, *map(len, actions))
    return NormalFormGame(
        tuple(target.players[player] for player in pair), actions, payoffs, target.title
    )


def _choosing(game: NormalFormGame) -> tuple[int, ...]:
    """Return two players, before all those who have several actions."""
    players = sorted(range(game.num_players), key=lambda player: game.num_actions[player] == 1)
    return tuple(sorted(players[:2]))


def fully_labelled_pairs(
    polytopes: Polytopes, tables: tuple[VertexTable, VertexTable]
) -> list[Pair]:
    """Return the pairs (vertex of the first, of the second) that have all labels, in a fixed order.

    Simple vertices pair by equality of one bit set with the complement of the other. Only a
    degenerate vertex, with more tight labels than its polytope has dimensions, can share labels
    with its partner, so only those are compared with every vertex.
    """
    first, second = tables[0].labels, tables[1].labels
    missing = ((1 << polytopes[0].num_labels) - 1) & ~first
    position = {labels: index for index, labels in enumerate(second.tolist())}
    pairs = {
        (index, position[labels])
        for index, labels in enumerate(missing.tolist())
        if labels in position
    }
    for index in _degenerate(polytopes[0], first):
        partners = np.flatnonzero((missing[index] & ~second) == 0)
        pairs.update((index, partner) for partner in partners.tolist())
    for index in _degenerate(polytopes[1], second):
        partners = np.flatnonzero((missing & ~second[index]) == 0)
        pairs.update((partner, index) for partner in partners.tolist())

    def order(pair: Pair) -> tuple[tuple[int, ...], ...]:
        tight = int(first[pair[0]]), int(second[pair[1]])
        played = tuple(
            tuple(label for label in polytope.own_labels if not labels >> label & 1)
            for polytope, labels in zip(polytopes, tight, strict=True)
        )
        return (*played, tight)

    return sorted(pairs, key=order)


def _degenerate(polytope: BestResponsePolytope, labels: NDArray[Any]) -> list[int]:
    dimension = len(polytope.own_labels)
    return [i for i, tight in enumerate(labels.tolist()) if tight.bit_count() > dimension]


def extreme_equilibria(
    reduction: Reduction,
    polytopes: Polytopes,
    tables: tuple[VertexTable, VertexTable],
    *,
    meter: Meter,
    method: str,
    unfinished: str,
) -> SolutionSet[MixedProfile, NashCertificate]:
    """Pair vertices, certify each equilibrium, and say whether these are all.

    Args:
        reduction: Of the game; the polytopes are those of its target.
        tables: Of both polytopes; all vertices, or those found when the budget ended.
        meter: Closed into the run record.
        method: How all vertices were found, for the evidence.
        unfinished: What was left undone when the budget ended; empty if nothing was.

    Raises:
        NotConverged: If something was left undone; ``best`` is the certified set found, marked
            incomplete.
    """
    return certified_pairs(
        reduction,
        [
            (tables[0].weights(x), tables[1].weights(y))
            for x, y in fully_labelled_pairs(polytopes, tables)
        ],
        meter=meter,
        method=f"{method}; each of the {len(tables[0].labels)} and {len(tables[1].labels)} "
        "vertices of the two best-response polytopes was compared with the other side for a full "
        "set of labels",
        unfinished=unfinished,
    )


def certified_pairs(
    reduction: Reduction,
    pairs: Sequence[tuple[list[int], list[int]]],
    *,
    meter: Meter,
    method: str,
    unfinished: str,
    ended: str = "the budget ended",
) -> SolutionSet[MixedProfile, NashCertificate]:
    """Carry pairs of vertices back to the game, and certify them, as ``extreme_equilibria``.

    Args:
        pairs: Weights of both players, equilibria of what is left of the game.
        reduction, meter, method, unfinished: As there.
        ended: Why it was left.
    """
    game = reduction.game
    left = reduction.target
    sure = dict.fromkeys(range(left.num_players), strategy_of([1]))
    profiles = [
        MixedProfile(tuple((sure | dict(zip(_choosing(left), played, strict=True))).values()))
        for pair in pairs
        for played in [map(strategy_of, pair)]
    ]
    total = sum(map(reduction.num_expansions, profiles))
    equilibria = _certified(game, chain.from_iterable(map(reduction.expansions, profiles)), meter)
    if not unfinished and len(equilibria) < total:
        unfinished = f"{total - len(equilibria):,} pairs of vertices were not certified"
    if unfinished:
        raise _not_converged(game, equilibria, unfinished, ended, meter)
    equilibria = tuple(sorted(equilibria, key=_played))
    return SolutionSet(
        game=game,
        equilibria=equilibria,
        is_complete=True,
        evidence=f"all extreme equilibria: {told_of(reduction)}{method}",
        completeness=CompletenessCertificate(
            game, tuple(s.profile for s in equilibria), reduction.eliminations
        ),
        run=meter.record(),
    )


def _played(solution: NormalSolution) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(np.flatnonzero(own).tolist()) for own in solution.profile.strategies)


def _certified(
    game: NormalFormGame, profiles: Iterable[MixedProfile], meter: Meter
) -> tuple[NormalSolution, ...]:
    """Certify as many as the budget allows, and a few beyond it so that something can be shown."""
    certificates: list[NashCertificate] = []
    for profile in profiles:
        if meter.is_exhausted and len(certificates) >= CERTIFIED_BEYOND_BUDGET:
            break
        certificates.append(certify_nash(game, profile))
    run = meter.record()
    return tuple(Solution(cast("MixedProfile", c.profile), c.payoffs, c, run) for c in certificates)


def _not_converged(
    game: NormalFormGame,
    equilibria: tuple[NormalSolution, ...],
    unfinished: str,
    ended: str,
    meter: Meter,
) -> NotConverged:
    """Word the refusal; equilibria that are quick to find fill an empty set."""
    if not equilibria:
        equilibria = _certified(game, _quick_equilibria(game), meter)
    best = SolutionSet(
        game=game,
        equilibria=equilibria,
        is_complete=False,
        evidence=f"extreme equilibria may be missing: {unfinished}",
        completeness=None,
        run=meter.record(),
    )
    return NotConverged(
        needs="all extreme equilibria",
        found=f"{ended} with {len(equilibria)} found: {unfinished}",
        remedy="Give a larger budget, or use the incomplete set in the exception's best.",
        best=best,
    )


def _quick_equilibria(game: NormalFormGame) -> list[MixedProfile]:
    """Return the pure equilibria or, where there is none, the end of one Lemke-Howson path."""
    cells = np.argwhere(stable_cells(game)).tolist()
    if cells or game.num_players > 2:
        return [pure_profile(game, cell) for cell in cells]
    try:
        return [lemke_howson(game, budget=Budget(seconds=1.0)).profile]
    except NotConverged:
        return []
