"""Work in parts, done by several workers: processes of this machine, or wherever joblib sends them.

What is found depends on the parts alone: not on how many workers there are, nor on which of them is
first. A worker that is lost, killed from outside or for lack of memory, costs time and nothing
else: parts that it held are done again, at last one at a time, so that a part that kills whoever
takes it is known.
"""

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from gametheory_core.arguments import require_integer
from gametheory_core.errors import InvalidArgument, WorkerLost

TOGETHER = 2  # tries of all parts that are left, side by side; then each has one alone
MOST_JOBS = 100_000

OnDone: TypeAlias = Callable[[Any], None]


def in_parts(
    call: Callable[..., Any],
    parts: Iterable[Sequence[Any]],
    *,
    jobs: int | None = None,
    what: str = "part",
    on_done: OnDone | None = None,
) -> list[Any]:
    """Call a function with each part's arguments, and return what it returned, in their order.

    Args:
        call: Its arguments and what it returns are sent to and from other processes.
        parts: The arguments of each call.
        jobs: Workers at once; -1 for one a processor. Default: as ``joblib.parallel_config`` has
            it, which may name workers elsewhere; without one, no other process is started.
        what: What a part is called if it fails.
        on_done: Called here with what a call returned, in the order in which calls end.

    Raises:
        InvalidArgument: If there is no such number of workers.
        WorkerLost: If workers were lost again and again; names a part that was alone with one.

    What a call raises is raised here, and the other calls are given up. A keyboard interrupt ends
    workers of this machine.

    >>> in_parts(divmod, [(7, 2), (9, 4)])
    [(3, 1), (2, 1)]
    """
    if jobs is not None:
        processes_for(jobs)
    waiting = dict(enumerate(parts))
    found: dict[int, Any] = {}

    def keep(place: int, result: Any) -> None:
        del waiting[place]
        found[place] = result
        if on_done is not None:
            on_done(result)

    for trial in range(TOGETHER + 1):
        if not waiting:
            break
        numbers = list(waiting)
        groups = [numbers] if trial < TOGETHER else [[number] for number in numbers]
        for group in groups:
            tasks = [(call, number, waiting[number]) for number in group]
            if not _are_done(tasks, jobs, keep) and trial == TOGETHER:
                raise WorkerLost(
                    needs=f"workers that live until {what} {group[0] + 1} is done",
                    found=f"each of {TOGETHER + 1} times, the last time with nothing beside it, "
                    "the worker was killed",
                    remedy="Look for what kills it: most often memory runs out.",
                    witness=group[0],
                )
    return [found[place] for place in sorted(found)]


def processes_for(jobs: int) -> int:
    """Return how many processes so many jobs are: -1 is one for each processor.

    Raises:
        InvalidArgument: If they are none, or no number.

    >>> processes_for(3)
    3
    """
    require_integer(jobs, name="jobs", low=-1, high=MOST_JOBS)
    if not jobs:
        raise InvalidArgument(needs="at least one job, or -1", found="got 0", argument="jobs")
    return (os.cpu_count() or 1) if jobs < 0 else jobs


def _are_done(
    tasks: list[tuple[Callable[..., Any], int, Sequence[Any]]],
    jobs: int | None,
    keep: Callable[[int, Any], None],
) -> bool:
    """Do tasks and keep what they return; return whether no worker was lost."""
    if jobs == 1 or (jobs is None and "joblib" not in sys.modules):  # nobody has configured it
        for task in tasks:
            keep(*_numbered(*task))
        return True
    import joblib  # noqa: PLC0415 loads what runs processes
    from joblib.externals.loky.process_executor import TerminatedWorkerError  # noqa: PLC0415

    distributed = sys.modules.get("distributed")
    lost = (TerminatedWorkerError, *((distributed.KilledWorker,) if distributed else ()))
    # no shared files for large arrays: workers may be elsewhere, and may change what they get
    if jobs is not None and jobs > 0:
        jobs = min(jobs, max(2, len(tasks)))  # none without a part; two, to be other processes
    parallel: Any = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", max_nbytes=None)
    results = parallel(joblib.delayed(_numbered)(*task) for task in tasks)
    try:
        for place, result in results:
            keep(place, result)
    except lost:
        return False
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*have been cancelled")
            results.close()  # gives up what is under way, if on_done has raised
    return True


def _numbered(call: Callable[..., Any], number: int, part: Sequence[Any]) -> tuple[int, Any]:
    return number, call(*part)
