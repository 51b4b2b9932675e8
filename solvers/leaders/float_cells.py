"""Bounds on cells of mixed actions in floats, and rates that make them small.

Notation of ``gametheory_core.leaders.commitment_cells``. One matrix for each step and observation
holds all that a backward pass adds up there. With rates ``m`` the bound is the largest quotient at
the start; as long as the same answers are the largest, it is linear in ``m``:

    min over m >= 0 of  max over k of (c_k + sum_j m_j g_kj),

a linear program, solved by its dual, whose solution is a distribution over control points. Where
other answers become the largest, their rows are added and it is solved again. Floats propose rates
and prove nothing.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.leaders.commitment_cells import CellGame, Place, exponents
from solvers._programs.linear import FloatOutcome, solve_float
from solvers.leaders.lottery_search import FloatLeaders
from solvers.stackelberg.leader_problem import dense_program

Key: TypeAlias = tuple[int, int, int, int]  # step, state, answer, deviation
Rates: TypeAlias = dict[Key, float]
Simplices: TypeAlias = tuple[FloatArray, ...]  # corners by action, one for each observation

RATE_GROWTH = 4.0  # times one more than the largest rate so far, in units, rates may be
MOST_BATCHES = 8  # of entries, in one linear program
NEAR = 1e-7  # units by which entries left out may exceed the others
SMALL_RATE = 1e-9
ROUNDING = 1e-11  # of a gain that floats cannot tell from none


class Block(NamedTuple):
    """What the states with one observation add up at one step.

    Attributes:
        places: These states.
        legal (states, B)
        sums (states, 3 B + B B, A (1 + 3 n)): What rewards and ``n`` states' values after it
            weigh: for the leader, above and below the follower's value, and her gains.
        values (states, B, A n): The part of the leader's values alone.
        rewards (states, B, A): The leader's.
    """

    observation: int
    axis: int
    places: tuple[int, ...]
    legal: Any
    sums: FloatArray
    values: FloatArray
    rewards: FloatArray


@dataclass(frozen=True, eq=False)
class FloatCells:
    """A Markov game with a leader in floats, laid out for bounds on cells.

    Attributes:
        blocks: By step.
        first (n,): Chances of the first states.
        numbers: Multinomial numbers at the start.
    """

    game: CellGame
    blocks: tuple[tuple[Block, ...], ...]
    first: FloatArray
    numbers: FloatArray


def float_cells(game: CellGame, floats: FloatLeaders) -> FloatCells:
    """Lay a game out in floats, both players' payoffs in units."""
    blocks = tuple(
        tuple(_block(game, floats, time, o) for o in _active(game, time))
        for time in range(game.view.horizon)
    )
    numbers = np.array(game.multinomials(0), dtype=float)
    return FloatCells(game, blocks, floats.first[list(game.states[0])], numbers)


def _active(game: CellGame, time: int) -> list[int]:
    return sorted({game.seen(s) for s in game.states[time]})


def _block(game: CellGame, floats: FloatLeaders, time: int, observation: int) -> Block:
    places = tuple(s for s in game.states[time] if game.seen(s) == observation)
    after = game.states[time + 1] if time + 1 < game.view.horizon else ()
    mine = list(game.view.leader_actions(observation))
    own = floats.rewards[list(places)][:, mine]  # (S, A, B, 2)
    count, actions, answers, _ = own.shape
    chances = np.zeros((count, actions, answers, len(after)))
    weight = floats.weight[list(places)][:, mine] * float(game.view.discount)
    following = floats.successor[list(places)][:, mine]
    for k, state in enumerate(after):
        chances[..., k] = np.where(following == state, weight, 0.0).sum(axis=-1)
    none = np.zeros_like(chances)

    def rows(paid: FloatArray, leader: Any, high: Any, low: Any) -> FloatArray:
        found = np.concatenate([paid[..., None], leader, high, low], axis=-1)
        return np.moveaxis(found, 1, -2).reshape(count, -1, actions * found.shape[-1])

    changes = chances[:, :, :, None] - chances[:, :, None]
    gains = rows(
        own[:, :, :, None, 1] - own[:, :, None, :, 1],
        np.zeros_like(changes),
        np.maximum(changes, 0),
        np.minimum(changes, 0),
    )
    sums = [
        rows(own[..., 0], chances, none, none),
        rows(own[..., 1], none, chances, none),
        rows(own[..., 1], none, none, chances),
        gains,
    ]
    values = np.moveaxis(chances, 1, -2).reshape(count, answers, -1)
    legal = game.view.tables.follower_legal[list(places)]
    axis = game.observations.index(observation)
    rewards = np.moveaxis(own[..., 0], 1, -1)
    return Block(observation, axis, places, legal, np.concatenate(sums, 1), values, rewards)


@dataclass(frozen=True, eq=False)
class Passed:
    """What a backward pass found at one step and state.

    Attributes:
        left: Answers that she may give.
        rivals: Deviations that may be as good.
        gains (B, B, ...): Of answers over deviations, in coefficients.
        chosen: Which of ``left`` is the largest, by coefficient; None if there is one.
        spread: How far coefficients of that of the largest sum are below the largest.
    """

    left: tuple[int, ...]
    rivals: tuple[int, ...]
    gains: FloatArray
    chosen: Any
    spread: float


@dataclass(eq=False)
class FloatCell:
    """A cell and what is known of it so far; lives inside a single search.

    Attributes:
        bound: In units; minus infinity if nobody is in it.
        point: Mixed actions by observation, where the bound is likely to be attained.
    """

    simplices: Simplices
    answers: dict[Place, int]
    rates: Rates = field(default_factory=dict[Key, float])
    bound: float = np.inf
    point: Simplices | None = None


def pass_back(cells: FloatCells, cell: FloatCell, rates: Rates) -> dict[Place, Passed] | None:
    """Bound a cell by some rates, and note it; None, and minus infinity, if nobody is in it."""
    game = cells.game
    rows = np.zeros((0, *game.shape(game.view.horizon)))
    passed: dict[Place, Passed] = {}
    for time in reversed(range(game.view.horizon)):
        ones = np.array(game.multinomials(time + 1), dtype=float)
        products = _products(cells, cell, time, np.concatenate([ones[None], rows]))
        found: dict[int, FloatArray] = {}
        for block, product in zip(cells.blocks[time], products, strict=True):
            totals = np.tensordot(block.sums, product, axes=(2, 0))  # (S, 3 B + B B, ...)
            for k, state in enumerate(block.places):
                place = _place(cell, (time, state), totals[k], block.legal[k], rates)
                if place is None:
                    cell.bound = -np.inf
                    return None
                passed[time, state], found[state] = place
        rows = np.stack([found[s] for s in game.states[time]], axis=1).reshape(
            -1, *game.shape(time)
        )
    count = len(game.states[0])
    total = np.tensordot(cells.first, rows[:count], axes=1)
    cell.bound = float((total / cells.numbers).max())
    return passed


def _place(
    cell: FloatCell, place: Place, totals: FloatArray, legal: Any, rates: Rates
) -> tuple[Passed, FloatArray] | None:
    """Return what is known of a step and state, and the three polynomials that bound values."""
    count = len(legal)
    leader, high, low = totals[:count], totals[count : 2 * count], totals[2 * count : 3 * count]
    gains = totals[3 * count :].reshape(count, count, *totals.shape[1:])
    answers = np.flatnonzero(legal).tolist()
    main = max(answers, key=lambda b: low[b].sum())
    most = gains.reshape(count, count, -1).max(axis=-1)
    rivals = tuple(b for b in answers if most[b, answers].min() >= -ROUNDING)
    fixed = cell.answers.get(place)
    if fixed is not None:
        if fixed not in rivals:
            return None
        main = fixed
    left = rivals if fixed is None else (fixed,)
    priced: list[FloatArray] = []
    for b in left:
        total = leader[b]
        for c in rivals:
            if rate := rates.get((*place, b, c)):
                total = total + rate * gains[b, c]
        priced.append(total)
    options = np.stack(priced)
    chosen = options.argmax(axis=0) if len(left) > 1 else None
    most = options.max(axis=0)
    usual = int(options.reshape(len(left), -1).sum(axis=1).argmax())
    spread = float((most - options[usual]).max())
    values = np.stack([most, high[list(left)].max(axis=0), low[main]])
    return Passed(left, rivals, gains, chosen, spread), values


@cache
def _raising(corners: int, degree: int) -> FloatArray:
    """Return the matrices that multiply by each coordinate, shape (corners, after, before)."""
    before, after = exponents(corners, degree), exponents(corners, degree + 1)
    found = np.zeros((corners, len(after), len(before)))
    place = {e: k for k, e in enumerate(after)}
    for k, e in enumerate(before):
        for j in range(corners):
            found[j, place[*e[:j], e[j] + 1, *e[j + 1 :]], k] = 1.0
    return found


def _products(cells: FloatCells, cell: FloatCell, time: int, rows: FloatArray) -> list[FloatArray]:
    """Multiply polynomials by each action's chance, for each block: shape (A rows, ...)."""
    game, blocks = cells.game, cells.blocks[time]
    found: list[FloatArray] = []
    for block in blocks:
        own = rows
        for other in blocks:
            if other.axis != block.axis:
                matrices = _raising(
                    len(cell.simplices[other.axis]), game.degrees[time + 1][other.axis]
                )
                own = _along(matrices.sum(axis=0), own, other.axis)
        corners = cell.simplices[block.axis]
        matrices = _raising(len(corners), game.degrees[time + 1][block.axis])
        chances = np.tensordot(corners, matrices, axes=(0, 0))  # (A, after, before)
        parts = np.stack([_along(chance, own, block.axis) for chance in chances])
        found.append(parts.reshape(-1, *parts.shape[2:]))
    return found


def _along(matrix: FloatArray, rows: FloatArray, axis: int) -> FloatArray:
    return np.moveaxis(np.tensordot(matrix, rows, axes=(1, axis + 1)), 0, axis + 1)


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
                    if time + 1 < game.view.horizon:
                        places = game.states[time + 1]
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
        products = _products(cells, cell, time, np.concatenate([ones[None], rows]))
        found: dict[int, FloatArray] = {}
        for block, product in zip(cells.blocks[time], products, strict=True):
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
        rows = np.concatenate([found[s] for s in game.states[time]])
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
