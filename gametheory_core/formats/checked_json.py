"""Reading JSON with checks: each value knows its path, and complaints name it."""

import json
import math
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import reads_dyadics, to_fraction
from gametheory_core.errors import GameTheoryError, MalformedFile
from gametheory_core.formats.long_integers import MOST_BITS, integer_from, integer_text

Record: TypeAlias = dict[str, Any]

GAME_SCHEMA = "gametheory-core/game/1"  # what every record of a game begins with
_RATIONAL = re.compile(r"-?[0-9]+(?:/[0-9]+)?")  # no exponents: 1e999999999 would fill the memory
DECIMALS = (
    "To have numbers read as decimals: --decimals on the command line, decimals=True in Python."
)
_NO_INTEGERS = re.compile(r"[^0-9 -]|[0-9]-|-(?![0-9])|^ | $|  |[0-9]{601}")
_LONG_INTEGER = re.compile(r"[0-9]{19}")  # which those of the machine may not hold
INTEGERS_AT_ONCE = 2**16  # of a vector that is written
MOST_DIGITS = 200_000  # of an integer: a file of them would take hours
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Checked:
    """A JSON value and how it was reached.

    Attributes:
        value: As the json module gives it.
        path: For messages, such as ``solutions[0].profile``.
        name: What messages call the file.
    """

    value: Any
    path: str
    name: str

    def __getitem__(self, key: str) -> "Checked":
        """Return the entry of an object, which must be there."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        entries = cast("dict[str, Any]", self.value)
        if key not in entries:
            self.fail(f"the key {key!r}", found="keys " + ", ".join(map(repr, entries)))
        return Checked(entries[key], f"{self.path}.{key}" if self.path else key, self.name)

    def has(self, key: str) -> bool:
        """Tell whether this is an object with that key."""
        return isinstance(self.value, dict) and key in cast("dict[str, Any]", self.value)

    def require_only(self, *keys: str) -> None:
        """Refuse an object with a key that nobody reads."""
        for key in cast("dict[str, Any]", self.value if isinstance(self.value, dict) else {}):
            if key not in keys:
                self.fail(f"no keys but {', '.join(map(repr, keys))}", found=f"the key {key!r}")

    def items(self) -> Iterator["Checked"]:
        """Walk over an array."""
        if not isinstance(self.value, list):
            self.fail("an array")
        for index, value in enumerate(cast("list[Any]", self.value)):
            yield Checked(value, f"{self.path}[{index}]", self.name)

    def text(self) -> str:
        """Return a string."""
        if not isinstance(self.value, str) or _SURROGATE.search(self.value):
            self.fail("a string of Unicode characters", found=_shown(self.value))
        return self.value

    def integer(self) -> int:
        """Return an integer."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.fail("an integer")
        return self.value

    def integers(self) -> Any:
        """Return a vector of integers that stand in one text, with a space between."""
        text = self.text()
        if _NO_INTEGERS.search(text):
            self.fail('integers with a space between, as text, such as "3 -1 2"')
        if not text or _LONG_INTEGER.search(text):
            return np.array(list(map(int, text.split())), dtype=object if text else np.int64)
        return np.fromstring(text, dtype=np.int64, sep=" ")

    def number(self) -> float:
        """Return a finite number."""
        try:
            found = float(self.value) if isinstance(self.value, int | float) else math.nan
        except OverflowError:  # an integer of hundreds of digits
            found = math.inf
        if isinstance(self.value, bool) or not math.isfinite(found):
            self.fail("a finite number")
        return found

    def boolean(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            self.fail("true or false")
        return self.value

    def rational(self) -> Fraction:
        """Return a rational written as text, ``"p/q"``; or a number, where decimals are read."""
        is_number = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        if is_number and not reads_dyadics():
            return to_fraction(self.value, where=self.place)
        text = self.value if isinstance(self.value, str) else ""
        try:
            if len(text) > 2 * MOST_DIGITS or not _RATIONAL.fullmatch(text):
                raise ValueError
            return _rational(text)
        except (ValueError, ZeroDivisionError):
            self.fail(
                f'a rational as text of at most {MOST_DIGITS:,} digits, such as "1/3"',
                remedy=DECIMALS if is_number else "",
            )

    def one_of(self, *choices: str) -> str:
        """Return a string that is one of the choices."""
        value = self.text()
        if value not in choices:
            self.fail("one of " + ", ".join(map(repr, choices)))
        return value

    def fail(self, expected: str, *, found: str | None = None, remedy: str = "") -> NoReturn:
        """Refuse the value."""
        shown = _shown(self.value) if found is None else found
        raise MalformedFile(needs=expected, found=f"found {shown}", remedy=remedy, where=self.place)

    @property
    def place(self) -> str:
        """The file and the path in it, for messages."""
        return f"{self.name} at {self.path}" if self.path else self.name

    @contextmanager
    def made(self, *refused: type[GameTheoryError]) -> Generator[None]:
        """Let what a constructor refuses inside be a fault of the file here."""
        try:
            yield
        except refused as error:
            where = ": ".join(filter(None, (self.place, error.where)))
            raise error.changed(MalformedFile, where=where) from None


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:60] + "..."


def _integer(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(f"an integer has {len(text):,} digits, more than {MOST_DIGITS:,}")
    return integer_from(text)


def rational_text(value: Fraction) -> str:
    """Write a rational as ``str`` does, but of any length: Python stops at some thousand digits.

    >>> len(rational_text(Fraction(10**5000, 7)))
    5003
    """
    parts = [int(part) for part in (value.numerator, value.denominator)]
    if max(map(int.bit_length, parts)) < MOST_BITS:
        return str(value)
    above, below = map(integer_text, parts)
    return above if below == "1" else f"{above}/{below}"


def integers_text(vector: Any) -> str:
    """Write a vector of integers as one text, which ``Checked.integers`` reads.

    >>> integers_text(np.array([3, -1, 2]))
    '3 -1 2'
    """
    starts = range(0, len(vector), INTEGERS_AT_ONCE)
    blocks = (vector[start : start + INTEGERS_AT_ONCE].tolist() for start in starts)
    return " ".join(" ".join(map(str, block)) for block in blocks)


def _rational(text: str) -> Fraction:
    above, _, below = text.partition("/")
    return Fraction(integer_from(above), integer_from(below or "1"))


def parse_json(content: str, *, name: str) -> Checked:
    """Parse JSON text.

    Raises:
        MalformedFile: With line and column if it is no JSON.
    """
    try:
        value = json.loads(
            content, object_pairs_hook=_object, parse_int=_integer, parse_constant=_no_constant
        )
        return Checked(value, "", name)
    except json.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        where = f"{name}, line {line}, column {column}"
        raise MalformedFile(
            needs="JSON",
            found=f"it is not well formed: {error.msg.lower()}",
            line=line,
            column=column,
            where=where,
        ) from None
    except ValueError as error:  # a key given twice, NaN, or an integer of thousands of digits
        raise MalformedFile(needs="JSON", found=error, where=name) from None
    except RecursionError:
        raise MalformedFile(needs="JSON", found="it is nested too deeply", where=name) from None


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"it has no {text}")  # which Python reads, and no other program


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")  # parse_json words it
    return found
