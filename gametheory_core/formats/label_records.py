"""Labels of rules in JSON: text, integers, truth values, null and arrays as they are; rest tagged.

A rational is ``{"fraction": "1/3"}``; blanks such as ``NULL`` are ``{"blank": "null"}``; a tuple is
an array.
"""

from collections.abc import Hashable
from fractions import Fraction
from typing import Any, cast

from gametheory_core.conversions.text_labels import DEEPEST, strange_part
from gametheory_core.errors import UnsupportedGame
from gametheory_core.formats.checked_json import Checked
from gametheory_core.games.information_states import Blank


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
