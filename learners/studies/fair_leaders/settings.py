"""What the study trains, as its file ``settings.toml`` says it."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from learners.experiments.typed_values import read_record
from learners.options import Count, PositiveShare, checked
from learners.studies.curves import CurveFigure

FILE = Path(__file__).with_name("settings.toml")


@dataclass(frozen=True)
@checked
class EndOfPlay:
    """Figure 7.

    Attributes:
        episodes: In which the player learns.
        step_size: Of its Q-learning.
        points: Of a curve.
        seeds: How many, if none are asked for.
    """

    episodes: Count
    step_size: PositiveShare
    points: Count
    seeds: Count


@dataclass(frozen=True)
@checked
class Settings:
    """All of ``settings.toml``.

    Attributes:
        in_turn: The learner whose order is that of all players.
        matrix: Figures 3 and 4.
        updates: Figure 6.
        end_of_play: Figure 7.
    """

    title: str
    in_turn: str
    matrix: CurveFigure
    updates: CurveFigure
    end_of_play: EndOfPlay


@cache
def settings() -> Settings:
    """Return what ``settings.toml`` says.

    >>> list(settings().matrix.learners)
    ['fixed', 'in turn', 'vote', 'naive', 'pre-final', 'full']
    """
    return read_record(tomllib.loads(FILE.read_text("utf-8")), Settings, path=FILE.name)
