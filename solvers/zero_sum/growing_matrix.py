"""A matrix game in floats that grows by rows and columns, solved from where it was solved before.

The optimal tableau of the smaller game is kept, so that one more row and column cost a few pivots:
a thousand games of 1 x 1 to 1,000 x 1,000 take seconds in all. Payoffs are brought between 1 and 2
with room on both sides; where a new one lies outside, or rounding errors have grown, the tableau is
built anew.
"""

import numpy as np

from gametheory_core.arrays import FloatArray, freeze
from solvers.zero_sum.float_matrix_game import MatrixOptimum

FIRST_SIZE = 16
ROOM = 2.0  # how much wider than the payoffs seen the range is taken to be
PIVOTS_PER_ACTION = 50  # as a limit
LARGEST_ERROR = 1e-9  # of the range: beyond, the tableau is built anew


class GrowingMatrix:
    """A matrix game in floats with the tableau of its last solution; it changes as it grows."""

    def __init__(self) -> None:
        """Begin with no rows and no columns."""
        self._table = np.empty((FIRST_SIZE, FIRST_SIZE))
        self._size = np.zeros(2, dtype=np.int64)  # of the table
        self._range = np.inf, -np.inf  # of the payoffs
        self._start()

    @property
    def payoffs(self) -> FloatArray:
        """Of the row player, (num_rows, num_columns)."""
        rows, columns = self._size.tolist()
        return self._table[:rows, :columns]

    def append_row(self, payoffs: FloatArray) -> None:
        """Let the row player have one action more; payoffs are finite, one for each column."""
        self._make_room(axis=0)
        rows, columns = self._size.tolist()
        self._table[rows, :columns] = payoffs
        self._widen(payoffs)
        self._size[0] += 1

    def append_column(self, payoffs: FloatArray) -> None:
        """Let the column player have one action more; payoffs are finite, one for each row."""
        self._make_room(axis=1)
        rows, columns = self._size.tolist()
        self._table[:rows, columns] = payoffs
        self._widen(payoffs)
        self._size[1] += 1

    def solve(self) -> MatrixOptimum | None:
        """Find optimal strategies of both sides; None if numbers break down."""
        for _ in range(2):
            pivots = self._catch_up()
            optimum = None if pivots < 0 else self._optimum(pivots)
            if optimum is not None:
                return optimum
            self._start()
        return None

    def _start(self) -> None:
        self._low = self._unit = 0.0
        self._tableau = np.empty((0, 0))
        self._basic = self._nonbasic = np.empty(0, dtype=np.int64)
        self._done = np.zeros(2, dtype=np.int64)  # size of the game in the tableau

    def _widen(self, payoffs: FloatArray) -> None:
        low, high = self._range
        self._range = float(payoffs.min(initial=low)), float(payoffs.max(initial=high))

    def _make_room(self, axis: int) -> None:
        if self._size[axis] == self._table.shape[axis]:
            extra = [(0, 0), (0, 0)]
            extra[axis] = (0, self._table.shape[axis])
            self._table = np.pad(self._table, extra)

    def _catch_up(self) -> int:
        """Bring the tableau to an optimum of the game as it is now; return the pivots made."""
        from solvers._kernels import growing_matrix_game as kernel  # noqa: PLC0415 loads numba

        self._fit()
        rows, columns = self._size.tolist()
        state = (self._tableau, self._basic, self._nonbasic, self._done)
        most = PIVOTS_PER_ACTION * (rows + columns)
        total = 0
        while self._done.tolist() != [rows, columns]:
            done_rows, done_columns = self._done.tolist()
            if done_columns < columns:
                entries = self._scaled(self._table[:done_rows, done_columns])
                kernel.append_column(*state, entries)
            else:
                entries = self._scaled(self._table[done_rows, :done_columns])
                kernel.append_row(*state, entries)
            if self._done.all():
                pivots = kernel.reoptimize(*state, most)
                if pivots == kernel.NO_OPTIMUM:
                    return pivots
                total += pivots
        return total

    def _fit(self) -> None:
        """Start anew where payoffs leave the range; enlarge the tableau where it is full."""
        low, high = self._range
        if not self._unit or low < self._low or high > self._low + self._unit:
            self._start()
            self._unit = ROOM * (high - low) or 1.0
            self._low = (low + high - self._unit) / 2
        shape = self._table.shape
        if self._tableau.shape != (shape[0] + 1, shape[1] + 1):
            old = self._tableau
            self._tableau = np.zeros((shape[0] + 1, shape[1] + 1))
            self._tableau[: old.shape[0], : old.shape[1]] = old
            self._basic = np.resize(self._basic, shape[0])
            self._nonbasic = np.resize(self._nonbasic, shape[1])

    def _scaled(self, payoffs: FloatArray) -> FloatArray:
        return 1.0 + (payoffs - self._low) / self._unit

    def _optimum(self, pivots: int) -> MatrixOptimum | None:
        """Read strategies off the tableau; None where they guarantee too little of the range."""
        rows, columns = self._size.tolist()
        x, y = np.zeros(rows), np.zeros(columns)
        basic, nonbasic = self._basic[:rows], self._nonbasic[:columns]
        weights, slacks = basic % 2 == 0, nonbasic % 2 == 1
        y[basic[weights] // 2] = np.maximum(self._tableau[1 : rows + 1, 0][weights], 0.0)
        x[nonbasic[slacks] // 2] = np.maximum(-self._tableau[0, 1 : columns + 1][slacks], 0.0)
        if not (x.sum() > 0 and y.sum() > 0 and np.isfinite(x.sum() + y.sum())):
            return None
        x, y = x / x.sum(), y / y.sum()
        payoffs = self.payoffs
        if (payoffs @ y).max() - (x @ payoffs).min() > LARGEST_ERROR * self._unit:
            return None
        in_rows, in_columns = np.zeros(rows, dtype=bool), np.zeros(columns, dtype=bool)
        in_columns[basic[weights] // 2] = True
        in_rows[nonbasic[slacks] // 2] = True
        return MatrixOptimum(freeze(x), freeze(y), freeze(in_rows), freeze(in_columns), pivots)
