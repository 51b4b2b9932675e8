"""Lemke's path in Python integers: sparse rows, and a lexicographic rule that breaks every tie.

The weight ``z`` of the prior enters first, falling from 1. Whenever a variable leaves the basis its
complement enters; the path ends where ``z`` falls to 0. Constants count as if each had the
infinitesimal of a basic variable of the start added (Charnes 1952), so that no basis comes twice
and the path ends.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from gametheory_core.arrays import ONE, ZERO
from solvers.trees.lemke_tableau import RIGHT, Row, Start


@dataclass
class ExactPath:
    """A basis on the way; modified by each step.

    Attributes:
        rows: As in ``Start``; a basic variable may have any positive coefficient.
        basic: The basic variable of each row.
        size: Number of sequences, the empty ones left out.
        order: Of infinitesimals.
        entering: The variable that enters next.
        is_done: Whether ``z`` is 0.
        words: How much arithmetic was done, in machine words.
    """

    rows: list[Row]
    basic: list[int]
    size: int
    order: tuple[int, ...]
    entering: int
    is_done: bool = False
    words: int = 0

    @property
    def weight(self) -> Fraction:
        """The weight ``z`` that the prior still has."""
        return self.values.get(2 * self.size, ZERO if self.is_done else ONE)

    @property
    def values(self) -> dict[int, Fraction]:
        """The basic variables."""
        return {
            v: Fraction(row.get(RIGHT, 0), row[v])
            for v, row in zip(self.basic, self.rows, strict=True)
        }


def exact_path(start: Start) -> ExactPath:
    """Take the first step from the prior: lower its weight until a slack falls to 0, or to 0."""
    rows = [dict(row) for row in start.rows]
    path = ExactPath(rows, list(start.basic), start.size, start.order, start.weight)
    row = _leaving_row(path)
    if row is None or rows[row].get(RIGHT, 0) >= rows[row][start.weight]:
        for own in rows:  # the replies to the prior are replies to each other
            own[RIGHT] = own.get(RIGHT, 0) - own.pop(start.weight, 0)
        path.is_done = True
        return path
    _exchange(path, row)
    turned = rows[row]  # from 1 - z to z
    whole = turned.pop(start.weight)
    path.rows[row] = {v: -value for v, value in turned.items()}
    path.rows[row][RIGHT] = whole - turned.get(RIGHT, 0)
    path.rows[row][start.weight] = whole
    return path


def step(path: ExactPath) -> None:
    """Let the entering variable grow until a basic one falls to 0."""
    row = _leaving_row(path)
    if row is None:  # no ray leaves the start: the weights and the slacks of replies are bounded
        raise ArithmeticError("lemke_path: needs a variable that falls to 0, but found a ray.")
    leaving = path.basic[row]
    _exchange(path, row)
    path.is_done = leaving == 2 * path.size


def _leaving_row(path: ExactPath) -> int | None:
    """Return the row whose variable first falls to 0; among ties the prior's weight, if it is one.

    The order of infinitesimals decides the other ties.
    """
    entering, rows = path.entering, path.rows
    candidates = [i for i, row in enumerate(rows) if row.get(entering, 0) > 0]
    if not candidates:
        return None
    tied = _least(rows, candidates, entering, RIGHT)
    for i in tied:
        if path.basic[i] == 2 * path.size:
            return i
    for v in path.order:
        if len(tied) == 1:
            break
        tied = _least(rows, tied, entering, v)
    return tied[0]


def _least(rows: list[Row], candidates: list[int], entering: int, v: int) -> list[int]:
    """Keep the rows with the least ratio of one coefficient to the entering variable's."""
    best: list[int] = []
    top, bottom = 0, 1
    for i in candidates:
        row = rows[i]
        value, entry = row.get(v, 0), row[entering]
        difference = value * bottom - top * entry if best else -1
        if difference < 0:
            best, top, bottom = [i], value, entry
        elif not difference:
            best.append(i)
    return best


def _exchange(path: ExactPath, index: int) -> None:
    """Make the entering variable basic in a row, and let the complement of the leaver enter."""
    entering, size = path.entering, path.size
    pivot_row = path.rows[index]
    pivot = pivot_row[entering]
    items = list(pivot_row.items())
    for i, row in enumerate(path.rows):
        entry = row.get(entering, 0)
        if entry and i != index:
            common = math.gcd(pivot, entry)
            path.rows[i] = _eliminated(row, items, pivot // common, entry // common)
            path.words += len(row) + len(items)
    leaving = path.basic[index]
    path.basic[index] = entering
    path.entering = leaving - size if leaving >= size else leaving + size


def _eliminated(row: Row, pivot_items: list[tuple[int, int]], scale: int, factor: int) -> Row:
    """Return ``scale * row - factor * pivot_row``, without zeros and common divisors."""
    out = row.copy() if scale == 1 else {v: value * scale for v, value in row.items()}
    for v, value in pivot_items:
        changed = out.get(v, 0) - factor * value
        if changed:
            out[v] = changed
        else:
            out.pop(v, None)
    common = math.gcd(*out.values())
    return out if common == 1 else {v: value // common for v, value in out.items()}
