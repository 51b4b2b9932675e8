"""Certificates as JSON records, one codec for all kinds: driven by the fields' types.

A certificate is a frozen dataclass of games, profiles, rationals, integers, truth values, and
tuples of these. A new kind costs one entry in ``CERTIFICATES``.
"""

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from types import MappingProxyType
from typing import Any, cast, get_args, get_origin, get_type_hints

from gametheory_core.certificates.certificate import Certificate
from gametheory_core.certificates.completeness import CompletenessCertificate
from gametheory_core.certificates.minimax import MinimaxCertificate
from gametheory_core.certificates.nash import NashCertificate
from gametheory_core.certificates.pure_completeness import PureCompletenessCertificate
from gametheory_core.certificates.stackelberg import StackelbergCertificate
from gametheory_core.certificates.subgame_perfect import SubgamePerfectCertificate
from gametheory_core.certificates.weak_stackelberg import WeakStackelbergCertificate
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

CERTIFICATES: Mapping[str, type[Any]] = MappingProxyType(
    {
        kind.kind: kind
        for kind in (
            NashCertificate,
            MinimaxCertificate,
            StackelbergCertificate,
            WeakStackelbergCertificate,
            SubgamePerfectCertificate,
            CompletenessCertificate,
            PureCompletenessCertificate,
        )
    }
)


def claim_record(certificate: Certificate) -> Record:
    """Write a certificate without its game, for files that hold the game elsewhere."""
    record: Record = {"schema": CERTIFICATE_SCHEMA, "kind": certificate.kind}
    for field in fields(cast("Any", certificate)):
        if field.name != "game":
            record[field.name] = _encode(getattr(certificate, field.name), certificate.game)
    return record


def certificate_record(certificate: Certificate) -> Record:
    """Write a certificate with its game: all that a third party needs to check it."""
    return {**claim_record(certificate), "game": game_record(certificate.game)}


def claim_from(record: Checked, game: Game) -> Certificate:
    """Read a certificate about a game that is already known.

    Raises
    ------
    MalformedFile
        Names the path of the offending value.
    """
    record["schema"].one_of(CERTIFICATE_SCHEMA)
    kind = CERTIFICATES[record["kind"].one_of(*CERTIFICATES)]
    hints = get_type_hints(kind)
    if not isinstance(game, hints["game"]):
        record["kind"].fail(f"a certificate for {game!r}")
    values = {
        field.name: _decode(hints[field.name], record[field.name], game)
        for field in fields(kind)
        if field.name != "game"
    }
    return kind(game=game, **values)


def certificate_from(record: Checked) -> Certificate:
    """Read a certificate together with its game."""
    record["schema"].one_of(CERTIFICATE_SCHEMA)
    return claim_from(record, game_from(record["game"]))


def _encode(value: object, game: Game) -> Any:
    if isinstance(value, MixedProfile | BehavioralProfile):
        return profile_record(game, value)
    if isinstance(value, tuple):
        return [_encode(item, game) for item in cast("tuple[object, ...]", value)]
    return str(value) if isinstance(value, Fraction) else value


def _decode(hint: Any, record: Checked, game: Game) -> Any:
    if hint is Fraction:
        return record.rational()
    if hint is bool:
        return record.boolean()
    if hint is int:
        return record.integer()
    if get_origin(hint) is tuple:
        inner = get_args(hint)[0]
        return tuple(_decode(inner, item, game) for item in record.items())
    return profile_from(record, game)
