"""The moving parts of a run: tables scaled for the loops, arrays in motion, and float measures.

Runs on small trees begin in plain Python, because loading compiled loops takes longer than the
first steps. Which way a step runs depends on the tree and the step's number alone, so that a run
that was interrupted goes on exactly as one that was not.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

import numpy as np

from gametheory_core.arrays import FloatArray, freeze
from solvers._kernels import treeplex, treeplex_regret
from solvers._kernels.treeplex import Ends, Forest, Indices, SparseRows, Tree
from solvers._kernels.treeplex_regret import RegretArrays
from solvers.counterfactual.regret_rules import RegretSettings
from solvers.counterfactual.regret_run import RegretState
from solvers.counterfactual.sequence_tables import SequenceTables

PLAIN_WORK = 200_000  # entries and sequences visited in the time that compiled loops take to load
MOST_PLAIN = 2_000  # entries and sequences of a tree that begins in plain Python
FEWEST_ITERATES, MOST_ITERATES = 32, 256  # recorded, by the size of the tree; even numbers
ITERATE_WORK = 100_000  # ends of play to be measured exactly in all recorded iterates together


@dataclass
class RegretWork:
    """A run in motion; arrays are modified in place. Lives inside a single call."""

    steps: int
    arrays: RegretArrays
    iterate_steps: list[int]
    iterates: list[FloatArray]


@dataclass(frozen=True, eq=False)
class RegretEngine:
    """What moves a run, and measures it in floats.

    Attributes:
        tables: Of the tree.
        settings: How the run goes.
        records: Whether to record iterates.
    """

    tables: SequenceTables
    settings: RegretSettings
    records: bool

    @cached_property
    def unit(self) -> float:
        """A power of two near the largest payoff: dividing by it rounds nothing."""
        largest = float(np.max(np.abs(self.tables.ends.payoffs), initial=0.0))
        return math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest else 1.0

    @cached_property
    def tree(self) -> Tree:
        """The tables as the loops read them, payoffs as multiples of ``unit``."""
        tables = self.tables
        ends = Ends(_unsigned(tables.ends.sequences), _scaled(tables.ends.payoffs, self.unit))
        rows = [_scaled_rows(rows, self.unit) for rows in tables.payoffs]
        first, second = rows or (_NO_ROWS, _NO_ROWS)
        return Tree(_forest(tables), ends, first, second)

    @cached_property
    def plain_steps(self) -> int:
        """How many steps run in plain Python."""
        visited = self.tables.num_sequences + self.tables.ends.payoffs.size
        return PLAIN_WORK // visited if visited <= MOST_PLAIN else 0

    @property
    def is_too_deep(self) -> bool:
        """Whether floats cannot hold how likely a player comes somewhere if own play is even."""
        return bool(np.min(self.plans(self._uniform(), 0)) < treeplex_regret.LEAST_TOTAL)

    @cached_property
    def room(self) -> int:
        """How many iterates may be recorded; at least half as many are, once so many are played."""
        wanted = ITERATE_WORK // max(1, self.tables.ends.payoffs.size)
        return 2 * (min(max(wanted, FEWEST_ITERATES), MOST_ITERATES) // 2)

    def start(self, state: RegretState | None) -> RegretWork:
        """Return a run at its beginning, or where a state has left it."""
        size = self.tables.num_sequences
        if state is None:
            behavior, memory, totals = self._uniform(), np.zeros(size), np.zeros(size)
            steps, recorded = 0, ([], [])
        else:
            behavior, memory = state.behavior.copy(), state.memory.copy()
            totals, steps = state.totals.copy(), state.steps
            recorded = (state.iterate_steps.tolist(), list(state.iterates))
        plans = self.plans(behavior, steps)
        room = np.zeros(size), np.zeros(size)
        arrays = RegretArrays(memory, behavior, plans, totals, *room)
        return RegretWork(steps, arrays, *recorded)

    def state(self, work: RegretWork) -> RegretState:
        """Return where a run stands; copies."""
        size = self.tables.num_sequences
        return RegretState(
            game_digest=self.tables.game.digest,
            settings=self.settings.text,
            steps=work.steps,
            memory=work.arrays.memory,
            behavior=work.arrays.behavior,
            totals=work.arrays.totals,
            iterate_steps=np.array(work.iterate_steps, dtype=np.int64),
            iterates=np.array(work.iterates).reshape(-1, size),
        )

    def advance(self, work: RegretWork, count: int) -> None:
        """Play ``count`` steps; ``work`` is modified in place."""
        end = work.steps + count
        while work.steps < end:
            stop = end
            if self.records:
                stop = min(stop, self._record(work))
            if work.steps < self.plain_steps:
                stop = min(stop, self.plain_steps)
            play, numbers = self._loop("advance", work.steps), self.settings.numbers(self.unit)
            play(self.tree, work.arrays, numbers, work.steps, stop - work.steps)
            work.steps = stop

    def plans(self, behavior: FloatArray, steps: int) -> FloatArray:
        """Return all players' realization plans."""
        plans = np.empty(self.tables.num_sequences)
        self._loop("write_plans", steps)(self.tree.forest, behavior, plans)
        return plans

    def responses(self, plans: FloatArray, steps: int) -> FloatArray:
        """Return what best responses to plans earn, for each player, in floats; payoff units."""
        values = np.empty(len(self.tables.treeplexes))
        self._loop("best_responses", steps)(self.tree, plans, np.empty_like(plans), values)
        return values * self.unit

    def mixture_gains(self, behaviors: FloatArray, weights: FloatArray, steps: int) -> FloatArray:
        """Return what each player gains by leaving a mixture at once; floats, payoff units."""
        gains = np.empty(len(self.tables.treeplexes))
        room = np.empty((3, behaviors.shape[1]))
        self._loop("mixture_gains", steps)(self.tree, behaviors, weights, room, gains)
        return gains * self.unit

    def _loop(self, name: str, steps: int) -> Callable[..., None]:
        """Return a loop in plain Python, or compiled after so many steps."""
        if steps < self.plain_steps:
            return getattr(treeplex, name, None) or getattr(treeplex_regret, name)
        return getattr(import_module("solvers._kernels.compiled_twins"), name)

    def _uniform(self) -> FloatArray:
        behavior = np.ones(self.tables.num_sequences)
        for player, own in enumerate(self.tables.treeplexes):
            counts = np.diff(own.first_sequence)
            self.tables.own(behavior, player)[1:] = 1.0 / np.repeat(counts, counts)
        return behavior

    def _record(self, work: RegretWork) -> int:
        """Record what the next step plays, if it is its turn; return the step before the next turn.

        Steps ``stride``, ``2 stride``, ... are recorded; where there is no room for another, every
        second is dropped and the stride doubled.
        """
        stride = work.iterate_steps[0] if work.iterate_steps else 1
        following = work.iterate_steps[-1] + stride if work.iterate_steps else 1
        if following == work.steps + 1:
            if len(work.iterate_steps) == self.room:
                work.iterate_steps[:] = work.iterate_steps[1::2]
                work.iterates[:] = work.iterates[1::2]
                stride *= 2
                following = work.iterate_steps[-1] + stride
            if following == work.steps + 1:
                work.iterate_steps.append(following)
                work.iterates.append(work.arrays.behavior.copy())
                following += stride
        return following - 1


def _scaled_rows(rows: SparseRows, unit: float) -> SparseRows:
    return SparseRows(
        _unsigned(rows.first_entry), _unsigned(rows.columns), _scaled(rows.values, unit)
    )


def _unsigned(indices: Indices) -> Indices:
    """Return indices as compiled loops like them: they need not look whether one is negative."""
    return freeze(indices.astype(np.uint32))


def _scaled(payoffs: FloatArray, unit: float) -> FloatArray:
    return freeze(payoffs / unit)


def _forest(tables: SequenceTables) -> Forest:
    own_first, own_parents = zip(*tables.treeplexes, strict=True)
    first_infoset = np.cumsum([0, *map(len, own_parents)], dtype=np.int64)
    return Forest(
        _unsigned(np.concatenate(own_first)),
        _unsigned(np.concatenate(own_parents)),
        freeze(first_infoset),
        tables.offsets,
    )


_NO_ROWS = SparseRows(
    freeze(np.zeros(1, dtype=np.uint32)), freeze(np.zeros(0, dtype=np.uint32)), freeze(np.zeros(0))
)
