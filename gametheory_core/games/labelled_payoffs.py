"""Payoffs with the labels that came with them: matrices from data frames, aligned by label.

A frame's index labels the row player's actions and its columns the column player's; where both have
a name, these are the players. Two frames with the same labels in another order are aligned by
label, to the order of the first, as data frames are anywhere else.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, cast

import numpy as np

from gametheory_core.array_likes import Axis, Labels, axes_of, places_of, plain
from gametheory_core.arrays import FloatArray, NumberArray, number_array, reads_dyadics
from gametheory_core.errors import InvalidGame

Given: TypeAlias = Sequence[Sequence[str]] | None
UNLABELLED = Axis(None, "")


class LabelledMatrix(NamedTuple):
    """Numbers, and what labels rows and columns.

    Attributes:
        numbers (rows, columns): Exact or floats.
        axes: Of rows and of columns.
    """

    numbers: NumberArray
    axes: tuple[Axis, Axis]

    def ordered(self, wanted: Sequence[Labels | None], *, where: str) -> "LabelledMatrix":
        """Return the matrix with rows and columns in the order wanted, labelled so.

        Raises:
            InvalidGame: If it has other labels, or one twice.
        """
        numbers, axes = self.numbers, list(self.axes)
        for k, (labels, axis) in enumerate(zip(wanted, self.axes, strict=True)):
            if labels is None:
                continue
            if axis.labels is not None:
                places = places_of(labels, axis.labels, kind="action", where=where)
                numbers = np.take(numbers, places, axis=k)
            axes[k] = Axis(labels, axis.name)
        return LabelledMatrix(numbers, (axes[0], axes[1]))


def read_matrix(payoffs: object, *, where: str) -> LabelledMatrix:
    """Return a matrix of numbers and its labels; refuse what is no matrix."""
    numbers = read_numbers(payoffs, where=where)
    if numbers.ndim != 2 or not numbers.size:
        raise InvalidGame(
            needs="a matrix, with one row and one column at least",
            found=f"the {where} have shape {numbers.shape}",
            remedy="Give a list of numbers for each row.",
        )
    axes = axes_of(payoffs)
    rows, columns = axes if len(axes) == 2 else (UNLABELLED, UNLABELLED)
    for axis in (rows, columns):
        if axis.labels is not None:
            places_of(axis.labels, axis.labels, kind="action", where=where)  # refuses any twice
    return LabelledMatrix(numbers, (rows, columns))


def read_numbers(values: object, *, where: str) -> NumberArray:
    """Read numbers as ``number_array`` does, but leave float arrays for a constructor to copy."""
    given = plain(values, where=where)
    if isinstance(given, np.ndarray) and given.dtype.kind == "f" and reads_dyadics():
        floats = cast("FloatArray", given)
        if np.isfinite(floats).all():
            return floats
    return number_array(given, where=where)


def aligned(
    first: LabelledMatrix, second: LabelledMatrix, actions: Given
) -> tuple[LabelledMatrix, LabelledMatrix]:
    """Return two matrices of one shape with the labels and the order of the first.

    Args:
        actions: The labels of rows and of columns, in the order wanted; default those of the first
            matrix, or of the second where the first has none.

    Raises:
        InvalidGame: If the labels are not the same.
    """
    given: list[Labels | None] = [None, None]
    if actions is not None and len(actions) == 2:  # the game refuses others
        given = [tuple(map(str, own)) for own in actions]
    wanted = [
        own or one.labels or other.labels
        for own, one, other in zip(given, first.axes, second.axes, strict=True)
    ]
    return (
        first.ordered(wanted, where="row player's payoffs"),
        second.ordered(wanted, where="column player's payoffs"),
    )


def players_of(matrix: LabelledMatrix) -> tuple[str, str] | None:
    """Return the players that a frame names, by its index and its columns."""
    row, column = (axis.name for axis in matrix.axes)
    return (row, column) if row and column and row != column else None
