"""Smaller linear programs with an optimum of a larger one: parts left out, or likes merged.

A *restriction* leaves columns (at zero) and rows out. An *equitable partition* puts columns into
classes ``C`` and rows into classes ``R`` such that the entries of a column in the rows of ``R`` sum
to what depends on its class alone, and so do those of a row in the columns of ``C``. The merged
program has a variable for the total of each class of columns, and a row for the sum of each class
of rows; its optimum, shared out evenly, is one of the whole program, and so are its multipliers
(Grohe, Kersting, Mladenov and Selman 2014). Suits of cards make such classes, and so does whatever
else may be renamed without changing the game.

The coarsest partition comes from refining colors: a column's next color is its color and the sum,
over its entries, of a hash of coefficient and color of the row, and likewise for rows, until no
class splits. Two classes whose hashes collide would be merged wrongly, once in about 2^64 pairs of
colors: who relies on a merged program checks its answer on the whole one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import IntArray, NumberArray
from solvers._programs.linear import BoolArray, LinearProgram

Colors = NDArray[np.uint64]
WORTH_WHILE = 0.75  # classes, as a share of rows and columns, from which on nothing is merged


@dataclass(frozen=True, eq=False)
class Restriction:
    """Some rows and columns of a program.

    Attributes:
        program: With these alone.
        rows, columns: Which they are, in order.
    """

    program: LinearProgram
    rows: IntArray
    columns: IntArray


def restricted(program: LinearProgram, rows: BoolArray, columns: BoolArray) -> Restriction:
    """Leave rows and columns out.

    Args:
        rows (num_rows,), columns (num_columns,): Which stay.
    """
    kept_rows, kept_columns = (np.flatnonzero(kept).astype(np.int32) for kept in (rows, columns))
    inside = rows[program.rows] & columns[program.columns]
    row_number, column_number = np.cumsum(rows) - 1, np.cumsum(columns) - 1
    smaller = LinearProgram(
        objective=program.objective[kept_columns],
        rows=row_number[program.rows[inside]].astype(np.int32),
        columns=column_number[program.columns[inside]].astype(np.int32),
        values=program.values[inside],
        bounds=program.bounds[kept_rows],
        is_equation=program.is_equation[kept_rows],
        is_free=program.is_free[kept_columns],
    )
    return Restriction(smaller, kept_rows, kept_columns)


@dataclass(frozen=True, eq=False)
class Likes:
    """An equitable partition: classes of rows and of columns, numbered as they first come.

    Attributes:
        rows (num_rows,), columns (num_columns,): The class of each.
    """

    rows: IntArray
    columns: IntArray

    def merged(self, program: LinearProgram) -> LinearProgram:
        """Merge likes: a column for the total of each class, a row for the sum of each class."""
        num_rows, num_columns = int(self.rows.max()) + 1, int(self.columns.max()) + 1
        one_each = np.unique(self.columns, return_index=True)[1]
        stands = np.zeros(len(self.columns), dtype=bool)
        stands[one_each] = True
        used = np.flatnonzero(stands[program.columns])
        keys = (
            self.rows[program.rows[used]].astype(np.int64) * num_columns
            + self.columns[program.columns[used]]
        )
        order = np.argsort(keys, kind="stable")
        places, first = np.unique(keys[order], return_index=True)
        values = np.add.reduceat(program.values[used][order], first)
        bounds = np.zeros(num_rows, dtype=program.bounds.dtype)
        np.add.at(bounds, self.rows, program.bounds)
        return LinearProgram(
            objective=program.objective[one_each],
            rows=(places // num_columns)[values != 0].astype(np.int32),
            columns=(places % num_columns)[values != 0].astype(np.int32),
            values=values[values != 0],
            bounds=bounds,
            is_equation=self.of_rows(program.is_equation),
            is_free=program.is_free[one_each],
        )

    def of_rows(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return what is equal within each class of rows."""
        return values[np.unique(self.rows, return_index=True)[1]]

    def of_columns(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return what is equal within each class of columns."""
        return values[np.unique(self.columns, return_index=True)[1]]

    def shared(self, totals: NumberArray) -> NumberArray:
        """Share the total of each class of columns out evenly; floats, or fractions."""
        return (totals / np.bincount(self.columns))[self.columns]

    def spread(self, multipliers: NumberArray) -> NumberArray:
        """Give each row the multiplier of its class."""
        return multipliers[self.rows]


def likes(program: LinearProgram, *, most: float = WORTH_WHILE) -> Likes | None:
    """Find the coarsest equitable partition; None if it spares too little.

    Args:
        most: Classes, as a share of rows and columns, that are few enough.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.strategies import sequence_form
    >>> from solvers.trees.sequence_program import plan_program
    >>> program = plan_program(sequence_form(load_game("leduc_poker")))  # two suits
    >>> program.num_columns, likes(program).merged(program).num_columns
    (1562, 482)
    """
    by_column = np.argsort(program.columns, kind="stable")
    values = _codes(program.values)
    rows, columns = program.rows, program.columns
    sides = (
        _Side(rows, columns, values, program.num_rows),
        _Side(columns[by_column], rows[by_column], values[by_column], program.num_columns),
    )
    colors = [
        _mixed(_codes(program.bounds) * _ODD + program.is_equation.astype(np.uint64)),
        _mixed(_codes(program.objective) * _ODD + program.is_free.astype(np.uint64)),
    ]
    counts: list[int] = []
    while True:
        for k in (0, 1):
            colors[k] = sides[k].refined(colors[k], colors[1 - k])
        found = [len(np.unique(color)) for color in colors]
        if sum(found) > most * (program.num_rows + program.num_columns):
            return None
        if found == counts:
            return Likes(*map(_classes, colors))
        counts = found


def _classes(colors: Colors) -> IntArray:
    """Number colors in the order in which they first come."""
    _, first, places = np.unique(colors, return_index=True, return_inverse=True)
    number = np.empty(len(first), dtype=np.int32)
    number[np.argsort(first)] = np.arange(len(first))
    return number[places.ravel()]


_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class _Side:
    """Entries in the order of rows, or of columns.

    Attributes:
        own, other (num_entries,): Indices, sorted by ``own``.
        values (num_entries,): Codes of the coefficients.
        size: How many own indices there are.
    """

    own: IntArray
    other: IntArray
    values: Colors
    size: int

    def refined(self, own: Colors, other: Colors) -> Colors:
        """Return the next colors."""
        seen = _mixed(other[self.other] * _ODD + self.values)
        sums = np.zeros(self.size, dtype=np.uint64)
        if len(self.own):
            first = np.flatnonzero(np.diff(self.own, prepend=-1))
            sums[self.own[first]] = np.add.reduceat(seen, first)
        return _mixed(own * _ODD + sums)


def _mixed(words: Colors) -> Colors:
    """Hash 64-bit words (the finalizer of splitmix64)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _codes(values: NumberArray) -> Colors:
    """Give equal numbers equal codes, different ones different codes."""
    if values.dtype != object:
        return (values + 0.0).view(np.uint64)  # -0.0 is 0.0
    known: dict[object, int] = {}
    codes = [known.setdefault(value, len(known)) for value in values.tolist()]
    return np.array(codes, dtype=np.uint64)
