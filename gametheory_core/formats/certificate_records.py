"""Certificates as JSON records, one codec for all kinds: driven by the fields' types.

A certificate is a frozen dataclass of games, profiles, correlated distributions, rationals,
integers, truth values, texts, enumerations, None, tuples of these, and plain frozen dataclasses of
the same.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from gametheory_core.certificates.claim import Certificate, declarations
from gametheory_core.errors import GameTheoryError, MalformedFile
from gametheory_core.formats.checked_json import Checked
from gametheory_core.formats.game_records import (
    Game,
    Record,
    game_from,
    game_record,
    profile_from,
    profile_record,
)
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile

CERTIFICATE_SCHEMA = "gametheory-core/certificate/1"
_PROFILES = (MixedProfile, BehavioralProfile)  # have records of their own


def claim_record(certificate: Certificate) -> Record:
    """Write a certificate without its game, for files that hold the game elsewhere."""
    record: Record = {"schema": CERTIFICATE_SCHEMA, "kind": certificate.kind}
    hints = get_type_hints(type(certificate))
    for field in fields(cast("Any", certificate)):
        if field.name != "game":
            value = getattr(certificate, field.name)
            record[field.name] = _encode(value, certificate.game, hints[field.name])
    return record


def certificate_record(certificate: Certificate) -> Record:
    """Write a certificate with its game: all that a third party needs to check it."""
    return {**claim_record(certificate), "game": game_record(certificate.game)}


def answer_record(answer: object, game: Game) -> Any:
    """Write what a certificate is about, as its own record holds it."""
    return _encode(answer, game)


def claim_from(record: Checked, game: Game) -> Certificate:
    """Read a certificate about a game that is already known.

    Raises:
        MalformedFile: Names the path of the offending value.
    """
    record["schema"].one_of(CERTIFICATE_SCHEMA)
    known = declarations()
    kind = known[record["kind"].one_of(*known)].certificate
    hints = get_type_hints(kind)
    if not isinstance(game, hints["game"]):
        record["kind"].fail(f"a certificate for {game!r}")
    values = {
        field.name: _decode(hints[field.name], record[field.name], game)
        for field in fields(kind)
        if field.name != "game" and not _may_lack(field, record)
    }
    return kind(game=game, **values)


def _may_lack(field: Field[Any], record: Checked) -> bool:
    """Tell whether a record was written before a field with a default value was known."""
    return field.default is not MISSING and not record.has(field.name)


def certificate_from(record: Checked) -> Certificate:
    """Read a certificate together with its game."""
    record["schema"].one_of(CERTIFICATE_SCHEMA)
    return claim_from(record, game_from(record["game"]))


def _encode(value: object, game: Game, hint: Any = None) -> Any:
    if isinstance(value, MixedProfile | BehavioralProfile):
        return profile_record(game, value)
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        return [
            _encode(item, game, own) for item, own in zip(items, _each(hint, items), strict=True)
        ]
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        hints = get_type_hints(type(value))
        record = {
            field.name: _encode(getattr(value, field.name), game, hints[field.name])
            for field in fields(value)
        }
        return {"type": type(value).__name__, **record} if _choices(hint) else record
    return str(value) if isinstance(value, Fraction) else value


def _each(hint: Any, items: tuple[object, ...]) -> tuple[Any, ...]:
    """Return the declared type of each entry of a tuple; None where nothing is declared."""
    arguments = get_args(hint) if get_origin(hint) is tuple else (None, Ellipsis)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return (arguments[0],) * len(items)
    return arguments


def _choices(hint: Any) -> dict[str, type[Any]]:
    """Return the records a value may be, by name, where there is a choice: it is written down."""
    if get_origin(hint) not in (Union, UnionType):
        return {}
    kinds = cast("list[type[Any]]", [kind for kind in get_args(hint) if is_dataclass(kind)])
    named = {kind.__name__: kind for kind in kinds if kind not in _PROFILES}
    return named if len(named) > 1 else {}


def _decode(hint: Any, record: Checked, game: Game) -> Any:
    if hint in _PLAIN:
        return _PLAIN[hint](record)
    if get_origin(hint) is tuple:
        return _decode_tuple(get_args(hint), record, game)
    choices = _choices(hint)
    if choices:
        if record.value is None and NoneType in get_args(hint):
            return None
        return _decode_fields(choices[record["type"].one_of(*choices)], record, game)
    if get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint):
        (inner,) = (kind for kind in get_args(hint) if kind is not NoneType)
        return None if record.value is None else _decode(inner, record, game)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(record.one_of(*(member.value for member in hint)))
    if is_dataclass(hint) and hint not in _PROFILES:
        return _decode_fields(cast("type[Any]", hint), record, game)
    return profile_from(record, game)


_PLAIN: Mapping[Any, Callable[[Checked], Any]] = MappingProxyType(
    {
        Fraction: Checked.rational,
        bool: Checked.boolean,
        int: Checked.integer,
        str: Checked.text,
    }
)


def _decode_tuple(hints: tuple[Any, ...], record: Checked, game: Game) -> tuple[Any, ...]:
    """Read a tuple of any length, ``tuple[X, ...]``, or of a fixed one, ``tuple[X, Y]``."""
    items = tuple(record.items())
    if len(hints) == 2 and hints[1] is Ellipsis:
        return tuple(_decode(hints[0], item, game) for item in items)
    if len(items) != len(hints):
        record.fail(f"{len(hints)} entries", found=str(len(items)))
    return tuple(_decode(hint, item, game) for hint, item in zip(hints, items, strict=True))


def _decode_fields(kind: type[Any], record: Checked, game: Game) -> Any:
    """Read a record of another dataclass; its constructor checks it."""
    hints = get_type_hints(kind)
    values = {
        field.name: _decode(hints[field.name], record[field.name], game) for field in fields(kind)
    }
    try:
        return kind(**values)
    except GameTheoryError as error:
        raise MalformedFile(f"{record.name} at {record.path}: {error}") from None
