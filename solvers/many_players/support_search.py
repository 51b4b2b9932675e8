"""The search for equilibria on all choices of supports, and where it leaves something open."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

import numpy as np

from gametheory_core.certificates.halved_cells import Cell, Part
from gametheory_core.certificates.reduced_game import Reduction
from gametheory_core.certificates.support_cells import ALONE, doubtful
from gametheory_core.certificates.support_solutions import SupportSolution
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.support_rows import DifferenceTables, Supports
from gametheory_core.games.normal_form import NormalFormGame
from solvers.dominance.reduction import reduce_in_time
from solvers.many_players.cell_loops import FEW_CELLS, Looped, looped_at_once, takes_compiled
from solvers.many_players.cell_search import CellSearch, Step
from solvers.many_players.logit_branch import normalized_payoffs
from solvers.many_players.pure_equilibria import stable_cells
from solvers.many_players.support_newton import accepted_gain
from solvers.many_players.support_solutions import ends_of_mixtures, solution_of_pure
from solvers.many_players.support_tree import SupportTree
from solvers.solution import Budget, BudgetOver, Meter

LARGEST_UNBUDGETED = 20_000  # support profiles: three players with 4 actions have 3,375
CELLS_PER_SUPPORT = 50_000
TOGETHER = 2048  # joint actions of the game, times supports that are looked at together


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
    tolerances: tuple[Fraction, ...]
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
    tolerances = tuple(accepted * scale / 4 for scale in tables.denominators)
    search = SupportSearch(reduction, tables, tolerances, cells_per_support, meter, count)
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
    waiting: list[Step | CellSearch] = []
    count, most = 0, max(1, TOGETHER // prod(search.reduction.target.num_actions))
    for each in tree.steps():
        if search.meter.is_exhausted:
            return False
        waiting.append(each.step or _cells(search, each.supports))
        count += not each.step
        if count == most:
            if not _settle(search, waiting):
                return False
            waiting, count = [], 0
    return _settle(search, waiting)


def _cells(search: SupportSearch, supports: Supports) -> CellSearch:
    rows = search.tables.rows(supports)
    return CellSearch(rows, search.meter, search.cells_per_support, search.tolerances)


def _settle(search: SupportSearch, waiting: list[Step | CellSearch]) -> bool:
    """Find the equilibria with supports that wait; tell whether the budget sufficed."""
    searches = [each for each in waiting if isinstance(each, CellSearch)]
    looped: Sequence[Looped | None] = [None] * len(searches)
    if searches and takes_compiled(search.tables):
        few = min(FEW_CELLS, search.cells_per_support)
        looped = looped_at_once([each.rows for each in searches], few)
    parts: list[Part] = []
    most = search.meter.budget.iterations
    for each, found in zip(searches, looped, strict=True):
        if not search.meter.is_exhausted:
            parts += each.first_look(found)
            if most is None or search.meter.iterations <= most:
                continue
        search.solutions += [known for each in searches for known in each.solutions]
        return False
    left: dict[int, list[Part]] = {}
    for part in doubtful(parts):
        left.setdefault(id(part.tree.rows), []).append(part)
    for each in waiting:
        if not isinstance(each, CellSearch):
            search.steps.append(each)
        elif not _finish(search, each, left.get(id(each.rows), [])):
            return False
    return True


def _finish(search: SupportSearch, cells: CellSearch, left: list[Part]) -> bool:
    """Settle what is left of some supports; tell whether the budget sufficed."""
    outcome = cells.finish(left)
    number, first = len(search.solutions), len(search.steps)
    search.solutions += cells.solutions
    search.steps += [
        (step[0], step[1] + number) if step[0] == ALONE else step for step in outcome.steps
    ]
    if outcome.open_cells:
        search.solutions += ends_of_mixtures(cells.rows)
        found = OpenSupports(cells.rows.supports, outcome.open_cells, first, len(search.steps))
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
