"""Success rates: how many of many seeds end as an experiment's ``success`` asks, with an interval.

Each seed is trained and judged once. One line a seed goes to a file, so that a sweep that was
stopped goes on where it was; a last line that is only half there is cut off, and its seed comes
again. What is learned depends on config and seed alone, so the file does, but for the order of its
lines.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from gametheory_core.errors import GameTheoryError, InvalidArgument
from gametheory_core.formats.checked_json import Checked
from learners.experiments.comparisons import CONFIDENCE, Interval, binomial_interval
from learners.experiments.config import ExperimentConfig, config_record
from learners.experiments.run_files import RunFiles, begin_lines, held, read_lines, whole_lines
from learners.experiments.runs import files_of, identity, plain_name, refuse_difference, versions
from learners.experiments.setup import appraisal_of, learner_of
from learners.experiments.success import conditions_of, judged_numbers
from learners.protocol import LEARNERS, Learner
from learners.training import Diverged, train
from solvers.workers import in_parts

_BROKEN = "broken"  # key of the record of a run that was given up
RATE_SCHEMA = "gametheory-core/rate/1"
STEPS = "environment steps"  # a metric of learners that count them


@dataclass(frozen=True)
class SuccessRate:
    """How often an experiment succeeded.

    Attributes:
        game: Of the catalogue, with its parameters, or a file.
        seeds: That were asked for.
        runs: Seeds of these that ended, and were judged or diverged: what the rate rests on.
        failed: Seeds of those whose runs did not succeed.
        steps: The most environment steps that a run took; None if its learner does not count them.
        broken: Seed -> why its run was given up, neither a success nor a failure.
        path: Of the file.

    >>> rate = SuccessRate("hero", seeds=(0, 1), runs=(0, 1), failed=(1,))
    >>> rate.successes, round(rate.interval.low, 3), round(rate.interval.high, 3)
    (1, 0.013, 0.987)
    """

    game: str
    seeds: tuple[int, ...]
    runs: tuple[int, ...]
    failed: tuple[int, ...]
    steps: int | None = None
    broken: Mapping[int, str] = field(default_factory=dict[int, str])
    path: str = ""

    @property
    def successes(self) -> int:
        """How many runs succeeded."""
        return len(self.runs) - len(self.failed)

    @property
    def interval(self) -> Interval:
        """Of the chance of a success: Clopper and Pearson's, 95 %."""
        return binomial_interval(self.successes, len(self.runs), confidence=CONFIDENCE)

    @property
    def is_complete(self) -> bool:
        """Whether it rests on all seeds that were asked for."""
        return len(self.runs) == len(self.seeds)


@dataclass(frozen=True)
class RateProgress:
    """What a sweep reports after each run.

    Attributes:
        done, total: Runs of this call.
        seconds: Since it began.
    """

    done: int
    total: int
    seconds: float


OnRun: TypeAlias = Callable[[RateProgress], None]
Record: TypeAlias = dict[str, Any]  # of a run, as a line of the file


def success_rate(
    config: ExperimentConfig,
    *,
    seeds: Sequence[int] | None = None,
    jobs: int | None = None,
    on_run: OnRun | None = None,
    learners: Mapping[str, str] = LEARNERS,
) -> SuccessRate:
    """Train and judge each seed of an experiment, and count those that do as ``success`` asks.

    Args:
        seeds: By default those of the config.
        jobs: Runs at once; -1 for as many as there are processors. Default: as joblib's backend
            has it.
        on_run: Called after each run.
        learners: Name -> ``module:class`` of the learners to choose from.

    Returns:
        Over all seeds, those of earlier calls included, which are not made again.

    Raises:
        InvalidArgument: If ``success`` is empty or names what is not judged exactly; if the file is
            of another experiment, or another process is adding to it.
        GameTheoryError: If the first run already breaks, as by a game that does not fit.

    A run that diverges is a failure. A run that breaks in another way counts as none; the rate then
    rests on the others, and says so.

    >>> import tempfile
    >>> from learners.experiments import read_config
    >>> config = read_config("docs/examples/configs/prisoners_dilemma_leader.toml")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = success_rate(replace(config, output=folder), seeds=range(3), jobs=1)
    >>> found.runs, found.is_complete
    ((0, 1, 2), True)
    """
    own = _asked(config, seeds)
    _refuse_unknown(own, learners)
    files = rate_files(own)
    with held(files):
        sheet = _Sheet(files, own)
        missing = [seed for seed in own.training.seeds if seed not in sheet.records]
        began = time.perf_counter()

        def keep(record: Record) -> None:
            sheet.add(record)
            if on_run is not None:
                left = sum(seed not in sheet.records for seed in missing) - len(sheet.broken)
                on_run(RateProgress(len(missing) - left, len(missing), time.perf_counter() - began))

        make = partial(_judged, own, learners=dict(learners))  # proxies of mappings do not travel
        in_parts(make, [(seed,) for seed in missing], jobs=jobs, on_done=keep)
    return _rate(own, sheet.records, sheet.broken)


def recorded_rate(config: ExperimentConfig, *, seeds: Sequence[int] | None = None) -> SuccessRate:
    """Return the rate over what a file has so far, and train nothing.

    Raises:
        InvalidArgument: If ``success`` is empty, or the file is of another experiment.
        MalformedFile: If the file is damaged.

    >>> from learners.experiments import read_config
    >>> config = read_config("docs/examples/configs/prisoners_dilemma_leader.toml")
    >>> recorded_rate(replace(config, output="no-such-folder")).runs
    ()
    """
    own = _asked(config, seeds)
    files = rate_files(own)
    records = _records(own, files) if files.lines.exists() else {}
    return _rate(own, records, {})


def rate_files(config: ExperimentConfig) -> RunFiles:
    """Return where the rate of an experiment is written down: a file for each game."""
    return RunFiles(files_of(config, 0).folder, f"rate-{plain_name(game_name(config))}")


def game_name(config: ExperimentConfig) -> str:
    """Return the game of an experiment in a word, parameters included.

    >>> from learners.experiments import read_config
    >>> game_name(read_config("docs/examples/configs/prisoners_dilemma_leader.toml"))
    'iterated_prisoners_dilemma:rounds=10'
    """
    game = config.game
    name = game.name or game.file or (game.population.name if game.population else "")
    given = ",".join(f"{key}={value}" for key, value in sorted(game.parameters.items()))
    return f"{name}:{given}" if given else name


class _Sheet:
    """The file of a rate, being written; what it had stays, but for a last line half there."""

    def __init__(self, files: RunFiles, config: ExperimentConfig) -> None:
        self.records: dict[int, Record] = _records(config, files)
        self.broken: dict[int, str] = {}
        if self.records or read_lines(files.lines, schema=RATE_SCHEMA):
            self._lines = whole_lines(files)
        else:
            header = {"experiment": _identity(config), "versions": versions()}
            self._lines = begin_lines(files, header, schema=RATE_SCHEMA)

    def add(self, record: Record) -> None:
        """Write a run down; remember one that broke, and leave it to be made again."""
        if _BROKEN in record:
            self.broken[record["seed"]] = record[_BROKEN]
        else:
            self.records[record["seed"]] = record
            self._lines.add({"kind": "run", **record})


def _judged(config: ExperimentConfig, seed: int, *, learners: Mapping[str, str]) -> Record:
    """Train and judge one seed."""
    try:
        learner = learner_of(config, seed, learners=learners)
        iterations = config.training.iterations
        learned = train(learner, iterations=iterations, keep_every=iterations)
        numbers = _numbers(config, learner, seed)
    except Diverged as error:
        return {"seed": seed, "success": False, "diverged": error.quantity}
    except GameTheoryError as error:
        return {"seed": seed, _BROKEN: str(error)}
    counted = learned.metrics[-1].get(STEPS)
    return {
        "seed": seed,
        "success": all(own.holds(numbers[own.name]) for own in conditions_of(config.success)),
        "numbers": {name: str(value) for name, value in numbers.items()},
        **({} if counted is None else {"steps": int(counted)}),
    }


def _numbers(config: ExperimentConfig, learner: Learner, seed: int) -> dict[str, Fraction]:
    names = tuple(config.success)
    return judged_numbers(learner, lambda: appraisal_of(config, learner, seed=seed), names=names)


def _asked(config: ExperimentConfig, seeds: Sequence[int] | None) -> ExperimentConfig:
    """Put the seeds into an experiment; refuse one that does not say what a success is."""
    if not config.success:
        raise InvalidArgument(
            needs="a table [success] that says what counts",
            found="there is none",
            remedy="Name exact numbers and their bounds: regret_stationary = 0, or "
            'nash_conv = "<= 0.01".',
            where="success",
        )
    if config.training.seconds is not None:
        raise InvalidArgument(
            needs="runs of a length that does not depend on the machine",
            found=f"got a limit of {config.training.seconds:g} seconds",
            remedy="Leave it out; a rate is stopped and goes on between runs.",
            where="training.seconds",
        )
    if seeds is None:
        return config
    return replace(config, training=replace(config.training, seeds=tuple(seeds)))


def _refuse_unknown(config: ExperimentConfig, learners: Mapping[str, str]) -> None:
    """Refuse, before anything is learned, what cannot be judged: ask of a learner as it begins."""
    seed = config.training.seeds[0]
    _numbers(config, learner_of(config, seed, learners=learners), seed)


def _identity(config: ExperimentConfig) -> Record:
    training = {"iterations": config.training.iterations}
    record = identity(config)
    return {**record, "training": training, "success": config_record(config)["success"]}


def _records(config: ExperimentConfig, files: RunFiles) -> dict[int, Record]:
    """Read the runs of a file by their seeds; refuse those of another experiment."""
    lines = read_lines(files.lines, schema=RATE_SCHEMA)
    if not lines:
        return {}
    refuse_difference(lines[0].get("experiment"), _identity(config), files)
    found: dict[int, Record] = {}
    for number, line in enumerate(lines[1:], start=2):
        record = Checked(line, "", f"{files.lines}, line {number}")
        record["kind"].one_of("run")
        record["success"].boolean()
        found[record["seed"].integer()] = line
    return found


def _rate(
    config: ExperimentConfig, records: Mapping[int, Record], broken: Mapping[int, str]
) -> SuccessRate:
    seeds = config.training.seeds
    own = {seed: records[seed] for seed in seeds if seed in records}
    if broken and not own:
        seed, why = next(iter(broken.items()))
        raise GameTheoryError(found=f"all runs broke; seed {seed}: {why}", where="rates")
    return SuccessRate(
        game_name(config),
        seeds=seeds,
        runs=tuple(own),
        failed=tuple(seed for seed, record in own.items() if not record["success"]),
        steps=max((record["steps"] for record in own.values() if "steps" in record), default=None),
        broken=broken,
        path=str(rate_files(config).lines),
    )
