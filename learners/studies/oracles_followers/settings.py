"""What the study trains, as its file ``settings.toml`` says it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from learners.experiments.typed_values import read_record
from learners.options import Count, Positive, checked
from learners.studies.curves import CurveFigure

FILE = Path(__file__).with_name("settings.toml")


@dataclass(frozen=True)
@checked
class Battle:
    """A battle of the sexes, and how the follower learns in it.

    Attributes:
        leader, follower (2, 2): Payoffs.
        steps: In which she learns, before the one that counts.
        rate: Of her Q-learning, from zeros.
        noise: Standard deviation of what is added to her values before she acts, while she learns.
    """

    leader: tuple[tuple[Fraction, ...], ...]
    follower: tuple[tuple[Fraction, ...], ...]
    steps: Count
    rate: Positive
    noise: Positive


@dataclass(frozen=True)
@checked
class Learning:
    """Figures 5 and 6.

    Attributes:
        iterations, episodes, step_size: Of the leader, who learns by a policy gradient.
        seeds: How many, if none are asked for.
        figure_5, figure_6: Games by name.
    """

    iterations: Count
    episodes: Count
    step_size: Positive
    seeds: Count
    figure_5: Mapping[str, Battle]
    figure_6: Mapping[str, Battle]


@dataclass(frozen=True)
@checked
class Trade:
    """Figure 2.

    Attributes:
        game: Of the catalogue.
        before, iterations: Of the follower, and then of the leader.
        seeds: How many, if none are asked for.
    """

    game: str
    before: Count
    iterations: Count
    seeds: Count


@dataclass(frozen=True)
class Approach:
    """A row of table 2.

    Attributes:
        here: ``module:name`` of what stands for it in this library.
    """

    oracle: str
    leader: str
    paper: str
    here: tuple[str, ...]


@dataclass(frozen=True)
class Hyperparameters:
    """Rows of table 4.

    Attributes:
        of: Options of the library, by their short name.
        paper: Option -> what the paper says.
    """

    of: str
    paper: Mapping[str, float]


@dataclass(frozen=True)
@checked
class Settings:
    """All of ``settings.toml``.

    Attributes:
        iterated: Figures 1 and 8, and table 5.
        short: Environment steps of figure 1; those of figure 8 are the axes' own.
        full: Iterations of ES-MD in table 6.
        trade: Figure 2.
        queries: Figure 3.
        flagged: Figure 4.
        learning: Figures 5 and 6.
        approaches: Table 2.
        hyperparameters: Table 4.
    """

    title: str
    short: Count
    full: Count
    iterated: CurveFigure
    trade: Trade
    queries: CurveFigure
    flagged: CurveFigure
    learning: Learning
    approaches: tuple[Approach, ...]
    hyperparameters: tuple[Hyperparameters, ...]


@cache
def settings() -> Settings:
    """Return what ``settings.toml`` says.

    >>> len(settings().iterated.games)
    12
    """
    return read_record(tomllib.loads(FILE.read_text("utf-8")), Settings, path=FILE.name)


def stage_games() -> tuple[str, ...]:
    """Return the catalogue's names of the games that are iterated.

    >>> stage_games()[-2:]
    ('battle', 'chicken')
    """
    games = settings().iterated.games.values()
    return tuple(own["name"].removeprefix("iterated_") for own in games)
