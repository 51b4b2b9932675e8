"""All equilibria of a small game of several players, from the polynomial systems of supports.

For each choice of supports the equations "supported actions earn the same" are multilinear. Where
at most two players mix they are linear and are solved in rationals. Else the strategies with these
supports are cut into cells, each shown to hold no equilibrium or exactly one; see
``support_cells``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any, cast

import numpy as np

from gametheory_core.arrays import ONE, ZERO, FloatArray
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.certificates.isolated_equilibrium import IsolatedEquilibriumCertificate
from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.evaluation.payoffs import action_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, pure_profile
from solvers.concepts import Concept
from solvers.many_players.cell_search import MOST_TIED_CELLS, CellSearch, UndecidedBox, isolation
from solvers.many_players.logit_branch import PlayableGame, normalized_payoffs, playable
from solvers.many_players.pure_equilibria import stable_cells
from solvers.many_players.support_newton import (
    Supports,
    accepted_gain,
    exact_on_supports,
    indifference,
)
from solvers.reduced_normal_form import reduced_normal_form
from solvers.requirements import a_normal_form, many_players, require_integer
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution, SolutionSet
from solvers.solver import Answers, open_meter, solver

LARGEST_UNBUDGETED = 20_000  # support profiles: three players with 4 actions have 3,375


@dataclass(frozen=True, eq=False)
class PolynomialEquilibria:
    """Equilibria of a game of any number of players, each in a box of its own.

    Attributes:
        found: Complete if nothing is undecided. An equilibrium that is not rational is given by a
            rational profile very close to it, with its exact, tiny epsilon.
        isolated: For each equilibrium found: a box with exactly one equilibrium of its supports.
            None where an unused action is tied, or the equations are singular; then the profile
            itself is exactly an equilibrium.
        undecided: Where there may be more equilibria: continua, and equilibria at which equations
            are singular.
    """

    found: SolutionSet[MixedProfile, NashCertificate]
    isolated: tuple[IsolatedEquilibriumCertificate | None, ...]
    undecided: tuple[UndecidedBox, ...]

    @property
    def solution(
        self,
    ) -> SolutionSet[MixedProfile, NashCertificate | IsolatedEquilibriumCertificate]:
        """All that is found; where an equilibrium is irrational, its proof is its box."""
        proved = (
            plain
            if isolated is None or not plain.certificate.epsilon
            else Solution(isolated.profile, isolated.payoffs, isolated, plain.run)
            for plain, isolated in zip(self.found.equilibria, self.isolated, strict=True)
        )
        return replace(cast("Any", self.found), equilibria=tuple(proved))


@dataclass
class _Search:
    """A search under way; lives inside a single call."""

    game: NormalFormGame
    prepared: PlayableGame
    payoffs: FloatArray
    tolerance: Fraction
    cells_per_support: int
    meter: Meter
    certificates: list[NashCertificate] = field(default_factory=list[NashCertificate])
    isolated: list[IsolatedEquilibriumCertificate | None] = field(
        default_factory=list[IsolatedEquilibriumCertificate | None]
    )
    undecided: list[UndecidedBox] = field(default_factory=list[UndecidedBox])

    def add(
        self, certificate: NashCertificate, isolated: IsolatedEquilibriumCertificate | None
    ) -> None:
        self.certificates.append(certificate)
        self.isolated.append(isolated)


@solver(
    Answers(Concept.ALL_NASH, rank=40, lists=True, takes=(many_players,)),
    takes=(a_normal_form,),
    through=(reduced_normal_form,),
    unit="cells",
    because="three players and more, few actions: boxes of probabilities, cut until they are "
    "decided",
    page="many-players",
)
def polynomial_support_enumeration(
    game: NormalFormGame,
    *,
    tolerance: float | Fraction | None = None,
    cells_per_support: int = 50_000,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> PolynomialEquilibria:
    """Find all equilibria of a small game of any number of players, one support profile at a time.

    Args:
        game: Few actions: three players with 3 actions, four or five with 2, take seconds.
        tolerance: Epsilon at which the refinement of an irrational equilibrium stops, in payoff
            units. Default 1e-12 times the payoff span.
        cells_per_support: Cells of one support profile that are looked at before the rest is left
            undecided. Some thousands are enough for most generic games; a second looks at about ten
            thousand.
        budget: Iterations are cells looked at. Time is looked at between supports, and among their
            cells.
        on_iteration: Called now and then.

    Returns:
        ``found.is_complete`` says whether these are all. In a generic game they are, and their
        number is odd (Wilson 1971). Degenerate games may leave boxes undecided.

    Raises:
        UnsupportedGame: If the game is a tree; or has many supports, and no budget is given.
        InvalidArgument: If the tolerance is not positive and finite, or ``cells_per_support`` is
            below 1.
        NotConverged: If the budget ends first; ``best`` holds the equilibria found.

    Completeness is proved by the solver, in floats with rounding bounded; each equilibrium is
    certified in rationals by the core. Time grows exponentially with the number of actions that
    are mixed at once. The cells of one support profile take some 100 MB at most; beyond, the rest
    is left undecided.

    Sources:
        R. D. McKelvey and A. McLennan (1996), "Computation of equilibria in finite games", Handbook
            of Computational Economics 1, 87-142.
        R. Porter, E. Nudelman and Y. Shoham (2008), "Simple search methods for finding a Nash
            equilibrium", Games and Economic Behavior 63, 642-662.
        R. Krawczyk (1969), "Newton-Algorithmen zur Bestimmung von Nullstellen mit Fehlerschranken",
            Computing 4, 187-201.

    >>> game = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    >>> equilibria = polynomial_support_enumeration(game)
    >>> len(equilibria.found.equilibria), equilibria.found.is_complete
    (3, True)
    """
    count = prod(2**actions - 1 for actions in game.num_actions)
    if budget == UNLIMITED and count > LARGEST_UNBUDGETED:
        raise UnsupportedGame(
            needs="a small game",
            found=f"{game!r} has {count:,} support profiles, more than {LARGEST_UNBUDGETED:,}",
            remedy="Use logit_homotopy for one equilibrium, or give a budget.",
        )
    require_integer(cells_per_support, name="cells_per_support", low=1)
    meter = open_meter(budget, on_iteration)
    prepared = playable(game)
    search = _Search(
        game,
        prepared,
        normalized_payoffs(game).payoffs,
        accepted_gain(tolerance, prepared.span),
        cells_per_support,
        meter,
    )
    unfinished = not _add_pure(search)
    for supports in () if unfinished else _mixed_supports(game):
        unfinished = meter.is_exhausted or not _search_support(search, supports)
        if unfinished:
            break
    answer = _answer(search, count, unfinished=unfinished)
    if unfinished:
        raise NotConverged(
            needs=f"to look at all {count:,} support profiles",
            found=f"the budget ended after {meter.iterations:,} cells with "
            f"{len(search.certificates)} equilibria",
            remedy="Give a larger budget, or use the incomplete set in the exception's best.",
            best=answer,
        )
    return answer


def _mixed_supports(game: NormalFormGame) -> Iterator[Supports]:
    """Yield the support profiles in which somebody mixes, small ones first; they are many."""
    for total in range(game.num_players + 1, sum(game.num_actions) + 1):
        yield from _supports_of_size(game.num_actions, total)


def _supports_of_size(num_actions: tuple[int, ...], total: int) -> Iterator[Supports]:
    """Yield the support profiles with so many actions in all, at least one for each player."""
    if not num_actions:
        yield ()
        return
    own, others = num_actions[0], num_actions[1:]
    for size in range(max(1, total - sum(others)), min(own, total - len(others)) + 1):
        for support in combinations(range(own), size):
            for rest in _supports_of_size(others, total - size):
                yield (support, *rest)


def _add_pure(search: _Search) -> bool:
    """Certify the pure equilibria; tell whether time sufficed."""
    for cell in np.argwhere(stable_cells(search.game)).tolist():
        if search.meter.seconds_left == 0.0 and search.certificates:  # one can always be shown
            return False
        certificate = certify_nash(search.game, pure_profile(search.game, cell))
        search.add(certificate, isolation(search.game, certificate))
    return True


def _search_support(search: _Search, supports: Supports) -> bool:
    """Find the equilibria with given supports; tell whether the budget sufficed."""
    mixing = [player for player, own in enumerate(supports) if len(own) > 1]
    cells = CellSearch(search.game, search.prepared, supports, search.tolerance, search.meter)
    start = cells.start(search.payoffs)
    if not len(start):
        return True
    if len(mixing) == 2:
        pairs = [(mixing[0], mixing[1]), (mixing[1], mixing[0])]
        systems = [indifference(search.game, supports, player=i, opponent=j) for i, j in pairs]
        if not all(system.is_consistent for system in systems):
            return True
        if all(system.only is not None for system in systems):
            exact = exact_on_supports(search.game, supports)
            certificate = None if exact is None else certify_nash(search.game, exact)
            if certificate is not None and not certificate.epsilon:
                search.add(certificate, isolation(search.game, certificate))
            return True
    if len(mixing) == 1:
        if not _may_mix_alone(search.game, supports, mixing[0]):
            return True
        outcome = cells.run(start, most_cells=MOST_TIED_CELLS)
    else:
        outcome = cells.run(start, most_cells=search.cells_per_support)
    for certificate in outcome.certificates:
        search.add(certificate, isolation(search.game, certificate))
    if outcome.undecided is not None:
        search.undecided.append(outcome.undecided)
    return outcome.is_finished


def _may_mix_alone(game: NormalFormGame, supports: Supports, player: int) -> bool:
    """Tell, exactly, whether one player may mix while the others play one action each.

    The player must be indifferent. Between two actions, the chance ``x`` of the second one must
    also leave every gain ``(1 - x) g + x h`` of the others at 0 or below; more actions are not
    looked at so closely.
    """
    own = supports[player]
    corners = [
        pure_profile(game, [a if i == player else s[0] for i, s in enumerate(supports)])
        for a in own
    ]
    values = action_payoffs(game, corners[0], player=player)
    if any(values[a] != max(values) for a in own):
        return False
    if len(own) > 2:
        return True
    low, high = ZERO, ONE
    for other, support in enumerate(supports):
        if other == player:
            continue
        first, second = (action_payoffs(game, corner, player=other) for corner in corners)
        for g, h in zip(first - first[support[0]], second - second[support[0]], strict=True):
            if (g > 0 and h >= 0) or (g == 0 and h > 0):
                return False
            if g > 0:
                low = max(low, g / (g - h))
            elif h > 0:
                high = min(high, g / (g - h))
    return low <= high


def _answer(search: _Search, count: int, *, unfinished: bool) -> PolynomialEquilibria:
    run = search.meter.record()
    undecided = tuple(search.undecided)
    if unfinished:
        evidence = "the budget ended before all support profiles were searched"
    elif undecided:
        shown = "; ".join(map(str, undecided[:3])) + ("; ..." if len(undecided) > 3 else "")
        evidence = f"{len(undecided)} of {count:,} support profiles are undecided: {shown}"
    else:
        evidence = (
            f"all equilibria: on each of {count:,} support profiles, every cell of strategies was "
            "shown, with rounding bounded, to hold no equilibrium but those listed"
        )
    solutions = tuple(
        Solution(cast("MixedProfile", found.profile), found.payoffs, found, run)
        for found in search.certificates
    )
    found = SolutionSet(
        game=search.game,
        equilibria=solutions,
        is_complete=not unfinished and not undecided,
        evidence=evidence,
        completeness=None,
        run=run,
    )
    return PolynomialEquilibria(found, tuple(search.isolated), undecided)
