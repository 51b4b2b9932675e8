"""The words of Gambit's text formats, each with its place.

Words are quoted strings, braces, numbers and bare words. Blanks and commas separate; ``//`` starts
a comment that ends with the line. Every complaint reads alike: file, line, column, what was
expected, what was found.
"""

import re
from collections.abc import Container, Sequence
from enum import Enum
from fractions import Fraction
from itertools import count
from typing import Any, NoReturn

from gametheory_core.arguments import check_labels
from gametheory_core.errors import InvalidGame, MalformedFile

_WORD = re.compile(
    r"""(?P<blank>(?:[\s,]|//[^\n]*)+)"""
    r"""|"(?P<text>(?:[^"\\]|\\.)*)\""""
    r"""|(?P<brace>[{}])"""
    r"""|(?P<bare>[^\s{},"]+)"""
    r"""|(?P<broken>")""",
    re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?(?:\d+/\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)")
_MOST_DIGITS = 3000  # Python refuses to print integers of more than 4300 digits
_INTEGER = re.compile(r"[+-]?\d{1,18}")
_ESCAPE = re.compile(r'\\(["\\])')  # before anything else a backslash stands for itself


RECOVERING = (
    "If they are rounded decimals, have the fractions recovered: --recover on the command line, "
    "recover=True in Python."
)
RENAMING = (
    "Rename one, or have them numbered: --rename-duplicate-labels on the command line, "
    "duplicates=DuplicateLabels.RENAME in Python."
)


class DuplicateLabels(Enum):
    """What a reader does when two things in a file share a label."""

    REFUSE = "refuse the file, naming the label and its place"
    RENAME = "number the later ones: 'raise', 'raise (2)', ..."


class Reader:
    """Walks over the words of one file."""

    def __init__(self, content: str, *, name: str, duplicates: DuplicateLabels) -> None:
        self.name = name
        self.duplicates = duplicates
        self._content = content
        self._kinds: list[str] = []
        self._values: list[str] = []
        self._starts: list[int] = []
        self._position = 0
        self._numbers: dict[str, Fraction] = {}
        for match in _WORD.finditer(content):
            kind = match.lastgroup or ""
            if kind == "blank":
                continue
            value = match.group(kind)
            if kind == "text" and "\\" in value:
                value = _ESCAPE.sub(r"\1", value)
            self._kinds.append(kind)
            self._values.append(value)
            self._starts.append(match.start())
        self._kinds.append("end")
        self._values.append("")
        self._starts.append(len(content))
        if "broken" in self._kinds:
            self._position = self._kinds.index("broken")
            self.fail("a closing quote", found="the end of the file")

    # Looking ahead

    @property
    def words_left(self) -> int:
        """How many words follow."""
        return len(self._kinds) - 1 - self._position

    @property
    def at_text(self) -> bool:
        """Whether a quoted string comes next."""
        return self._kinds[self._position] == "text"

    @property
    def at_end(self) -> bool:
        """Whether nothing comes next."""
        return self._kinds[self._position] == "end"

    def at_brace(self, brace: str) -> bool:
        """Whether this brace comes next."""
        return self._kinds[self._position] == "brace" and self._values[self._position] == brace

    # Taking words

    @property
    def taken(self) -> str:
        """The last word taken, as it is written."""
        return self._values[self._position - 1]

    def text(self, expected: str) -> str:
        """Take a quoted string."""
        return self._take("text", expected)

    def brace(self, brace: str, expected: str) -> None:
        """Take an opening or closing brace."""
        if not self.at_brace(brace):
            self.fail(f"{brace!r} {expected}")
        self._position += 1

    def word(self, choices: Sequence[str], expected: str) -> str:
        """Take one of the given bare words."""
        if self._kinds[self._position] != "bare" or self._values[self._position] not in choices:
            self.fail(expected)
        return self._take("bare", expected)

    def number(self, expected: str) -> Fraction:
        """Take a number, as the rational it is written as."""
        value = self._values[self._position]
        known = self._numbers.get(value) if self._kinds[self._position] == "bare" else None
        if known is None:
            if self._kinds[self._position] != "bare" or not _NUMBER.fullmatch(value):
                self.fail(f"{expected} (an integer, decimal, exponent below 1000, or p/q)")
            if len(value) > _MOST_DIGITS:
                self.fail(f"{expected} of at most {_MOST_DIGITS} digits")
            try:
                known = self._numbers[value] = Fraction(value)
            except ZeroDivisionError:
                self.fail(f"{expected} with a denominator other than 0")
        self._position += 1
        return known

    def integer(self, expected: str, *, least: int, most: int | None = None) -> int:
        """Take an integer in a range."""
        value = self._values[self._position]
        is_integer = self._kinds[self._position] == "bare" and _INTEGER.fullmatch(value)
        if not is_integer or int(value) < least or (most is not None and int(value) > most):
            limit = f"at least {least}" if most is None else f"{least} to {most}"
            self.fail(f"{expected} ({limit})")
        self._position += 1
        return int(value)

    def texts(self, what: str) -> list[str]:
        """Take quoted strings in braces."""
        self.brace("{", f"before {what}")
        taken: list[str] = []
        while not self.at_brace("}"):
            taken.append(self.text(f"one of {what} or '}}'"))
        self._position += 1
        return taken

    def numbers(self, what: str, *, length: int) -> tuple[Fraction, ...]:
        """Take so many numbers in braces."""
        self.brace("{", f"before {what}")
        taken = tuple(self.number(f"{what}, number {k + 1} of {length}") for k in range(length))
        self.brace("}", f"after {length} {what}")
        return taken

    def labels(self, labels: Sequence[str], *, kind: str, owner: str) -> tuple[str, ...]:
        """Refuse or rename labels that occur twice."""
        if self.duplicates is DuplicateLabels.RENAME:
            return renamed(labels)
        try:
            return check_labels(labels, kind=kind, owner=owner)
        except InvalidGame as error:
            self.complain(error.changed(InvalidGame, remedy=RENAMING))

    def header(self, keyword: str, *, version: str) -> tuple[str, tuple[str, ...]]:
        """Take the first line of a file; return the title and the players."""
        self.word((keyword,), f"{keyword!r} at the start of the file")
        self.word((version,), f"version {version} of the format")
        self.word(("R", "D"), "'R' or 'D' for rational or decimal payoffs")
        title = self.text("the title in quotes")
        players = self.labels(self.texts("player names"), kind="player", owner="game")
        if not players:
            self.fail("at least one player")
        return title, players

    def finish(self) -> None:
        """Refuse anything after the end of the game."""
        if not self.at_end:
            self.fail("the end of the file")

    # Places and complaints

    def mark(self) -> int:
        """Return the place of the next word, for ``complain``."""
        return self._position

    def fail(self, expected: str, *, found: str | None = None) -> NoReturn:
        """Refuse the next word."""
        if found is None:
            found = self._found()
        raise MalformedFile(needs=expected, found=f"found {found}", **self._place(self._position))

    def complain(self, error: InvalidGame, *, mark: int | None = None) -> NoReturn:
        """Refuse what was read at a place, for a reason that the game itself gives."""
        place = self._place(self._position - 1 if mark is None else mark)
        place["where"] = ": ".join(filter(None, (place["where"], error.where)))
        raise error.changed(MalformedFile, **place)

    def _take(self, kind: str, expected: str) -> str:
        if self._kinds[self._position] != kind:
            self.fail(expected)
        self._position += 1
        return self._values[self._position - 1]

    def _found(self) -> str:
        kind, value = self._kinds[self._position], self._values[self._position]
        if kind == "end":
            return "the end of the file"
        shown = value if len(value) <= 40 else value[:40] + "..."
        return f'the text "{shown}"' if kind == "text" else repr(shown)

    def _place(self, position: int) -> dict[str, Any]:
        start = self._starts[position]
        line = self._content.count("\n", 0, start) + 1
        column = start - (self._content.rfind("\n", 0, start) + 1) + 1
        where = f"{self.name}, line {line}, column {column}"
        return {"where": where, "line": line, "column": column}


def renamed(labels: Sequence[str]) -> tuple[str, ...]:
    """Number the later ones of equal labels, avoiding labels that are there already."""
    seen: set[str] = set()
    out: list[str] = []
    for label in labels:
        new = numbered_until_new(label, seen.union(labels)) if label and label in seen else label
        seen.add(new)
        out.append(new)
    return tuple(out)


def numbered_until_new(label: str, taken: Container[str]) -> str:
    """Return ``label (2)``, or with the least higher number that is not taken."""
    return next(new for n in count(2) if (new := f"{label} ({n})") not in taken)


def quoted(text: str) -> str:
    """Write a string in quotes, escaping quotes and backslashes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
