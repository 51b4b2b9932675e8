"""One process at a time makes a run: a lock on its file ends with the process that has it."""

import sys
from collections.abc import Generator
from contextlib import contextmanager

from gametheory_core.errors import InvalidArgument
from learners.experiments.run_files import RunFiles

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
