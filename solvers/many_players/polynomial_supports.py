"""All equilibria of a small game of several players, from the polynomial systems of supports.

Choices of supports are parted by questions, "does this player play this action?", and dropped with
actions that earn less than others under the answers. For supports that are left the equations
"supported actions earn the same" are multilinear: the strategies with these supports are cut into
cells, each shown to hold no equilibrium or exactly one; see ``cell_search``.

First the game loses strictly dominated actions and copies; see ``reduced_game``.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, cast

import numpy as np

from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.certificates.all_equilibria import AllEquilibriaCertificate
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.certificates.halved_cells import Cell
from gametheory_core.certificates.isolated_equilibrium import (
    IsolatedEquilibriumCertificate,
    certify_isolated_equilibrium,
)
from gametheory_core.certificates.reduced_game import Reduction
from gametheory_core.certificates.support_solutions import (
    SupportSolution,
    is_equilibrium,
    profile_of,
)
from gametheory_core.errors import CertificateRejected, NotConverged, UnsupportedGame
from gametheory_core.evaluation.support_rows import DifferenceTables, Supports
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.concepts import Concept
from solvers.dominance.reduction import told_of
from solvers.many_players.support_search import (
    CELLS_PER_SUPPORT,
    SupportSearch,
    add_pure,
    search_supports,
)
from solvers.reduced_normal_form import reduced_normal_form
from solvers.requirements import a_normal_form, many_players, require_integer
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution, SolutionSet
from solvers.solver import Answers, open_meter, solver

RADII = tuple(Fraction(1, 10**digits) for digits in (4, 8, 12, 24, 40))
MOST_LISTED = 10_000  # equilibria, a few seconds
CERTIFIED_BEYOND_BUDGET = 100


@dataclass(frozen=True, eq=False)
class UndecidedBox:
    """A box of strategies that may hold more equilibria with given supports.

    Attributes:
        supports: Of copies of an action, the first stands for all.
        lowest, highest: Bounds on each player's probabilities of the supported actions, in floats.
        segment: Numbers of two equilibria found that differ in one player's strategy only and play
            these supports between them: all their mixtures are equilibria. None if none are known.
    """

    supports: Supports
    lowest: tuple[FloatArray, ...]
    highest: tuple[FloatArray, ...]
    segment: tuple[int, int] | None = None

    def __str__(self) -> str:
        sides = (
            "[" + ", ".join(f"{a:.3g}..{b:.3g}" for a, b in zip(low, high, strict=True)) + "]"
            for low, high in zip(self.lowest, self.highest, strict=True)
        )
        known = "" if self.segment is None else " (a continuum between equilibria {} and {})"
        shown = f"supports {self.supports}, probabilities " + " x ".join(sides)
        return shown + known.format(*(self.segment or ()))


@dataclass(frozen=True, eq=False)
class PolynomialEquilibria:
    """Equilibria of a game of any number of players, each in a box of its own.

    Attributes:
        found: Complete if nothing is undecided; then with a certificate that none is missing. An
            equilibrium that is not rational is given by a rational profile very close to it, with
            its exact, tiny epsilon.
        isolated: For each equilibrium found: a box with exactly one equilibrium of its supports.
            None where an unused action is tied, or the equations are singular. Then the profile
            itself is exactly an equilibrium, unless what is tied, or worse by next to nothing, is
            nearly a copy of an action that an irrational one plays.
        undecided: Where there may be more equilibria: continua, named where two of their ends are
            found, and equilibria at which equations are singular.
        reduction: Of the game, to what was searched.
        solutions: For each equilibrium found: what proves it there.
    """

    found: SolutionSet[MixedProfile, NashCertificate]
    undecided: tuple[UndecidedBox, ...]
    reduction: Reduction
    solutions: tuple[SupportSolution, ...]

    @cached_property
    def isolated(self) -> tuple[IsolatedEquilibriumCertificate | None, ...]:
        """Made when it is first asked for."""
        tables = DifferenceTables(self.reduction.target)
        return tuple(
            isolation(self.reduction, tables, solution, own.profile)
            for solution, own in zip(self.solutions, self.found.equilibria, strict=True)
        )

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
    cells_per_support: int = CELLS_PER_SUPPORT,
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

    Strictly dominated actions and copies are taken away first. An equilibrium that plays an action
    with copies is listed with each of them; so is any mixture of these an equilibrium.

    Returns:
        ``found.is_complete`` says whether these are all. In a generic game they are, and their
        number is odd (Wilson 1971). Degenerate games may leave boxes undecided.

    Raises:
        UnsupportedGame: If the game is a tree; or has many supports, and no budget is given; or
            has so many copies that equilibria cannot be listed.
        InvalidArgument: If the tolerance is not positive and finite, or ``cells_per_support`` is
            below 1.
        NotConverged: If the budget ends first; ``best`` holds the equilibria found.

    Completeness is proved by ``found.completeness``, in rationals, by code that shares nothing with
    the search. Time grows exponentially with the number of actions that are mixed at once.

    Sources:
        R. D. McKelvey and A. McLennan (1996), "Computation of equilibria in finite games", Handbook
            of Computational Economics 1, 87-142.
        R. Porter, E. Nudelman and Y. Shoham (2008), "Simple search methods for finding a Nash
            equilibrium", Games and Economic Behavior 63, 642-662.
        R. Krawczyk (1969), "Newton-Algorithmen zur Bestimmung von Nullstellen mit Fehlerschranken",
            Computing 4, 187-201.
        C. L. Lawson and R. J. Hanson (1974), Solving Least Squares Problems, chapter 23.

    >>> game = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    >>> equilibria = polynomial_support_enumeration(game)
    >>> len(equilibria.found.equilibria), equilibria.found.is_complete
    (3, True)
    """
    require_integer(cells_per_support, name="cells_per_support", low=1)
    meter = open_meter(budget, on_iteration)
    search = search_supports(game, meter, tolerance=tolerance, cells_per_support=cells_per_support)
    answer = _answer(search)
    if not search.is_finished:
        raise NotConverged(
            needs=f"to look at all {search.count:,} support profiles",
            found=f"the budget ended after {meter.iterations:,} cells with "
            f"{len(answer.found.equilibria)} equilibria",
            remedy="Give a larger budget, or use the incomplete set in the exception's best.",
            best=answer,
        )
    return answer


def _box(supports: Supports, cells: tuple[Cell, ...]) -> UndecidedBox:
    lowest: list[FloatArray] = []
    highest: list[FloatArray] = []
    for player in range(len(supports)):
        every = np.concatenate([cell.matrices()[player] for cell in cells])
        lowest.append(freeze(every.min(axis=0)))
        highest.append(freeze(every.max(axis=0)))
    return UndecidedBox(supports, tuple(lowest), tuple(highest))


def _answer(search: SupportSearch) -> PolynomialEquilibria:
    reduction = search.reduction
    game = reduction.game
    if not search.is_finished:
        add_pure(search)
    equilibria = _carried_back(search)
    certificates = [certificate for _, certificate in equilibria]
    segments = _segments(certificates) if search.open else {}
    undecided = tuple(
        replace(_box(own, each.cells), segment=segments.get(own))
        for each in search.open
        for own in [_firsts(reduction, each.supports)]
    )
    completeness: AllEquilibriaCertificate | None = None
    if not search.is_finished:
        evidence = "the budget ended before all support profiles were searched"
    elif undecided:
        shown = "; ".join(map(str, undecided[:3])) + ("; ..." if len(undecided) > 3 else "")
        evidence = f"{len(undecided)} of {search.count:,} support profiles are undecided: {shown}"
    else:
        completeness = AllEquilibriaCertificate(
            game,
            tuple(search.solutions),
            tuple(search.steps),
            tuple(cast("MixedProfile", own.profile) for own in certificates),
            reduction.eliminations,
            reduction.has_copies,
        )
        but = ", but for how weight is spread over copies" if reduction.has_copies else ""
        evidence = (
            f"all equilibria{but}: {told_of(reduction)}on each of {search.count:,} support "
            "profiles, every cell of strategies is proved to hold no equilibrium but those listed"
        )
    run = search.meter.record()
    found = SolutionSet(
        game=game,
        equilibria=tuple(
            Solution(cast("MixedProfile", own.profile), own.payoffs, own, run)
            for own in certificates
        ),
        is_complete=completeness is not None,
        evidence=evidence,
        completeness=completeness,
        run=run,
    )
    solutions = tuple(solution for solution, _ in equilibria)
    return PolynomialEquilibria(found, undecided, reduction, solutions)


def _carried_back(search: SupportSearch) -> list[tuple[SupportSolution, NashCertificate]]:
    """Return the equilibria among the solutions, small supports first, with each choice of copies.

    Raises:
        UnsupportedGame: If the choices are too many to list.
    """
    reduction = search.reduction
    equilibria = [
        (solution, profile_of(reduction.target, solution))
        for solution in sorted(
            search.solutions, key=lambda s: (sum(map(len, s.supports)), s.supports)
        )
        if is_equilibrium(search.tables.rows(solution.supports), solution)
    ]
    count = sum(reduction.num_expansions(profile) for _, profile in equilibria)
    if count > MOST_LISTED:
        raise UnsupportedGame(
            needs=f"at most {MOST_LISTED:,} equilibria to list",
            found=f"{reduction.game!r} has {count:,}, as players choose among copies of actions",
            remedy="Solve reduce_game(game).target instead, where copies are merged.",
        )
    found: list[tuple[SupportSolution, NashCertificate]] = []
    for solution, merged in equilibria:
        for profile in reduction.expansions(merged):
            if search.meter.seconds_left == 0.0 and len(found) >= CERTIFIED_BEYOND_BUDGET:
                search.is_finished = False
                return found
            found.append((solution, certify_nash(reduction.game, profile)))
    return found


def _firsts(reduction: Reduction, supports: Supports) -> Supports:
    """Number the actions of supports as in the game, each class by its first one."""
    return tuple(
        tuple(copies[place][0] for place in own)
        for copies, own in zip(reduction.copies, supports, strict=True)
    )


def _segments(certificates: list[NashCertificate]) -> dict[Supports, tuple[int, int]]:
    """Find equilibria that differ in one player's strategy only, by the supports between them.

    All mixtures of the two strategies are equilibria too: they are best replies to the same, and
    what others gain by deviating is an average of what they gain at the ends.
    """
    strategies = [
        [tuple(own.tolist()) for own in cast("MixedProfile", each.profile).strategies]
        for each in certificates
    ]
    exact = [number for number, each in enumerate(certificates) if not each.epsilon]
    found: dict[Supports, tuple[int, int]] = {}
    for one, other in combinations(exact, 2):
        pairs = list(zip(strategies[one], strategies[other], strict=True))
        if sum(a != b for a, b in pairs) == 1:
            between = tuple(
                tuple(k for k, (p, q) in enumerate(zip(a, b, strict=True)) if p or q)
                for a, b in pairs
            )
            found.setdefault(between, (one, other))
    return found


def isolation(
    reduction: Reduction, tables: DifferenceTables, solution: SupportSolution, profile: MixedProfile
) -> IsolatedEquilibriumCertificate | None:
    """State that a box holds one equilibrium, for the first box of which that is proved.

    Args:
        tables: Of what is left of the game.
        profile: The solution, carried back to the game.
    """
    if reduction.num_expansions(profile_of(reduction.target, solution)) > 1:
        return None
    rows = tables.rows(solution.supports)
    # there, equations are what an action earns more than the first one, in payoff units
    scales = [tables.denominators[player] for player, _ in rows.actions]
    inverse = tuple(
        tuple(-y * scale for y, scale in zip(row, scales, strict=False)) for row in solution.inverse
    )
    for radius in filter(None, (*RADII, solution.radius)):
        try:
            return certify_isolated_equilibrium(
                reduction.game, profile, radius=radius, preconditioner=inverse
            )
        except CertificateRejected:
            continue
    return None
