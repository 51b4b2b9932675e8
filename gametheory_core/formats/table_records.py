"""What records of tables have in common: kernels, arrays, labels and rewards, read with checks.

Labels of rules in JSON: text, integers, truth values, null and arrays as they are; rest tagged.

A rational is ``{"fraction": "1/3"}``; blanks such as ``NULL`` are ``{"blank": "null"}``; a tuple is
an array.
"""

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, cast

import numpy as np

from gametheory_core.conversions.text_labels import DEEPEST, strange_part
from gametheory_core.errors import InvalidGame, MalformedFile, UnsupportedGame
from gametheory_core.formats.checked_json import Checked
from gametheory_core.games.information_states import Blank
from gametheory_core.games.table_content import Kernel


def label_record(label: Hashable, *, kind: str) -> Any:
    """Write a label.

    Args:
        kind: For the message, such as ``"state"``.

    Raises:
        UnsupportedGame: If it would not read back as the same label; names the part.
    """
    strange = strange_part(label)
    if strange:
        shown = repr(strange[0])
        blanks = ", ".join(blank.name for blank in Blank)
        raise UnsupportedGame(
            needs=f"labels of text, integers, truth values, None, rationals, {blanks} and tuples "
            "of "
            f"these, nested at most {DEEPEST} deep",
            found=f"a {kind} has {shown if len(shown) <= 100 else shown[:100] + '...'} "
            f"({type(strange[0]).__name__})",
            remedy="Write label_by_text(game).target, which names such things by texts.",
        )
    return _encoded(label)


def _encoded(label: Hashable) -> Any:
    if isinstance(label, tuple):
        return [_encoded(part) for part in cast("tuple[Hashable, ...]", label)]
    if isinstance(label, Fraction):
        return {"fraction": str(label)}
    return {"blank": label.value} if isinstance(label, Blank) else label


def label_from(record: Checked, *, depth: int = 0) -> Hashable:
    """Read a label.

    Raises:
        MalformedFile: Names the path of the offending value.
    """
    value = record.value
    if isinstance(value, list):
        if depth >= DEEPEST:
            record.fail(f"labels nested at most {DEEPEST} deep", found="deeper ones")
        return tuple(label_from(part, depth=depth + 1) for part in record.items())
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        if set(entries) == {"fraction"}:
            return record["fraction"].rational()
        if set(entries) == {"blank"}:
            return Blank(record["blank"].one_of(*(blank.value for blank in Blank)))
        blanks = " or ".join(f'"{blank.value}"' for blank in Blank)
        record.fail(f'{{"fraction": "p/q"}} or {{"blank": {blanks}}}')
    if isinstance(value, float):
        record.fail("a label: text, an integer, true, false, null, or an array of labels")
    return record.text() if isinstance(value, str) else value


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
