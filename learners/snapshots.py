"""Whether a snapshot is of something made like this: it nests as one's own, in equal shapes.

Loops in compiled code check no bounds, so what is given is compared before any of it is taken.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from gametheory_core.errors import InvalidArgument
from learners.batch import Snapshot


def require_fitting(snapshot: Snapshot, own: Snapshot, *, ignored: tuple[str, ...] = ()) -> None:
    """Refuse a snapshot that has other parts than one's own, or arrays of other shapes or types.

    Args:
        snapshot, own: What is to be taken, and one's own as it is now. Numbers, strings and None
            are not compared.
        ignored: Parts that must be there, but may hold anything, at any depth: who takes them
            checks them.

    Raises:
        InvalidArgument: If they differ; says where.

    >>> own = {"values": np.zeros((2, 3)), "steps": 4}
    >>> require_fitting({"values": np.ones((2, 3)), "steps": 9}, own)
    >>> require_fitting({"values": np.ones((3, 3)), "steps": 9}, own)
    Traceback (most recent call last):
        ...
    gametheory_core.errors.InvalidArgument: restore: needs a snapshot of what was made with the \
same options, but in the one given 'values' is of shape (3, 3), not (2, 3). Make it with the \
options it had.
    """
    found = _misfit(snapshot, own, "", ignored)
    if found is not None:
        raise InvalidArgument(
            needs="a snapshot of what was made with the same options",
            found=f"in the one given {found}",
            remedy="Make it with the options it had.",
        )


def _misfit(given: Any, own: Any, place: str, ignored: tuple[str, ...]) -> str | None:
    """Return where and how a snapshot differs, if it does."""
    named = repr(place) if place else "everything"
    if isinstance(own, np.ndarray):
        return _array_misfit(given, cast("np.ndarray[Any, Any]", own), named)
    if isinstance(own, Mapping):
        if not isinstance(given, Mapping):
            return f"{named} is no mapping"
        parts, wanted = cast("Mapping[str, Any]", given), cast("Mapping[str, Any]", own)
        if parts.keys() != wanted.keys():
            return f"{named} has the parts {[*parts]}, not {[*wanted]}"
        pairs = [(k, parts[k], wanted[k]) for k in wanted if k not in ignored]
    elif isinstance(own, Sequence) and not isinstance(own, str):
        if not isinstance(given, Sequence) or isinstance(given, str):
            return f"{named} is no sequence"
        entries, own_entries = cast("Sequence[Any]", given), cast("Sequence[Any]", own)
        if len(entries) != len(own_entries):
            return f"{named} has {len(entries)} entries, not {len(own_entries)}"
        pairs = [(str(k), a, b) for k, (a, b) in enumerate(zip(entries, own_entries, strict=True))]
    else:
        return None
    found = (_misfit(a, b, f"{place}/{k}" if place else k, ignored) for k, a, b in pairs)
    return next((text for text in found if text is not None), None)


def _array_misfit(given: Any, own: "np.ndarray[Any, Any]", named: str) -> str | None:
    if not isinstance(given, np.ndarray):
        return f"{named} is no array"
    array = cast("np.ndarray[Any, Any]", given)
    if array.shape != own.shape:
        return f"{named} is of shape {array.shape}, not {own.shape}"
    return (
        None if array.dtype == own.dtype else f"{named} is of type {array.dtype}, not {own.dtype}"
    )
