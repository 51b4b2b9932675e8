"""Labels: the names people use, checked once so that integers can be trusted inside.

An empty label means "unnamed": any number of things may be unnamed, and none is found by "".
"""

from collections.abc import Hashable, Iterable, Sequence
from enum import Enum
from typing import cast

from gametheory_core.errors import InvalidGame


def check_labels(labels: Iterable[object], *, kind: str, owner: str) -> tuple[str, ...]:
    """Return the labels as a tuple of text, after checking that none occurs twice.

    Args:
        labels: Read with ``str``; two labels that read the same collide.
        kind, owner: For the message, such as ``"action"`` and ``"information set 'after bet'"``.

    Raises:
        InvalidGame: If two non-empty labels are equal; names the label and both positions.
    """
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


def counted(number: int, noun: str) -> str:
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


def shortened_text(text: str, *, most: int) -> str:
    """Return the text on one line, cut with an ellipsis if longer than ``most`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
