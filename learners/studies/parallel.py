"""Work of a study in several processes."""

from collections.abc import Sequence
from typing import Any

from learners.studies.registry import Request


def in_parallel(call: Any, orders: Sequence[Any], request: Request, *, what: str) -> list[Any]:
    """Return what a function returns for each order, in their order, in processes side by side."""
    import joblib  # noqa: PLC0415 loads what runs processes

    parallel: Any = joblib.Parallel(n_jobs=request.jobs, backend="loky", return_as="generator")
    found: list[Any] = []
    for result in parallel(joblib.delayed(call)(*order) for order in orders):
        found.append(result)
        request.on_progress(what, len(found), len(orders))
    return found
