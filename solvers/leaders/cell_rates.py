"""Rates on the follower's answers that make the bound of a cell of mixed actions small.

Notation of ``gametheory_core.leaders.commitment_cells``. With rates ``m`` the bound is the largest
quotient at the start; as long as the same answers are the largest, it is linear in ``m``:

    min over m >= 0 of  max over k of (c_k + sum_j m_j g_kj),

a linear program, solved by its dual, whose solution is a distribution over control points. Where
other answers become the largest, their rows are added and it is solved again. Floats propose rates
and prove nothing.
"""

from typing import Any

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.leaders.commitment_cells import Place, exponents
from solvers._programs.linear import FloatOutcome, solve_float
from solvers.leaders.float_cells import (
    FloatCell,
    FloatCells,
    Key,
    Passed,
    Simplices,
    pass_back,
    products,
)
from solvers.zero_sum.certified_program import dense_program

RATE_GROWTH = 4.0  # times one more than the largest rate so far, in units, rates may be
MOST_BATCHES = 8  # of entries, in one linear program
NEAR = 1e-7  # units by which entries left out may exceed the others
SMALL_RATE = 1e-9


def improve_rates(cells: FloatCells, cell: FloatCell, *, enough: float, rounds: int = 3) -> None:
    """Find rates that bound a cell well, starting from those that it has.

    Args:
        enough: No bound below this is needed.
    """
    passed = pass_back(cells, cell, cell.rates)
    if passed is None:
        return
    best = cell.bound
    keys = _keys(cells, passed)
    programs: list[FloatArray] = []
    for _ in range(rounds if keys and best > enough else 0):
        programs.append(_rows(cells, cell, passed, keys))
        start = np.array([cell.rates.get(key, 0.0) for key in keys])
        solved = _least(np.concatenate(programs, axis=1), start)
        if solved is None:
            break
        rates = {k: float(m) for k, m in zip(keys, solved[0], strict=True) if m > SMALL_RATE}
        passed = pass_back(cells, cell, rates)
        if passed is None:
            return
        if len(programs) == 1:
            cell.point = _mean_point(cells, cell, solved[1])
        if cell.bound < best:
            best, cell.rates = cell.bound, rates
        if best <= enough or all(found.chosen is None for found in passed.values()):
            break
    cell.bound = best


def _keys(cells: FloatCells, passed: dict[Place, Passed]) -> list[Key]:
    """Return the answers and deviations that rates may price, where play comes."""
    game = cells.game
    level, keys = set(game.states[0]), list[Key]()
    for time in range(game.view.horizon):
        after: set[int] = set()
        for block in cells.blocks[time]:
            for k, state in enumerate(block.places):
                if state in level:
                    found = passed[time, state]
                    keys += [
                        (time, state, b, c) for b in found.left for c in found.rivals if b != c
                    ]
                    places = game.states[time + 1]
                    if places:
                        chances = block.values[k, list(found.left)]
                        met = chances.reshape(-1, len(places)).any(axis=0)
                        after.update(np.array(places)[met].tolist())
        level = after
    return keys


def _rows(
    cells: FloatCells, cell: FloatCell, passed: dict[Place, Passed], keys: list[Key]
) -> FloatArray:
    """Return the bound at the start, linear in rates, by coefficient: shape (1 + keys, ...)."""
    game = cells.game
    index = {key: 1 + j for j, key in enumerate(keys)}
    size = 1 + len(keys)
    rows = np.zeros((0, *game.shape(game.view.horizon)))
    for time in reversed(range(game.view.horizon)):
        ones = np.array(game.multinomials(time + 1), dtype=float)
        multiplied = products(cells, cell, time, np.concatenate([ones[None], rows]))
        found: dict[int, FloatArray] = {}
        for block, product in zip(cells.blocks[time], multiplied, strict=True):
            shape = product.shape[1:]
            parts = product.reshape(block.rewards.shape[2], -1, *shape)  # (A, 1 + n size, ...)
            after = parts[:, 1:].reshape(-1, size, *shape)
            for k, state in enumerate(block.places):
                place = passed[time, state]
                options: list[FloatArray] = []
                for b in place.left:
                    total = np.tensordot(block.values[k, b], after, axes=1)
                    total[0] += np.tensordot(block.rewards[k, b], parts[:, 0], axes=1)
                    for c in place.rivals:
                        if (time, state, b, c) in index:
                            total[index[time, state, b, c]] += place.gains[b, c]
                    options.append(total)
                found[state] = _picked(options, place.chosen)
        here = [found[s] for s in game.states[time]]  # none where play has always ended before
        rows = np.concatenate(here) if here else np.zeros((0, *game.shape(time)))
    by_state = rows.reshape(len(cells.first), size, *game.shape(0))
    total = np.tensordot(cells.first, by_state, axes=1) / cells.numbers
    return total.reshape(size, -1)


def _picked(options: list[FloatArray], chosen: Any) -> FloatArray:
    if chosen is None:
        return options[0]
    return np.take_along_axis(np.stack(options), chosen[None, None], axis=0)[0]


def _least(rows: FloatArray, start: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Return rates that make the largest entry least, and weights of the entries; None if none.

    Few entries matter, so those that are largest at the rates so far are let in by and by.
    """
    constants, slopes = rows[0], rows[1:]
    highest = RATE_GROWTH * (1.0 + float(start.max()))
    batch = 3 * len(slopes) + 8
    inside = _largest(constants, batch) | _largest(constants + start @ slopes, batch)
    rates, weights = start, np.zeros(len(constants))
    for _ in range(MOST_BATCHES):
        places = np.flatnonzero(inside)
        solved = _priced_entries(constants[places], slopes[:, places], highest)
        if solved is None:
            return None
        rates, own = solved
        weights[places] = own
        values = constants + rates @ slopes
        if values.max() <= values[places].max() + NEAR:
            break
        inside |= _largest(values, batch)
    return rates, weights


def _largest(values: FloatArray, count: int) -> Any:
    if count >= len(values):
        return np.ones(len(values), dtype=bool)
    return values >= np.partition(values, -count)[-count]


def _priced_entries(
    constants: FloatArray, slopes: FloatArray, highest: float
) -> tuple[FloatArray, FloatArray] | None:
    """Solve the dual: a distribution over entries under which no gain is negative, or paid for."""
    count, size = slopes.shape
    matrix = np.zeros((count + 1, size + count))
    matrix[:count, :size] = -slopes
    matrix[:count, size:] = -np.eye(count)
    matrix[count, :size] = 1.0
    solved = solve_float(
        dense_program(
            matrix,
            np.concatenate([constants, np.full(count, -highest)]),
            is_equation=np.arange(count + 1) == count,
            is_free=np.zeros(size + count, dtype=bool),
        )
    )
    if solved.outcome is not FloatOutcome.OPTIMAL:
        return None
    return np.maximum(solved.dual[:count], 0.0), solved.primal[:size]


def _mean_point(cells: FloatCells, cell: FloatCell, weights: FloatArray) -> Simplices:
    """Return the mean of control points: mixtures of corners, by their exponents."""
    game = cells.game
    shares = np.maximum(weights, 0.0).reshape(game.shape(0))
    point: list[FloatArray] = []
    for axis, (corners, degree) in enumerate(zip(cell.simplices, game.degrees[0], strict=True)):
        others = tuple(k for k in range(shares.ndim) if k != axis)
        powers = np.array(exponents(len(corners), degree), dtype=float) / degree
        own = (shares.sum(axis=others) @ powers) @ corners
        point.append(own / own.sum())
    return tuple(point)
