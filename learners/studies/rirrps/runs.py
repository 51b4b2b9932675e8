"""Runs of self-play, made or read back: which policies there were, and what matches were played."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from gametheory_core.errors import NotConverged
from learners.experiments.config import ExperimentConfig
from learners.experiments.run_records import Run, Status
from learners.experiments.runs import sweep, trained_learner
from learners.self_play.menagerie import Menagerie
from learners.studies.recorded import RECORDED, RecordedSelfPlay
from learners.studies.registry import Request
from learners.studies.rirrps.settings import experiment, settings


@dataclass(frozen=True, eq=False)
class Training:
    """What a study looks at in a run.

    Attributes:
        episodes_an_update: Matches between two updates.
        tables (updates + 1): The live policy at first and after each update; empty if it
            remembers.
        matches (K, rounds): Joint actions, in the order in which matches ended.
        menagerie: At the end.
    """

    scheme: str
    seed: int
    episodes_an_update: int
    tables: tuple[FloatArray, ...]
    matches: NDArray[np.uint8]
    menagerie: Menagerie
    run: Run

    def checkpoints(self, most: int) -> NDArray[np.int64]:
        """Return the updates after which policies are looked at: so many at most, evenly spread.

        The last is always among them, the first policy, which is nearly even, never.
        """
        count = len(self.tables) - 1
        return np.unique(np.linspace(1, count, min(most, count)).round().astype(np.int64))


def trained(request: Request) -> dict[str, tuple[Training, ...]]:
    """Train all schemes from all seeds, but for runs that are there already.

    Raises:
        NotConverged: If a run diverged.
        InvalidArgument: As ``run`` does.
    """
    schemes = settings().schemes
    configs = {name: experiment(name, scheme, request) for name, scheme in schemes.items()}
    return made(configs, request, what="training")


def made(
    configs: Mapping[str, ExperimentConfig], request: Request, *, what: str
) -> dict[str, tuple[Training, ...]]:
    """Make all runs of some experiments, by their names."""
    total = sum(len(config.training.seeds) for config in configs.values())
    found: dict[str, tuple[Training, ...]] = {}
    done = 0

    def on_run(run: Run) -> None:
        nonlocal done
        done += 1
        request.on_progress(f"{what}: {run.label}, seed {run.seed}", done, total)

    for name, config in configs.items():
        request.on_progress(f"{what}: {name}", done, total)
        runs = sweep(config, jobs=request.jobs, on_run=on_run, learners=RECORDED)
        found[name] = tuple(_read(name, config, run) for run in runs)
    return found


def _read(name: str, config: ExperimentConfig, run: Run) -> Training:
    if run.status is not Status.FINISHED:
        raise NotConverged(
            needs="runs that end",
            found=f"seed {run.seed} of {name} is {run.status.value}",
            remedy="",
        )
    learner = cast("RecordedSelfPlay", trained_learner(config, run.seed, learners=RECORDED))
    return Training(
        scheme=name,
        seed=run.seed,
        episodes_an_update=config.environment.episodes,
        tables=learner.tables,
        matches=learner.matches,
        menagerie=learner.self_play.menagerie,
        run=run,
    )
