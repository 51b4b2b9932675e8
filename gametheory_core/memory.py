"""The one cap on memory: whatever may take much of it asks here before it does.

The cap is a quarter of the machine's memory, or of its container's, unless the caller names
another: ``Budget(memory=...)`` for a solver, ``memory_limit`` for anything else. It bounds what one
step asks for, and what a solver adds to the process while it runs.
"""

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, UnsupportedGame, named

SHARE = 4  # of the memory there is, one part
UNKNOWN = 4 * 2**30  # where the machine does not say
LARGEST = 2**62  # of what a kernel says where there is no limit
GROUP = Path("/sys/fs/cgroup")
GROUP_LIMITS = ("memory.max", "memory/memory.limit_in_bytes")
LOOK_EVERY = 250  # things made, at how far the process has grown: of large ones, some 50 MB
RESIDENT = Path("/proc/self/statm")
MORE = "Budget(memory=...) or memory_limit(...)"  # what a caller in Python says
BYTES_OF_A_FRACTION = 144  # object, its numerator and denominator, and its place in a list
BYTES_OF_AN_INTEGER = 60  # object of one or two digits, and its places while it is made

_LIMIT: ContextVar[int | None] = ContextVar("memory_limit", default=None)


def memory_cap() -> int:
    """Return how many bytes one step of a computation may take.

    >>> with memory_limit(200_000_000):
    ...     memory_cap()
    200000000
    """
    return _LIMIT.get() or default_cap()


@cache
def default_cap() -> int:
    """Return a quarter of what the machine has, or of what its container may use."""
    return max(1, min(_of_machine(), _of_group()) // SHARE)


@contextmanager
def memory_limit(limit: int | None) -> Generator[None]:
    """Let what runs inside take at most so many bytes; None leaves the cap as it is.

    >>> from gametheory_core import load_game
    >>> with memory_limit(2**20):
    ...     load_game("leduc_poker")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    gametheory_core.errors.UnsupportedGame: lay_out_rules: needs a tree that fits into memory ...
    """
    if limit is None:
        yield
        return
    require_bytes(limit)
    outer = _LIMIT.set(int(limit))
    try:
        yield
    finally:
        _LIMIT.reset(outer)


def require_bytes(limit: object) -> None:
    """Refuse what is no number of bytes."""
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InvalidArgument(
            needs="memory to be a whole number of bytes of at least 1, or None for the default",
            found=f"got {shown(limit)}",
            remedy="Give 4 * 2**30 for 4 GiB.",
        )


def require_memory(needed: float, *, what: str, remedy: str = "Solve a smaller game.") -> None:
    """Refuse what would take more bytes than the cap, before it takes them.

    Args:
        needed: Bytes at the peak.
        what: What they are for: "a tableau of 3 x 4".
        remedy: What helps besides a larger cap.

    Raises:
        UnsupportedGame: With the bytes needed, and the cap.

    >>> with memory_limit(2**20):
    ...     require_memory(3 * 2**30, what="a tableau")
    Traceback (most recent call last):
    gametheory_core.errors.UnsupportedGame: needs 3 GiB of memory for a tableau, but at most 1 MiB \
may be taken. Solve a smaller game. Or allow more: Budget(memory=...) or memory_limit(...).
    """
    cap = memory_cap()
    if needed > cap:
        raise UnsupportedGame(
            needs=f"{in_units(needed)} of memory for {what}",
            found=f"at most {in_units(cap)} may be taken",
            remedy=f"{remedy} Or allow more: {named(MORE)}.",
        )


def growth_limit(*, what: str, remedy: str = "Choose a smaller game.") -> Callable[[], None]:
    """Return a check that the process has not grown by the cap since; make it every ``LOOK_EVERY``.

    Args:
        what: What grows: "the tree of go".
        remedy: What helps besides a larger cap.
    """
    cap = memory_cap()
    most = resident_memory() + cap

    def require_room() -> None:
        if resident_memory() > most:
            raise UnsupportedGame(
                needs=f"at most {in_units(cap)} of memory for {what}",
                found="it takes more",
                remedy=f"{remedy} Or allow more: {named(MORE)}.",
            )

    return require_room


def in_units(num_bytes: float) -> str:
    """Write a number of bytes for people.

    >>> in_units(3 * 2**30), in_units(5000)
    ('3 GiB', '4.883 KiB')
    """
    if num_bytes >= 2**50:
        return "more than 1,000,000 GiB"
    for exponent, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if num_bytes >= 1 << exponent:
            return f"{num_bytes / (1 << exponent):,.4g} {unit}"
    return f"{num_bytes:.0f} bytes"


def resident_memory() -> int:
    """Return how many bytes the process holds now; 0 where the machine does not say."""
    pages = _text(RESIDENT).split()[1:2]
    return int(pages[0]) * os.sysconf("SC_PAGE_SIZE") if pages else 0


def _of_machine() -> int:
    if sys.platform != "win32":
        try:
            return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError):
            pass
    return UNKNOWN


def _of_group() -> int:
    limits = [_text(GROUP / name).strip() for name in GROUP_LIMITS]
    return min([LARGEST, *(int(limit) for limit in limits if limit.isdigit())])


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""
