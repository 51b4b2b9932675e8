"""How much memory a table may take: a quarter of the machine's, or what is said."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from gametheory_core.arguments import require_integer
from gametheory_core.errors import UnsupportedGame

UNKNOWN = 4 * 2**30  # where the machine does not say
SHARE = 4  # the cap is one part in so many
MEMINFO = Path("/proc/meminfo")
GROUP = Path("/sys/fs/cgroup")

_SAID: ContextVar[int | None] = ContextVar("memory", default=None)


@contextmanager
def memory_limit(num_bytes: int | None) -> Generator[None]:
    """Say how much memory a table may take; None leaves what holds outside.

    Raises:
        InvalidArgument: If it is no positive number of bytes.

    >>> with memory_limit(10**9):
    ...     memory_cap()
    1000000000
    """
    if num_bytes is not None:
        require_integer(num_bytes, name="memory", low=1)
    outer = _SAID.set(_SAID.get() if num_bytes is None else num_bytes)
    try:
        yield
    finally:
        _SAID.reset(outer)


def memory_cap() -> int:
    """Return the number of bytes that a table may take: as said, or a quarter of all there are."""
    said = _SAID.get()
    return max(1, min(_all_of_machine(), _all_of_group()) // SHARE) if said is None else said


def memory_left() -> int:
    """Return the cap, or what can still be had if that is less."""
    return max(1, min(memory_cap(), _free_of_machine(), _free_of_group()))


def require_memory(needed: int, *, what: str, remedy: str) -> None:
    """Refuse a table that is too large, before it is laid out.

    Args:
        needed: Bytes, or a bound on them.
        what: What needs them.
        remedy: What else can be done.

    Raises:
        UnsupportedGame: Says what would be needed, and what there is.
    """
    left = memory_left()
    if needed > left:
        raise UnsupportedGame(
            needs=f"{in_units(needed)} of memory for {what}",
            found=f"at most {in_units(left)} may be taken",
            remedy=f"{remedy} Or allow more: Budget(memory=...), or memory_limit(...) around the "
            "call.",
        )


def in_units(num_bytes: int) -> str:
    """Write a number of bytes for people.

    >>> in_units(3 * 2**30), in_units(5000)
    ('3 GiB', '4.88 KiB')
    """
    for exponent, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if num_bytes >= 1 << exponent:
            return f"{num_bytes / (1 << exponent):,.3g} {unit}"
    return f"{num_bytes} bytes"


def _all_of_machine() -> int:
    return _of_machine("MemTotal:", "SC_PHYS_PAGES")


def _free_of_machine() -> int:
    return _of_machine("MemAvailable:", "SC_AVPHYS_PAGES")


def _of_machine(line_start: str, pages: str) -> int:
    for line in _text(MEMINFO).splitlines():
        if line.startswith(line_start):
            return int(line.split()[1]) * 1024
    try:
        return os.sysconf(pages) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return UNKNOWN


def _all_of_group() -> int:
    """Return the limit of a container, if there is one."""
    limit = _text(GROUP / "memory.max").strip()
    return int(limit) if limit.isdigit() else 2**63


def _free_of_group() -> int:
    limit, used = _text(GROUP / "memory.max").strip(), _text(GROUP / "memory.current").strip()
    return int(limit) - int(used) if limit.isdigit() and used.isdigit() else 2**63


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""
