"""Certificates as JSON records, and solution files: the certificates in them, verified.

A certificate is a frozen dataclass of games, profiles, correlated distributions, rationals,
integers, truth values, texts, enumerations, None, tuples of these, and plain frozen dataclasses of
the same.

Solution files: the certificates in them, verified, and whether that is what the files show.

``gametheory solve --format json`` writes them. A reader looks at ``profile`` and ``payoffs``, so a
file that shows others than its certificate proves must be rejected too.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from types import MappingProxyType, NoneType, UnionType
from typing import Any, NoReturn, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

from gametheory_core.certificates.claim import Certificate, declaration, declarations, former_kinds
from gametheory_core.certificates.declared_types import PROFILES
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.errors import CertificateRejected, GameTheoryError, InvalidArgument
from gametheory_core.formats.checked_json import Checked, rational_text
from gametheory_core.formats.game_records import (
    Game,
    Record,
    game_from,
    game_record,
    profile_from,
    profile_record,
)
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.behavioral import Profile

CERTIFICATE_SCHEMA = "gametheory-core/certificate/1"


def claim_record(certificate: Certificate) -> Record:
    """Write a certificate without its game, for files that hold the game elsewhere."""
    record: Record = {"schema": CERTIFICATE_SCHEMA, "kind": certificate.kind}
    hints = get_type_hints(type(certificate))
    for field in fields(cast("Any", certificate)):
        if field.name != "game":
            value = getattr(certificate, field.name)
            record[field.name] = _encode(value, certificate.game, hints[field.name])
    return record


def certificate_record(certificate: Any) -> Record:
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
    former = former_kinds()
    if record["kind"].one_of(*known, *former) in former:
        record = _of_today(record, former[record["kind"].text()])
    kind = known[record["kind"].one_of(*known)].certificate
    hints = get_type_hints(kind)
    if not isinstance(game, hints["game"]):
        record["kind"].fail(f"a certificate for {game!r}")
    record.require_only("schema", "kind", *(field.name for field in fields(kind)))
    values = {
        field.name: _decode(hints[field.name], record[field.name], game)
        for field in fields(kind)
        if field.name != "game" and not _may_lack(field, record)
    }
    return kind(game=game, **values)


def _of_today(record: Checked, rewrite: Callable[[dict[str, Any]], dict[str, Any]]) -> Checked:
    """Rewrite a record of a kind that is part of another one now."""
    try:
        return Checked(rewrite(dict(record.value)), record.path, record.name)
    except KeyError as missing:
        record.fail(f"the key {missing}", found="others")


def _key(field: Field[Any], record: Checked) -> str:
    """Return what a record calls a field: older ones may have another name for it."""
    former = (name for name in field.metadata.get("formerly", ()) if record.has(name))
    return field.name if record.has(field.name) else next(former, field.name)


def _may_lack(field: Field[Any], record: Checked) -> bool:
    """Tell whether a record was written before a field with a default value was known."""
    return field.default is not MISSING and not record.has(field.name)


def certificate_from(record: Checked) -> Certificate:
    """Read a certificate together with its game."""
    record["schema"].one_of(CERTIFICATE_SCHEMA)
    return claim_from(record, game_from(record["game"]))


def _encode(value: object, game: Game, hint: Any = None) -> Any:
    if isinstance(value, PROFILES):
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
    return rational_text(value) if isinstance(value, Fraction) else value


def _each(hint: Any, items: tuple[object, ...]) -> tuple[Any, ...]:
    """Return the declared type of each entry of a tuple; None where nothing is declared."""
    arguments = get_args(hint) if get_origin(hint) is tuple else (None, Ellipsis)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return (arguments[0],) * len(items)
    return arguments


def _choices(hint: Any) -> dict[str, type[Any]]:
    """Return the records a value may be, by name, where there is a choice: it is written down."""
    kinds = cast("list[type[Any]]", [kind for kind in get_args(hint) if is_dataclass(kind)])
    named = {kind.__name__: kind for kind in kinds if kind not in PROFILES}
    return named if len(named) > 1 else {}


def _decode(hint: Any, record: Checked, game: Game) -> Any:
    if hint in _PLAIN:
        return _PLAIN[hint](record)
    if get_origin(hint) is tuple:
        return _decode_tuple(get_args(hint), record, game)
    if (
        get_origin(hint) in (Union, UnionType)
        and record.value is None
        and NoneType in get_args(hint)
    ):
        return None
    choices = _choices(hint)
    if choices:
        return _decode_fields(choices[record["type"].one_of(*choices)], record, game)
    if get_origin(hint) in (Union, UnionType):
        return _decode(_inner(hint, record), record, game)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(record.one_of(*(member.value for member in hint)))
    if is_dataclass(hint) and hint not in PROFILES:
        return _decode_fields(cast("type[Any]", hint), record, game)
    return profile_from(record, game)


def _inner(hint: Any, record: Checked) -> Any:
    """Return which type of a union a value is of: a member of an enumeration is written as text."""
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    named = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Enum)]
    if isinstance(record.value, str) and named:
        return named[0]
    return next(kind for kind in kinds if kind not in named)


_PLAIN: Mapping[Any, Callable[[Checked], Any]] = MappingProxyType(
    {Fraction: Checked.rational, bool: Checked.boolean, int: Checked.integer, str: Checked.text}
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
    keys = {field.name: _key(field, record) for field in fields(kind)}
    values = {name: _decode(hints[name], record[key], game) for name, key in keys.items()}
    record.require_only("type", *keys.values())
    with record.made(GameTheoryError):
        return kind(**values)


Form: TypeAlias = NormalFormGame | ExtensiveFormGame
SOLUTION_SCHEMA = "gametheory-core/solution/1"


def verified_certificates(record: Checked) -> tuple[Certificate, ...]:
    """Verify the certificates of a certificate or solution file, and return them.

    Raises:
        MalformedFile: Names the path of the offending value.
        CertificateRejected: If a claim is false; the file shows a profile, payoffs or a digest
            other than its certificates are about; or it holds no certificate at all.
    """
    if not isinstance(record, Checked):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgument(
            needs="what parse_json returns",
            found=f"got a {type(record).__name__}",
            remedy="Give parse_json(text, name=...) of the file's text.",
        )
    if record["schema"].one_of(CERTIFICATE_SCHEMA, SOLUTION_SCHEMA) == CERTIFICATE_SCHEMA:
        return (_verified(certificate_from(record)),)
    game = game_from(record["game"]["record"])
    _show(record["game"]["digest"], game.digest)
    _show(record["game"]["players"], list(game.players))
    _show(record["game"]["title"], game.title)
    concept = record["concept"].text()
    if concept not in _concepts():
        _refuse_concept(record)
    certificates = tuple(
        _certificate_in(solution, game, concept) for solution in record["solutions"].items()
    )
    partial = concept == "nash-components" and any(c.kind == "nash" for c in certificates)
    if partial and record["complete"].value is not False:
        _reject(record["complete"], "equilibria without their components are a part of the answer")
    proofs = _completeness_in(record, game, certificates)
    if not (certificates or proofs):
        _reject(record["solutions"], "there is no answer, and no proof that there is none")
    return (*certificates, *proofs)


def _refuse_concept(record: Checked) -> NoReturn:
    """Say what a file answers that no kind of certificate is declared to prove."""
    shown = [solution["certificate"]["kind"].text() for solution in record["solutions"].items()]
    kinds = " or ".join(map(repr, dict.fromkeys(shown))) or "no certificate"
    record["concept"].fail(
        f"one of {', '.join(map(repr, sorted(_concepts())))}",
        found=f"{record['concept'].text()!r}, which no kind of certificate proves; the file has "
        f"{kinds}, whose @claim(...) would have to declare proves=({record['concept'].text()!r},)",
    )


def _completeness_in(
    record: Checked, game: Game, certificates: tuple[Certificate, ...]
) -> tuple[Certificate, ...]:
    """Return the proof that the solutions are all, if the file says so.

    It is about the game, or about the reduced normal form of a tree.
    """
    if not record.has("complete") or record["complete"].value is None:
        return ()
    if not record["complete"].boolean():
        return ()
    if not record.has("completeness") or record["completeness"].value is None:
        _reject(record["complete"], "there is no proof that these are all")
    proof = _verified(certificate_from(record["completeness"]))
    problem = not_proved_complete(record["concept"].text(), proof)
    if problem:
        _reject(record["completeness"], problem)
    listed = cast("Any", proof).profiles
    proved: set[Profile] = set(listed)
    if isinstance(game, ExtensiveFormGame) and isinstance(proof.game, NormalFormGame):
        conversion = extensive_to_normal(game)
        game = conversion.target
        proved = {conversion.correspondence.to_source(profile) for profile in listed}
    if proof.game != game:
        _reject(record["completeness"], "this is about another game")
    answers = {c.answer for c in certificates}
    if proved != answers:
        _reject(record["solutions"], "the list that is proved complete is another one")
    if len(answers) < len(certificates):
        _reject(record["solutions"], "one of the answers is listed twice")
    return (proof,)


def _certificate_in(solution: Checked, game: Game, concept: str) -> Certificate:
    shown = solution["certificate"]
    certificate = _verified(claim_from(shown["record"], game))
    problem = not_proved(concept, certificate)
    if problem:
        _reject(shown["kind"], problem)
    _show(shown["kind"], shown["record"]["kind"].value)
    _show(shown["statement"], certificate.statement)
    _show(
        shown["epsilon"],
        None if certificate.epsilon is None else rational_text(certificate.epsilon),
    )
    _show(solution["profile"], answer_record(certificate.answer, game))
    _show(solution["payoffs"], list(map(rational_text, certificate.payoffs)))
    return certificate


def not_proved(concept: str, certificate: Certificate) -> str:
    """Say why a certificate does not prove what was asked for, or return ""."""
    refuse = declaration(certificate).proves.get(concept)
    if refuse is None:
        return f"only {' or '.join(sorted(_concepts()[concept]))} proves what was asked for"
    return refuse(certificate)


def not_proved_complete(concept: str, proof: Certificate) -> str:
    """Say why a certificate does not prove a list of answers to be complete, or return ""."""
    refuse = declaration(proof).completes.get(concept)
    if refuse is None:
        kinds = [kind for kind, known in declarations().items() if concept in known.completes]
        needed = f"only {' or '.join(sorted(kinds))}" if kinds else "nothing"
        return f"{needed} proves that all answers to {concept} are listed"
    return refuse(proof)


def _concepts() -> dict[str, list[str]]:
    """Return which kinds of certificates may prove each concept."""
    found: dict[str, list[str]] = {}
    for kind, known in declarations().items():
        for concept in known.proves:
            found.setdefault(concept, []).append(kind)
    return found


def _verified(certificate: Certificate) -> Certificate:
    """Return a certificate only if it is true; a false one may lack words for its claim."""
    certificate.verify()
    return certificate


def _show(shown: Checked, certified: object) -> None:
    """Reject the file unless it shows what is certified."""
    if not _is_same(shown.value, certified):
        text = json.dumps(certified, ensure_ascii=False)
        _reject(shown, f"that is {text if len(text) <= 200 else text[:200] + '...'}")


def _is_same(shown: object, certified: object) -> bool:
    """Tell whether two JSON values are one, types included: ``false`` is not 0, nor 1.0 the 1."""
    if type(shown) is not type(certified):
        return False
    if isinstance(shown, dict):
        ours, theirs = cast("dict[str, object]", shown), cast("dict[str, object]", certified)
        return ours.keys() == theirs.keys() and all(_is_same(ours[k], theirs[k]) for k in ours)
    if isinstance(shown, list):
        entries, others = cast("list[object]", shown), cast("list[object]", certified)
        return len(entries) == len(others) and all(map(_is_same, entries, others))
    return shown == certified


def _reject(shown: Checked, problem: str) -> None:
    raise CertificateRejected(
        needs="to show what is certified", found=problem, where=f"{shown.name} at {shown.path}"
    )
