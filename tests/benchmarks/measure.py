"""How benchmarks measure: contenders take turns in one process, CPU time, the minimum counts.

Machines are shared and noisy, so only ratios within one run are quoted, never single times.
"""

import gc
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One comparison: our CPU seconds beside a peer's."""

    task: str
    ours: float
    peer_name: str
    peer: float

    @property
    def ratio(self) -> float:
        """How many times longer the peer takes."""
        return self.peer / self.ours


def interleaved(
    contenders: Mapping[str, Callable[[], object]], *, rounds: int, calls: int = 1
) -> dict[str, float]:
    """Run the contenders in turn, after one warm-up; return minimal CPU seconds of a call.

    Args:
        calls: In each turn; one of few milliseconds pays for the caches that the other filled.
    """
    best = dict.fromkeys(contenders, float("inf"))
    for function in contenders.values():
        function()
    for _ in range(rounds):
        for name, function in contenders.items():
            best[name] = min(best[name], cpu_seconds(function, calls=calls))
    return best


def cpu_seconds(function: Callable[[], object], *, calls: int = 1) -> float:
    """Return the CPU time of one call, the mean of some, child processes included."""
    gc.collect(1)
    before = time.process_time(), _children_seconds()
    for _ in range(calls):
        function()
    return (time.process_time() - before[0] + _children_seconds() - before[1]) / calls


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def peak_bytes(script: str) -> int:
    """Return the peak memory of a process of its own that runs a script, on Linux."""
    ending = (
        "\nfrom pathlib import Path\n"
        "status = Path('/proc/self/status').read_text().split('VmHWM:')[1]\n"
        "print(int(status.split()[0]) * 1024)\n"
    )
    command = [sys.executable, "-c", script + ending]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def table(rows: list[Row]) -> str:
    """Return rows as a Markdown table."""
    lines = ["| task | ours | peer | peer's time | peer / ours |", "|---|--:|---|--:|--:|"]
    lines += [
        f"| {row.task} | {_shown(row.ours)} | {row.peer_name} | {_shown(row.peer)} "
        f"| {_times(row.ratio)} |"
        for row in rows
    ]
    return "\n".join(lines)


def _times(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"


def _shown(seconds: float) -> str:
    if seconds < 1e-7:
        return f"{seconds * 1e9:.1f} ns"
    if seconds < 1e-4:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.2f} ms"
