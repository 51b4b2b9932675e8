"""Reverse search for all extreme equilibria: begun, gone on with, split over threads, paired."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from hashlib import blake2b
from threading import Event

from gametheory_core.arguments import require_instance
from gametheory_core.errors import InvalidArgument
from solvers.bimatrix.best_response_polytopes import (
    BestResponsePolytope,
    basic_weights,
    most_vertices,
    tight_labels,
)
from solvers.bimatrix.enumeration_state import EnumerationState
from solvers.bimatrix.partners import partners
from solvers.bimatrix.reverse_traversal import (
    ReverseSearch,
    bit_set,
    estimated_size,
    search_subtree,
    tableau_at,
    without_cost,
)
from solvers.solution import BudgetOver, Meter

BATCH = 2_048  # vertices between two looks at the budget
SUBTREES = 16  # for each thread, so that they end at about the same time
LEVELS = 3  # how deep a tree is cut
DEEPEST = 2**62
MOST_JUDGED, JUDGED_SHARE = 20, 0.05  # exactly; more, and the polytope is degenerate


def begun(
    polytopes: tuple[BestResponsePolytope, BestResponsePolytope], state: EnumerationState | None
) -> ReverseSearch:
    """Begin a search of the smaller polytope, or take up one that was interrupted.

    Raises:
        InvalidArgument: If the state is of another game, or none.
    """
    first, second = polytopes
    if most_vertices(second) < most_vertices(first):
        first, second = second, first
    search = ReverseSearch(first, second)
    if state is None:
        search.left.append(search.root)
        return search
    require_instance(state, EnumerationState, name="state")
    if state.game != _digest(search):
        raise InvalidArgument(
            needs="the state of a search for this game's equilibria",
            found="state is of another game's",
            remedy="Give the state that NotConverged held for this game, or leave it out.",
            argument="state",
        )
    search.left.extend(state.left)
    search.found.extend(state.found)
    search.visited = state.visited
    return search


def state_of(search: ReverseSearch) -> EnumerationState:
    """Return what ``begun`` takes to go on."""
    return EnumerationState(
        _digest(search), tuple(search.left), tuple(search.found), search.visited
    )


def _digest(search: ReverseSearch) -> str:
    tables = [polytope.matrix.tolist() for polytope in (search.polytope, search.other)]
    return blake2b(repr(tables).encode(), digest_size=16).hexdigest()


def is_degenerate(search: ReverseSearch) -> bool:
    """Tell whether so many vertices were judged exactly that there are surely ties."""
    return search.judged_exactly > max(MOST_JUDGED, JUDGED_SHARE * search.visited)


def go_on(search: ReverseSearch, meter: Meter, *, jobs: int = 1, is_patient: bool = True) -> None:
    """Search what is left, as far as the budget goes.

    Args:
        search: Modified in place, also where this is interrupted.
        meter: Counts vertices; its total is an estimate, if anybody asks.
        jobs: Threads.
        is_patient: Whether to go on where the polytope is degenerate.
    """
    stopped = Event()

    def follow(basis: int, most_levels: int) -> None:
        left = meter.at_most(BATCH)
        parts = search_subtree(search, basis, limit=left, most_levels=most_levels)
        with closing(parts):
            for visited in parts:
                with search.lock:
                    meter.step(visited)
                    if is_over():
                        stopped.set()
                if stopped.is_set():
                    return

    def is_over() -> bool:
        return meter.is_exhausted or (is_degenerate(search) and not is_patient)

    def work() -> None:
        while not (stopped.is_set() or meter.is_exhausted) and search.left:
            with suppress(IndexError):  # another thread was quicker
                follow(search.left.pop(), DEEPEST)

    if meter.on_iteration is not None and meter.total is None:
        meter.total = estimated_size(search)
    if jobs == 1:
        work()
        return
    while 0 < len(search.left) < SUBTREES * jobs and not is_over():
        follow(search.left.pop(0), LEVELS)
    with ThreadPoolExecutor(jobs) as pool:
        tasks = [pool.submit(work) for _ in range(jobs)]
        try:
            for task in tasks:
                task.result()
        finally:
            stopped.set()


def pairs_found(search: ReverseSearch, meter: Meter) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the weights of both players at each extreme equilibrium among the vertices found.

    Raises:
        BudgetOver: If time ends while vertices of a degenerate polytope are listed.
    """
    labels = bit_set([*search.polytope.own_labels, *search.polytope.reply_labels])
    is_first = search.polytope.own_labels.start == 0
    for basis in sorted(set(search.found)):
        tableau = without_cost(tableau_at(search, basis))
        weights = basic_weights(tableau, search.polytope.own_labels)
        others = partners(search.other, labels & ~tight_labels(tableau), meter)
        for partner in others.weights:
            yield (weights, partner) if is_first else (partner, weights)
        if not others.is_complete:
            raise BudgetOver
