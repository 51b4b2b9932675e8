"""The files of a run: JSON lines of what happened, and beside them the last checkpoint.

A line is a record with a ``kind``: one ``header``, many ``iteration``, in the end an ``appraisal``
and an ``end``. Lines are only ever added. A checkpoint says how long the file was when it was
written, and its check sum, so that a run that goes on cuts off what came after, half-written lines
included, and adds the same again.

One process at a time makes a run: a lock on its file ends with the process that has it.
"""

import json
import math
import os
import sys
import zlib
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, MalformedFile
from gametheory_core.formats.checked_json import Checked, parse_json
from learners.snapshots import load_snapshot, save_snapshot

RUN_SCHEMA = "gametheory-core/run/1"


@dataclass(frozen=True)
class Checkpoint:
    """Where a run can go on.

    Attributes:
        iterations: Made so far.
        seconds: Spent so far.
        snapshot: Of the learner.
    """

    iterations: int
    seconds: float
    snapshot: Mapping[str, Any]


@dataclass(frozen=True)
class RunFiles:
    """Where a run is written down.

    Attributes:
        name: What all its files begin with.
    """

    folder: Path
    name: str

    @property
    def lines(self) -> Path:
        """What happened, as JSON lines."""
        return self.folder / f"{self.name}.jsonl"

    @property
    def checkpoint(self) -> Path:
        """The last checkpoint."""
        return self.folder / f"{self.name}.checkpoint.zip"

    def certificate(self, number: int, kind: str) -> Path:
        """Return where a certificate is written."""
        return self.folder / f"{self.name}.certificate-{number + 1}-{kind}.json"


class RunLines:
    """The lines of a run being written: added one by one, their length and check sum known."""

    def __init__(self, files: RunFiles, *, size: int, check: int) -> None:
        self._files = files
        self._size = size
        self._check = check

    def add(self, record: Mapping[str, Any]) -> None:
        """Add a record; the end says the check sum of all before it."""
        is_end = record["kind"] == "end"
        line = _line({**record, "check": self._check} if is_end else record)
        with self._files.lines.open("ab") as file:
            file.write(line)
        self._size += len(line)
        self._check = zlib.crc32(line, self._check)

    def keep(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint, after the lines that it counts on."""
        with self._files.lines.open("rb+") as file:
            os.fsync(file.fileno())
        save_snapshot(
            self._files.checkpoint,
            {
                "iterations": checkpoint.iterations,
                "seconds": checkpoint.seconds,
                "bytes": self._size,
                "check": self._check,
                "snapshot": checkpoint.snapshot,
            },
        )


def begin_lines(
    files: RunFiles, header: Mapping[str, Any], *, schema: str = RUN_SCHEMA
) -> RunLines:
    """Begin a run's file anew, with its header.

    Raises:
        InvalidArgument: If it cannot be written.
    """
    lines = RunLines(files, size=0, check=0)
    try:
        files.lines.write_bytes(b"")
        lines.add({"kind": "header", "schema": schema, **header})
    except OSError as error:
        raise InvalidArgument(
            needs=f"a file that can be written, but: {error.strerror}", where=files.lines
        ) from None
    return lines


def whole_lines(files: RunFiles) -> RunLines:
    """Return the lines of a file, to be added to; a last one that is only half there is cut off."""
    content = files.lines.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    os.truncate(files.lines, len(whole))
    return RunLines(files, size=len(whole), check=zlib.crc32(whole))


def go_back(files: RunFiles) -> tuple[Checkpoint, RunLines]:
    """Return the last checkpoint, and the lines up to it: what was added later is cut off.

    Raises:
        MalformedFile: If the two files do not belong together, or one is damaged.
    """
    checkpoint, size, check = _kept(files)
    os.truncate(files.lines, size)
    return checkpoint, RunLines(files, size=size, check=check)


def last_checkpoint(files: RunFiles) -> Checkpoint:
    """Return the last checkpoint, and leave all files as they are.

    Raises:
        MalformedFile: If the two files do not belong together, or one is damaged.
    """
    return _kept(files)[0]


def _kept(files: RunFiles) -> tuple[Checkpoint, int, int]:
    """Return the last checkpoint, and size and check sum of the lines that belong to it."""
    kept = _snapshot(files)
    try:
        size, check = int(kept["bytes"]), int(kept["check"])
        checkpoint = Checkpoint(int(kept["iterations"]), float(kept["seconds"]), kept["snapshot"])
    except (KeyError, TypeError, ValueError, OverflowError):
        raise MalformedFile(
            needs="the checkpoint of a run",
            found="it is another snapshot",
            remedy=f"Delete it and {files.lines} to start that seed over.",
            where=files.checkpoint,
        ) from None
    lines = files.lines.read_bytes() if files.lines.exists() else b""
    if not 0 < size <= len(lines) or zlib.crc32(lines[:size]) != check:
        raise MalformedFile(
            needs=f"the lines that {files.checkpoint.name} counts on",
            found="they have been changed",
            remedy="Delete both files to start that seed over.",
            where=files.lines,
        )
    _check_count(files, checkpoint, lines[:size])
    return checkpoint, size, check


def _check_count(files: RunFiles, checkpoint: Checkpoint, lines: bytes) -> None:
    """Refuse a count of iterations that the lines deny: every one that was due is there."""
    header, *others = _records(lines, files.lines, RUN_SCHEMA)
    training = Checked(header, "", f"{files.lines}, line 1")["experiment"]["training"]
    every = [training[name].integer() for name in ("log_every", "assess_every")]
    made = checkpoint.iterations
    due = max((made - made % step for step in every if step > 0), default=0)
    logged = [own.get("iteration") for own in others if own["kind"] == "iteration"]
    last = logged[-1] if logged else 0
    if due != last or made < 0 or not 0 <= checkpoint.seconds < math.inf:
        raise MalformedFile(
            needs=f"as many iterations as {files.lines.name} tells of, which is {last} or a few "
            "more",
            found=f"it has {shown(made)}, in {checkpoint.seconds} seconds",
            remedy="Delete both files to start that seed over.",
            where=files.checkpoint,
        )


def _snapshot(files: RunFiles) -> Mapping[str, Any]:
    """Read the checkpoint; there is no other one to go back to, so say what helps."""
    try:
        return load_snapshot(files.checkpoint)
    except (MalformedFile, InvalidArgument) as error:
        remedy = f"Here there is no other: delete it and {files.lines} to start that seed over."
        raise error.changed(MalformedFile, remedy=f"{error.remedy} {remedy}".lstrip()) from error


def read_lines(path: Path, *, schema: str = RUN_SCHEMA) -> tuple[dict[str, Any], ...]:
    """Read the records of a run; a last line that is only half there is left out.

    Args:
        schema: That its header has.

    Raises:
        InvalidArgument: If the file cannot be read.
        MalformedFile: If another line is no record, or the first is no header; names the line.
    """
    try:
        return _records(path.read_bytes(), path, schema)
    except OSError as error:
        raise InvalidArgument(
            needs=f"a file that can be read, but: {error.strerror}", where=path
        ) from None


def _records(content: bytes, path: Path, schema: str) -> tuple[dict[str, Any], ...]:
    *whole, _rest = content.decode("utf-8", "replace").split("\n")
    records: list[dict[str, Any]] = []
    check = 0
    for number, line in enumerate(whole, start=1):
        try:
            record = parse_json(line, name=str(path)).value
        except MalformedFile:  # or deeply nested, or a key given twice
            record = None
        if not isinstance(record, dict) or "kind" not in record:
            raise _malformed("a record of a run", f"it is {line[:60]!r}", path, number)
        records.append(cast("dict[str, Any]", record))
        if records[-1].get("check", check) != check:
            needs = f"the check sum {check} of the lines before"
            raise _malformed(needs, "they have been changed", path, number)
        check = zlib.crc32(f"{line}\n".encode(), check)
    if records and records[0].get("schema") != schema:
        found = f"it has {records[0].get('schema')!r}"
        raise _malformed(f"a header with schema {schema!r}", found, path, 1)
    return tuple(records)


def _malformed(needs: str, found: str, path: Path, number: int) -> MalformedFile:
    """Return what is wrong with a line, and how to start over."""
    return MalformedFile(
        needs=needs,
        found=found,
        remedy="Delete it and its checkpoint to start that seed over.",
        where=f"{path}, line {number}",
        line=number,
        column=1,
    )


def _line(record: Mapping[str, Any]) -> bytes:
    return (json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n").encode()


if sys.platform != "win32":
    import fcntl


@contextmanager
def held(files: RunFiles) -> Generator[None]:
    """Keep other processes from making the same run; where there are no such locks, do nothing.

    Raises:
        InvalidArgument: If another process makes it, or the folder cannot be made or written to.
    """
    try:
        files.folder.mkdir(parents=True, exist_ok=True)
        file = files.lines.open("ab")
    except OSError as error:
        raise InvalidArgument(
            needs=f"a file that can be written, but: {error.strerror}", where=files.lines
        ) from None
    with file:
        _lock(file.fileno(), files)
        yield


def _lock(descriptor: int, files: RunFiles) -> None:
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InvalidArgument(
            needs="a run that nobody else is making",
            found="another process is",
            remedy="Wait for it, or give another seed or output.",
            where=files.lines,
        ) from None
    except OSError:  # a disk without locks
        return
