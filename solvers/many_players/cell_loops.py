"""What the compiled loop says of cells: of one alone, or of the whole cells of many supports.

The loop halves cells in floats; its combinations of rows are turned into integers here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from gametheory_core.evaluation.support_rows import DifferenceTables, SupportRows
from solvers._kernels import equilibrium_cells

DEEPEST = 64  # halvings before a cell is looked at anew
PATIENCE = 4  # cells that stay open at full depth, before the rest is left open
FEW_CELLS, MORE_CELLS = 128, 1024
MOST_PLAIN_CORNERS = 24  # rows times joint corners: three players with two actions
MOST_PLAIN_JOINT = 12  # joint actions of a game; larger ones need the compiled loop soon anyway
PLAIN_CELLS = 16  # steps of the plain loop at most
WEIGHT_BITS, MACHINE_BITS = 44, 62


@dataclass(frozen=True, eq=False)
class Looped:
    """What the loop says of a cell's parts; see there.

    Attributes:
        kinds: And edges; for each step.
        weights: In integers.
        points: In floats.
        had_room: Whether more steps would say no more.
    """

    kinds: list[list[int]]
    weights: list[list[int]]
    points: FloatArray
    had_room: bool


@dataclass(frozen=True, eq=False)
class _Cells:
    """What the loop is given: for each of S cells, what its R rows are, in tables of integers.

    Attributes:
        tables (T, N): Rows of integers at joint actions, times ``2**-shifts``.
        shifts (T,)
        num_actions: N in all.
        chosen (S, R): The tables.
        played (S, players, A): The corners, as actions of the tables.
        sizes (S, players): How many are.
    """

    tables: FloatArray
    shifts: NDArray[np.int64]
    num_actions: tuple[int, ...]
    chosen: NDArray[np.int64]
    played: NDArray[np.int64]
    sizes: NDArray[np.int64]


def takes_compiled(tables: DifferenceTables) -> bool:
    """Tell whether a game is so large that it needs the compiled loop soon anyway."""
    return prod(tables.game.num_actions) > MOST_PLAIN_JOINT


def looped_alone(
    rows: SupportRows,
    values: FloatArray,
    shifts: Sequence[int],
    most: int,
    *,
    limit: int,
    is_first: bool,
) -> Looped:
    """Run the loop on a cell, with room for so many steps, or for more if these do not suffice.

    It is plain where few steps may do: loading the compiled one takes half a second.

    Args:
        rows: Of the supports.
        values: Of the rows at the cell's joint corners, times powers of two.
        shifts: These powers, for each row.
        most, limit: Steps that there is room for at first, and ever.
        is_first: Whether nothing was looked at before, on these supports.
    """
    is_small = values.size <= MOST_PLAIN_CORNERS and not takes_compiled(rows.tables)
    is_plain = is_small and is_first and most == FEW_CELLS
    room = min(PLAIN_CELLS if is_plain else most, limit)
    count, *shape = values.shape
    cells = _Cells(
        values.reshape(count, -1),
        np.array(shifts, dtype=np.int64),
        tuple(shape),
        np.arange(count)[np.newaxis],
        np.tile(np.arange(max(shape)), (1, len(shape), 1)),
        np.array([shape]),
    )
    loop = equilibrium_cells.settle_all if is_plain else _compiled_loop()
    (found,) = _looped(loop, [rows], cells, room)
    if found.had_room or room == limit:
        return found
    more = most * MORE_CELLS // FEW_CELLS
    return looped_alone(rows, values, shifts, more, limit=limit, is_first=is_first)


def looped_at_once(supports: Sequence[SupportRows], most: int = FEW_CELLS) -> list[Looped]:
    """Run the compiled loop on the whole cells of supports of a game, with room for most steps."""
    tables = supports[0].tables
    shape = tables.game.num_actions
    width = max(shape)
    actions = np.array([rows.actions for rows in supports], dtype=np.int64)
    sizes = np.array([[len(own) for own in rows.supports] for rows in supports])
    played = np.zeros((*sizes.shape, width), dtype=np.int64)
    played[np.arange(width) < sizes[..., np.newaxis]] = [
        action for rows in supports for own in rows.supports for action in own
    ]
    players = actions[..., 0]
    references = np.take_along_axis(played[..., 0], players, axis=1)
    cells = _Cells(
        _all_tables(tables),
        np.repeat(np.array(tables.shifts, dtype=np.int64), width * width),
        shape,
        (players * width + references) * width + actions[..., 1],
        played,
        sizes,
    )
    return _looped(_compiled_loop(), supports, cells, most)


def _all_tables(tables: DifferenceTables) -> FloatArray:
    """Return payoff differences at all joint actions: (players x actions x actions, joint ones)."""
    shape = tables.game.num_actions
    found = np.zeros((len(shape), max(shape), max(shape), prod(shape)))
    for player, count in enumerate(shape):
        others = (*shape[:player], 1, *shape[player + 1 :])
        own = tables.all_floats(player).reshape(count, count, *others)
        everywhere = np.broadcast_to(own, (count, count, *shape))
        found[player, :count, :count] = everywhere.reshape(count, count, -1)
    return found.reshape(-1, prod(shape))


def _looped(
    loop: Callable[..., None], supports: Sequence[SupportRows], cells: _Cells, most: int
) -> list[Looped]:
    """Run a loop on cells, with room for so many steps for each."""
    count, num_rows = cells.chosen.shape
    nums_equations = np.array([rows.num_equations for rows in supports])
    owners = np.array([[player for player, _ in rows.actions] for rows in supports], dtype=np.int64)
    counts = np.empty(count, dtype=np.int64)
    exponents = np.empty((count, num_rows), dtype=np.int64)
    kinds = np.zeros((count * most, 4), dtype=np.int64)
    weights = np.zeros((count * most, num_rows))
    points = np.zeros((count * most, cells.played[0].size))
    loop(
        cells.tables,
        np.array(cells.num_actions),
        cells.chosen,
        owners,
        nums_equations,
        cells.played,
        cells.sizes,
        DEEPEST,
        PATIENCE,
        most,
        counts,
        exponents,
        kinds,
        weights,
        points,
    )
    total = int(counts.sum())
    of = np.repeat(np.arange(count), counts)
    shifts = (cells.shifts[cells.chosen] + exponents)[of]
    are_equations = np.arange(num_rows) < nums_equations[of, np.newaxis]
    whole = _whole(weights[:total], shifts, are_equations)
    is_open = kinds[:total, 0] == equilibrium_cells.OPEN
    edges = kinds[:total].tolist()
    found: list[Looped] = []
    last = 0
    for size in counts.tolist():
        first, last = last, last + size
        had_room = size + DEEPEST < most or not is_open[first:last].any()
        found.append(Looped(edges[first:last], whole[first:last], points[first:last], had_room))
    return found


def _whole(
    weights: FloatArray, shifts: NDArray[np.int64], are_equations: NDArray[np.bool_]
) -> list[list[int]]:
    """Turn weights of scaled rows into those of integer rows, each combination's up to a factor."""
    whole = np.rint(np.ldexp(weights, WEIGHT_BITS)).astype(np.int64)
    whole = np.where(are_equations, whole, np.maximum(whole, 0))
    lifts = shifts.max(axis=1, keepdims=True, initial=np.iinfo(np.int64).min) - shifts
    if lifts.max(initial=0) + WEIGHT_BITS < MACHINE_BITS:
        return (whole << lifts).tolist()
    return [
        [value << lift for value, lift in zip(own, bits, strict=True)]
        for own, bits in zip(whole.tolist(), lifts.tolist(), strict=True)
    ]


def _compiled_loop() -> Callable[..., None]:
    from solvers._kernels import compiled_twins  # noqa: PLC0415 loads numba

    return compiled_twins.settle_all
