"""What the study of RirRPS runs, as its file ``settings.toml`` says it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from learners.experiments.config import ExperimentConfig, config_from
from learners.experiments.typed_values import read_record
from learners.options import Count, checked
from learners.self_play.sampling import Independent
from learners.self_play.schemes import SelfPlayScheme
from learners.studies.recorded import RECORDED
from learners.studies.registry import Request

FILE = Path(__file__).with_name("settings.toml")
KEEP_EVERY = 25  # updates, from one checkpoint of a run to the next


@dataclass(frozen=True)
@checked
class Training:
    """How a policy is trained.

    Attributes:
        updates: Of the policy.
        episodes: Between two updates.
        live: The learner and its options.
    """

    updates: Count
    episodes: Count
    live: Mapping[str, Any]


@dataclass(frozen=True)
@checked
class SampleRates:
    """Figure 1.

    Attributes:
        episodes: In which opponents are drawn.
    """

    episodes: Count


@dataclass(frozen=True)
@checked
class Trajectories:
    """Figure 2.

    Attributes:
        recurrent: Schemes that are trained with a memory, too.
        network: With a memory.
        embedded: Matches of each run.
        basis: Matches of each fixed agent.
        windows: Parts of a run, in the order of time.
        perplexity, random_state: Of t-SNE.
    """

    recurrent: tuple[str, ...]
    network: Mapping[str, Any]
    embedded: Count
    basis: Count
    windows: Count
    perplexity: Count
    random_state: int


@dataclass(frozen=True)
@checked
class Looks:
    """Figures of populations.

    Attributes:
        checkpoints: Policies of a run that are looked at.
        points: Sizes of the population that are looked at.
    """

    checkpoints: Count
    points: Count = 1


@dataclass(frozen=True)
@checked
class Gates:
    """Table II.

    Attributes:
        windows: Share to be won, and matches in the window.
        tests: Error, and matches in a block.
    """

    updates: Count
    episodes: Count
    seeds: Count
    minibatches: Count
    windows: tuple[tuple[str, int], ...]
    tests: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Hyperparameter:
    """A row of the paper's table I."""

    name: str
    qualitative: str
    quantitative: str


@dataclass(frozen=True)
class Paper:
    """What the paper ran.

    Attributes:
        scale: Of the default amount.
        gate_scale: Of the default amount of table II.
    """

    scale: float
    seeds: int
    gate_scale: float
    hyperparameters: tuple[Hyperparameter, ...]


@dataclass(frozen=True)
@checked
class Settings:
    """All of ``settings.toml``.

    Attributes:
        schemes: Name -> sampling and gate, as tables.
    """

    title: str
    game: str
    seeds: Count
    training: Training
    schemes: Mapping[str, Mapping[str, Any]]
    sample_rates: SampleRates
    trajectories: Trajectories
    matrices: Looks
    performance: Looks
    exploitation: Looks
    gates: Gates
    paper: Paper


@cache
def settings() -> Settings:
    """Return what ``settings.toml`` says.

    >>> settings().training.updates * settings().training.episodes
    12800
    """
    return read_record(tomllib.loads(FILE.read_text("utf-8")), Settings, path=FILE.name)


def seeds_of(request: Request) -> tuple[int, ...]:
    """Return the seeds asked for, else the study's own."""
    return request.seeds or tuple(range(settings().seeds))


def scheme_named(name: str) -> SelfPlayScheme:
    """Return a scheme of the study.

    >>> scheme_named("uniform-0").sampling
    DeltaUniform(delta=Fraction(0, 1))
    """
    return read_record(settings().schemes[name], SelfPlayScheme, path=f"{FILE.name} at {name}")


def sampling_of(name: str) -> Independent:
    """Return whom a scheme meets; opponents are drawn independently in all of them."""
    return cast("Independent", scheme_named(name).sampling)


def experiment(
    label: str,
    scheme: Mapping[str, Any],
    request: Request,
    *,
    seeds: tuple[int, ...] | None = None,
    updates: int | None = None,
    episodes: int | None = None,
    **changed: Any,
) -> ExperimentConfig:
    """Return an experiment of self-play in RirRPS.

    Args:
        label: Of its folder.
        scheme: Sampling and gate, as tables.
        changed: Options of the live learner that are not those of the settings.
    """
    training = settings().training
    config = {
        "label": label,
        "output": str(request.folder / "runs"),
        "game": {"name": settings().game},
        "environment": {"episodes": episodes or training.episodes},
        "learner": {
            "name": "RecordedSelfPlay",
            "scheme": dict(scheme),
            "live": {**training.live, **changed},
        },
        "training": {
            "iterations": request.scaled(updates or training.updates),
            "seeds": list(seeds or seeds_of(request)),
            "checkpoint_every": KEEP_EVERY,
        },
        "assessment": {"method": "not"},
    }
    return config_from(config, path=FILE.name, learners=RECORDED)
