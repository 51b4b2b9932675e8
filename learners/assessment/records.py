"""Assessments as JSON records: numbers as ``"p/q"``, certificates as anyone can check them."""

from fractions import Fraction
from typing import Any

from gametheory_core.formats.certificate_records import certificate_from, certificate_record
from gametheory_core.formats.checked_json import Checked
from learners.assessment.findings import Appraisal, Finding, Standing

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


def appraisal_from(record: Checked) -> Appraisal:
    """Read an appraisal from a file; ``appraisal.verify()`` then checks it.

    Args:
        record: Of ``parse_json``.

    Raises:
        MalformedFile: Names the path of the offending value.
    """
    record["schema"].one_of(APPRAISAL_SCHEMA)
    certificates = tuple(certificate_from(entry) for entry in record["certificates"].items())
    return Appraisal(
        record["game"].text(), record["method"].text(), findings_from(record), certificates
    )


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
