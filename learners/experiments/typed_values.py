"""Values of a TOML file as the types that Python code declares; complaints name the key.

What can be read is what type hints say: numbers, texts, booleans, enumerations by the names of
their members, tuples, arrays, mappings, and frozen dataclasses as tables. Where several are
possible, as the kinds of a family are (``kind_of``), ``kind`` names one. An optional value may be
``"none"``.
"""

import difflib
import json
import re
import types
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import (
    Any,
    Literal,
    NoReturn,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from gametheory_core.arguments import shown
from gametheory_core.errors import GameTheoryError, InvalidArgument
from learners.options import KINDS

Record = TypeVar("Record")
KIND = "kind"
_PYTHON_ONLY = "what only Python can give"
NONE = "none"
_IN_RANGE = "a number that a float can hold, below 1.8e308"
_LONG_EXPONENT = re.compile(r"e[-+]?\s*[0-9_]{4}", re.IGNORECASE)
_BARE_KEY = re.compile(r"[\w-]+")
_UNIONS = (Union, types.UnionType)


class Unreadable(Exception):
    """A value does not fit a type; says what was needed."""

    def __init__(self, needed: str) -> None:
        super().__init__(needed)
        self.needed = needed


def read_value(value: Any, hint: Any, *, path: str) -> Any:
    """Return a TOML value as the type that a hint asks for.

    Args:
        value: As ``tomllib`` gives it.
        hint (type): As ``typing.get_type_hints`` gives it.
        path: For messages: the file and the key.

    Raises:
        InvalidArgument: Names the path, what is needed, and what was found.

    >>> read_value(3, float, path="runs.toml at step_size")
    3.0
    """
    try:
        return _read(value, hint, path)
    except Unreadable as error:
        raise InvalidArgument(needs=error.needed, found=f"got {shown(value)}", where=path) from None


def read_record(table: Mapping[str, Any], kind: type[Record], *, path: str) -> Record:
    """Return a table as a frozen dataclass.

    Args:
        kind: A dataclass.
        path: For messages.

    Raises:
        InvalidArgument: If a key is unknown (with the nearest known one) or missing, or a value
            does not fit.
    """
    known = {field.name: field for field in fields(cast("Any", kind)) if field.init}
    hints = get_type_hints(kind)
    refuse_unknown(table, known, path=path)
    for name, field in known.items():
        if name not in table and field.default is MISSING and field.default_factory is MISSING:
            raise InvalidArgument(
                needs="a value", found="has none", remedy="Add it.", where=joined(path, name)
            )
    given = {
        name: read_value(value, hints[name], path=joined(path, name))
        for name, value in table.items()
    }
    try:
        return kind(**given)
    except GameTheoryError as error:
        last, inner = path.rpartition(" at ")[2].rpartition(".")[2], error.where
        if inner.startswith(f"{last} at "):  # about a key further in
            place = f"{path}.{inner.removeprefix(f'{last} at ')}"
        else:
            place = path if inner in {last, ""} else f"{path}: {inner}"
        raise error.changed(InvalidArgument, where=place) from None


def refuse_unknown(table: Mapping[str, Any], known: Collection[str], *, path: str) -> None:
    """Refuse a key that nobody reads; name the nearest that somebody does.

    Raises:
        InvalidArgument: Names the key and all known ones.
    """
    for name in table:
        if name not in known:
            raise InvalidArgument(
                found="unknown key",
                remedy=f"{nearest(name, known)}Keys are {', '.join(known) or 'none'}.",
                where=joined(path, name),
            )


def nearest(name: str, known: Iterable[str]) -> str:
    """Ask whether the nearest known spelling is meant, if there is one, before another sentence."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"Did you mean {close[0]}? " if close else ""


def joined(path: str, key: str) -> str:
    """Return the path of a key in a table; unusual keys in quotes, as TOML writes them."""
    written = key if _BARE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
    return f"{path}{'.' if ' at ' in path else ' at '}{written}"


def shown_hint(hint: Any) -> str:
    """Say in words what a hint accepts in a file."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in _UNIONS:
        if Fraction in arguments:  # whose words name these
            arguments = [own for own in arguments if own not in (int, float, str)]
        words = dict.fromkeys(map(shown_hint, arguments))
        if len(words) > 1:
            words.pop(_PYTHON_ONLY, None)
        return " or ".join(words)
    if origin is Literal:
        return f"one of {', '.join(map(repr, arguments))}"
    if hint is type(None):
        return f'"{NONE}"'
    if _is_enum(hint):
        return f"one of {', '.join(repr(member_name(m)) for m in hint)}"
    if records := _records(hint):
        return " or ".join(map(_shown_record, records))
    if _is_array(hint):
        return "a list of numbers, or of rows of them"
    if origin in {tuple, list, Sequence, Iterable}:
        inner = next(iter(arguments), None)
        return f"a list, each {shown_hint(inner)}"
    if _is_mapping(origin):
        return "a table"
    return _PLAIN.get(hint, _PYTHON_ONLY)


def _shown_record(record: Any) -> str:
    return f"a table {record_name(record)}({', '.join(f.name for f in fields(record) if f.init)})"


_PLAIN: Mapping[Any, str] = types.MappingProxyType(
    {
        bool: "true or false",
        int: "an integer",
        float: "a number",
        str: "a text",
        Fraction: 'a number, or a text such as "1/3"',
        Any: "anything",
    }
)


def member_name(member: Enum) -> str:
    """Return how a member of an enumeration is called in files: ``"last-observation"``."""
    return member.name.lower().replace("_", "-")


def record_name(record: type[Any]) -> str:
    """Return how a record of options is called in files: ``"LeaderPPO"`` for its options."""
    return record.__name__.removesuffix("Options")


def _read(value: Any, hint: Any, path: str) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in _UNIONS:
        return _read_union(value, arguments, path)
    if hint is Any:
        return value
    if origin is Literal:
        return value if value in arguments else _needs(hint)
    if _is_enum(hint):
        named = {member_name(member): member for member in hint}
        return named[value] if isinstance(value, str) and value in named else _needs(hint, value)
    if records := _records(hint):
        return _read_record(value, records, path)
    if _is_array(hint):
        return _read_array(value, hint)
    if origin in {tuple, list, Sequence, Iterable}:
        return _read_list(value, hint, path)
    if _is_mapping(origin):
        return _read_mapping(value, hint, path)
    return _read_plain(value, hint)


def _read_plain(value: Any, hint: Any) -> Any:
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return _read_float(value)
    if hint is bool and isinstance(value, bool):
        return value
    if hint is int and isinstance(value, int) and not isinstance(value, bool):
        return value
    if hint is str and isinstance(value, str):
        return value
    if hint is Fraction and isinstance(value, int | float | str) and not isinstance(value, bool):
        return _read_fraction(value)
    return _needs(hint)


def _read_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:  # an integer of hundreds of digits
        raise Unreadable(_IN_RANGE) from None


def _read_fraction(value: float | str) -> Fraction:
    if isinstance(value, str) and _LONG_EXPONENT.search(value):
        raise Unreadable(_IN_RANGE)  # 1e999999999 would fill the memory
    try:
        found = Fraction(str(value))  # of a float the decimal that was written
        _read_float(cast("float", found))
    except (ValueError, OverflowError, ZeroDivisionError):
        return _needs(Fraction)
    return found


def _read_union(value: Any, choices: tuple[Any, ...], path: str) -> Any:
    if type(None) in choices and value == NONE:
        return None
    records = tuple(record for choice in choices for record in _records(choice))
    if records and isinstance(value, Mapping):
        return _read_record(value, records, path)
    whole = Union[tuple(choices)]  # noqa: UP007  made of what is not known before
    for choice in choices:
        if choice is not type(None) and not _records(choice):
            try:
                return _read(value, choice, path)
            except Unreadable:
                continue
    return _needs(whole, value)


def _read_record(value: Any, choices: tuple[type[Any], ...], path: str) -> Any:
    if not isinstance(value, Mapping):
        raise Unreadable(" or ".join(map(shown_hint, choices)))
    table = dict(cast("Mapping[str, Any]", value))
    named = {record_name(choice): choice for choice in choices}
    if len(choices) == 1 and KIND in {field.name for field in fields(choices[0])}:
        return read_record(table, choices[0], path=path)
    if KIND not in table and len(choices) > 1:
        raise InvalidArgument(
            needs="to say which",
            found="has nothing",
            remedy=f"It is one of {', '.join(named)}.",
            where=joined(path, KIND),
        )
    asked = table.pop(KIND, next(iter(named)))
    if not isinstance(asked, str) or asked not in named:
        raise InvalidArgument(
            needs=f"one of {', '.join(named)}",
            found=f"got {shown(asked)}",
            remedy=nearest(asked, named).rstrip() if isinstance(asked, str) else "",
            where=joined(path, KIND),
        )
    return read_record(table, named[asked], path=path)


def _read_array(value: Any, hint: Any) -> Any:
    try:
        array = np.array(value, dtype=np.float64)
    except OverflowError:
        raise Unreadable(f"a list, each {_IN_RANGE}") from None
    except (TypeError, ValueError):
        return _needs(hint)
    return array if isinstance(value, list) else _needs(hint)


def _read_list(value: Any, hint: Any, path: str) -> Any:
    if not isinstance(value, list):
        return _needs(hint)
    arguments = [a for a in get_args(hint) if a is not Ellipsis]
    entries = cast("list[Any]", value)
    if len(arguments) > 1 and len(entries) != len(arguments):
        raise Unreadable(f"a list of {len(arguments)}")
    inner = arguments * len(entries) if len(arguments) == 1 else arguments
    found = [
        read_value(entry, own, path=f"{path}[{i}]")
        for i, (entry, own) in enumerate(zip(entries, inner, strict=True))
    ]
    return found if get_origin(hint) is list else tuple(found)


def _read_mapping(value: Any, hint: Any, path: str) -> Any:
    if not isinstance(value, Mapping):
        return _needs(hint)
    keys, values = get_args(hint)
    found: dict[Any, Any] = {}
    for key, entry in cast("Mapping[str, Any]", value).items():
        name = int(key) if keys is int and key.isdecimal() else key
        if keys is int and not isinstance(name, int):
            raise Unreadable("a table with numbers as keys")
        found[name] = read_value(entry, values, path=joined(path, key))
    return found


def _needs(hint: Any, value: object = None) -> NoReturn:
    words = shown_hint(hint)
    if _is_enum(hint) and isinstance(value, str):
        close = difflib.get_close_matches(value, [member_name(m) for m in hint], n=1)
        words += f" (did you mean {close[0]!r}?)" if close else ""
    raise Unreadable(words)


def _is_enum(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Enum)


def _records(hint: Any) -> tuple[type[Any], ...]:
    """Return the records that a hint allows: itself, or the kinds of a family; maybe none."""
    if not isinstance(hint, type):
        return ()
    return (hint,) if is_dataclass(hint) else tuple(KINDS.get(hint, ()))


def _is_array(hint: Any) -> bool:
    return get_origin(hint) is np.ndarray or hint is np.ndarray


def _is_mapping(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Mapping)
