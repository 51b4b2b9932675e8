"""Exact minimax plans of large trees, among the sequences that play without regret still uses.

Some hundred steps of play without regret tell which sequences matter; what they are worth exactly,
two linear programs say. Each looks for one player's plan among that player's likely sequences
alone, ``K0`` or ``K1``, against *all* plans of the other:

    lower = max over x on K0 of min over y of x'Ay,    upper = min over y on K1 of max over x.

Where own sequences are few, most of the other's information sets are never met and drop out, so
that both programs together are a fraction of the whole. ``lower <= value <= upper`` always; where
they are equal, both plans are minimax plans of the whole tree. Else the other solution of each
program, which is the other player's reply, names sequences that are missing, and play goes on.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from gametheory_core.arrays import (
    ZERO,
    FloatArray,
    IntArray,
    NumberArray,
    freeze,
    is_exact,
    object_array,
)
from gametheory_core.strategies.sequences import PlayerSequences, SequenceForm
from solvers._kernels.treeplex import Ends, SparseRows, Treeplex
from solvers._programs.exact import ExactOptimum, multipliers_if_feasible, vertex_if_feasible
from solvers._programs.linear import Basis, BoolArray, FloatOutcome, FloatSolution, LinearProgram
from solvers._programs.reduced import restricted
from solvers._programs.refinement import paired_program, refine
from solvers.counterfactual.regret_engine import RegretEngine, RegretWork
from solvers.counterfactual.regret_rules import DiscountedRegretMatching, regret_settings
from solvers.counterfactual.sequence_tables import SequenceTables, behavior_of_totals
from solvers.solution import Meter
from solvers.trees.mirrors import mirror_of
from solvers.trees.sequence_program import SequenceProgram, payoff_entries
from solvers.zero_sum.certified_program import sparse_floats

TRIALS = ((300, 1e-3), (0, 1e-3), (900, 1e-4), (0, 1e-4), (2700, 1e-5), (0, 1e-5))
HUGE = 300_000  # coefficients, from which on ...
HUGE_LEAST = 1e-4  # ... such weights are likely at once
BATCH = 50  # steps between two looks at the clock
CLOSE = 1e-7  # bounds in floats, in units of the largest payoff, that may be equal exactly
POSITIVE = 1e-9  # a weight in floats above zero


@dataclass(frozen=True, eq=False)
class LikelyPlay:
    """Play without regret under way; lives inside one call.

    Attributes:
        form, program: Of the tree.
        engine, work: What moves, and what is moved, in place.
        mirror: Of a symmetric tree, whose value is 0, and where one plan is enough.
    """

    form: SequenceForm
    program: SequenceProgram
    engine: RegretEngine
    work: RegretWork
    mirror: IntArray | None

    @property
    def sides(self) -> tuple[int, ...]:
        """The players whose programs are solved."""
        return (0, 1) if self.mirror is None else (0,)

    def go_on(self, steps: int, meter: Meter) -> None:
        """Play on.

        Raises:
            BudgetOver: If time is up.
        """
        for start in range(0, steps, BATCH):
            meter.require_time()
            self.engine.advance(self.work, min(BATCH, steps - start))
            meter.step(0)

    @property
    def average(self) -> list[FloatArray]:
        """Both players' average plans so far."""
        tables, arrays = self.engine.tables, self.work.arrays
        behavior = behavior_of_totals(tables, arrays.totals, arrays.behavior)
        plans = self.engine.plans(behavior, self.work.steps)
        return [tables.own(plans, player) for player in (0, 1)]


def likely_play(form: SequenceForm, program: SequenceProgram) -> LikelyPlay:
    """Begin to play; discounted regret matching finds supports the quickest."""
    tables = _tables(form, program)
    settings = regret_settings(DiscountedRegretMatching(), None, None, meets_two=True)
    engine = RegretEngine(tables, settings, records=False)
    return LikelyPlay(form, program, engine, engine.start(None), mirror_of(form, program))


def _tables(form: SequenceForm, program: SequenceProgram) -> SequenceTables:
    """Return the payoffs of the program, divided by the largest, as play reads them."""
    exact = program.exact
    paid = payoff_entries(program)
    second, first = exact.rows[paid], exact.columns[paid]
    losses = program.floats.values[paid]
    order = np.argsort(first, kind="stable")
    sizes = [own.num_sequences for own in form.players]
    payoffs = (
        _sparse_rows(first[order], second[order], -losses[order], sizes[0]),
        _sparse_rows(second, first, losses, sizes[1]),
    )
    return SequenceTables(
        form,
        tuple(Treeplex(own.first_sequence, own.parent_sequence) for own in form.players),
        payoffs,
        Ends(np.stack([first, second]), np.stack([-losses, losses])),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
    )


def _sparse_rows(
    rows: NumberArray, columns: NumberArray, values: FloatArray, size: int
) -> SparseRows:
    first = np.searchsorted(rows, np.arange(size + 1)).astype(np.int32)
    return SparseRows(first, columns, values)


@dataclass(frozen=True, eq=False)
class _Part:
    """One player's program: its own plan on likely sequences, the other's on all.

    Attributes:
        exact, floats: With the same rows and columns.
        rows, columns: Which they are in the whole program.
        root: The column of ``v[empty]``.
    """

    exact: LinearProgram
    floats: LinearProgram
    rows: IntArray
    columns: IntArray
    root: int


def likely_minimax_plans(
    play: LikelyPlay, meter: Meter, *, exactly: bool
) -> list[NumberArray] | None:
    """Find minimax plans among likely sequences.

    A trial plays some steps, or none where replies to the last one are tried, and takes sequences
    of a weight in the average plan for likely.

    Args:
        exactly: In rationals, proved equally good; else in floats.

    Returns:
        Weights of each player's sequences; None if no trial finds them.

    Raises:
        BudgetOver: If time is up.
    """
    likely = [np.zeros(own.num_sequences, dtype=bool) for own in play.form.players]
    for steps, least in TRIALS:
        play.go_on(steps, meter)
        likely = _widened(play, likely, least)
        parts = [_part(play, player, likely[player]) for player in play.sides]
        found = [sparse_floats(part.floats, meter) for part in parts]
        if any(one.outcome is not FloatOutcome.OPTIMAL for one in found):
            return None
        values = [float(one.primal[part.root]) for part, one in zip(parts, found, strict=True)]
        upper = values[1] if play.mirror is None else 0.0
        if upper - values[0] <= CLOSE:
            plans = (_exact_plans if exactly else _float_plans)(play, parts, found, meter)
            if plans is not None:
                return plans
        likely = _with_replies(play, likely, parts, found)
    return None


def _widened(play: LikelyPlay, likely: list[BoolArray], least: float) -> list[BoolArray]:
    """Add the sequences of a weight above the least in average plans."""
    is_huge = len(play.program.exact.values) > HUGE
    bar = min(least, HUGE_LEAST) if is_huge else least
    return [
        _closed(own, known | (plan > bar), plan)
        for own, known, plan in zip(play.form.players, likely, play.average, strict=True)
    ]


def _with_replies(
    play: LikelyPlay, likely: list[BoolArray], parts: list[_Part], found: list[FloatSolution]
) -> list[BoolArray]:
    """Add the sequences of each player's reply to what the other's program found."""
    first, second = (own.num_sequences for own in play.form.players)
    reply = _whole(parts[0].rows, found[0].dual, second)
    if play.mirror is not None:
        return [likely[0] | (reply[play.mirror] > POSITIVE), likely[1]]
    replies = _whole(parts[1].columns, found[1].primal, first), reply
    return [known | (reply > POSITIVE) for known, reply in zip(likely, replies, strict=True)]


def _part(play: LikelyPlay, player: int, likely: BoolArray) -> _Part:
    """Leave out what a player's plans on likely sequences never meet."""
    program, players = play.program, play.form.players
    own, other = players[player], players[1 - player]
    paid = payoff_entries(program)
    ends = program.exact.columns[paid], program.exact.rows[paid]  # sequences of each player
    touched = np.zeros(other.num_sequences, dtype=bool)
    touched[ends[1 - player][likely[ends[player]]]] = True
    met = _met(other, touched)
    one = np.ones(1, dtype=bool)
    kept = np.concatenate([likely, one, met])
    against = np.concatenate(
        [one, np.repeat(met, np.diff(other.first_sequence)), one, likely[own.parent_sequence]]
    )
    columns, rows = (kept, against) if player == 0 else (against, kept)
    exact = restricted(program.exact, rows, columns)
    root = int(np.searchsorted(exact.columns, program.num_own))
    floats = restricted(program.floats, rows, columns).program
    return _Part(exact.program, floats, exact.rows, exact.columns, root)


def _closed(own: PlayerSequences, wanted: BoolArray, plan: FloatArray) -> BoolArray:
    """Return wanted sequences whose beginnings are, and the best action of each set they reach."""
    kept, weights = wanted.tolist(), plan.tolist()
    kept[0] = True
    bounds = own.first_sequence.tolist()
    for k, parent in enumerate(own.parent_sequence.tolist()):
        actions = range(bounds[k], bounds[k + 1])
        if kept[parent]:
            kept[max(actions, key=weights.__getitem__)] = True
        else:
            kept[bounds[k] : bounds[k + 1]] = [False] * len(actions)
    return np.array(kept, dtype=bool)


def _met(own: PlayerSequences, touched: BoolArray) -> BoolArray:
    """Tell which information sets have a touched sequence below them."""
    below = touched.tolist()
    bounds = own.first_sequence.tolist()
    met = [False] * len(own.infosets)
    for k, parent in reversed(list(enumerate(own.parent_sequence.tolist()))):
        if any(below[bounds[k] : bounds[k + 1]]):
            met[k] = below[parent] = True
    return np.array(met, dtype=bool)


def _whole(places: IntArray, values: NumberArray, size: int) -> NumberArray:
    """Write what belongs to some sequences over all of them, 0 elsewhere."""
    own = places < size
    weights = np.full(size, ZERO if is_exact(values) else 0.0, dtype=values.dtype)
    weights[places[own]] = values[own]
    return freeze(weights)


def _both_plans(
    play: LikelyPlay, parts: list[_Part], primal: NumberArray, dual: NumberArray | None
) -> list[NumberArray]:
    """Return the weights of player 0's plan, and of player 1's, which may be its mirror image."""
    first, second = play.form.players
    own = _whole(parts[0].columns, primal, first.num_sequences)
    if play.mirror is not None:
        return [own, freeze(own[np.argsort(play.mirror)])]
    return [own, _whole(parts[1].rows, cast("NumberArray", dual), second.num_sequences)]


def _float_plans(
    play: LikelyPlay, parts: list[_Part], found: list[FloatSolution], _meter: Meter
) -> list[NumberArray]:
    return _both_plans(play, parts, found[0].primal, found[-1].dual)


def _exact_plans(
    play: LikelyPlay, parts: list[_Part], found: list[FloatSolution], meter: Meter
) -> list[NumberArray] | None:
    """Solve programs exactly, each for one side; None if what they guarantee differs."""
    bases = [cast("Basis", one.basis) for one in found]
    vertex = vertex_if_feasible(parts[0].exact, bases[0])
    meter.require_time()
    primal = (
        _refined(play, parts[0], bases[0], meter).primal if vertex is None else vertex.fractions()
    )
    lower, upper, dual = primal[parts[0].root], ZERO, None
    if play.mirror is None:
        multipliers = multipliers_if_feasible(parts[1].exact, bases[1])
        dual = (
            _refined(play, parts[1], bases[1], meter).dual
            if multipliers is None
            else multipliers.fractions()
        )
        upper = dual[np.searchsorted(parts[1].rows, play.program.num_opponent)]
    return _both_plans(play, parts, primal, dual) if lower == upper else None


def _refined(play: LikelyPlay, part: _Part, basis: Basis, meter: Meter) -> ExactOptimum:
    """Put a basis right that floats hold for optimal."""
    row_spans, column_spans = (
        object_array(spans) for spans in (play.program.row_spans, play.program.column_spans)
    )
    twofold = paired_program(
        part.exact, row_spans[part.rows].tolist(), column_spans[part.columns].tolist()
    )
    return refine(twofold, basis, time_limit=lambda: meter.seconds_left, tick=meter.require_time)
