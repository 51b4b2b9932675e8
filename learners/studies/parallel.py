"""Work of a study in several processes."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from learners.studies.registry import Request
from solvers.workers import in_parts


def in_parallel(call: Any, orders: Sequence[Any], request: Request, *, what: str) -> list[Any]:
    """Return what a function returns for each order, in their order, and report progress."""
    done = count(1)
    return in_parts(
        call,
        orders,
        jobs=request.jobs,
        on_done=lambda _: request.on_progress(what, next(done), len(orders)),
    )
