"""Numbers as people hold them: data frames, tensors, and whatever numpy reads.

No other library is imported for it. What has ``to_numpy`` and an ``index`` is read as a data frame
or a series, whose labels name actions; what has ``__array__`` or ``tolist`` is read as an array. An
index that only counts from 0 is no label.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import check_labels, shown, text_of
from gametheory_core.errors import GameTheoryError, InvalidGame

Labels: TypeAlias = tuple[str, ...]

_NUMBERS = {int, float, str, Fraction, Decimal}  # what most rows hold
MOST_LISTED = 8  # labels in a message


class Axis(NamedTuple):
    """What a data frame says of one of its directions.

    Attributes:
        labels: Of the rows or columns; None if they are only counted.
        name: Of all of them together, such as a player; "" for none.
    """

    labels: Labels | None
    name: str


def axes_of(values: object) -> tuple[Axis, ...]:
    """Return the axes of a data frame or a series; none of anything else.

    >>> axes_of([[1, 2], [3, 4]])
    ()
    """
    index = getattr(values, "index", None)
    if index is None or callable(index) or not hasattr(values, "to_numpy"):
        return ()
    columns = getattr(values, "columns", None)
    return (_axis(index),) if columns is None else (_axis(index), _axis(columns))


def _axis(given: Any) -> Axis:
    labels = cast("list[Hashable]", list(given))
    counted = labels == list(range(len(labels))) and not any(isinstance(x, bool) for x in labels)
    name = getattr(given, "name", None)
    return Axis(
        None if counted else tuple(map(text_of, labels)), name if isinstance(name, str) else ""
    )


def plain(values: object, *, where: str) -> object:
    """Return numbers as a numpy array, or as lists and tuples of what they were.

    Labels of data frames are left out. What is no container comes back as it is.

    Raises:
        InvalidGame: If entries are masked, or what says that it is an array cannot be read.

    >>> plain(range(3), where="numbers")
    (0, 1, 2)
    """
    if isinstance(values, np.ndarray):
        if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
            raise InvalidGame(
                needs="a number in each place",
                found="some entries are masked",
                remedy="Fill them: values.filled(...).",
                where=where,
            )
        return np.asarray(cast("NDArray[Any]", values))
    if isinstance(values, list | tuple):
        rows = cast("Sequence[object]", values)
        if set(map(type, rows)) <= _NUMBERS:
            return rows
        return tuple(plain(row, where=where) for row in rows)
    if isinstance(values, np.generic | str | bytes) or type(values) in _NUMBERS:
        return values
    if axes_of(values):
        return _entries(values)
    if hasattr(values, "__array__"):
        return _array(values, where)
    if isinstance(values, Sequence):
        return plain(tuple(cast("Sequence[object]", values)), where=where)
    return values


def _entries(frame: Any) -> NDArray[Any]:
    """Return the entries of a data frame or series: of integers beside floats, both as they are."""
    kinds: list[Any] = list(frame.dtypes) if hasattr(frame, "columns") else [frame.dtype]
    are_floats = all(isinstance(kind, np.dtype) and kind.kind == "f" for kind in kinds)
    return np.asarray(frame.to_numpy() if are_floats else frame.astype(object).to_numpy())


def _array(values: Any, where: str) -> object:
    """Return an array, also of a tensor that is on a device or has a gradient."""
    for step in ("detach", "cpu"):
        act: Callable[[], Any] | None = getattr(values, step, None)
        values = act() if callable(act) else values
    try:
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as error:
        if hasattr(values, "tolist"):  # a kind of floats that numpy does not know
            return plain(values.tolist(), where=where)
        raise InvalidGame(
            needs="an array that numpy can read",
            found=f"got {shown(values)} ({error})",
            where=where,
        ) from None


def refuse_labels(values: object, *, kind: type[GameTheoryError], remedy: str, where: str) -> None:
    """Refuse a data frame or series whose labels nobody would look at."""
    labels = next((axis.labels for axis in axes_of(values) if axis.labels), None)
    if labels is not None:
        raise kind(
            needs="numbers by position, since nothing says what labels belong to",
            found=f"got a {type(values).__name__} with labels {listed(labels)}",
            remedy=remedy,
            where=where,
        )


def places_of(wanted: Labels, found: Labels, *, kind: str, where: str) -> list[int]:
    """Return where each label wanted stands among those found.

    Raises:
        InvalidGame: If they are not the same labels, each once.

    >>> places_of(("up", "down"), ("down", "up"), kind="action", where="payoffs")
    [1, 0]
    """
    check_labels(found, kind=kind, owner=where)
    if wanted == found:
        return list(range(len(found)))
    if sorted(wanted) != sorted(found) or "" in found:
        raise InvalidGame(
            needs=f"{kind} labels {listed(wanted)}, in any order",
            found=f"got {listed(found)}",
            remedy="Rename them, or drop them with .to_numpy().",
            where=where,
        )
    return [found.index(label) for label in wanted]


def listed(labels: Iterable[str]) -> str:
    """Return some labels for a message.

    >>> listed(["up", "down"])
    "'up', 'down'"
    """
    every = list(labels)
    more = f", ... ({len(every)} in all)" if len(every) > MOST_LISTED else ""
    return ", ".join(map(repr, every[:MOST_LISTED])) + more
