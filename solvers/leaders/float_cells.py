"""Bounds on cells of mixed actions in floats.

Notation of ``gametheory_core.leaders.commitment_cells``. One matrix for each step and observation
holds all that a backward pass adds up there. Floats prove nothing.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.leaders.commitment_cells import CellGame, Place, exponents
from solvers.leaders.lottery_search import FloatLeaders

Key: TypeAlias = tuple[int, int, int, int]  # step, state, answer, deviation
Rates: TypeAlias = dict[Key, float]
Simplices: TypeAlias = tuple[FloatArray, ...]  # corners by action, one for each observation

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
    after = game.states[time + 1]
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
        multiplied = products(cells, cell, time, np.concatenate([ones[None], rows]))
        found: dict[int, FloatArray] = {}
        for block, product in zip(cells.blocks[time], multiplied, strict=True):
            totals = np.tensordot(block.sums, product, axes=(2, 0))  # (S, 3 B + B B, ...)
            for k, state in enumerate(block.places):
                place = _place(cell, (time, state), totals[k], block.legal[k], rates)
                if place is None:
                    cell.bound = -np.inf
                    return None
                passed[time, state], found[state] = place
        here = [found[s] for s in game.states[time]]  # none where play has always ended before
        stacked = np.stack(here, axis=1) if here else np.zeros((0, *game.shape(time)))
        rows = stacked.reshape(-1, *game.shape(time))
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


def products(cells: FloatCells, cell: FloatCell, time: int, rows: FloatArray) -> list[FloatArray]:
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
