"""Which columns some point of a cone can use at all, by one linear program in floats.

The points ``w >= 0`` with ``G w <= 0`` form a cone. With ``w = t + u`` and ``r + p`` the slacks,

    maximise sum t + sum r   subject to   G (t + u) + r + p == 0,   t, r <= 1,   all at least 0,

makes as many columns and slacks positive as any point does, since sums of points are points. Its
multipliers ``y >= 0`` prove the rest unusable: ``G'y`` is 0 at usable columns, and at least 1 at
the others (Goldman and Tucker 1956).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class WidestSupport:
    """Usable columns and the proof that the others are not.

    Attributes:
        columns: The usable ones, in order.
        witness (num_rows,): The multipliers ``y``.
    """

    columns: NDArray[np.intp]
    witness: FloatArray


def widest_support(gains: Any, *, time_limit: float | None = None) -> WidestSupport | None:
    """Find the usable columns; None if the float solver finds no optimum, for lack of time too."""
    from scipy.optimize import linprog  # noqa: PLC0415 loads scipy
    from scipy.sparse import csr_array, eye_array, hstack  # noqa: PLC0415

    matrix = csr_array(gains)
    rows, columns = gains.shape
    unit = eye_array(rows, format="csr")
    options = {} if time_limit is None else {"time_limit": time_limit}
    found = linprog(
        np.concatenate([-np.ones(columns), np.zeros(columns), -np.ones(rows), np.zeros(rows)]),
        A_eq=hstack([matrix, matrix, unit, unit], format="csr"),
        b_eq=np.zeros(rows),
        bounds=[(0, 1)] * columns + [(0, None)] * columns + [(0, 1)] * rows + [(0, None)] * rows,
        method="highs",
        options=options,
    )
    if found.status != 0:
        return None
    usable = np.flatnonzero(found.x[:columns] > 0.5)
    witness = np.maximum(0.0, -found.eqlin.marginals)
    return WidestSupport(usable, witness)
