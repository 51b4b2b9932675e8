"""Check options before anything is computed: one wording for what every function refuses.

Each check names the function and the option, says what is accepted, and shows what came instead.
"""

import math
from collections.abc import Iterable
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.errors import InvalidArgument

MOST_SHOWN = 80  # characters of a value in a message
MOST_COUNTED = 10**15


def shown(value: object) -> str:
    """Return what a value looks like, cut short if it is long."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python refuses to write all digits
        text = f"{type(value).__name__} with a number of thousands of digits"
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


def require_instance(
    value: object,
    kinds: type | tuple[type, ...],
    *,
    function: str,
    name: str,
    remedy: str = "",
) -> None:
    """Refuse a value of any other type.

    Raises:
        InvalidArgument: Names the types that are accepted.
    """
    if isinstance(value, kinds):
        return
    accepted = kinds if isinstance(kinds, tuple) else (kinds,)
    words = " or ".join(kind.__name__ for kind in accepted)
    raise InvalidArgument(
        f"{function}: needs {name} to be of type {words}, but got {shown(value)} "
        f"(type {type(value).__name__}). {remedy or f'Give a {words}.'}"
    )


def require_function(value: object, *, function: str, name: str, remedy: str = "") -> None:
    """Refuse what cannot be called.

    Raises:
        InvalidArgument: Shows what came instead.
    """
    if not callable(value):
        raise InvalidArgument(
            f"{function}: needs {name} to be a function, but got {shown(value)} (type "
            f"{type(value).__name__}).{f' {remedy}' if remedy else ''}"
        )


def require_integer(
    value: Any,
    *,
    function: str,
    name: str,
    low: int | None = None,
    high: int | None = None,
    remedy: str = "",
) -> None:
    """Refuse anything but an integer from ``low`` to ``high``; ``True`` is not one.

    Raises:
        InvalidArgument: Names the range.
    """
    is_integer = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if is_integer and (low is None or value >= low) and (high is None or value <= high):
        return
    limits = (
        "" if low is None else f" of at least {low}" if high is None else f" from {low} to {high}"
    )
    raise InvalidArgument(
        f"{function}: needs {name} to be an integer{limits}, but got {shown(value)}."
        f"{f' {remedy}' if remedy else ''}"
    )


def require_number(
    value: Any,
    *,
    function: str,
    name: str,
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    below: float | None = None,
    remedy: str = "",
) -> None:
    """Refuse anything but a finite number within limits; text and ``True`` are none.

    Raises:
        InvalidArgument: Names the limits.
    """
    if (
        is_finite_number(value)
        and (low is None or value >= low)
        and (high is None or value <= high)
        and (above is None or value > above)
        and (below is None or value < below)
    ):
        return
    limits = {"of at least": low, "above": above, "at most": high, "below": below}
    words = " and ".join(f"{word} {end}" for word, end in limits.items() if end is not None)
    raise InvalidArgument(
        f"{function}: needs a finite {name}{f' {words}' if words else ''}, but got "
        f"{shown(value)}.{f' {remedy}' if remedy else ''}"
    )


def is_finite_number(value: Any) -> bool:
    """Tell whether this is an int, float or ``Fraction``, of Python or numpy, and finite."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int | Fraction | np.integer):
        return True
    return isinstance(value, float | np.floating) and math.isfinite(value)


def require_member(value: object, kind: type[Enum], *, function: str, name: str) -> None:
    """Refuse anything but a member of an enumeration, such as its name in words.

    Raises:
        InvalidArgument: Names the choices.
    """
    if not isinstance(value, kind):
        raise InvalidArgument(
            f"{function}: needs a member of {kind.__name__} as {name}, but got {shown(value)}. "
            f"Choose one of {', '.join(map(str, kind))}."
        )


def as_tuple(value: object, *, function: str, name: str, remedy: str = "") -> tuple[Any, ...]:
    """Return the entries of a sequence; text is not one.

    Raises:
        InvalidArgument: If the value cannot be listed.
    """
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise InvalidArgument(
            f"{function}: needs {name} to be a sequence, but got {shown(value)} (type "
            f"{type(value).__name__}).{f' {remedy}' if remedy else ''}"
        )
    return tuple(value)


def counted(number: int) -> str:
    """Write a count for a message; a power of two below it if it is too long to read.

    >>> counted(1234567), counted(10**30)
    ('1,234,567', 'over 2^99')
    """
    return f"{number:,}" if number < MOST_COUNTED else f"over 2^{number.bit_length() - 1}"
