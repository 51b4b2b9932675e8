"""Resource collection on a grid in compiled code, many episodes at once.

``E`` episodes, ``N`` agents, three kinds of resources: red, blue, green. Cells are numbered row by
row; headings are north, east, south, west.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers._kernels.compile import compiled

FORWARD, BACKWARD, LEFT, RIGHT, COLLECT = 0, 1, 2, 3, 4
NUM_KINDS, GREEN = 3, 2
NUM_HEADINGS = 4
OWN, OTHER, SHARED = 5.0, 1.0, 4.0  # what a resource pays: own color, another's, green


class GridArrays(NamedTuple):
    """Where episodes stand; modified in place.

    ``cells`` and ``headings`` (E, N) int64; ``resources`` (E, 3) int64: their cells, -1 where a
    kind is absent; ``leader`` (E,) int64, -1 while nobody is picked; ``steps`` and ``collected``
    (E,) int64: how many have been made and gathered; ``returns`` (E, N) float64; ``is_over`` (E,)
    bool.
    """

    cells: NDArray[np.int64]
    headings: NDArray[np.int64]
    resources: NDArray[np.int64]
    leader: NDArray[np.int64]
    steps: NDArray[np.int64]
    collected: NDArray[np.int64]
    returns: NDArray[np.float64]
    is_over: NDArray[np.bool_]


@compiled
def place(
    arrays: GridArrays, size: int, kinds: NDArray[np.bool_], draws: NDArray[np.float64]
) -> None:
    """Begin all episodes; ``draws`` (E, 2 N + 3) uniform numbers; ``arrays`` is modified in place.

    ``kinds`` (E, 3): which kinds there are.
    """
    episodes, players = arrays.cells.shape
    for e in range(episodes):
        arrays.cells[e] = -1
        arrays.resources[e] = -1
        for i in range(players):
            arrays.cells[e, i] = free_cell(arrays, e, size, draws[e, i])
            arrays.headings[e, i] = int(draws[e, players + i] * NUM_HEADINGS)
        for k in range(NUM_KINDS):
            if kinds[e, k]:
                arrays.resources[e, k] = free_cell(arrays, e, size, draws[e, 2 * players + k])
        arrays.leader[e] = -1
        arrays.steps[e] = 0
        arrays.collected[e] = 0
        arrays.returns[e] = 0.0
        arrays.is_over[e] = False


@compiled
def free_cell(arrays: GridArrays, e: int, size: int, number: float) -> int:
    """Return a cell without agent and resource, each equally likely for a uniform number."""
    taken = np.zeros(size * size, dtype=np.bool_)
    for cell in arrays.cells[e]:
        if cell >= 0:
            taken[cell] = True
    for cell in arrays.resources[e]:
        if cell >= 0:
            taken[cell] = True
    rest = int(number * (len(taken) - taken.sum()))
    for cell in range(len(taken)):
        if not taken[cell]:
            if rest == 0:
                return cell
            rest -= 1
    return -1


@compiled
def distance(size: int, a: int, b: int) -> int:
    """Return the steps between two cells, obstacles aside."""
    return abs(a // size - b // size) + abs(a % size - b % size)


@compiled
def step_all(
    arrays: GridArrays,
    size: int,
    limits: tuple[int, int],
    actions: NDArray[np.int64],
    draws: NDArray[np.float64],
    paid: NDArray[np.float64],
    near: NDArray[np.bool_],
    gathered: NDArray[np.int64],
) -> None:
    """Let everybody act, the leader first, then the others by number, in episodes that go on.

    ``limits``: steps and collections of an episode; ``actions`` (E, N); ``draws`` (E,) uniform
    numbers. ``arrays`` is modified in place, and so are ``paid`` (E, N), ``near`` (E, N): followers
    next to the leader in the end, and ``gathered`` (E,): the kind collected, or -1.
    """
    episodes, players = arrays.cells.shape
    for e in range(episodes):
        paid[e] = 0.0
        near[e] = False
        gathered[e] = -1
        leader = arrays.leader[e]
        if arrays.is_over[e] or leader < 0:
            continue
        kind = -1
        if actions[e, leader] == COLLECT:
            kind = collectable(arrays, e, size)
        else:
            _move(arrays, e, leader, size, actions[e, leader])
        for i in range(players):
            if i != leader:
                _move(arrays, e, i, size, actions[e, i])
        for i in range(players):
            close = distance(size, arrays.cells[e, i], arrays.cells[e, leader]) <= 1
            near[e, i] = close and i != leader
        arrays.steps[e] += 1
        if kind >= 0:
            for i in range(players):
                paid[e, i] = SHARED if kind == GREEN else (OWN if i % 2 == kind else OTHER)
                arrays.returns[e, i] += paid[e, i]
            arrays.collected[e] += 1
            gathered[e] = kind
            arrays.resources[e, kind] = -1
            arrays.resources[e, kind] = free_cell(arrays, e, size, draws[e])
            arrays.leader[e] = -1
        arrays.is_over[e] = arrays.steps[e] >= limits[0] or arrays.collected[e] >= limits[1]


@compiled
def collectable(arrays: GridArrays, e: int, size: int) -> int:
    """Return the kind that the leader can collect now, with the help there is, or -1."""
    leader = arrays.leader[e]
    cell = arrays.cells[e, leader]
    helped = False
    for i in range(arrays.cells.shape[1]):
        helped |= i != leader and distance(size, arrays.cells[e, i], cell) <= 1
    for kind in range(NUM_KINDS):
        may = kind in (GREEN, leader % 2)
        if helped and may and arrays.resources[e, kind] == cell:
            return kind
    return -1


@compiled
def _move(arrays: GridArrays, e: int, i: int, size: int, action: int) -> None:
    """Turn, or go a cell unless a wall or an agent is there; ``arrays`` is modified in place."""
    heading = arrays.headings[e, i]
    if action == LEFT:
        arrays.headings[e, i] = (heading + 3) % NUM_HEADINGS
    elif action == RIGHT:
        arrays.headings[e, i] = (heading + 1) % NUM_HEADINGS
    elif action in (FORWARD, BACKWARD):
        cell = _beside(size, arrays.cells[e, i], heading, action)
        if _is_free(arrays, e, cell):
            arrays.cells[e, i] = cell


@compiled
def _beside(size: int, cell: int, heading: int, action: int) -> int:
    """Return the cell one step ``FORWARD`` or ``BACKWARD``, or -1 where there is a wall."""
    down, right = ahead(heading)
    sign = 1 if action == FORWARD else -1
    row, column = cell // size + sign * down, cell % size + sign * right
    return row * size + column if 0 <= row < size and 0 <= column < size else -1


@compiled
def _is_free(arrays: GridArrays, e: int, cell: int) -> bool:
    """Tell whether a cell is none of an agent's, nor -1."""
    free = cell >= 0
    for other in arrays.cells[e]:
        free &= other != cell
    return free


@compiled
def ahead(heading: int) -> tuple[int, int]:
    """Return how many rows down and columns right a step forward leads."""
    if heading == 0:
        return -1, 0
    if heading == 1:
        return 0, 1
    if heading == 2:
        return 1, 0
    return 0, -1


@compiled
def show_agents(
    arrays: GridArrays, size: int, limits: tuple[int, int], shown: NDArray[np.float64]
) -> None:
    """Write what agents see, (E, N, F), modified in place: all of it from where each one looks.

    Own heading and cell, whether it leads, whether the way forward is taken, and backward; of each
    other agent, in order after it: where it is, ahead and to the right, its heading relative to the
    own one, whether it leads, whether one is in its way forward, and backward; of the own color,
    the other, and green: whether it is there, where, and whether underfoot; whether help is near;
    what is left of collections and time; everybody's returns, own first.
    """
    episodes, players = arrays.cells.shape
    shown[:] = 0.0
    for e in range(episodes):
        for i in range(players):
            out = shown[e, i]
            cell, heading = arrays.cells[e, i], arrays.headings[e, i]
            out[heading] = 1.0
            out[4] = cell // size / (size - 1)
            out[5] = cell % size / (size - 1)
            out[6] = arrays.leader[e] == i
            for way in (FORWARD, BACKWARD):
                out[7 + way] = not _is_free(arrays, e, _beside(size, cell, heading, way))
            at = 9
            for k in range(1, players):
                j = (i + k) % players
                _see(out, at, size, cell, heading, arrays.cells[e, j])
                out[at + 2 + (arrays.headings[e, j] - heading) % NUM_HEADINGS] = 1.0
                out[at + 6] = arrays.leader[e] == j
                for way in (FORWARD, BACKWARD):
                    theirs = _beside(size, arrays.cells[e, j], arrays.headings[e, j], way)
                    out[at + 7 + way] = theirs == cell
                at += 9
            for kind in range(NUM_KINDS):
                own = kind if kind == GREEN else (kind + i) % GREEN
                spot = arrays.resources[e, own]
                if spot >= 0:
                    out[at] = 1.0
                    _see(out, at + 1, size, cell, heading, spot)
                    out[at + 3] = spot == cell
                at += 4
            for j in range(players):
                if j != i and distance(size, arrays.cells[e, j], cell) <= 1:
                    out[at] = 1.0
            out[at + 1] = 1.0 - arrays.collected[e] / limits[1]
            out[at + 2] = 1.0 - arrays.steps[e] / limits[0]
            for k in range(players):
                out[at + 3 + k] = arrays.returns[e, (i + k) % players] / OWN


@compiled
def _see(out: NDArray[np.float64], at: int, size: int, cell: int, heading: int, other: int) -> None:
    """Write how far ahead and to the right another cell is; ``out`` is modified in place."""
    down, right = other // size - cell // size, other % size - cell % size
    forth, aside = ahead(heading)
    out[at] = (down * forth + right * aside) / (size - 1)
    out[at + 1] = (down * aside - right * forth) / (size - 1)


@compiled
def show_mediator(
    arrays: GridArrays, size: int, limits: tuple[int, int], shown: NDArray[np.float64]
) -> None:
    """Write what the mediator sees, (E, G), modified in place: cells, what is left, returns."""
    episodes, players = arrays.cells.shape
    shown[:] = 0.0
    for e in range(episodes):
        at = 0
        for i in range(players):
            shown[e, at] = arrays.cells[e, i] // size / (size - 1)
            shown[e, at + 1] = arrays.cells[e, i] % size / (size - 1)
            at += 2
        for kind in range(NUM_KINDS):
            spot = arrays.resources[e, kind]
            if spot >= 0:
                shown[e, at] = 1.0
                shown[e, at + 1] = spot // size / (size - 1)
                shown[e, at + 2] = spot % size / (size - 1)
            at += 3
        shown[e, at] = 1.0 - arrays.collected[e] / limits[1]
        shown[e, at + 1] = 1.0 - arrays.steps[e] / limits[0]
        for i in range(players):
            shown[e, at + 2 + i] = arrays.returns[e, i] / OWN
