"""The search for equilibria on all choices of supports, and where it leaves something open."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

import numpy as np

from gametheory_core.certificates.reduced_game import Reduction
from gametheory_core.certificates.support_cells import ALONE, Cell
from gametheory_core.certificates.support_solutions import SupportSolution
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.support_rows import DifferenceTables, Supports
from gametheory_core.games.normal_form import NormalFormGame
from solvers.dominance.reduction import reduce_in_time
from solvers.many_players.cell_search import CellSearch, Step
from solvers.many_players.logit_branch import normalized_payoffs
from solvers.many_players.pure_equilibria import stable_cells
from solvers.many_players.support_newton import accepted_gain
from solvers.many_players.support_solutions import ends_of_mixtures, solution_of_pure
from solvers.many_players.support_tree import SupportTree
from solvers.solution import Budget, BudgetOver, Meter

LARGEST_UNBUDGETED = 20_000  # support profiles: three players with 4 actions have 3,375
CELLS_PER_SUPPORT = 50_000


@dataclass(frozen=True, eq=False)
class OpenSupports:
    """Supports on which cells are left open.

    Attributes:
        cells: That are left open.
        first, last: Where the search's steps about them begin, and end; those about open cells
            exclude them without proof.
    """

    supports: Supports
    cells: tuple[Cell, ...]
    first: int
    last: int


@dataclass
class SupportSearch:
    """A search under way, in what is left of a game; lives inside a single call.

    Attributes:
        count: Of choices of supports.
        steps, solutions: As in ``AllEquilibriaCertificate``.
        open: Where steps prove nothing.
        is_finished: Whether the budget sufficed.
    """

    reduction: Reduction
    tables: DifferenceTables
    tolerance: Fraction
    cells_per_support: int
    meter: Meter
    count: int
    steps: list[Step] = field(default_factory=list[Step])
    solutions: list[SupportSolution] = field(default_factory=list[SupportSolution])
    open: list[OpenSupports] = field(default_factory=list[OpenSupports])
    is_finished: bool = True


def search_supports(
    game: NormalFormGame,
    meter: Meter,
    *,
    tolerance: float | Fraction | None = None,
    cells_per_support: int = CELLS_PER_SUPPORT,
) -> SupportSearch:
    """Reduce a game, and look for equilibria on all supports that are left, while the budget lasts.

    Raises:
        UnsupportedGame: If supports are many, and there is no budget.
    """
    accepted = accepted_gain(tolerance, normalized_payoffs(game).span)
    reduction = reduce_in_time(game, Budget(seconds=meter.seconds_left))
    count = prod(2**actions - 1 for actions in reduction.target.num_actions)
    if meter.budget.is_endless and count > LARGEST_UNBUDGETED:
        left = "" if reduction.is_trivial else ", without dominated actions and copies"
        raise UnsupportedGame(
            needs="a small game",
            found=f"{game!r} has {count:,} support profiles{left}, more than "
            f"{LARGEST_UNBUDGETED:,}",
            remedy="Use logit_homotopy for one equilibrium, or give a budget.",
        )
    tables = DifferenceTables(reduction.target)
    search = SupportSearch(reduction, tables, accepted, cells_per_support, meter, count)
    search.is_finished = _search_all(search)
    return search


def _search_all(search: SupportSearch) -> bool:
    """Look at all supports that are left; tell whether the budget sufficed."""

    def look() -> None:
        if search.meter.is_exhausted:
            raise BudgetOver

    try:
        tree = SupportTree(search.tables, look)
    except BudgetOver:
        return False
    for each in tree.steps():
        if search.meter.is_exhausted:
            return False
        if each.step:
            search.steps.append(each.step)
        elif not _search_support(search, each.supports):
            return False
    return True


def _search_support(search: SupportSearch, supports: Supports) -> bool:
    """Find the equilibria with given supports; tell whether the budget sufficed."""
    rows = search.tables.rows(supports)
    scales = search.tables.denominators
    tolerances = tuple(search.tolerance * scale / 4 for scale in scales)
    cells = CellSearch(rows, search.meter, search.cells_per_support, tolerances)
    outcome = cells.run()
    number, first = len(search.solutions), len(search.steps)
    search.solutions += cells.solutions
    search.steps += [
        (step[0], step[1] + number) if step[0] == ALONE else step for step in outcome.steps
    ]
    if outcome.open_cells:
        search.solutions += ends_of_mixtures(rows)
        found = OpenSupports(supports, outcome.open_cells, first, len(search.steps))
        search.open.append(found)
    return outcome.is_finished


def add_pure(search: SupportSearch) -> None:
    """Add pure equilibria that the search has not come to, one at least, while time lasts."""
    known = {solution.supports for solution in search.solutions}
    for number, cell in enumerate(np.argwhere(stable_cells(search.tables.game)).tolist()):
        if search.meter.seconds_left == 0.0 and number:
            return
        supports = tuple((action,) for action in cell)
        if supports not in known:
            search.solutions.append(solution_of_pure(search.tables.rows(supports)))
