"""Findings about learned behavior: numbers that are proved, exact or estimated, and say which.

Assessments as JSON records: numbers as ``"p/q"``, certificates as anyone can check them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from gametheory_core.arguments import shown_players
from gametheory_core.arrays import ZERO
from gametheory_core.certificates.claim import Certificate
from gametheory_core.certificates.equilibrium import MinimaxCertificate, NashCertificate
from gametheory_core.certificates.markov_perfect import MarkovPerfectCertificate
from gametheory_core.errors import CertificateRejected, InvalidArgument
from gametheory_core.formats.certificate_records import certificate_record
from gametheory_core.formats.checked_json import Checked
from learners.protocol import FINDINGS, declared_findings, load_rooms
from solvers.results.rendering import readable

DECIMALS = 6


class Standing(Enum):
    """How far a number can be trusted."""

    PROVED = "proved"  # a certificate says so
    EXACT = "exact"  # computed in rationals, without a certificate
    SAMPLED = "sampled"  # an estimate with a standard error


@dataclass(frozen=True)
class Finding:
    """A number about learned behavior.

    Attributes:
        name: ``"return/<player>"``, ``"gain/<player>"``, ``"nash_conv"``, ``"leader_value"``, ...
        value: A ``Fraction`` unless it is sampled.
        standard_error: Of what is sampled.
    """

    name: str
    value: Fraction | float
    standing: Standing
    standard_error: float | None = None


@dataclass(frozen=True)
class Appraisal:
    """What learned behavior is worth.

    Attributes:
        game: Title of the game.
        method: How the numbers were got, and what exactly they are about, in words.
        certificates: Prove the findings that stand as proved; none for estimates.
    """

    game: str
    method: str
    findings: tuple[Finding, ...]
    certificates: tuple[Certificate, ...] = ()

    def __getitem__(self, name: str) -> Fraction | float:
        """Return a number by its name."""
        found = next((finding for finding in self.findings if finding.name == name), None)
        if found is None:
            raise InvalidArgument(
                needs="the name of a finding",
                found=f"{name!r} is none",
                remedy=f"Findings are {', '.join(finding.name for finding in self.findings)}.",
            )
        return found.value

    def verify(self) -> None:
        """Check the certificates, and that they prove what stands as proved.

        Raises:
            CertificateRejected: If a claim is false, or a finding is not what its certificate says.
        """
        for certificate in self.certificates:
            certificate.verify()
        proved = {finding.name: finding for c in self.certificates for finding in findings_of(c)}
        for finding in self.findings:
            if finding.standing is Standing.PROVED and proved.get(finding.name) != finding:
                raise CertificateRejected(
                    needs="proofs of what stands as proved",
                    found=f"{finding.name!r} is {readable(Fraction(finding.value))} without one",
                    where="Appraisal",
                )

    def rows(self) -> tuple[Mapping[str, Any], ...]:
        """Return the findings as rows of a table."""
        return tuple(
            MappingProxyType(
                {
                    "name": finding.name,
                    "value": finding.value,
                    "standing": finding.standing.value,
                    "standard_error": finding.standard_error,
                }
            )
            for finding in self.findings
        )

    @property
    def text(self) -> str:
        """The findings in lines, with what each of them stands on."""
        proofs = [f"  certified: {certificate.statement}" for certificate in self.certificates]
        return "\n".join([repr(self), *proofs])

    def __repr__(self) -> str:
        """Title and findings alone: certificates hold the whole game."""
        lines = [f"  {finding.name} {_shown(finding)}" for finding in self.findings]
        return "\n".join([f"{self.game}: {self.method}", *lines])


def _shown(finding: Finding) -> str:
    decimal = f"{float(finding.value):.{DECIMALS}g}"
    if finding.standard_error is not None:
        return f"about {decimal} +- {finding.standard_error:.2g} (sampled, standard error)"
    exact = readable(Fraction(finding.value))
    shown = decimal if exact.startswith("(") or exact == decimal else f"{decimal} = {exact}"
    return f"{shown} ({finding.standing.value})"


def findings_of(certificate: Certificate) -> tuple[Finding, ...]:
    """Return the numbers that a certificate proves, by the names that appraisals use.

    Args:
        certificate: Nash, minimax, Markov-perfect, Markov commitment or mediated.

    Raises:
        InvalidArgument: If it is of another kind.
    """
    load_rooms()
    kind = type(certificate)
    read = _READERS.get(kind) or declared_findings(kind.__name__)
    if read is None:
        known = [*(own.__name__ for own in _READERS), *FINDINGS]
        raise InvalidArgument(
            needs=f"a certificate of {', '.join(known)}", found=f"got one of {kind.__name__}"
        )
    return tuple(Finding(name, value, Standing.PROVED) for name, value in read(certificate).items())


def by_player(
    what: str, players: tuple[str, ...], values: tuple[Fraction, ...]
) -> dict[str, Fraction]:
    """Name a number of each player: ``"return/row"``."""
    return {f"{what}/{p}": v for p, v in zip(shown_players(players), values, strict=True)}


def _nash(certificate: NashCertificate) -> dict[str, Fraction]:
    players = certificate.game.players
    return {
        **by_player("return", players, certificate.payoffs),
        **by_player("gain", players, certificate.deviation_gains),
        "nash_conv": sum(certificate.deviation_gains, ZERO),
    }


def _minimax(certificate: MinimaxCertificate) -> dict[str, Fraction]:
    return {
        "exploitability": certificate.epsilon / 2,
        "game_value/at_least": certificate.lower,
        "game_value/at_most": certificate.upper,
    }


def _markov(certificate: MarkovPerfectCertificate) -> dict[str, Fraction]:
    """Add up, over first states, what best responses to the Markov profile earn beyond it."""
    game = certificate.game
    best = certificate.best_values or certificate.values
    kernel = game.initial_kernel
    gains = [ZERO] * len(game.players)
    for state, weight in zip(kernel.outcome.tolist(), kernel.weight.tolist(), strict=True):
        own = zip(best[0][state], certificate.values[0][state], strict=True)
        for player, (top, value) in enumerate(own):
            gains[player] += weight * (top - value)
    return {
        **by_player("return", game.players, certificate.payoffs),
        **by_player("gain", game.players, tuple(gains)),
        "nash_conv": sum(gains, ZERO),
        "epsilon_anywhere": certificate.epsilon,
    }


_READERS: Mapping[type[Any], Callable[[Any], dict[str, Fraction]]] = MappingProxyType(
    {NashCertificate: _nash, MinimaxCertificate: _minimax, MarkovPerfectCertificate: _markov}
)


APPRAISAL_SCHEMA = "gametheory-core/appraisal/1"


def appraisal_record(appraisal: Appraisal) -> dict[str, Any]:
    """Return an appraisal as plain data for a JSON file.

    Returns:
        Exact numbers are texts, ``"p/q"``, beside a decimal to read.
    """
    return {
        "schema": APPRAISAL_SCHEMA,
        **findings_record(appraisal),
        "certificates": [certificate_record(c) for c in appraisal.certificates],
    }


def findings_record(appraisal: Appraisal) -> dict[str, Any]:
    """Return what was found, without the certificates, which hold the whole game."""
    return {
        "game": appraisal.game,
        "method": appraisal.method,
        "findings": [_finding_record(finding) for finding in appraisal.findings],
    }


def findings_from(record: Checked) -> tuple[Finding, ...]:
    """Read the findings of a record."""
    return tuple(_finding_from(entry) for entry in record["findings"].items())


def _finding_record(finding: Finding) -> dict[str, Any]:
    is_sampled = finding.standing is Standing.SAMPLED
    return {
        "name": finding.name,
        "value": float(finding.value) if is_sampled else str(finding.value),
        "decimal": float(finding.value),
        "standing": finding.standing.value,
        "standard_error": finding.standard_error,
    }


def _finding_from(record: Checked) -> Finding:
    standing = Standing(record["standing"].one_of(*(kind.value for kind in Standing)))
    if standing is Standing.SAMPLED:
        value = record["value"].number()
        return Finding(record["name"].text(), value, standing, record["standard_error"].number())
    exact: Fraction = record["value"].rational()
    return Finding(record["name"].text(), exact, standing)
