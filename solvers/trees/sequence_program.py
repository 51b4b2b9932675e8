"""The linear program of a zero-sum tree over realization plans, in integers and in floats.

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
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.evaluation.collected_payoffs import merged_payoffs
from gametheory_core.strategies.sequence_form import PlayerSequences, SequenceForm
from solvers._programs.kernel import Entries, RationalVector, SparseMatrix, sparse_matrix
from solvers._programs.linear import LinearProgram
from solvers._programs.refinement import TwofoldProgram
from solvers._programs.vertex import dot
from solvers.zero_sum.certified_program import integer_array


@dataclass(frozen=True, eq=False)
class SequenceProgram:
    """The program of player 0.

    Attributes:
        exact: Columns ``x``, then ``v[empty]``, then ``v[J]``; rows are player 1's sequences, then
            the constraints on player 0's plan.
        num_own, num_opponent: Sequences of player 0 and of player 1.
        unit: The largest payoff; ``v`` is divided by it in floats.
    """

    exact: LinearProgram
    num_own: int
    num_opponent: int
    unit: int

    @cached_property
    def floats(self) -> LinearProgram:
        """The same program in floats near 1, with the same bases."""
        program = self.exact
        values = program.values.astype(np.float64) if self.unit == 1 else self._divided_values()
        return LinearProgram(
            objective=program.objective.astype(np.float64),
            rows=program.rows,
            columns=program.columns,
            values=values,
            bounds=program.bounds.astype(np.float64),
            is_equation=program.is_equation,
            is_free=program.is_free,
        )

    @cached_property
    def matrix(self) -> SparseMatrix:
        """The exact coefficients by row and by column."""
        return sparse_matrix(self.exact)

    def twofold(self) -> TwofoldProgram:
        """Pair both programs, as a refinement of float bases needs them."""
        program = self.exact
        bounds = cast("list[int]", program.bounds.tolist())

        def entries(indices: Sequence[int]) -> list[Entries]:
            return [self.matrix.by_row[i] for i in indices]

        def slacks(point: RationalVector) -> list[int]:
            return [
                bound * point.denominator - dot(row, point.numerators)
                for bound, row in zip(bounds, self.matrix.by_row, strict=True)
            ]

        num_plan_rows = program.num_rows - self.num_opponent
        num_values = program.num_columns - self.num_own
        return TwofoldProgram(
            floats=self.floats,
            row_spans=[self.unit] * self.num_opponent + [1] * num_plan_rows,
            objective=cast("list[int]", program.objective.tolist()),
            objective_span=self.unit,
            bounds=bounds,
            entries=entries,
            slacks=slacks,
            column_spans=[1] * self.num_own + [self.unit] * num_values,
        )

    def _divided_values(self) -> NDArray[np.float64]:
        """Divide payoffs by the unit, each correctly rounded."""
        program = self.exact
        is_payoff = (program.rows < self.num_opponent) & (program.columns < self.num_own)
        values = np.empty(len(program.values))
        values[~is_payoff] = program.values[~is_payoff].astype(np.float64)
        values[is_payoff] = [value / self.unit for value in program.values[is_payoff].tolist()]
        return values


def sequence_program(form: SequenceForm) -> SequenceProgram:
    """Write player 0's program; plays with equal pairs of sequences are added up.

    The common factor of payoffs is dropped: it scales ``v`` and leaves the plans alone.
    """
    own, opponent = form.players
    root, first = own.num_sequences, opponent.num_sequences
    payoffs, unit = _payoff_entries(form)
    dual, primal = _constraints(opponent), _constraints(own)
    blocks = [
        payoffs,
        _Entries(dual.columns, root + dual.rows, dual.values),
        _Entries(first + primal.rows, primal.columns, primal.values),
    ]
    rows = np.concatenate([block.rows for block in blocks])
    columns = np.concatenate([block.columns for block in blocks])
    order = np.lexsort((columns, rows))
    num_rows = first + 1 + len(own.infosets)
    num_columns = root + 1 + len(opponent.infosets)
    exact = LinearProgram(
        objective=integer_array([int(j == root) for j in range(num_columns)]),
        rows=rows[order].astype(np.int32),
        columns=columns[order].astype(np.int32),
        values=np.concatenate([block.values.astype(object) for block in blocks])[order],
        bounds=integer_array([int(i == first) for i in range(num_rows)]),
        is_equation=np.arange(num_rows) >= first,
        is_free=np.arange(num_columns) >= root,
    )
    return SequenceProgram(exact, root, first, unit)


@dataclass(frozen=True, eq=False)
class _Entries:
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[Any]


def _payoff_entries(form: SequenceForm) -> tuple[_Entries, int]:
    """Return ``-A'`` in integers without common factor, and the largest of them."""
    own, opponent = (player.node_sequence for player in form.players)
    merged = merged_payoffs(form.game, player=0, node_labels=[opponent, own])
    numerators = cast("list[int]", merged.numerators.tolist())
    divisor = math.gcd(*numerators) or 1
    payoffs = integer_array([-value // divisor for value in numerators])
    unit = max(map(abs, payoffs.tolist()), default=1)
    return _Entries(merged.labels[0], merged.labels[1], payoffs), unit


def _constraints(own: PlayerSequences) -> _Entries:
    """Return the constraints on a plan: row 0 is the empty sequence's, row k + 1 that of set k."""
    num_sets = len(own.infosets)
    ends = np.repeat(np.arange(1, num_sets + 1), np.diff(own.first_sequence))
    return _Entries(
        rows=np.concatenate([[0], ends, np.arange(1, num_sets + 1)]),
        columns=np.concatenate(
            [np.arange(own.num_sequences), own.parent_sequence.astype(np.int64)]
        ),
        values=np.repeat([1, -1], [own.num_sequences, num_sets]),
    )
