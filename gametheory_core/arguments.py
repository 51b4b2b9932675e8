"""Check what is given before anything is computed: options, with one wording, and labels.

Each check names the option, says what is accepted, and shows what came instead. The error finds
the name of the function that was called; ``where`` says so where it is not one: a key of a file.

Labels: the names people use, checked once so that integers can be trusted inside.

An empty label means "unnamed": any number of things may be unnamed, and none is found by "".
"""

import math
from collections.abc import Hashable, Iterable, KeysView, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from fractions import Fraction
from typing import Any, NoReturn, cast

import numpy as np

from gametheory_core.errors import InvalidArgument, InvalidGame

MOST_SHOWN = 80  # characters of a value in a message
MOST_COUNTED = 10**15
LETTERS = "action"  # the kind of labels that may be the letters of one text: "LR"


def shown(value: object) -> str:
    """Return what a value looks like, cut short if it is long."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python refuses to write all digits
        text = f"{type(value).__name__} with a number of thousands of digits"
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


def described(value: object) -> str:
    """Return what a value of a wrong kind looks like, with its type.

    >>> described(3), described(int)
    ('3 (type int)', 'the class int')
    """
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return f"{shown(value)} (type {type(value).__name__})"


def require_instance(
    value: object,
    kinds: type | tuple[type, ...],
    *,
    name: str,
    remedy: str = "",
    where: str | None = None,
) -> None:
    """Refuse a value of any other type.

    Raises:
        InvalidArgument: Names the types that are accepted.
    """
    if isinstance(value, kinds):
        return
    accepted = kinds if isinstance(kinds, tuple) else (kinds,)
    words = " or ".join(kind.__name__ for kind in accepted)
    _refuse(
        f"{name} to be of type {words}",
        described(value),
        name=name,
        remedy=remedy or f"Give {with_article(words)}.",
        where=where,
    )


def with_article(words: str) -> str:
    """Return words with ``a`` or ``an`` before them.

    >>> with_article("POSG"), with_article("AEC game")
    ('a POSG', 'an AEC game')
    """
    return f"{'an' if words[0] in 'AEIO' else 'a'} {words}"


def require_function(value: object, *, name: str, remedy: str = "") -> None:
    """Refuse what cannot be called.

    Raises:
        InvalidArgument: Shows what came instead.
    """
    if not callable(value):
        _refuse(f"{name} to be a function", described(value), name=name, remedy=remedy)


def require_integer(
    value: Any,
    *,
    name: str,
    low: int | None = None,
    high: int | None = None,
    remedy: str = "",
    where: str | None = None,
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
    needs = f"{name} to be an integer{limits}"
    _refuse(needs, shown(value), name=name, remedy=remedy, where=where)


def require_number(
    value: Any,
    *,
    name: str,
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    below: float | None = None,
    remedy: str = "",
    where: str | None = None,
) -> None:
    """Refuse anything but a finite number within limits; text and ``True`` are not numbers.

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
    needs = f"a finite {name}{f' {words}' if words else ''}"
    _refuse(needs, shown(value), name=name, remedy=remedy, where=where)


def is_finite_number(value: Any) -> bool:
    """Tell whether this is an int, float or ``Fraction``, of Python or numpy, and finite."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int | Fraction | np.integer):
        return True
    return isinstance(value, float | np.floating) and math.isfinite(value)


def require_member(value: object, kind: type[Enum], *, name: str, where: str | None = None) -> None:
    """Refuse anything but a member of an enumeration, such as its name in words.

    Raises:
        InvalidArgument: Names the choices.
    """
    if not isinstance(value, kind):
        needs = f"a member of {kind.__name__} as {name}"
        remedy = f"Choose one of {', '.join(map(str, kind))}."
        _refuse(needs, shown(value), name=name, remedy=remedy, where=where)


def as_tuple(
    value: object, *, name: str, remedy: str = "", where: str | None = None
) -> tuple[Any, ...]:
    """Return the entries of a sequence; text is not one.

    Raises:
        InvalidArgument: If the value cannot be listed.
    """
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        _refuse(f"{name} to be a sequence", described(value), name=name, remedy=remedy, where=where)
    return tuple(value)


def _refuse(
    needs: str, found: str, *, name: str, remedy: str, where: str | None = None
) -> NoReturn:
    raise InvalidArgument(
        needs=needs, found=f"got {found}", remedy=remedy, argument=name, where=where
    )


def counted(number: int) -> str:
    """Write a count for a message; a power of two below it if it is too long to read.

    >>> counted(1234567), counted(10**30)
    ('1,234,567', 'over 2^99')
    """
    return f"{number:,}" if number < MOST_COUNTED else f"over 2^{number.bit_length() - 1}"


def check_labels(
    labels: Iterable[object], *, kind: str, owner: str | None = None
) -> tuple[str, ...]:
    """Return the labels as a tuple of text, after checking that none occurs twice.

    Args:
        labels: Read with ``str``; two labels that read the same collide.
        kind, owner: For the message, such as ``"action"`` and ``"information set 'after bet'"``;
            the owner by default the function that was called.

    Raises:
        InvalidGame: If two non-empty labels are equal; names the label and both positions. Or if
            they are one text: its letters name actions, and nothing else; or a set, which has no
            order.
    """
    is_text = isinstance(labels, str) and kind != LETTERS
    is_unordered = isinstance(labels, AbstractSet) and not isinstance(labels, KeysView)
    is_none = is_text or not isinstance(labels, Iterable)  # pyright: ignore[reportUnnecessaryIsInstance]
    if is_none or is_unordered:
        raise InvalidGame(
            needs=f"a list of {kind} labels",
            found=f"got {described(labels)}",
            remedy="Give one text for each, as in ['A', 'B'].",
            where=owner,
        )
    texts = tuple(str(label) for label in labels)
    first_seen: dict[str, int] = {}
    for position, text in enumerate(texts):
        if text and text in first_seen:
            raise InvalidGame(
                needs=f"different {kind} labels",
                found=f"{text!r} stands at positions {first_seen[text] + 1} and {position + 1}",
                remedy="Rename one of them.",
                where=owner,
            )
        first_seen[text] = position
    return texts


def numbered_labels(count: int) -> tuple[str, ...]:
    """Return the default labels ``"1"``, ``"2"``, ... of ``count`` unnamed things."""
    return tuple(str(i + 1) for i in range(count))


def numbered_players(count: int) -> tuple[str, ...]:
    """Return ``"Player 1"``, ``"Player 2"``, ... for games whose players have no other names."""
    return tuple(f"Player {i + 1}" for i in range(count))


def label_or_number(label: str, number: int) -> str:
    """Return the label, quoted, or ``#number`` (from 1) for an unnamed thing."""
    return repr(label) if label else f"#{number}"


def shown_players(players: Sequence[str]) -> tuple[str, ...]:
    """Return names that tell the players apart: the labels, or ``player 1`` for a mere number."""
    return tuple(
        label if label and not label.isdigit() else f"player {label or i + 1}"
        for i, label in enumerate(players)
    )


def number_of(number: int, noun: str) -> str:
    """Return a number of things in words, with an ``s`` unless it is one."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def text_of(label: Hashable) -> str:
    """Return a label of rules as people read it: tuples without quotes, members by name."""
    if isinstance(label, str):
        return label
    if isinstance(label, tuple):
        return "(" + ", ".join(map(text_of, cast("tuple[Hashable, ...]", label))) + ")"
    return label.name.lower() if isinstance(label, Enum) else str(label)


def distinct_texts(labels: Sequence[Hashable]) -> tuple[str, ...]:
    """Return a text for each label, all different: as people read them, else as Python does.

    Raises:
        InvalidGame: If two labels look the same even to Python.

    >>> distinct_texts([("H", 1), "rest"]), distinct_texts([1, "1"])
    (('(H, 1)', 'rest'), ('1', "'1'"))
    """
    texts = tuple(map(text_of, labels))
    if len(set(texts)) == len(texts) and "" not in texts:
        return texts
    return check_labels(map(repr, labels), kind="distinguishable", owner="labels")


ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def shortened_text(text: str, *, most: int) -> str:
    """Return the text on one line, cut in its middle if longer than ``most`` characters.

    >>> shortened_text("information set 1", most=9)
    'info…et 1'
    """
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    kept = most - 1
    return f"{line[: kept - kept // 2].rstrip()}{ELLIPSIS}{line[len(line) - kept // 2 :].lstrip()}"


def shortened_labels(labels: Sequence[str], *, most: int) -> list[str]:
    """Shorten labels as ``shortened_text`` does, and number those that would look alike.

    >>> shortened_labels(["a long red car", "a long old car", "a bus", "a bus"], most=9)
    ['a long…#1', 'a long…#2', 'a bus', 'a bus']
    """
    texts = [shortened_text(label, most=most) for label in labels]
    meant: dict[str, set[str]] = {}
    for text, label in zip(texts, labels, strict=True):
        meant.setdefault(text, set()).add(label)
    first = {label: labels.index(label) + 1 for label in labels}
    return [
        text if len(meant[text]) == 1 else _numbered(label, first[label], most=most)
        for text, label in zip(texts, labels, strict=True)
    ]


def _numbered(label: str, number: int, *, most: int) -> str:
    mark = f"{ELLIPSIS}#{number}"
    return " ".join(label.split())[: max(most - len(mark), 0)].rstrip() + mark
