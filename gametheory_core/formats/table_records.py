"""What records of tables have in common: kernels, arrays, labels and rewards, read with checks."""

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, cast

import numpy as np

from gametheory_core.errors import InvalidGame, MalformedFile
from gametheory_core.formats.checked_json import Checked
from gametheory_core.formats.label_records import label_from
from gametheory_core.games.table_content import Kernel


def encoded(value: Any) -> Any:
    """Write a kernel, array, sequence or number of a table; rationals become text."""
    if isinstance(value, Kernel):
        return {name: encoded(getattr(value, name)) for name in ("start", "outcome", "weight")}
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        return encoded(array.tolist())
    if isinstance(value, list | tuple):
        return [encoded(item) for item in cast("list[Any]", value)]
    return str(value) if isinstance(value, Fraction) else value


def labels_from(record: Checked) -> tuple[Hashable, ...]:
    """Read an array of labels."""
    return tuple(label_from(label) for label in record.items())


def rewards_from(record: Checked, num_players: int) -> Any:
    """Read vectors of rewards, one number a player, as an exact array."""
    vectors: list[list[Fraction]] = []
    for entry in record.items():
        vectors.append([reward.rational() for reward in entry.items()])
        check_count(entry, vectors[-1], num_players)
    array = np.empty((len(vectors), num_players), dtype=object)
    if vectors:
        array[:] = vectors
    return array


def kernel_from(record: Checked) -> Kernel:
    """Read a kernel.

    Raises:
        MalformedFile: If its parts do not make one; names the path.
    """
    start, outcome = array_from(record["start"]), array_from(record["outcome"])
    weights = [w.rational() for w in record["weight"].items()]
    weight = np.empty(len(weights), dtype=object)
    weight[:] = weights
    try:
        return Kernel(start, outcome, weight)
    except InvalidGame as error:
        raise MalformedFile(f"{record.name} at {record.path}: {error}") from None


def array_from(record: Checked, *, bits: int = 31) -> Any:
    """Read integers below ``2**bits`` in size, as an array of 32 bits if that is enough."""
    return np.array(integers_from(record, bits=bits), dtype=np.int32 if bits < 32 else np.int64)


def integers_from(record: Checked, *, bits: int = 31) -> list[int]:
    """Read integers below ``2**bits`` in size."""
    values = [value.integer() for value in record.items()]
    limit = 2**bits
    if any(not -limit <= value < limit for value in values):
        record.fail(f"integers below 2^{bits}", found="larger ones")
    return values


def check_count(record: Checked, items: Any, num_players: int) -> None:
    """Refuse an array that has not one entry for each player."""
    if len(items) != num_players:
        record.fail(f"{num_players} entries, one a player", found=f"{len(items)}")
