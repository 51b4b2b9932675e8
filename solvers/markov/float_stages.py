"""A zero-sum Markov game as float arrays: one sweep over its stages, and values of fixed play."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.table_content import spread
from solvers.rounding import float_exponent, float_ratios, power_of_two
from solvers.zero_sum.float_matrix_game import solve_matrix_in_floats

DENSE = 1500  # states up to which linear systems are solved by elimination
MOST_SWEEPS = 1000  # of fixed play, beyond
SETTLED = 1e-3  # of the first change


@dataclass(frozen=True, eq=False)
class FloatStages:
    """Stage games of the acting states, cell after cell.

    Attributes:
        unit: A power of two in which payoffs are, so that the largest reward is near one.
        rewards (num_cells,): Of player 0, in units.
        start (num_stages + 1,)
        shape, place (num_stages, 2): Rows and columns; where the strategies begin.
        weight (num_entries,): Discount times probability of each next state of each cell.
        outcome (num_entries,): Its stage, or ``num_stages`` where nobody acts.
        entry_start (num_cells,)
        entry_cell (num_entries,)
        cell_stage, cell_row, cell_column (num_cells,): The stage of a cell, and where its actions
            stand in the strategies.
    """

    unit: Fraction
    rewards: FloatArray
    start: Any
    shape: Any
    place: Any
    weight: FloatArray
    outcome: Any
    entry_start: Any
    entry_cell: Any
    cell_stage: Any
    cell_row: Any
    cell_column: Any

    @property
    def num_stages(self) -> int:
        """Number of states in which somebody acts."""
        return len(self.shape)

    def payoffs(self, values: FloatArray) -> FloatArray:
        """Return what cells pay if stages have these values, (num_cells,)."""
        after = np.append(values, 0.0)[self.outcome]
        return self.rewards + np.add.reduceat(self.weight * after, self.entry_start)


@dataclass(frozen=True, eq=False)
class StageOptimum:
    """Optimal strategies of all stages, up to rounding.

    Attributes:
        values (num_stages,)
        strategy (num_weights,): Players 0 and 1 of each stage, where ``FloatStages.place`` says.
        support (num_weights,)
    """

    values: FloatArray
    strategy: FloatArray
    support: Any


def float_stages(view: MarkovView) -> FloatStages:
    """Lay out a two-player game in which somebody acts as float arrays."""
    kernel = view.game.transition_kernel
    rows = view.rows
    shape = np.array([[len(own) for own in view.legal[s]] for s in view.acting.tolist()])
    sizes = shape[:, 0] * shape[:, 1]
    start = np.concatenate([[0], np.cumsum(sizes)])
    ends = np.cumsum(shape.ravel())
    place = (ends - shape.ravel()).reshape(-1, 2)
    stage, position = spread(sizes)
    columns = shape[stage, 1]
    which, offset = spread(kernel.sizes[rows])
    entry = kernel.start[rows][which] + offset
    number = np.full(view.num_states, len(shape), dtype=np.int64)
    number[view.acting] = np.arange(len(shape))
    discount = float(view.game.discount)
    paid = view.rewards.numerators[rows, 0]
    exponent = float_exponent(paid, view.rewards.denominator)
    return FloatStages(
        unit=power_of_two(exponent),
        rewards=float_ratios(paid, view.rewards.denominator, exponent),
        start=start,
        shape=shape,
        place=place,
        weight=discount * kernel.weight[entry].astype(np.float64),
        outcome=number[kernel.outcome[entry]],
        entry_start=np.searchsorted(which, np.arange(len(rows))),
        entry_cell=which,
        cell_stage=stage,
        cell_row=place[stage, 0] + position // columns,
        cell_column=place[stage, 1] + position % columns,
    )


def solve_stages(stages: FloatStages, values: FloatArray) -> StageOptimum:
    """Solve all stage games, if stages have these values: one step of Shapley's operator."""
    from solvers._kernels import matrix_game_simplex as kernel  # noqa: PLC0415 loads numba

    payoffs = stages.payoffs(values)
    largest = stages.shape.max(axis=0)
    total = int(stages.shape.sum())
    strategy, support = np.zeros(total), np.zeros(total, dtype=np.bool_)
    found = np.empty(stages.num_stages)
    first = 0
    while first < stages.num_stages:
        broken = kernel.solve_stages(
            payoffs,
            stages.start[first:],
            stages.shape[first:],
            stages.place[first:],
            np.empty(int((largest[0] + 1) * (largest[1] + 1))),
            np.empty(int(largest.sum()), dtype=np.int64),
            strategy,
            support,
            found[first:],
        )
        if broken < 0:
            break
        first += broken  # there the kernel broke down: that stage takes another road
        table = payoffs[stages.start[first] : stages.start[first + 1]].reshape(stages.shape[first])
        own, other = map(slice, stages.place[first], stages.place[first] + stages.shape[first])
        optimum = solve_matrix_in_floats(table)
        if optimum is None:  # any strategies will do: what they guarantee is certified
            strategy[own], strategy[other] = 1 / table.shape[0], 1 / table.shape[1]
        else:
            strategy[own], strategy[other] = optimum.row_strategy, optimum.column_strategy
            support[own], support[other] = optimum.in_row_support, optimum.in_column_support
        guaranteed = float((strategy[own] @ table).min()), float((table @ strategy[other]).max())
        found[first] = sum(guaranteed) / 2
        first += 1
    return StageOptimum(found, strategy, support)


def values_of_play(stages: FloatStages, strategy: FloatArray, paid: FloatArray) -> FloatArray:
    """Return ``(I - gamma P)^-1 paid`` for the chain of a profile, in floats, (num_stages,)."""
    share = strategy[stages.cell_row] * strategy[stages.cell_column]
    weight = share[stages.entry_cell] * stages.weight
    owner = stages.cell_stage[stages.entry_cell]
    inside = (stages.outcome < stages.num_stages) & (weight != 0.0)
    weight, owner, outcome = weight[inside], owner[inside], stages.outcome[inside]
    if stages.num_stages <= DENSE:
        matrix = np.eye(stages.num_stages)
        np.subtract.at(matrix, (owner, outcome), weight)
        return np.asarray(np.linalg.solve(matrix, paid), dtype=np.float64)
    found = paid
    for _ in range(MOST_SWEEPS):
        following = paid + np.bincount(owner, weight * found[outcome], stages.num_stages)
        if np.abs(following - found).max() <= SETTLED * np.abs(paid).max():
            return following
        found = following
    return found
