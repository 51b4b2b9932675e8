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

from gametheory_core.arrays import ZERO, FloatArray, IntArray, NumberArray, is_exact
from gametheory_core.strategies.sequences import PlayerSequences, SequenceForm
from solvers._kernels.treeplex import Ends, SparseRows, Treeplex
from solvers._programs.exact import ExactOptimum
from solvers._programs.linear import Basis, BoolArray, FloatOutcome, FloatSolution, LinearProgram
from solvers._programs.reduced import restricted
from solvers._programs.refinement import paired_program, refine
from solvers.counterfactual.regret_engine import RegretEngine, RegretWork
from solvers.counterfactual.regret_rules import DiscountedRegretMatching, regret_settings
from solvers.counterfactual.sequence_tables import SequenceTables, behavior_of_totals
from solvers.solution import Meter
from solvers.trees.sequence_program import SequenceProgram
from solvers.zero_sum.certified_program import sparse_floats

STEPS = (300, 900, 2700)  # of play before the first trial, then between trials
BATCH = 50  # steps between two looks at the clock
LIKELY = 1e-3  # a weight in the average plan that makes a sequence likely
CLOSE = 1e-7  # bounds in floats, in units of the largest payoff, that may be equal exactly
POSITIVE = 1e-9  # a weight in floats above zero


@dataclass(frozen=True, eq=False)
class LikelyPlay:
    """Play without regret under way; lives inside one call.

    Attributes:
        form, program: Of the tree.
        engine, work: What moves, and what is moved, in place.
    """

    form: SequenceForm
    program: SequenceProgram
    engine: RegretEngine
    work: RegretWork

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
    return LikelyPlay(form, program, engine, engine.start(None))


def _tables(form: SequenceForm, program: SequenceProgram) -> SequenceTables:
    """Return the payoffs of the program, divided by the largest, as play reads them."""
    exact = program.exact
    paid = _payoff_entries(program)
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


def _payoff_entries(program: SequenceProgram) -> BoolArray:
    """Tell which coefficients are payoffs."""
    exact = program.exact
    return (exact.rows < program.num_opponent) & (exact.columns < program.num_own)


def likely_minimax_plans(
    play: LikelyPlay, meter: Meter, *, exactly: bool
) -> list[NumberArray] | None:
    """Find minimax plans among likely sequences.

    Args:
        exactly: In rationals, proved equally good; else in floats.

    Returns:
        Weights of each player's sequences; None if no trial finds them.

    Raises:
        BudgetOver: If time is up.
    """
    players = play.form.players
    likely = [np.zeros(own.num_sequences, dtype=bool) for own in players]
    for steps in STEPS:
        play.go_on(steps, meter)
        average = play.average
        likely = [
            _closed(own, known | (plan > LIKELY), plan)
            for own, known, plan in zip(players, likely, average, strict=True)
        ]
        parts = [_part(play, player, own) for player, own in enumerate(likely)]
        found = [sparse_floats(part.floats, meter) for part in parts]
        if any(one.outcome is not FloatOutcome.OPTIMAL for one in found):
            return None
        values = [float(one.primal[part.root]) for part, one in zip(parts, found, strict=True)]
        if values[1] - values[0] <= CLOSE:
            plans = (_exact_plans if exactly else _float_plans)(play, parts, found, meter)
            if plans is not None:
                return plans
        replies = (
            _whole(parts[1].columns, found[1].primal, players[0].num_sequences),
            _whole(parts[0].rows, found[0].dual, players[1].num_sequences),
        )
        likely = [known | (reply > POSITIVE) for known, reply in zip(likely, replies, strict=True)]
    return None


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


def _part(play: LikelyPlay, player: int, likely: BoolArray) -> _Part:
    """Leave out what a player's plans on likely sequences never meet."""
    program, players = play.program, play.form.players
    own, other = players[player], players[1 - player]
    paid = _payoff_entries(program)
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
    weights = np.zeros(size, dtype=values.dtype)
    weights[:] = ZERO if is_exact(values) else 0.0
    weights[places[own]] = values[own]
    return weights


def _float_plans(
    play: LikelyPlay, parts: list[_Part], found: list[FloatSolution], _meter: Meter
) -> list[NumberArray]:
    program = play.program
    return [
        _whole(parts[0].columns, found[0].primal, program.num_own),
        _whole(parts[1].rows, found[1].dual, program.num_opponent),
    ]


def _exact_plans(
    play: LikelyPlay, parts: list[_Part], found: list[FloatSolution], meter: Meter
) -> list[NumberArray] | None:
    """Solve both programs exactly; None if their values differ."""
    program = play.program
    row_spans, column_spans = np.array(program.row_spans), np.array(program.column_spans)
    optima: list[ExactOptimum] = []
    for part, one in zip(parts, found, strict=True):
        twofold = paired_program(
            part.exact, row_spans[part.rows].tolist(), column_spans[part.columns].tolist()
        )
        basis = cast("Basis", one.basis)
        optima.append(
            refine(twofold, basis, time_limit=lambda: meter.seconds_left, tick=meter.require_time)
        )
    if optima[0].value != optima[1].value:
        return None
    return [
        _whole(parts[0].columns, optima[0].primal, program.num_own),
        _whole(parts[1].rows, optima[1].dual, program.num_opponent),
    ]
