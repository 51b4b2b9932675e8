"""Payoffs with the labels that came with them: matrices from data frames, aligned by label.

A frame's index labels the row player's actions and its columns the column player's; where both have
a name, these are the players. Two frames with the same labels in another order are aligned by
label, to the order of the first, as data frames are anywhere else.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import check_labels, numbered_labels
from gametheory_core.array_likes import Axis, Labels, axes_of, listed, places_of, plain
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
        InvalidGame: If the labels are not the same, or those of one matrix are numbers in another
            order than the rows or columns of the other, which has none.
    """
    given: list[Labels | None] = [None, None]
    if actions is not None and len(actions) == 2:  # the game refuses others
        given = [tuple(map(str, own)) for own in actions]
    wanted = [
        own or one.labels or other.labels
        for own, one, other in zip(given, first.axes, second.axes, strict=True)
    ]
    for own, one, other in zip(given, first.axes, second.axes, strict=True):
        if own is None:
            refuse_numbers_out_of_order(one, other)
    return (
        first.ordered(wanted, where="row player's payoffs"),
        second.ordered(wanted, where="column player's payoffs"),
    )


def refuse_numbers_out_of_order(one: Axis, other: Axis) -> None:
    """Refuse labels that could be places on an axis without labels, and other ones than meant.

    Raises:
        InvalidGame: If one axis has labels 0, 1, ... in another order, and the other has none.
    """
    labels = list(one.labels or other.labels or ())
    counted = [str(k) for k in range(len(labels))]
    is_plain = one.labels is None or other.labels is None
    if is_plain and labels != counted and sorted(labels) == sorted(counted):
        raise InvalidGame(
            needs="labels on both sides where one has numbers in another order",
            found=f"one has {listed(labels)}, and the other none, so that its order is 0, 1, ...",
            remedy="Give both labels that are no numbers; or, if their order is one, "
            ".reset_index(drop=True).",
        )


def players_of(
    first: LabelledMatrix, second: LabelledMatrix, players: Sequence[str] | None
) -> Labels:
    """Return the players: those given, or else those that frames name by index and columns.

    Raises:
        InvalidGame: If names contradict one another.
    """
    own, other = _named(first), _named(second)
    names = [tuple(axis.name for axis in matrix.axes) for matrix in (first, second)]
    if (own or other) and any(a and b and a != b for a, b in zip(*names, strict=True)):
        is_turned = names[0] == names[1][::-1]
        raise InvalidGame(
            needs="the same names of index and columns in both frames",
            found=f"the first has {listed(names[0])} and the second {listed(names[1])}",
            remedy="Give the second as frame.T."
            if is_turned
            else "Rename them: frame.rename_axis(index=..., columns=...).",
        )
    if players is None:
        return own or other or numbered_labels(2)
    given = check_labels(players, kind="player")
    for row, column in names if len(given) == 2 else ():
        if given[0] != given[1] and (row == given[1] != "" or column == given[0] != ""):
            raise InvalidGame(
                needs="players in the order of the frame: index first, then columns",
                found=f"players are {listed(given)}, but index and columns have the names "
                f"{listed((row, column))}",
                remedy="Change the order of players, or give the frames as frame.T.",
            )
    return given


def _named(matrix: LabelledMatrix) -> tuple[str, str] | None:
    row, column = (axis.name for axis in matrix.axes)
    return (row, column) if row and column and row != column else None
