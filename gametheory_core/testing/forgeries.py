"""Forgeries of certificates, made from what their fields declare.

Each yields what was changed, and the forged certificate. A change of a claimed field must be
rejected, however small; so must a value of another type in any field. A change of a given field is
either rejected or leaves the claims true: ``verify`` says which, and raises nothing but
``CertificateRejected``.
"""

import copy
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar, cast

import numpy as np

from gametheory_core.certificates.claim import Certificate, declaration
from gametheory_core.certificates.declared_types import PROFILES
from gametheory_core.certificates.wording import written
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.strategies.public_plans import PublicProfile

HAIR = Fraction(1, 10**30)
_NUMERATOR = "_numerator"  # of fractions, which take no numpy integers

Proof = TypeVar("Proof", bound=Certificate)
Changes = Iterator[tuple[str, Any]]  # where, and the changed value


def forged_claims(certificate: Proof) -> Iterator[tuple[str, Proof]]:
    """Change what is claimed, one number or entry at a time; ``verify`` must reject all.

    Left out are weaker claims, such as a larger bound where the declaration allows for it.
    """
    for name in declaration(certificate).claimed:
        for where, changed, fault in _claims(certificate, name):
            if fault:
                yield f"{name}{where}", _replaced(certificate, name, changed)


def forged_types(certificate: Proof) -> Iterator[tuple[str, Proof]]:
    """Put look-alikes of another type in all fields; ``verify`` must reject all."""
    for each in fields(cast("Any", certificate)):
        if each.name == "game":
            yield "game as a text", _replaced(certificate, "game", "game")
            continue
        for where, changed in _changes(getattr(certificate, each.name), _look_alikes):
            yield f"{each.name}{where}", _replaced(certificate, each.name, changed)


def forged_givens(certificate: Proof) -> Iterator[tuple[str, Proof]]:
    """Change what the proof is given; ``verify`` rejects it, or the claims are true still."""
    for name in (each for each in declaration(certificate).given if each != "game"):
        for where, changed in _changes(getattr(certificate, name), _neighbors_and_outliers):
            yield f"{name}{where}", _replaced(certificate, name, changed)


def forged_records(record: Any) -> Changes:
    """Change one value of a JSON record at a time, leave entries out, swap and repeat them.

    No reader may fail at any but by ``MalformedFile`` and ``CertificateRejected``.
    """
    if isinstance(record, dict):
        entries = cast("dict[str, Any]", record)
        for key, value in entries.items():
            yield f".{key} left out", {k: v for k, v in entries.items() if k != key}
            for where, changed in forged_records(value):
                yield f".{key}{where}", {**entries, key: changed}
    elif isinstance(record, list):
        yield from _list_changes(cast("list[Any]", record), forged_records)
    else:
        for changed in _other_leaves(record):
            yield f" as {changed!r}", changed


def _claims(record: Any, name: str) -> Iterator[tuple[str, Any, str]]:
    """Yield changes of a claimed field; of a record in it, those of its claimed fields."""
    (field,) = (each for each in fields(record) if each.name == name)
    value = getattr(record, name)
    inner = (
        [each.name for each in fields(value) if each.metadata.get("claimed")]
        if is_dataclass(value)
        else []
    )
    for each in inner:
        for where, changed, fault in _claims(value, each):
            yield f".{each}{where}", _replaced(value, each, changed), fault
    if not inner:
        for where, changed in _changes(value, _neighbors):
            yield where, changed, field.metadata["fault"](changed, value)


def _changes(value: Any, of_leaf: Callable[[Any], Iterator[Any]]) -> Changes:
    """Change one leaf of a value, of any depth, or the order and number of entries.

    Look-alikes stand for whole tuples and records too, and leave the entries where they are.
    """
    is_type_changed = of_leaf is _look_alikes
    is_record = is_dataclass(value) and not isinstance(value, PROFILES)
    if is_type_changed or not (is_record or isinstance(value, tuple)):
        for changed in of_leaf(value):
            shown = type(changed).__name__ if is_type_changed else written(changed)
            yield f" as {shown}", changed
    if isinstance(value, tuple):
        entries = list(cast("tuple[Any, ...]", value))
        inside = partial(_changes, of_leaf=of_leaf)
        for where, changed in _list_changes(entries, inside, moves=not is_type_changed):
            yield where, tuple(changed)
    elif is_record:
        for each in fields(value):
            if each.init and not isinstance(getattr(value, each.name), np.ndarray):
                for where, changed in _changes(getattr(value, each.name), of_leaf):
                    yield f".{each.name}{where}", _replaced(value, each.name, changed)


def _list_changes(
    entries: list[Any], inside: Callable[[Any], Changes], *, moves: bool = True
) -> Changes:
    for place, entry in enumerate(entries):
        rest = entries[:place], entries[place + 1 :]
        for where, changed in inside(entry):
            yield f"[{place}]{where}", [*rest[0], changed, *rest[1]]
        if not moves:
            continue
        yield f"[{place}] left out", [*rest[0], *rest[1]]
        yield f"[{place}] twice", [*rest[0], entry, entry, *rest[1]]
        if rest[1] and rest[1][0] != entry:
            yield f"[{place}] swapped", [*rest[0], rest[1][0], entry, *rest[1][1:]]


def _neighbors(value: Any) -> Iterator[Any]:
    """Yield values of the same type that differ, the nearest first."""
    if isinstance(value, Fraction):
        yield from (value + HAIR, value - HAIR)
        if value:
            yield -value
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -value - 2)
    elif isinstance(value, Enum):
        yield from (member for member in type(value) if member is not value)
    elif isinstance(value, MixedProfile):
        yield from map(MixedProfile, _shifted_once(value.strategies))
    elif isinstance(value, BehavioralProfile):
        yield from map(BehavioralProfile, _shifted_once(value.probabilities))
    elif isinstance(value, PublicProfile):
        yield from _changed_plans(value.plans)


def _neighbors_and_outliers(value: Any) -> Iterator[Any]:
    """Yield other values of the same type, some far from any that make sense."""
    yield from _neighbors(value)
    if isinstance(value, Fraction):
        yield from (Fraction(10**5000), Fraction(-(10**5000), 3), Fraction(1, 10**5000))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from (99, -99, 10**30)


def _shifted_once(strategies: tuple[Any, ...]) -> Iterator[Any]:
    for i, strategy in enumerate(strategies):
        for changed in _shifted(strategy):
            yield (*strategies[:i], changed, *strategies[i + 1 :])


def _changed_plans(plans: tuple[Any, Any]) -> Iterator[PublicProfile]:
    """Move one part from a sequence to the next, which may be another action, or not."""
    for i, plan in enumerate(plans):
        for a in range(1, len(plan)):
            changed = plan.copy()
            changed[a] -= 1
            changed[(a + 1) % len(plan)] += 1
            yield PublicProfile((changed, plans[1]) if i == 0 else (plans[0], changed))


def _shifted(strategy: Any) -> Iterator[Any]:
    """Move a hair of probability, or half of less, and all of it, from one action to the next."""
    for a in np.flatnonzero(strategy).tolist():
        for amount in (min(HAIR, strategy[a] / 2), strategy[a]):
            changed = strategy.copy()
            changed[a] -= amount
            changed[(a + 1) % len(strategy)] += amount
            if (changed != strategy).any():
                yield changed


def _look_alikes(value: Any) -> Iterator[Any]:
    """Yield values of other types that equal this one, or pass for it here and there."""
    if isinstance(value, Fraction):
        wrapped = Fraction(1, 3)
        setattr(wrapped, _NUMERATOR, np.int64(1))
        yield from (float("nan"), 0.5, 1, str(value), None, wrapped)
    elif isinstance(value, bool):
        yield from (int(value), None, str(value))
    elif isinstance(value, int):
        yield from (float(value % 2**62), np.int64(value % 2**62), bool(value), str(value))
    elif isinstance(value, Enum):
        yield from (value.value, value.name, None)
    elif isinstance(value, tuple):
        yield from (list(cast("tuple[Any, ...]", value)), None)
    elif isinstance(value, MixedProfile | BehavioralProfile):
        yield from (value.to_float(), "profile", None)
    elif value is not None:
        yield from ("text", 1)


def _other_leaves(value: Any) -> Iterator[Any]:
    """Yield other values for a leaf of a JSON record."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, -value - 1)
    elif isinstance(value, str):
        try:
            yield str(Fraction(value) + HAIR)
        except ValueError:
            yield f"{value}?"
    yield from (other for other in (None, [], {}, "x", 10**400, 0.5) if other != value)


def _replaced(record: Any, name: str, value: Any) -> Any:
    """Return a copy with one field changed, past the constructor."""
    changed = copy.copy(record)
    for cached in set(vars(changed)) - {each.name for each in fields(record)}:
        object.__delattr__(changed, cached)
    object.__setattr__(changed, name, value)
    return changed
