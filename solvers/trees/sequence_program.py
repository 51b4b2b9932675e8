"""The linear program of a two-player constant-sum tree, over realization plans.

With ``A`` (sequences of player 0 x sequences of player 1) the chance-weighted payoffs of player 0,
``E x = e`` and ``F y = f`` the constraints on the plans, player 0 solves

    max  v[empty]   subject to   E x = e,   x >= 0,
    v[I(s)] - sum over J with parent(J) = s of v[J]  <=  (A'x)[s]   for every sequence s of player 1

where ``I(s)`` is the information set at which ``s`` ends and ``v`` is what player 1 concedes from
there on. The multipliers of these rows are an optimal plan of player 1.

In floats payoffs are divided by the largest, and so is ``v``: its coefficients stay 1 and -1, as
near to the others as they can be.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.evaluation.collected_payoffs import merged_payoffs
from gametheory_core.strategies.sequences import PlayerSequences, SequenceForm
from solvers._programs.linear import BoolArray, LinearProgram
from solvers._programs.refinement import TwofoldProgram, paired_program


@dataclass(frozen=True, eq=False)
class SequenceProgram:
    """The program of player 0.

    Attributes:
        exact: Columns ``x``, then ``v[empty]``, then ``v[J]``; rows are player 1's sequences, then
            the constraints on player 0's plan.
        num_own, num_opponent: Sequences of player 0 and of player 1.
        unit: The largest payoff; ``v`` is divided by it in floats.
        scale: What the exact ``v`` is multiplied by to be in payoff units.
    """

    exact: LinearProgram
    num_own: int
    num_opponent: int
    unit: int
    scale: Fraction

    @property
    def row_spans(self) -> list[int]:
        """What exact rows are divided by in floats."""
        num_plan_rows = self.exact.num_rows - self.num_opponent
        return [self.unit] * self.num_opponent + [1] * num_plan_rows

    @property
    def column_spans(self) -> list[int]:
        """What exact variables are divided by in floats."""
        num_values = self.exact.num_columns - self.num_own
        return [1] * self.num_own + [self.unit] * num_values

    @cached_property
    def twofold(self) -> TwofoldProgram:
        """The program together with ``floats``."""
        return paired_program(self.exact, row_spans=self.row_spans, column_spans=self.column_spans)

    @property
    def floats(self) -> LinearProgram:
        """The same program in floats near 1, with the same bases."""
        return self.twofold.floats


def sequence_program(form: SequenceForm) -> SequenceProgram:
    """Write player 0's program; plays with equal pairs of sequences are added up.

    The common factor of payoffs is dropped: it scales ``v`` and leaves the plans alone.
    """
    own, opponent = form.players
    root, first = own.num_sequences, opponent.num_sequences
    payoffs, unit, scale = _whole_payoffs(form)
    dual, primal = plan_constraints(opponent), plan_constraints(own)
    blocks = (
        payoffs,
        Entries(dual.columns, root + dual.rows, dual.values.astype(object)),
        Entries(first + primal.rows, primal.columns, primal.values.astype(object)),
    )
    rows, columns, values = map(np.concatenate, zip(*blocks, strict=True))
    order = np.lexsort((columns, rows))
    num_rows = first + 1 + len(own.infosets)
    num_columns = root + 1 + len(opponent.infosets)
    exact = LinearProgram(
        objective=np.array([int(j == root) for j in range(num_columns)], dtype=object),
        rows=rows[order].astype(np.int32),
        columns=columns[order].astype(np.int32),
        values=values[order],
        bounds=np.array([int(i == first) for i in range(num_rows)], dtype=object),
        is_equation=np.arange(num_rows) >= first,
        is_free=np.arange(num_columns) >= root,
    )
    return SequenceProgram(exact, root, first, unit, scale)


def payoff_entries(program: SequenceProgram) -> BoolArray:
    """Tell which coefficients are payoffs."""
    exact = program.exact
    return (exact.rows < program.num_opponent) & (exact.columns < program.num_own)


class Entries(NamedTuple):
    """Where coefficients stand, and what they are."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[Any]


def _whole_payoffs(form: SequenceForm) -> tuple[Entries, int, Fraction]:
    """Return ``-A'`` in integers without common factor, the largest of them, and that factor."""
    own, opponent = (player.node_sequence for player in form.players)
    merged = merged_payoffs(form.game, player=0, node_labels=[opponent, own])
    numerators = cast("list[int]", merged.numerators.tolist())
    divisor = math.gcd(*numerators) or 1
    payoffs = np.array([-value // divisor for value in numerators], dtype=object)
    unit = max(map(abs, payoffs.tolist()), default=1)
    scale = Fraction(divisor, merged.denominator)
    return Entries(merged.labels[0], merged.labels[1], payoffs), unit, scale


def plan_constraints(own: PlayerSequences) -> Entries:
    """Return the constraints on a plan: row 0 is the empty sequence's, row k + 1 that of set k."""
    num_sets = len(own.infosets)
    ends = np.repeat(np.arange(1, num_sets + 1), np.diff(own.first_sequence))
    return Entries(
        rows=np.concatenate([[0], ends, np.arange(1, num_sets + 1)]),
        columns=np.concatenate(
            [np.arange(own.num_sequences), own.parent_sequence.astype(np.int64)]
        ),
        values=np.repeat([1, -1], [own.num_sequences, num_sets]),
    )


def plan_program(form: SequenceForm) -> LinearProgram:
    """Write player 0's program with integers: columns ``x``, then ``v[empty]``, then ``v[J]``.

    Rows are player 1's sequences, then the constraints on player 0's plan.
    """
    return sequence_program(form).exact
