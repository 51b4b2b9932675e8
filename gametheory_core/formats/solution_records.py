"""Solution files: the certificates in them, and whether what they show is what is certified.

``python -m solvers --format json`` writes them. A reader looks at ``profile`` and ``payoffs``, so a
file that shows others than its certificate proves must be rejected too.
"""

from typing import cast

from gametheory_core.arrays import ExactArray
from gametheory_core.certificates.certificate import Certificate, Profile
from gametheory_core.certificates.completeness import CompletenessCertificate
from gametheory_core.certificates.pure_completeness import PureCompletenessCertificate
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.formats.certificate_records import (
    CERTIFICATE_SCHEMA,
    certificate_from,
    claim_from,
)
from gametheory_core.formats.checked_json import Checked
from gametheory_core.formats.game_records import Game, game_from, profile_from
from gametheory_core.games.extensive_form import ExtensiveFormGame

SOLUTION_SCHEMA = "gametheory-core/solution/1"


def certificates_in(record: Checked) -> tuple[Certificate, ...]:
    """Return the certificates, not yet verified, of a certificate or solution file.

    Raises
    ------
    MalformedFile
        Names the path of the offending value.
    CertificateRejected
        If the file shows a profile, payoffs or a digest other than its certificates are about.
    """
    if record["schema"].one_of(CERTIFICATE_SCHEMA, SOLUTION_SCHEMA) == CERTIFICATE_SCHEMA:
        return (certificate_from(record),)
    game = game_from(record["game"]["record"])
    shown = record["game"]["digest"]
    if shown.text() != game.digest:
        _reject(shown, f"the game's digest is {game.digest}")
    certificates = tuple(
        _certificate_in(solution, game) for solution in record["solutions"].items()
    )
    return (*certificates, *_completeness_in(record, game, certificates))


def _completeness_in(
    record: Checked, game: Game, certificates: tuple[Certificate, ...]
) -> tuple[Certificate, ...]:
    """Return the proof that the solutions are all, if the file says so.

    It is about the game, or about the reduced normal form of a tree.
    """
    if not record.has("complete") or record["complete"].value is not True:
        return ()
    proof = certificate_from(record["completeness"])
    if not isinstance(proof, CompletenessCertificate | PureCompletenessCertificate):
        record["completeness"].fail("a certificate of completeness", found=f"one of {proof.kind}")
    proved: set[Profile] = set(proof.profiles)
    if isinstance(game, ExtensiveFormGame):
        conversion = extensive_to_normal(game)
        game = conversion.target
        proved = {conversion.correspondence.to_source(profile) for profile in proof.profiles}
    if proof.game != game:
        _reject(record["completeness"], "this is about another game")
    if proved != {cast("Profile", getattr(c, "profile", None)) for c in certificates}:
        _reject(record["solutions"], "the list that is proved complete is another one")
    return (proof,)


def _certificate_in(solution: Checked, game: Game) -> Certificate:
    certificate = claim_from(solution["certificate"]["record"], game)
    profile = cast("Profile", getattr(certificate, "profile", None))
    if profile_from(solution["profile"], game) != profile:
        _reject(solution["profile"], "its certificate is about another profile")
    payoffs = cast("ExactArray", expected_payoffs(game, profile)).tolist()
    if [payoff.rational() for payoff in solution["payoffs"].items()] != payoffs:
        _reject(solution["payoffs"], f"the profile pays {', '.join(map(str, payoffs))}")
    return certificate


def _reject(shown: Checked, problem: str) -> None:
    raise CertificateRejected(
        f"{shown.name} at {shown.path}: needs to show what is certified, but {problem}. "
        "Do not use this answer."
    )
