"""A float program in HiGHS whose first rows and columns are let in by and by.

What is not let in has bounds that say so: its variables are 0, its rows ask for nothing. The next
solve starts from the basis of the last.
"""

import highspy
import numpy as np

from gametheory_core.arrays import FloatArray
from solvers._programs.linear import Basis, BoolArray, LinearProgram
from solvers._programs.warm_models import basic_masks, basis_of, float_model, plain_highs


class GrowingModel:
    """A warm model; data are near 1."""

    def __init__(self, floats: LinearProgram) -> None:
        self._bounds = floats.bounds
        self._highs = plain_highs(None, None)
        self._highs.passModel(
            float_model(
                floats, floats.objective, np.where(floats.is_free, -np.inf, 0.0), floats.bounds
            )
        )
        self._columns = np.ones(floats.num_columns, dtype=bool)
        self._rows = np.ones(floats.num_rows, dtype=bool)

    def solve(
        self, columns: BoolArray, rows: BoolArray, *, time_limit: float | None
    ) -> tuple[FloatArray, FloatArray] | None:
        """Solve with some of the first columns and rows, and with all that come after them.

        Args:
            columns, rows: Which of the first are in; columns among them may not be free, rows no
                equations.
            time_limit: Seconds.

        Returns:
            Values of the variables and multipliers of the rows; None if no optimum was found.
        """
        highs = self._highs
        changed = np.flatnonzero(columns != self._columns[: len(columns)]).astype(np.int32)
        upper = np.where(columns[changed], np.inf, 0.0)
        highs.changeColsBounds(len(changed), changed, np.zeros(len(changed)), upper)
        self._columns[changed] = columns[changed]
        changed = np.flatnonzero(rows != self._rows[: len(rows)]).astype(np.int32)
        upper = np.where(rows[changed], self._bounds[changed], np.inf)
        highs.changeRowsBounds(len(changed), changed, np.full(len(changed), -np.inf), upper)
        self._rows[changed] = rows[changed]
        if time_limit is not None:  # the solver's clock runs on
            highs.setOptionValue("time_limit", highs.getRunTime() + time_limit)
        highs.run()
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            highs.clearSolver()
            return None
        found = highs.getSolution()
        return np.array(found.col_value), np.array(found.row_dual)

    @property
    def basis(self) -> Basis:
        """Of the last solve."""
        return basis_of(*basic_masks(self._highs))
