"""What stands as proved in the file of a run, checked by the certificates beside it."""

from pathlib import Path

from gametheory_core.certificates.claim import Certificate
from gametheory_core.errors import CertificateRejected, MalformedFile
from gametheory_core.formats.certificate_records import certificate_from
from gametheory_core.formats.checked_json import parse_json
from gametheory_core.formats.files import read_text
from learners.assessment.findings import Appraisal
from learners.experiments.run_records import Run


def verify_run(run: Run) -> None:
    """Check the certificates of a run, and that they prove what it says is proved.

    Args:
        run: As ``read_run`` reads it, which trusts the file.

    Raises:
        CertificateRejected: If a claim is false, or a finding is not what its certificate says;
            names the file.
        InvalidArgument: If a certificate is gone.
        MalformedFile: If it is damaged.
    """
    certificates = tuple(_certificate(run, name) for name in run.certificates)
    try:
        Appraisal("", run.method, run.findings, certificates).verify()
    except CertificateRejected as error:
        raise CertificateRejected(f"{run.path}: {error}") from error


def _certificate(run: Run, name: str) -> Certificate:
    if Path(name).name != name:
        raise MalformedFile(
            f"{run.path}: expected certificates in the folder of the run, but found {name!r}."
        )
    path = Path(run.path).parent / name
    return certificate_from(parse_json(read_text(path), name=str(path)))
