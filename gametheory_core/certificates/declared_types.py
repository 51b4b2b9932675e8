"""What a certificate may hold: values of just the types that its fields declare.

Checks reason about rationals and integers. A NaN passes each test that is written as a refusal, a
numpy integer wraps, ``False`` indexes an array as no integer does, and a text equals no member of
an enumeration. So each ``verify`` first walks over the fields and rejects all such look-alikes. A
record whose constructor checks more than types is put through it again, since fields of a frozen
record can be changed past the constructor.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

from gametheory_core.arrays import are_rationals, is_integer, is_rational
from gametheory_core.errors import CertificateRejected, GameTheoryError
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.strategies.public_plans import PublicProfile

__all__ = ["require_declared_arguments", "require_declared_types"]

Misfit: TypeAlias = tuple[str, str, str]  # where, what is needed, what it is
Search: TypeAlias = Callable[[object], Misfit | None]  # for the first misfit in a value

PROFILES = (MixedProfile, BehavioralProfile, PublicProfile)  # have records of their own


def require_declared_types(certificate: Any) -> None:
    """Reject a certificate that holds a value of another type than declared; names the field.

    Rationals are ``Fraction`` objects of Python integers, integers are no truth values, profiles
    are rational, and sequences are tuples.

    Raises:
        CertificateRejected: At the first such value.
    """
    _reject(_fields_search(type(certificate))(certificate), certificate.kind)


def require_declared_arguments(certificate: type[Any], **values: object) -> None:
    """Reject values, by name, that fields of a certificate that is yet to be built cannot hold.

    Args:
        certificate: Of the certificate.
        **values: By the names of the fields; others are not looked at. In the first line of a
            function ``**locals()`` are its arguments: beside a game, a profile is left to those who
            ask more of both.

    Raises:
        CertificateRejected: At the first value of another type.
    """
    hints = get_type_hints(certificate)
    left = {"game", "profile"} if "game" in values else set[str]()
    for name in hints:
        if name in values and name not in left:
            found = _search(hints[name])(values[name])
            _reject(found and (f".{name}{found[0]}", *found[1:]), certificate.kind)


def _reject(misfit: Misfit | None, kind: str) -> None:
    if misfit:
        where, needed, found = misfit
        raise CertificateRejected(
            needs=f"{needed} as {where[1:]}",
            found=f"it {found}",
            remedy="Give plain, exact values.",
            where=f"{kind} certificate",
        )


@cache
def _search(declared: Any) -> Search:
    """Return what looks for misfits in values of a declared type."""
    if get_origin(declared) is tuple:
        return _tuple_search(get_args(declared))
    if get_origin(declared) in (Union, UnionType):
        return _union_search(get_args(declared), _search)
    if declared is Fraction:
        return _single_search(is_rational, "a Fraction of Python integers")
    if declared is int:
        return _single_search(is_integer, "an integer")
    if declared in PROFILES:
        return _profile_search(declared)
    if is_dataclass(declared):
        return _record_search(cast("type[Any]", declared))
    return _type_search(declared)


def _type_search(declared: Any) -> Search:
    """Look at the type alone: that of an enumeration, or of a game, which checks itself."""
    if get_origin(declared) in (Union, UnionType):
        return _union_search(get_args(declared), _type_search)
    needed = "a member of" if issubclass(declared, Enum) else "an object of type"
    return _single_search(lambda value: type(value) is declared, f"{needed} {declared.__name__}")


def _single_search(fits: Callable[[object], bool], needed: str) -> Search:
    def search(value: object) -> Misfit | None:
        return None if fits(value) else ("", needed, _problem(value))

    return search


def _profile_search(declared: type[Any]) -> Search:
    def search(value: Any) -> Misfit | None:
        if type(value) is not declared:
            return ("", f"a {declared.__name__}", _problem(value))
        return (
            None if value.is_exact else ("", "a rational profile", "holds floats. Use to_exact()")
        )

    return search


def _tuple_search(declared: tuple[Any, ...]) -> Search:
    """Look into tuples of any length, ``tuple[X, ...]``, or of a fixed one, ``tuple[X, Y]``."""
    is_any_length = len(declared) == 2 and declared[1] is Ellipsis
    searches = [_search(entry) for entry in declared if entry is not Ellipsis]
    all_fit = _QUICK.get(declared[0]) if is_any_length else None

    def search(value: object) -> Misfit | None:
        if type(value) is not tuple:
            return ("", "a tuple", _problem(value))
        entries = cast("tuple[object, ...]", value)
        if all_fit and all_fit(entries):
            return None
        if not is_any_length and len(entries) != len(searches):
            return ("", f"a tuple of {len(searches)} entries", f"has {len(entries)}")
        each = searches * len(entries) if is_any_length else searches
        for place, (look, entry) in enumerate(zip(each, entries, strict=True)):
            found = look(entry)
            if found:
                return (f"[{place}]{found[0]}", *found[1:])
        return None

    return search


_QUICK: dict[Any, Callable[[tuple[object, ...]], bool]] = {
    Fraction: are_rationals,
    int: lambda entries: set(map(type, entries)) <= {int},
}


def _union_search(declared: tuple[Any, ...], search_of: Callable[[Any], Search]) -> Search:
    """Look into values of the first type that is theirs; that of the last one is reported."""
    by_type = {kind: search_of(kind) for kind in declared}
    last = by_type[[kind for kind in declared if kind is not NoneType][-1]]

    def search(value: object) -> Misfit | None:
        return by_type.get(type(value), last)(value)

    return search


def _record_search(declared: type[Any]) -> Search:
    """Look into the fields of a record, then ask its constructor, if that asks for anything."""
    look = _fields_search(declared)
    if not hasattr(declared, "__post_init__"):
        return look

    def search(value: object) -> Misfit | None:
        found = look(value)
        if found:
            return found
        try:
            replace(cast("Any", value))
        except GameTheoryError as error:
            return ("", f"a sound {declared.__name__}", f"is none: {error}")
        return None

    return search


@cache
def _fields_search(declared: type[Any]) -> Search:
    hints = get_type_hints(declared)
    searches = [
        (field.name, (_type_search if field.name == "game" else _search)(hints[field.name]))
        for field in fields(declared)
    ]

    def search(value: object) -> Misfit | None:
        if type(value) is not declared:
            return ("", f"a {declared.__name__}", _problem(value))
        for name, look in searches:
            found = look(getattr(value, name))
            if found:
                return (f".{name}{found[0]}", *found[1:])
        return None

    return search


def _problem(value: object) -> str:
    if type(value) is Fraction:
        return f"is a Fraction of {type(value.numerator).__name__}"
    return f"is of type {type(value).__name__}"
