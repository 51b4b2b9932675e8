"""Plain labels: those that a file can hold without loss, and a text for every other one."""

from collections.abc import Hashable
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, cast

from gametheory_core.games.information_states import Blank
from gametheory_core.labels import text_of

DEEPEST = 100  # tuples in tuples; readers refuse deeper ones, which would exhaust the stack
_PLAIN = (str, int, bool, type(None), Fraction, Blank)


def strange_part(label: Hashable, *, depth: int = 0) -> Any:
    """Return the first part of a label that is not plain, in a tuple of one; ``()`` if none.

    Plain are text, integers, truth values, None, rationals, ``NULL``, ``IDLE`` and tuples of these,
    but no subclasses: a named tuple would read back as a tuple.

    >>> strange_part(("H", 1)), strange_part(("H", (0.5, 1)))
    ((), (0.5,))
    """
    if type(label) is tuple and depth < DEEPEST:
        parts = cast("tuple[Hashable, ...]", label)
        found = (strange_part(part, depth=depth + 1) for part in parts)
        return next((strange for strange in found if strange), ())
    return () if type(label) in _PLAIN else (label,)


def plain_texts(labels: tuple[Hashable, ...]) -> tuple[str, ...]:
    """Return a text for each label, all different; equal texts are numbered.

    Records read as tuples and sets in sorted order, so the texts do not change from run to run.

    >>> plain_texts((("H", 1), frozenset({"b", "a"}), "(H, 1)"))
    ('(H, 1)', '{a, b}', '(H, 1) #2')
    """
    taken: set[str] = set()
    counts: dict[str, int] = {}
    texts: list[str] = []
    for label in labels:
        text = unique = _text(label)
        while unique in taken:
            counts[text] = counts.get(text, 1) + 1
            unique = f"{text} #{counts[text]}"
        taken.add(unique)
        texts.append(unique)
    return tuple(texts)


def _text(label: Any) -> str:
    """Return a label as people read it, whatever its parts."""
    if isinstance(label, tuple):
        return "(" + ", ".join(map(_text, cast("tuple[Any, ...]", label))) + ")"
    if isinstance(label, frozenset):
        return "{" + ", ".join(sorted(map(_text, cast("frozenset[Any]", label)))) + "}"
    if is_dataclass(label) and not isinstance(label, type):
        return "(" + ", ".join(_text(getattr(label, field.name)) for field in fields(label)) + ")"
    return text_of(label) if isinstance(label, Enum) else str(label)
