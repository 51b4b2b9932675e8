"""What an experiment is, as a file says it: the game, the learner, how long, and how to judge."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any, Literal

from gametheory_core.arguments import require_instance, require_integer, require_number, shown
from gametheory_core.catalog.index import catalog, specified
from gametheory_core.errors import InvalidArgument, MalformedFile
from gametheory_core.formats.files import read_text
from learners.assessment import MAX_NODES, ActsOn
from learners.batches.sight import Sees
from learners.experiments.registry import (
    learner_class,
    options_of,
    read_options,
    refuse_idle_options,
)
from learners.experiments.success import conditions_of
from learners.experiments.typed_values import (
    joined,
    member_name,
    nearest,
    read_record,
    refuse_unknown,
)
from learners.protocol import LEARNERS, Plays, declaration_of
from learners.roshambo.matches.recall import Recall, Shows

MOST_AT_ONCE = 1_000_000  # episodes of a batch; each takes up to some kilobytes
MOST_SAMPLED = 10_000_000  # episodes to judge by; 8 bytes for each player and one more

TOML = 'lines such as title = "Pennies" or seeds = [0, 1] below [tables] (TOML)'
MOST_SEED = 2**63 - 1  # the largest integer that TOML promises
LONGEST_NAME = 200  # bytes of a folder's name; 255 is the most that file systems take


class Judging(Enum):
    """How a learner is judged in the end."""

    EXACT = "exact"
    SAMPLED = "sampled"
    NOT = "not"


@dataclass(frozen=True)
class PopulationConfig:
    """Repeated rock-paper-scissors against bots, one of which is drawn for each match.

    Attributes:
        name: ``embedded_training``, ``embedded``, ``open_spiel``, or ``file.py:NAME``, relative to
            the folder in which the command runs.
        bots: Only these of them; all by default.
        weights: How likely bots are to be met, in proportion; all equally by default.
        recall: How many last throws of both the learner sees.
        shows: ``"bits"`` for networks, ``"number"`` for tables.
        throws: In a match.
        self_play: Chance that a match is one of the learner with itself, or with another.
    """

    name: str
    bots: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    recall: int = 3
    shows: Shows = Shows.BITS
    throws: int = 1000
    self_play: float = 0.0

    def __post_init__(self) -> None:
        for name in ("recall", "throws"):
            require_integer(getattr(self, name), where="population", name=name, low=1)
        require_number(self.self_play, where="population", name="self_play", low=0, high=1)
        for k, name in enumerate(self.bots):
            if name in self.bots[:k]:
                raise InvalidArgument(
                    needs="bots that are named once each",
                    found=f"{name!r} stands twice",
                    remedy="Give it a larger weight to meet it more often.",
                    where="population.bots",
                )
        _ = self.window

    @property
    def window(self) -> Recall:
        """What the learner sees."""
        return Recall(self.recall, self.shows)


@dataclass(frozen=True)
class GameConfig:
    """Which game.

    Attributes:
        name: Of the catalogue: ``gametheory list``.
        parameters: The catalogue's integers.
        file: Instead of a name, a ``.nfg``, ``.efg`` or ``.json`` file; relative to the config.
        population: Instead of both, bots to play repeated rock-paper-scissors with.
        horizon: Stop play after so many steps (games by turns: moves).
    """

    name: str = ""
    parameters: Mapping[str, int] = field(default_factory=dict[str, int])
    file: str = ""
    horizon: int | None = None
    population: PopulationConfig | None = None

    @property
    def title(self) -> str:
        """What folders call it: its name, or that of its file or population."""
        own = self.file if self.population is None else self.population.name
        return self.name or Path(own).stem

    def __post_init__(self) -> None:
        given = [bool(self.name), bool(self.file), self.population is not None]
        if sum(given) != 1:
            raise InvalidArgument(
                needs="one of a name of the catalogue, a file and a population",
                found=f"got {sum(given) or 'none'} of them",
                where="game",
            )
        if self.population is not None and self.horizon is not None:
            raise InvalidArgument(
                needs="population.throws to say how long a match is",
                found="got a horizon",
                remedy="Leave it out.",
                where="game",
            )
        if self.name and self.name not in catalog():
            raise InvalidArgument(
                found=f"no game {self.name!r}",
                remedy=nearest(self.name, catalog()).rstrip(),
                where="game",
            )
        _refuse_no_name(self.file, Path(self.file).parts, key="file")
        known = catalog()[self.name].parameters if self.name else {}
        refuse_unknown(self.parameters, known, path="game at parameters")
        if self.horizon is not None:
            require_integer(self.horizon, where="game", name="horizon", low=1)

    def replaced(self, specification: str) -> "GameConfig":
        """Return another game of the catalogue, with those parameters of this one that it has too.

        Args:
            specification: ``name`` or ``name:key=value,...``, whose values count.

        Raises:
            InvalidArgument: If there is no such game or parameter.

        >>> GameConfig("iterated_hero", {"rounds": 5}).replaced("iterated_chicken").parameters
        {'rounds': 5}
        """
        entry, given = specified(specification)
        kept = {key: self.parameters[key] for key in self.parameters if key in entry.parameters}
        return GameConfig(entry.name, kept | given, horizon=self.horizon)


@dataclass(frozen=True)
class EnvironmentConfig:
    """How the game is played; for learners that play in batches.

    Attributes:
        episodes: Played at once: at most a million.
        sees: What a learner sees of the past: ``"last"``, ``"timed"`` or ``"history"``.
    """

    episodes: int = 64
    sees: Sees = Sees.LAST

    def __post_init__(self) -> None:
        require_integer(
            self.episodes, where="environment", name="episodes", low=1, high=MOST_AT_ONCE
        )


@dataclass(frozen=True)
class LearnerConfig:
    """Which learner.

    Attributes:
        name: ``gametheory list learners`` lists them.
        options: Of its constructor, as the file has them.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class TrainingConfig:
    """How long, and how often to write things down.

    Attributes:
        seeds: One run each.
        seconds: Wall-clock limit of a run; when run again it goes on.
        log_every: Iterations from one line of metrics to the next.
        checkpoint_every: Iterations from one checkpoint to the next.
        assess_every: Iterations from one exact appraisal to the next, for the curves; 0 for the end
            only.
    """

    iterations: int
    seeds: tuple[int, ...] = (0,)
    seconds: float | None = None
    log_every: int = 1
    checkpoint_every: int = 100
    assess_every: int = 0

    def __post_init__(self) -> None:
        for name, low in (
            ("iterations", 1),
            ("log_every", 1),
            ("checkpoint_every", 1),
            ("assess_every", 0),
        ):
            require_integer(getattr(self, name), where="training", name=name, low=low)
        if self.seconds is not None:
            require_number(self.seconds, where="training", name="seconds", low=0)
        for seed in self.seeds:
            require_integer(seed, where="training", name="seeds", low=0, high=MOST_SEED)
        if not self.seeds or len(set(self.seeds)) != len(self.seeds):
            raise InvalidArgument(
                needs="at least one seed, each once",
                found=f"got {shown(self.seeds)}",
                where="training",
            )


@dataclass(frozen=True)
class AssessmentConfig:
    """How what was learned is judged.

    Attributes:
        method: ``"exact"``: certified; ``"sampled"``: returns with standard errors, for games that
            are too large; ``"not"``.
        acts_on: ``"last-observation"`` judges long games by state; see ``assess``.
        max_nodes: The largest tree to build.
        episodes: To sample: at most ten million.
        follower_class: Of the best response by which a leader is judged.
    """

    method: Judging = Judging.EXACT
    acts_on: ActsOn = ActsOn.HISTORY
    max_nodes: int = MAX_NODES
    episodes: int = 10_000
    follower_class: Literal["time-aware", "stationary"] = "time-aware"

    def __post_init__(self) -> None:
        require_integer(self.max_nodes, where="assessment", name="max_nodes", low=1)
        require_integer(
            self.episodes, where="assessment", name="episodes", low=2, high=MOST_SAMPLED
        )


@dataclass(frozen=True)
class ExperimentConfig:
    """An experiment: a game, a learner, seeds, and how to judge.

    Attributes:
        label: What tables and figures call it; by default the learner's name.
        output: Folder for runs.
        success: What ``rates`` counts: exact numbers of the judgment -> what they are to be, a
            number or a comparison such as ``"<= 0.1"``; see ``conditions_of``.
    """

    game: GameConfig
    learner: LearnerConfig
    training: TrainingConfig
    environment: EnvironmentConfig = field(default_factory=EnvironmentConfig)
    assessment: AssessmentConfig = field(default_factory=AssessmentConfig)
    label: str = ""
    output: str = "runs"
    success: Mapping[str, int | float | str] = field(default_factory=dict[str, int | float | str])

    def __post_init__(self) -> None:
        conditions_of(self.success)
        _refuse_no_name(self.label, (self.label,), key="label")
        _refuse_no_name(self.output, Path(self.output).parts, key="output")

    @property
    def title(self) -> str:
        """What tables and figures call it."""
        return self.label or self.learner.name


def read_config(path: str | Path, *, learners: Mapping[str, str] = LEARNERS) -> ExperimentConfig:
    """Read an experiment from a TOML file, and check all of it.

    Args:
        learners: Name -> ``module:class`` of the learners to choose from.

    Raises:
        MalformedFile: If it is no TOML; names the line.
        InvalidArgument: If a key is unknown or missing or a value does not fit; names the key, and
            the nearest one.

    >>> config = read_config("docs/examples/configs/matching_pennies_q.toml")
    >>> config.title, config.training.seeds
    ('QLearning', (0, 1, 2))
    """
    name = str(path)
    text = read_text(path)
    try:
        table = tomllib.loads(text)
    except ValueError as error:  # Python also refuses integers of thousands of digits
        raise MalformedFile(needs=TOML, found=f"Python reads: {error}", where=name) from None
    except RecursionError:
        raise MalformedFile(needs=TOML, found="it is nested too deeply", where=name) from None
    config = config_from(table, path=name, learners=learners)
    population = table["game"].get("population", {})
    if (
        "bots" in population and not population["bots"]
    ):  # in the record of a run that is all of them
        raise InvalidArgument(
            needs="a bot or more in bots",
            found="there is none",
            remedy="Leave bots out to meet all of the population.",
            where=f"{name}: game.population",
        )
    if not config.game.file:
        return config
    return replace(
        config, game=replace(config.game, file=str(Path(path).parent / config.game.file))
    )


def config_from(
    table: Mapping[str, Any], *, path: str, learners: Mapping[str, str] = LEARNERS
) -> ExperimentConfig:
    """Return a table, as TOML or JSON has it, as an experiment; see ``read_config``."""
    require_instance(table, Mapping, name="table", where=path)
    plain = dict(table)
    given = plain.get("learner")
    if isinstance(given, Mapping):
        plain["learner"] = _learner_table(dict(given), path, learners)
    config = read_record(plain, ExperimentConfig, path=path)
    _check_learner(config, given_environment="environment" in table, path=path, learners=learners)
    return config


def config_record(config: ExperimentConfig) -> dict[str, Any]:
    """Return an experiment as a table that ``config_from`` reads back."""
    record = _plain(asdict(config))
    record["learner"] = {"name": config.learner.name, **record["learner"]["options"]}
    if config.environment == EnvironmentConfig():
        del record["environment"]  # of no use to learners that play the game itself
    return {key: value for key, value in record.items() if value not in ("", {})}


def _learner_table(given: dict[str, Any], path: str, learners: Mapping[str, str]) -> Any:
    """Put the options, which stand beside the name, into a table of their own."""
    name = given.pop("name", None)
    where = joined(joined(path, "learner"), "name")
    if not isinstance(name, str):
        raise InvalidArgument(
            needs="the name of a learner",
            found=f"got {shown(name)}",
            remedy=f"Learners are {', '.join(sorted(learners))}.",
            where=where,
        )
    learner_class(name, path=where, table=learners)
    return {"name": name, "options": given}


def _check_learner(
    config: ExperimentConfig, *, given_environment: bool, path: str, learners: Mapping[str, str]
) -> None:
    made = learner_class(config.learner.name, table=learners)
    read_options(made, config.learner.options, path=joined(path, "learner"))
    if given_environment and not declaration_of(made).is_batched:
        options = ", ".join(option.name for option in options_of(made))
        raise InvalidArgument(
            needs="a learner that plays in batches",
            found=f"{config.learner.name} plays the game itself",
            remedy=f"Leave the table out; the learner's options are {options}.",
            where=joined(path, "environment"),
        )
    if config.game.population is not None:
        _check_population(config, made, path=path)
    judging = config.assessment
    refuse_idle_options(made, judging, path=joined(path, "assessment"))
    reads_states = judging.method is Judging.EXACT and judging.acts_on is ActsOn.LAST_OBSERVATION
    if reads_states and declaration_of(made).is_batched and config.environment.sees is Sees.HISTORY:
        raise InvalidArgument(
            needs="policies of the last observation",
            found='environment.sees = "history" makes policies that look further back',
            remedy="Change one of the two keys.",
            where=f"{joined(path, 'assessment')}.acts_on",
        )


def _check_population(config: ExperimentConfig, made: type, *, path: str) -> None:
    """Refuse a learner, or a way to judge, that does not fit matches against a population."""
    declared = declaration_of(made)
    if declared.plays is not Plays.BATCHES or declared.batch is not None:
        plays = declared.plays.value if declared.batch is None else "batches of its own kind"
        raise InvalidArgument(
            needs="a learner that plays one seat in batches, such as DQN, PPO or QLearning",
            found=f"{config.learner.name} plays {plays}",
            where=joined(joined(path, "learner"), "name"),
        )
    if config.assessment.method is Judging.EXACT:
        raise InvalidArgument(
            needs='"sampled" or "not": matches against a population are played, not computed',
            found='got "exact", the default',
            where=f"{joined(path, 'assessment')}.method",
        )
    if config.environment.sees is not Sees.LAST:
        raise InvalidArgument(
            needs="game.population.recall to say what is seen of the past",
            found=f"got {member_name(config.environment.sees)!r}",
            remedy="Leave it out.",
            where=f"{joined(path, 'environment')}.sees",
        )


def _refuse_no_name(text: str, parts: Iterable[str], *, key: str) -> None:
    """Refuse what no file system takes as a path."""
    longest = max((len(part.encode("utf-8", "replace")) for part in parts), default=0)
    if "\0" in text or longest > LONGEST_NAME:
        raise InvalidArgument(
            needs=f"names of at most {LONGEST_NAME} bytes without a null character",
            found=f"got {shown(text)}",
            where=key,
        )


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items() if entry is not None}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return member_name(value) if isinstance(value, Enum) else value
