"""The files that a study leaves: tables of numbers, pictures; whole or not at all."""

import csv
import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gametheory_core.errors import InvalidArgument
from gametheory_core.formats.files import write_bytes

DIGITS = 6  # of a number in a file
DOTS = 110  # of a picture, for each inch
OWNER = "study.txt"  # the file that says whose folder it is


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """Return a table as comma-separated values, numbers to six digits.

    >>> csv_bytes(["scheme", "win rate"], [("naive", 2 / 3)]).decode().splitlines()
    ['scheme,win rate', 'naive,0.666667']
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[_written(entry) for entry in row] for row in rows])
    return text.getvalue().encode()


def _written(entry: Any) -> Any:
    return f"{entry:.{DIGITS}g}" if isinstance(entry, float) else entry


def png_bytes(figure: Any) -> bytes:
    """Return a figure of matplotlib as a picture, the same bytes each time."""
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=DOTS, metadata={"Software": None})
    return content.getvalue()


def require_folder(folder: Path) -> None:
    """Make a folder, and refuse one that cannot be written before anything is made.

    Raises:
        InvalidArgument: Says why.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        reason = "" if os.access(folder, os.W_OK | os.X_OK) else "no permission"
    except OSError as error:
        reason = str(error.strerror)
    if reason:
        raise InvalidArgument(needs=f"a folder that can be written, but: {reason}", where=folder)


def claim_folder(folder: Path, study: str) -> None:
    """Write down whose folder it is, and refuse one of another study, whose files would go.

    Raises:
        InvalidArgument: Says which study it is, or why the folder cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     claim_folder(Path(folder), "rirrps")
    ...     (Path(folder) / OWNER).read_text()
    'rirrps'
    """
    require_folder(folder)
    owner = folder / OWNER
    found = owner.read_text("utf-8") if owner.exists() else study
    if found != study:
        raise InvalidArgument(
            needs=f"a folder of {study}, or a new one",
            found=f"{folder} has the figures of {found}",
            remedy="Give another --out.",
            where="reproduce",
        )
    write_bytes(study.encode(), owner)


def write_all(files: Mapping[str, bytes], folder: Path) -> tuple[Path, ...]:
    """Write files that are all made already; each replaces what was there."""
    for name, content in files.items():
        write_bytes(content, folder / name)
    return tuple(folder / name for name in files)


def written_once(file: Path, write: Callable[[Path], None]) -> Path:
    """Have a file written, whole or not at all, unless it is there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = written_once(Path(folder) / "one", lambda part: part.touch())
    ...     file.exists()
    True
    """
    if not file.exists():
        part = file.with_name(f"{file.name}.part")
        write(part)
        part.replace(file)
    return file
