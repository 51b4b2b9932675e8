"""What is in an observation, or in anything else that an environment hands out."""

from collections.abc import Hashable, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import FloatArray

Prints: TypeAlias = Hashable


class Lent(NamedTuple):
    """An object that an environment handed out, and what was in it.

    Attributes:
        is_whole: Whether it is a dictionary of all agents, which is the caller's to empty.
    """

    name: str
    given: Any
    content: Prints
    is_whole: bool


def lent_of(name: str, given: Any, *, is_whole: bool = False) -> Lent:
    """Keep what is in an object that was handed out."""
    return Lent(name, given, fingerprint(given), is_whole=is_whole)


def fingerprint(value: Any) -> Prints:
    """Return the exact content of an observation, or of something returned, as a hashable."""
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        content = array.tolist() if array.dtype == object else array.tobytes()
        return (
            "array",
            _name_of(array.dtype),
            array.shape,
            array.strides,
            repr(content) if array.dtype == object else content,
        )
    if isinstance(value, Mapping):
        entries = cast("Mapping[Any, Any]", value)
        return ("mapping", tuple((key, fingerprint(x)) for key, x in entries.items()))
    if isinstance(value, tuple | list):
        entries = cast("list[Any]", value)
        return (type(entries).__name__, tuple(fingerprint(x) for x in entries))
    text = repr(value)
    return (type(value).__name__, "" if " at 0x" in text else text)  # an address is no content


@cache
def _name_of(kind: np.dtype[Any]) -> str:
    return str(kind)  # numpy writes it anew each time


def spoil(value: Any) -> None:
    """Write into every array of what was returned or handed in that can be written."""
    if isinstance(value, Mapping):
        for part in cast("Mapping[Any, Any]", value).values():
            spoil(part)
    elif isinstance(value, tuple | list):
        for part in cast("list[Any]", value):
            spoil(part)
    elif isinstance(value, np.ndarray) and value.flags.writeable:
        array = cast("np.ndarray[Any, Any]", value)
        if array.dtype.kind in "biu":
            array[...] = ~array
        elif array.dtype.kind in "fc":
            array[...] = array + 1


def is_blank(observation: Any) -> bool:
    """Tell whether an observation holds no number but 0."""
    if isinstance(observation, Mapping):
        return all(map(is_blank, cast("Mapping[Any, Any]", observation).values()))
    if isinstance(observation, tuple | list):
        return all(map(is_blank, cast("list[Any]", observation)))
    return not np.any(observation)


def split_numbers(value: Any) -> tuple[Prints, FloatArray]:
    """Split what is shown into its numbers, in a row, and the rest."""
    numbers: list[FloatArray] = []

    def form_of(value: Any) -> Prints:
        if isinstance(value, np.ndarray | np.generic) and np.asarray(value).dtype.kind in "biuf":
            array = np.asarray(value)
            numbers.append(array.ravel().astype(np.float64))
            return ("array", _name_of(array.dtype), array.shape)
        if isinstance(value, Mapping):
            entries = cast("Mapping[Any, Any]", value)
            return ("mapping", tuple((key, form_of(x)) for key, x in entries.items()))
        if isinstance(value, tuple | list):
            entries = cast("list[Any]", value)
            return (type(entries).__name__, tuple(form_of(x) for x in entries))
        if isinstance(value, int | float):
            numbers.append(np.array([value], dtype=np.float64))
            return type(value).__name__
        return fingerprint(value)

    form = form_of(value)
    return form, np.concatenate(numbers) if numbers else np.empty(0)
