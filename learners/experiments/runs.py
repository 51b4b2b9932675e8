"""Runs: one learner, one seed, written down as it goes, resumed bit for bit, never made twice.

Sweeps: many seeds of an experiment in parallel, wherever joblib sends them.

joblib runs them in processes of this machine by default; inside
``joblib.parallel_config("dask")``, or another of its backends, on the workers of a cluster. What is
learned is a function of config and seed, so it is the same everywhere.
"""

import json
import platform
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from gametheory_core.arguments import require_integer
from gametheory_core.errors import (
    CertificateRejected,
    GameTheoryError,
    InvalidArgument,
    MalformedFile,
    UnsupportedGame,
)
from gametheory_core.formats.certificate_records import certificate_record
from gametheory_core.formats.checked_json import Checked
from gametheory_core.formats.files import write_text
from learners.experiments.comparisons import first_difference
from learners.experiments.config import ExperimentConfig, Judging, config_from, config_record
from learners.experiments.run_files import (
    Checkpoint,
    RunFiles,
    RunLines,
    begin_lines,
    go_back,
    held,
    last_checkpoint,
    read_lines,
)
from learners.experiments.run_records import Run, Status, read_run, verify_run
from learners.experiments.setup import appraisal_of, learner_of, refuse_foreign, refuse_unjudgeable
from learners.findings import Appraisal, findings_record
from learners.protocol import LEARNERS, Learner
from learners.training import Diverged, Learned, LearningProgress, OnLearning, train
from solvers.solution import Budget, RunRecord
from solvers.workers import in_parts

PACKAGES = ("gametheory-core", "numpy", "numba", "torch")  # whose versions may change a run
_MISFITS = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
ITERATIONS = "training.iterations"
_FREE = ("iterations", "seeds", "seconds")  # of training: do not change what has been learned


def run(
    config: ExperimentConfig,
    seed: int,
    *,
    on_iteration: OnLearning | None = None,
    learners: Mapping[str, str] = LEARNERS,
) -> Run:
    """Train a learner from one seed, and judge it; go on where an earlier call was stopped.

    Args:
        seed: All chance comes from it.
        on_iteration: Called with a ``LearningProgress`` after each iteration.
        learners: Name -> ``module:class`` of the learners to choose from.

    Returns:
        As read back from its file. A run that is finished, or has diverged, is not made again.

    Raises:
        InvalidArgument: If the folder holds the run of another experiment; names the key that
            differs. If another process is making the same run (not noticed on Windows).
        MalformedFile: If files of an earlier call are damaged.
        CertificateRejected: If a finished run is there, but what it says is proved is not.
        GameTheoryError: If the learner cannot play the game, or the game is too large to be judged;
            where that shows in the end only, the run is finished all the same, and its message says
            why.

    Writes JSON lines, a checkpoint and certificates into ``config.output``, in a folder of the
    game's name and the experiment's label. Whatever stops it, a kill included, running it again
    goes on from the last checkpoint and leaves the same files, but for the seconds at the end.

    See ``docs/training.md``.
    """
    require_integer(seed, name="seed", low=0)
    files = files_of(config, seed)
    earlier = _earlier(config, seed, files, learners)
    if earlier is not None:
        return earlier
    learner = learner_of(config, seed, learners=learners)
    refuse_unjudgeable(config, learner)
    with held(files):
        return _made(config, seed, files, learner, on_iteration)


def _made(
    config: ExperimentConfig,
    seed: int,
    files: RunFiles,
    learner: Learner,
    on_iteration: OnLearning | None,
) -> Run:
    """Make a run, or the rest of it, and write it down."""
    start, lines = _start(config, seed, files, learner)
    log = _Log(config, seed, lines, learner, on_iteration, start)
    try:
        learned = train(
            learner,
            iterations=config.training.iterations,
            keep_every=config.training.checkpoint_every,
            on_keep=lambda snapshot, _: log.keep(snapshot),
            start=_learned(learner, start),
            budget=Budget(seconds=config.training.seconds),
            on_iteration=log.write,
        )
    except Diverged as error:
        log.end(Status.DIVERGED, quantity=error.quantity, message=str(error))
        return read_run(files.lines)
    log.keep(learned.snapshot)
    finished = learned.iterations >= config.training.iterations
    status = Status.FINISHED if finished else Status.STOPPED
    try:
        if config.assessment.method is not Judging.NOT:
            lines.add(appraisal_line(files, appraisal_of(config, learner, seed=seed)))
    except UnsupportedGame as error:  # what is learned stays; other seeds go on
        log.end(status, message=f"not judged: {error}")
    else:
        log.end(status)
    return read_run(files.lines)


def files_of(config: ExperimentConfig, seed: int) -> RunFiles:
    """Return where a run of an experiment is written down."""
    game, label = plain_name(config.game.title), plain_name(config.title)
    folder = Path(config.output) / (game or "game") / (label or "experiment")
    return RunFiles(folder, f"seed-{seed}")


def plain_name(text: str) -> str:
    """Return a text as the name of a file.

    >>> plain_name("iterated_hero:rounds=5")
    'iterated_hero-rounds-5'
    """
    return re.sub(r"[^\w.+-]+", "-", text).strip("-.")


def recorded_run(
    config: ExperimentConfig, seed: int, *, learners: Mapping[str, str] = LEARNERS
) -> Run:
    """Read the run of an experiment back, and verify what it says is proved.

    Raises:
        InvalidArgument: If there is no such run, or it is of another experiment.
        MalformedFile: If its file is damaged.
        CertificateRejected: If what it says is proved is not.
    """
    files = files_of(config, seed)
    _refuse_other(config, seed, files)
    return _verified(config, read_run(files.lines), learners)


def _verified(config: ExperimentConfig, run: Run, learners: Mapping[str, str]) -> Run:
    """Check what a run says is proved, and that it is about the game of the experiment."""
    certificates = verify_run(run)
    try:
        refuse_foreign(config, certificates, learners)
    except CertificateRejected as error:
        raise error.changed(where=f"{run.path}: {error.where}") from error
    return run


def trained_learner(
    config: ExperimentConfig, seed: int, *, learners: Mapping[str, str] = LEARNERS
) -> Learner:
    """Return the learner of a run as its last checkpoint has it.

    Args:
        learners: Name -> ``module:class``.

    Raises:
        InvalidArgument: If there is no such run, or it is of another experiment.
        MalformedFile: If its files are damaged.
    """
    files = files_of(config, seed)
    if files.lines.exists() and not files.checkpoint.exists():
        raise InvalidArgument(
            needs="the checkpoint of a run",
            found=f"the file is gone, though {files.lines.name} says that the run was made",
            remedy=f"Put it back, or delete {files.lines} and make the run again.",
            where=files.checkpoint,
        )
    if not files.checkpoint.exists():
        raise InvalidArgument(
            needs="a run to evaluate",
            found="there is none",
            remedy="Train it first.",
            where=files.checkpoint,
        )
    _refuse_other(config, seed, files)
    return _restored(config, seed, files, learners)


def _restored(
    config: ExperimentConfig, seed: int, files: RunFiles, learners: Mapping[str, str]
) -> Learner:
    learner = learner_of(config, seed, learners=learners)
    _restore(learner, files)
    return learner


@dataclass(frozen=True, eq=False)
class TrainedRun:
    """A learner as the last checkpoint of a run has it.

    Attributes:
        config: The experiment, as the run's file has it.
        learner: Can go on.
    """

    config: ExperimentConfig
    learner: Learner


def trained_run(files: RunFiles) -> TrainedRun:
    """Return what a run learned, by its files alone.

    Raises:
        InvalidArgument: If there is no such run.
        MalformedFile: If its files are damaged.
    """
    records = read_lines(files.lines)
    if not records or not files.checkpoint.exists():
        raise InvalidArgument(
            needs="a run with a checkpoint", found="there is none", where=files.lines
        )
    header = Checked(records[0], "", f"{files.lines}, line 1")
    table = dict(header["experiment"].value)
    table["training"] = {**table["training"], "iterations": 1}
    config = config_from(table, path=str(files.lines))
    learner = _restored(config, header["seed"].integer(), files, LEARNERS)
    return TrainedRun(config, learner)


def appraisal_line(files: RunFiles, appraisal: Appraisal) -> dict[str, Any]:
    """Write the certificates of an appraisal, and return a record that names them."""
    names: list[str] = []
    for number, certificate in enumerate(appraisal.certificates):
        path = files.certificate(number, certificate.kind)
        write_text(json.dumps(certificate_record(certificate), ensure_ascii=False) + "\n", path)
        names.append(path.name)
    return {"kind": "appraisal", **findings_record(appraisal), "certificates": names}


class _Log:
    """What a run writes down while it is made."""

    def __init__(
        self,
        config: ExperimentConfig,
        seed: int,
        lines: RunLines,
        learner: Learner,
        on_iteration: OnLearning | None,
        start: Checkpoint,
    ) -> None:
        self._config = config
        self._seed = seed
        self._lines = lines
        self._learner = learner
        self._on_iteration = on_iteration
        self._made = start.iterations
        self._before = start.seconds
        self._began = time.perf_counter()

    @property
    def _seconds(self) -> float:
        return self._before + time.perf_counter() - self._began

    def write(self, progress: LearningProgress) -> None:
        """Add a line of metrics, where one is due."""
        self._made = progress.done
        training = self._config.training
        is_judged = training.assess_every > 0 and not self._made % training.assess_every
        if is_judged or not self._made % training.log_every:
            metrics = {name: float(value) for name, value in progress.metrics.items()}
            record = {"kind": "iteration", "iteration": self._made, "metrics": metrics}
            if is_judged:
                record["assessed"] = self._assessed()
            self._lines.add(record)
        if self._on_iteration is not None:
            self._on_iteration(progress)

    def _assessed(self) -> dict[str, float]:
        """Judge what is learned so far; nothing where that cannot be judged."""
        try:
            found = appraisal_of(self._config, self._learner, seed=self._seed, iteration=self._made)
        except UnsupportedGame:
            return {}  # the end says why
        return {own.name: float(own.value) for own in found.findings}

    def keep(self, snapshot: Mapping[str, Any]) -> None:
        """Write a checkpoint."""
        self._lines.keep(Checkpoint(self._made, self._seconds, snapshot))

    def end(self, status: Status, **more: str) -> None:
        """Add the last line."""
        record = {"kind": "end", "status": status.value, "iterations": self._made, **more}
        self._lines.add({**record, "seconds": self._seconds})


def _earlier(
    config: ExperimentConfig, seed: int, files: RunFiles, learners: Mapping[str, str]
) -> Run | None:
    """Return a run that is not to be made again; refuse one of another experiment."""
    if not files.lines.exists():
        return None
    if not _refuse_other(config, seed, files):
        return None
    found = read_run(files.lines)
    asked = config.training.iterations
    made = found.iterations
    if found.status is Status.UNFINISHED:  # what is logged after the checkpoint does not count
        made = last_checkpoint(files).iterations if files.checkpoint.exists() else 0
    if made > asked:
        raise InvalidArgument(
            needs=f"{ITERATIONS} of at least {made}, which it has made",
            found=f"{asked} are asked for",
            remedy="Ask for more, or give another output.",
            argument=ITERATIONS,
            where=files.lines,
        )
    is_made = found.status is Status.FINISHED and made == asked
    if not is_made and found.status is not Status.DIVERGED:
        return None
    return _verified(config, found, learners)


def _refuse_other(config: ExperimentConfig, seed: int, files: RunFiles) -> bool:
    """Refuse the run of another experiment; tell whether there is a header at all."""
    records = read_lines(files.lines)
    if not records:
        return False
    there = {"experiment": records[0].get("experiment"), "seed": records[0].get("seed")}
    refuse_difference(there, {"experiment": identity(config), "seed": seed}, files)
    return True


def refuse_difference(there: Any, asked: Any, files: RunFiles) -> None:
    """Refuse to go on in a file that was begun with another experiment."""
    difference = first_difference(there, asked)
    if difference is not None:
        key, was, now = difference
        raise InvalidArgument(
            needs="the experiment that it was begun with",
            found=f"{key.removeprefix('experiment.')} was {was} and is {now}",
            remedy="Give another label or output, or delete the file.",
            where=files.lines,
        )


def identity(config: ExperimentConfig) -> dict[str, Any]:
    """Return what makes two runs of a seed the same: all but how far they go and where."""
    record = config_record(config)
    for name in ("output", "success"):  # where to, and what a rate counts
        record.pop(name, None)
    for name in _FREE:
        record["training"].pop(name, None)
    return record


def _start(
    config: ExperimentConfig, seed: int, files: RunFiles, learner: Learner
) -> tuple[Checkpoint, RunLines]:
    """Go back to the last checkpoint, or begin the files of a new run with a first one."""
    if files.checkpoint.exists():
        _restore(learner, files)
        return go_back(files)
    if files.lines.exists() and len(read_lines(files.lines)) > 1:  # more than its header
        raise InvalidArgument(
            needs=f"the checkpoint of the run in {files.lines.name} to go on from",
            found="there is none",
            remedy=f"Put it back, or delete {files.lines} to start that seed over.",
            where=files.checkpoint,
        )
    header = {"experiment": identity(config), "seed": seed, "versions": versions()}
    lines = begin_lines(files, header)
    checkpoint = Checkpoint(0, 0.0, learner.snapshot())
    lines.keep(checkpoint)
    return checkpoint, lines


def _restore(learner: Learner, files: RunFiles) -> None:
    """Put a learner where the last checkpoint is; learners cannot foresee what damage may do."""
    try:
        learner.restore(last_checkpoint(files).snapshot)
    except MalformedFile:
        raise
    except (*_MISFITS, GameTheoryError) as error:
        raise MalformedFile(
            needs=f"a snapshot of {learner.name}",
            found=f"it does not fit: {type(error).__name__}: {error}",
            remedy=f"Delete it and {files.lines} to start that seed over.",
            where=files.checkpoint,
        ) from error


def _learned(learner: Learner, checkpoint: Checkpoint) -> Learned:
    return Learned(
        policies=(),
        metrics=(),
        iterations=checkpoint.iterations,
        snapshot=checkpoint.snapshot,
        run=RunRecord(learner.name, checkpoint.seconds, checkpoint.iterations),
    )


def versions() -> dict[str, str]:
    """Return those of what may change a run."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


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
        WorkerLost: If the worker of a run was killed each time that it was tried.

    See ``docs/training.md``.
    """
    made: dict[int, Run] = {}

    def keep(found: Run) -> None:
        made[found.seed] = found
        if on_run is not None:
            on_run(found)

    make = partial(run, config, learners=dict(learners))  # proxies of mappings do not travel
    in_parts(make, [(seed,) for seed in config.training.seeds], jobs=jobs, on_done=keep)
    return tuple(made[seed] for seed in config.training.seeds)
