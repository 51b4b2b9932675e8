"""All pure equilibria of compact games: by constraints on graphs, by counts in crowds."""

from collections.abc import Mapping
from typing import Any, cast

from gametheory_core.compact import (
    AnonymousGame,
    CompactGame,
    CompactNashCertificate,
    CompactPureCertificate,
    CongestionGame,
    certify_compact,
)
from gametheory_core.errors import NotConverged
from gametheory_core.strategies.mixed import MixedProfile, pure_profile
from solvers.compact.count_search import all_spreads, stable_counts
from solvers.compact.neighborhood_search import stable_on_graph
from solvers.compact.requirements import a_compact_game
from solvers.concepts import Concept
from solvers.solution import (
    UNLIMITED,
    Budget,
    BudgetOver,
    Meter,
    OnIteration,
    Solution,
    SolutionSet,
)
from solvers.solver import Answers, open_meter, solver

UP_TO: Mapping[type, str] = {
    AnonymousGame: ", up to swaps of players who are alike",
    CongestionGame: ", up to swaps of players who may use the same",
}


@solver(
    Answers(Concept.PURE_NASH, rank=20, lists=True),
    Answers(
        Concept.NASH, rank=93, first_of="a pure equilibrium", because="the first pure equilibrium"
    ),
    takes=(a_compact_game,),
    unit="choices",
    because="best replies in each neighborhood, or to counts, constrain what can be stable",
    page="compact-games",
)
def compact_pure(
    game: CompactGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> SolutionSet[MixedProfile, CompactNashCertificate]:
    """Find all pure equilibria of a polymatrix, graphical, congestion or anonymous game, exactly.

    Args:
        game: Any payoffs.
        budget: Iterations are choices tried on a graph, equilibria of a congestion game, and count
            vectors of an anonymous one.

    Returns:
        All pure equilibria, perhaps none. Where players are alike, those that differ only in who
        is who count as one: in congestion games players with the same actions, in anonymous games
        all. The one listed has earlier players take earlier actions.

    Raises:
        UnsupportedGame: If a congestion or anonymous game has more than a million ways to spread
            players over actions.
        NotConverged: If the budget ends first; ``best`` holds the equilibria found.

    Whether a graphical game has a pure equilibrium is NP-complete; on graphs the search can take
    exponential time. By counts it is polynomial in the number of players.

    Source: :cite:`gottlob2005pure`.

    >>> from gametheory_core import load_game
    >>> found = compact_pure(load_game("public_good_on_ring:players=9"))
    >>> len(found.equilibria), found.is_complete
    (12, True)
    """
    meter = open_meter(budget, on_iteration)
    found: dict[tuple[int, ...], CompactNashCertificate] = {}
    is_complete = True
    try:
        _collect(game, found, meter)
    except BudgetOver:
        is_complete = False
    run = meter.record()
    solutions = tuple(Solution(own.profile, own.payoffs, own, run) for own in found.values())
    profiles = tuple(own.profile for own in solutions)
    evidence = (
        f"all pure equilibria{UP_TO.get(type(game), '')}: {meter.iterations:,} {meter.unit} "
        "were tried"
        if is_complete
        else f"the budget ended after {meter.iterations:,} {meter.unit}"
    )
    completeness = CompactPureCertificate(game, profiles) if is_complete else None
    answer = SolutionSet(cast("Any", game), solutions, is_complete, evidence, completeness, run)
    if not is_complete:
        raise NotConverged(
            needs="all choices to be tried",
            found=f"{evidence}; pure equilibria found: {len(found)}",
            remedy="Give a larger budget, or use the exception's best.",
            best=answer,
        )
    return answer


def _collect(
    game: CompactGame, found: dict[tuple[int, ...], CompactNashCertificate], meter: Meter
) -> None:
    """Certify equilibria as they are found, and put them in order, as far as the budget goes.

    Raises:
        BudgetOver: If it ends first.
    """

    def keep(actions: tuple[int, ...]) -> None:
        found[actions] = certify_compact(game, pure_profile(game, actions))

    if isinstance(game, AnonymousGame):
        for actions in stable_counts(game, meter.tick):
            keep(actions)
    elif isinstance(game, CongestionGame):
        meter.require_more()
        spreads = all_spreads(game)
        for row in spreads.is_stable.nonzero()[0].tolist():
            meter.tick()
            keep(spreads.actions(row))
    else:
        for actions in stable_on_graph(game, meter.tick):
            keep(actions)
        ordered = sorted(found.items())
        found.clear()
        found.update(ordered)
