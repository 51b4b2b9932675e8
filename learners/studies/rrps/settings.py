"""What the study runs, as its file ``settings.toml`` says it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from learners.experiments.typed_values import read_record
from learners.options import Count, CountFromZero, Positive, Share, checked
from learners.roshambo.tournaments.entrants import population_named
from learners.roshambo.tournaments.makers import Maker
from learners.studies.registry import Request
from learners.studies.rrps.agents import Agent, LocalModel, Trained
from learners.studies.rrps.learned import Learned

FILE = Path(__file__).with_name("settings.toml")


@dataclass(frozen=True)
class Row:
    """A row of a table.

    Attributes:
        agent: None if the paper alone has it.
        paper: Population return and within-population exploitability; None if it has none.
    """

    name: str
    agent: Agent | Trained | None = None
    paper: tuple[float, float] | None = None


@dataclass(frozen=True)
class ClassRow:
    """A row of table 1: the best of a class.

    Attributes:
        best_of: A table; None if the paper alone has the class.
    """

    name: str
    best_of: str | None = None
    paper: tuple[float, float] | None = None


@dataclass(frozen=True)
class Best:
    """Table 1."""

    bots: tuple[Row, ...]
    classes: tuple[ClassRow, ...]


@dataclass(frozen=True)
@checked
class Exploiters:
    """Figure 3.

    Attributes:
        recalls: One table of Q-learning each.
        episodes: Of training, against one bot.
    """

    recalls: tuple[int, ...]
    episodes: Count


@dataclass(frozen=True)
@checked
class Forecasts:
    """Table 2, figures 4 and 8.

    Attributes:
        table_frames, figure_frames: Throws that a network learns from.
        held_out: Share of the bots.
        matches: Judged, of each pair of bots.
        throws: In a match.
        step_size: Of the networks' optimizer.
        paper: Accuracies of table 2 in percent, by bot and co-player: training or held out.
    """

    table_frames: Count
    figure_frames: Count
    held_out: Share
    matches: Count
    throws: Count
    step_size: Positive
    paper: tuple[float, ...]


@dataclass(frozen=True)
class Grid:
    """Figure 5, whose rows are the table ``population_learners``.

    Attributes:
        paper: The best aggregate score.
    """

    paper: float


@dataclass(frozen=True)
class LearnedRow:
    """A learner by name."""

    name: str
    agent: Learned


@dataclass(frozen=True)
@checked
class HeldOut:
    """Figure 6.

    Attributes:
        held_out: Share of the bots that are not trained against, in each split.
        parts: Of the training; learners are judged after each.
        paper: What is reached, from and to.
    """

    held_out: Share
    parts: Count
    rows: tuple[LearnedRow, ...]
    paper: tuple[float, float]


@dataclass(frozen=True)
class LongRow:
    """A row of table 4.

    Attributes:
        episodes, score: The paper's; of training, and the aggregate score.
    """

    name: str
    agent: Learned
    episodes: int
    score: float


@dataclass(frozen=True)
@checked
class LongPasts:
    """Table 4.

    Attributes:
        matches: Of an agent with each bot, for each seed.
    """

    matches: Count
    rows: tuple[LongRow, ...]


@dataclass(frozen=True)
@checked
class Model:
    """How a model of transformers is asked.

    Attributes:
        agent: Which player of the text the agent is.
        rounds: How many of the last are shown.
    """

    agent: str
    rounds: Count


@dataclass(frozen=True)
class Record:
    """The strongest agent here, and the bot beside whose row its own is shown."""

    name: str
    agent: Agent
    beside: str


@dataclass(frozen=True)
@checked
class Settings:
    """All of ``settings.toml``.

    Attributes:
        matches: Of an agent with each bot, for each seed.
        pair_matches: Of two bots, for each seed.
        judging_seed: Of the matches of what was trained.
        published_matches: Of the paper's numbers of bots.
        tables: By name, their rows.
        absent: What of the paper is not made, and why.
    """

    title: str
    population: str
    seeds: tuple[int, ...]
    matches: Count
    pair_matches: Count
    judging_seed: CountFromZero
    published_matches: Count
    exploiters: Exploiters
    forecasts: Forecasts
    figure_5: Grid
    figure_6: HeldOut
    table_4: LongPasts
    model: Model
    record: Record
    tables: Mapping[str, tuple[Row, ...]]
    best: Best
    absent: Mapping[str, str]


@cache
def settings() -> Settings:
    """Return what ``settings.toml`` says.

    >>> settings().tables["regret"][0].name
    'RM, R = 0'
    """
    table = tomllib.loads(FILE.read_text("utf-8"))
    known = table.pop("learners")
    return read_record(_filled(table, known), Settings, path=FILE.name)


def _filled(value: Any, known: Mapping[str, Any]) -> Any:
    """Return a table in which what is ``like`` a known learner has its options."""
    if isinstance(value, list):
        return [_filled(each, known) for each in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    table = {key: _filled(own, known) for key, own in cast("dict[str, Any]", value).items()}
    if "like" in table:
        table["learner"] = {**known[table.pop("like")], **table.pop("with", {})}
    return table


def seeds_of(request: Request) -> tuple[int, ...]:
    """Return the seeds asked for, each once, else the study's own."""
    return tuple(dict.fromkeys(request.seeds or settings().seeds))


def rows_of(table: str, request: Request) -> tuple[Row, ...]:
    """Return the rows of a table; models that were asked for are further rows."""
    rows = settings().tables[table]
    if table != "language":
        return rows
    model = settings().model
    return rows + tuple(
        Row(folder.name, LocalModel(str(folder.resolve()), model.agent, model.rounds))
        for folder in request.models
    )


def population() -> dict[str, Maker]:
    """Return what makes the bots.

    Raises:
        MissingDependency: If OpenSpiel is not installed.
    """
    return population_named(settings().population)
