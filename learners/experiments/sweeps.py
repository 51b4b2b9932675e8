"""Sweeps: many seeds of an experiment in parallel, wherever joblib sends them.

joblib runs them in processes of this machine by default; inside
``joblib.parallel_config("dask")``, or another of its backends, on the workers of a cluster. What is
learned is a function of config and seed, so it is the same everywhere.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

import joblib

from learners.experiments.config import ExperimentConfig
from learners.experiments.registry import LEARNERS
from learners.experiments.run_records import Run
from learners.experiments.runs import run


def sweep(
    config: ExperimentConfig,
    *,
    jobs: int | None = None,
    on_run: Callable[[Run], None] | None = None,
    learners: Mapping[str, str] = LEARNERS,
) -> tuple[Run, ...]:
    """Make the runs of all seeds of an experiment; those that are finished are not made again.

    Args:
        jobs: At once; -1 for as many as there are processors. Default: as joblib's backend has it.
        on_run: Called with each run that ends, in the order in which they do.
        learners: Name -> ``module:class`` of the learners to choose from.

    Returns:
        In the order of the seeds.

    Raises:
        GameTheoryError: As ``run`` does, for the first seed that fails; the other runs can be
            resumed.

    See ``docs/training.md``.
    """
    table = dict(learners)  # proxies of mappings do not travel
    tasks = (joblib.delayed(run)(config, seed, learners=table) for seed in config.training.seeds)
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")
    made: dict[int, Run] = {}
    for found in cast("Any", parallel(tasks)):
        made[found.seed] = found
        if on_run is not None:
            on_run(found)
    return tuple(made[seed] for seed in config.training.seeds)
