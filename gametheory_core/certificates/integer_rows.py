"""Systems of equations in integers."""

import numpy as np

from gametheory_core.arrays import ExactArray


def null_space(equations: list[list[int]], size: int) -> ExactArray:
    """Return integers N with ``{x : equations @ x = 0} = {N u}``, where u are some entries of x.

    Those entries are multiplied by one positive integer, so that ``x >= 0`` has ``u >= 0``. Gauss
    and Jordan without fractions (Bareiss 1968).
    """
    rows = [row for row in equations if any(row)]
    pivots: list[int] = []
    last = 1
    for column in range(size):
        k = len(pivots)
        found = next((i for i in range(k, len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        rows[k], rows[found] = rows[found], rows[k]
        head = rows[k]
        element = head[column]
        for i, row in enumerate(rows):
            if i != k:
                factor = row[column]
                rows[i] = [
                    (element * a - factor * b) // last for a, b in zip(row, head, strict=True)
                ]
        pivots.append(column)
        last = element
    free = [column for column in range(size) if column not in pivots]
    sign = 1 if last > 0 else -1
    span = np.zeros((size, len(free)), dtype=object)
    for place, column in enumerate(free):
        span[column, place] = sign * last
        for k, pivot in enumerate(pivots):
            span[pivot, place] = -sign * rows[k][column]
    return span
