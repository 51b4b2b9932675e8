"""How much memory is free: what the machine says, or the group of processes we run in."""

import os
from pathlib import Path

UNKNOWN = 4 * 2**30  # where the machine does not say
MEMINFO = Path("/proc/meminfo")
GROUP = Path("/sys/fs/cgroup")


def free_memory() -> int:
    """Return the number of bytes that can still be had, a guess of 4 GiB where nobody knows.

    >>> free_memory() > 0
    True
    """
    return max(1, min(_free_of_machine(), _free_of_group()))


def _free_of_machine() -> int:
    for line in _text(MEMINFO).splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return UNKNOWN


def _free_of_group() -> int:
    """Return what the limit of a container leaves, if there is one."""
    limit, used = _text(GROUP / "memory.max").strip(), _text(GROUP / "memory.current").strip()
    if limit.isdigit() and used.isdigit():
        return int(limit) - int(used)
    return 2**63


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""
