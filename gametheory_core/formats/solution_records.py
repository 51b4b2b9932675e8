"""Solution files: the certificates in them, verified, and whether that is what the files show.

``python -m solvers --format json`` writes them. A reader looks at ``profile`` and ``payoffs``, so a
file that shows others than its certificate proves must be rejected too.
"""

import json
from typing import Any, TypeAlias, cast

from gametheory_core.certificates.claim import Certificate, declaration, declarations
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.errors import CertificateRejected
from gametheory_core.formats.certificate_records import (
    CERTIFICATE_SCHEMA,
    answer_record,
    certificate_from,
    claim_from,
)
from gametheory_core.formats.checked_json import Checked
from gametheory_core.formats.game_records import Game, game_from
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.behavioral import Profile

Form: TypeAlias = NormalFormGame | ExtensiveFormGame
SOLUTION_SCHEMA = "gametheory-core/solution/1"


def verified_certificates(record: Checked) -> tuple[Certificate, ...]:
    """Verify the certificates of a certificate or solution file, and return them.

    Raises:
        MalformedFile: Names the path of the offending value.
        CertificateRejected: If a claim is false; the file shows a profile, payoffs or a digest
            other than its certificates are about; or it holds no certificate at all.
    """
    if record["schema"].one_of(CERTIFICATE_SCHEMA, SOLUTION_SCHEMA) == CERTIFICATE_SCHEMA:
        return (_verified(certificate_from(record)),)
    game = game_from(record["game"]["record"])
    _show(record["game"]["digest"], game.digest)
    _show(record["game"]["players"], list(game.players))
    _show(record["game"]["title"], game.title)
    concept = record["concept"].one_of(*sorted(_concepts()))
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
    proof = _verified(certificate_from(record["completeness"]))
    problem = not_proved_complete(record["concept"].text(), proof)
    if problem:
        _reject(record["completeness"], problem)
    listed = cast("Any", proof).profiles
    proved: set[Profile] = set(listed)
    if isinstance(game, ExtensiveFormGame):
        conversion = extensive_to_normal(game)
        game = conversion.target
        proved = {conversion.correspondence.to_source(profile) for profile in listed}
    if proof.game != game:
        _reject(record["completeness"], "this is about another game")
    if proved != {c.answer for c in certificates}:
        _reject(record["solutions"], "the list that is proved complete is another one")
    return (proof,)


def _certificate_in(solution: Checked, game: Game, concept: str) -> Certificate:
    shown = solution["certificate"]
    certificate = _verified(claim_from(shown["record"], game))
    problem = not_proved(concept, certificate)
    if problem:
        _reject(shown["kind"], problem)
    _show(shown["kind"], certificate.kind)
    _show(shown["statement"], certificate.statement)
    _show(shown["epsilon"], None if certificate.epsilon is None else str(certificate.epsilon))
    _show(solution["profile"], answer_record(certificate.answer, game))
    _show(solution["payoffs"], list(map(str, certificate.payoffs)))
    return certificate


def not_proved(concept: str, certificate: Certificate) -> str:
    """Say why a certificate does not prove what was asked for, or return ""."""
    refuse = declaration(certificate).proves.get(concept)
    if refuse is None:
        return f"only {' or '.join(_concepts()[concept])} proves what was asked for"
    return refuse(certificate)


def not_proved_complete(concept: str, proof: Certificate) -> str:
    """Say why a certificate does not prove a list of answers to be complete, or return ""."""
    refuse = declaration(proof).completes.get(concept)
    if refuse is None:
        kinds = [kind for kind, known in declarations().items() if concept in known.completes]
        needed = f"only {' or '.join(kinds)}" if kinds else "nothing"
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
        needs="to show what is certified",
        found=problem,
        remedy="Do not use this answer.",
        where=f"{shown.name} at {shown.path}",
    )
