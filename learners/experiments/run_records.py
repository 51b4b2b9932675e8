"""Runs as read from their files: how they ended, their curves, and what they were judged.

What stands as proved in the file of a run, checked by the certificates beside it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, cast

from gametheory_core.certificates.claim import Certificate
from gametheory_core.errors import CertificateRejected, InvalidArgument, MalformedFile
from gametheory_core.formats.certificate_records import certificate_from
from gametheory_core.formats.checked_json import Checked, parse_json
from gametheory_core.formats.files import read_text
from learners.experiments.run_files import read_lines
from learners.findings import Appraisal, Finding, findings_from

KINDS = ("header", "iteration", "appraisal", "end")  # of lines, in this order


class Status(Enum):
    """How far a run has come."""

    UNFINISHED = "unfinished"  # interrupted, or still being made
    STOPPED = "stopped"  # by its limit of time
    FINISHED = "finished"
    DIVERGED = "diverged"


@dataclass(frozen=True)
class CurvePoint:
    """What one iteration reported.

    Attributes:
        metrics: What the learner says.
        assessed: What an appraisal on the way found; empty where there was none.
    """

    iteration: int
    metrics: Mapping[str, float]
    assessed: Mapping[str, float]


@dataclass(frozen=True, repr=False)
class Run:
    """A run, as its file has it.

    Attributes:
        label: Of its experiment.
        path: Of its file.
        iterations: Made, or logged so far.
        method: How it was judged; empty if it was not.
        message: Why it diverged, or could not be judged.
        quantity: Which metric did.
        experiment: All that makes it another run than those of other experiments.
        certificates: Names of the files beside it that prove the findings; ``verify_run`` checks
            them.
    """

    label: str
    seed: int
    path: str
    status: Status
    iterations: int
    curve: tuple[CurvePoint, ...]
    method: str = ""
    findings: tuple[Finding, ...] = ()
    message: str = ""
    quantity: str = ""
    experiment: Mapping[str, Any] = field(default_factory=dict[str, Any])
    certificates: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"Run({self.label}, seed {self.seed}: {self.status.value} after {self.iterations} "
            "iterations)"
        )


def read_run(path: str | Path) -> Run:
    """Read a run from its JSON lines.

    Raises:
        InvalidArgument: If the file cannot be read.
        MalformedFile: If a line is no record of a run; names it.
    """
    by_kind: dict[str, list[Checked]] = {}
    records = [
        Checked(record, "", f"{path}, line {number}")
        for number, record in enumerate(read_lines(Path(path)), start=1)
    ]
    for own in records:
        by_kind.setdefault(own["kind"].text(), []).append(own)
    if "header" not in by_kind:
        Checked({}, "", str(path)).fail("the header of a run", found="none")
    _check_order(records)
    header = by_kind["header"][0]
    curve = tuple(map(_point, by_kind.get("iteration", [])))
    end = by_kind.get("end", [None])[-1]
    judged = by_kind.get("appraisal", [None])[-1]
    experiment = header["experiment"]
    return Run(
        label=_text(experiment, "label") or experiment["learner"]["name"].text(),
        seed=header["seed"].integer(),
        path=str(path),
        status=_status(end),
        iterations=end["iterations"].integer() if end else curve[-1].iteration if curve else 0,
        curve=curve,
        method=judged["method"].text() if judged else "",
        findings=findings_from(judged) if judged else (),
        message=_text(end, "message"),
        quantity=_text(end, "quantity"),
        experiment=experiment.value,
        certificates=tuple(own.text() for own in judged["certificates"].items()) if judged else (),
    )


def _check_order(records: list[Checked]) -> None:
    """Refuse lines that no run writes: a second header, or more after the end."""
    place, made = -1, 0
    for own in records:
        kind = own["kind"].one_of(*KINDS)
        if KINDS.index(kind) < place or (KINDS.index(kind) == place and kind != "iteration"):
            own.fail(f"no {kind} after a line of kind {KINDS[place]!r}", found="one")
        place = KINDS.index(kind)
        if kind in {"iteration", "end"}:
            number = own["iteration" if kind == "iteration" else "iterations"]
            if number.integer() < made + (kind == "iteration"):
                number.fail(f"an iteration after {made}")
            made = number.integer()


def _status(end: Checked | None) -> Status:
    if end is None:
        return Status.UNFINISHED
    return Status(end["status"].one_of(*(status.value for status in Status)))


def _text(record: Checked | None, key: str) -> str:
    return record[key].text() if record is not None and record.has(key) else ""


def _point(record: Checked) -> CurvePoint:
    assessed = _numbers(record["assessed"]) if record.has("assessed") else {}
    return CurvePoint(record["iteration"].integer(), _numbers(record["metrics"]), assessed)


def _numbers(record: Checked) -> dict[str, float]:
    if not isinstance(record.value, dict):
        record.fail("numbers by name")
    return {name: record[name].number() for name in cast("dict[str, Any]", record.value)}


def verify_run(run: Run) -> tuple[Certificate, ...]:
    """Check the certificates of a run, and that they prove what it says is proved; return them.

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
        raise error.changed(where=f"{run.path}: {error.where}".rstrip(": ")) from error
    return certificates


def _certificate(run: Run, name: str) -> Certificate:
    if Path(name).name != name:
        raise MalformedFile(
            needs="certificates in the folder of the run", found=f"found {name!r}", where=run.path
        )
    path = Path(run.path).parent / name
    try:
        text = read_text(path)
    except InvalidArgument as error:
        remedy = f"Put it back, or delete {run.path} and its checkpoint to make the run again."
        raise error.changed(remedy=remedy) from error
    return certificate_from(parse_json(text, name=str(path)))
