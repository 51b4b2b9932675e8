"""How predictable bots are to a network: table 2 and figures 4 and 8 of the paper.

Table 2 asks whether what was learned from some bots forecasts others; figure 4, how well a network
of its own forecasts each bot against each; figure 8, whether one network for all bots does as well
(:cite:`lanctot2023population`, section 3 and appendix A.5).
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.errors import InvalidArgument
from learners.deep import Device
from learners.options import Count, checked
from learners.roshambo.bots import CompiledBot, automaton
from learners.roshambo.prediction.attainable import TrueForecasts
from learners.roshambo.prediction.forecasts import (
    Forecaster,
    ForecastScores,
    error_of,
    score_forecasts,
)
from learners.roshambo.prediction.throw_predictor import PredictorOptions, Round, ThrowPredictor
from learners.roshambo.prediction.training import train_predictor
from learners.roshambo.prediction.watched_matches import Maker, MatchSource
from learners.streams import named_stream

Population: TypeAlias = Mapping[str, Maker]
OnRound: TypeAlias = Callable[[str, Round], None]  # what is trained, and how far it is
SIDES = ("training", "held out")
PREDICTOR = "predictor"
MOST_SEEDS = 2**31


@dataclass(frozen=True)
@checked
class Effort:
    """How much is trained and judged; the defaults are the paper's.

    Attributes:
        options: Of each predictor, but for its seed.
        frames: Throws that each learns from.
        matches: Judged, of each bot with each co-player.
        throws: In a match.
        device: Where networks compute.

    >>> Effort().frames
    1000000000
    """

    options: PredictorOptions = field(default_factory=PredictorOptions)
    frames: Count = 10**9
    matches: Count = 100
    throws: Count = 1000
    device: Device = Device.CPU


@dataclass(frozen=True, eq=False)
class Table2:
    """Accuracy where bot, co-player, or both were not learned from.

    Attributes:
        held_out: Names of those that were not, for each split.
        forecasters: Names, the predictor first.
        accuracy (forecasters, splits, 2, 2): By whether the bot and the co-player are held out.
        errors (forecasters, splits, 2, 2): Standard errors, of matches alone.
    """

    held_out: tuple[tuple[str, ...], ...]
    forecasters: tuple[str, ...]
    accuracy: FloatArray
    errors: FloatArray

    @property
    def means(self) -> FloatArray:
        """Over splits, (forecasters, 2, 2)."""
        return self.accuracy.mean(axis=1)

    @property
    def errors_of_means(self) -> FloatArray:
        """Standard errors over splits; of one split, of its matches alone."""
        splits = self.accuracy.shape[1]
        if splits == 1:
            return self.errors[:, 0]
        return self.accuracy.std(axis=1, ddof=1) / np.sqrt(splits)

    def to_csv(self) -> str:
        """Return a row for each forecaster and cell: mean over splits, and its standard error."""
        columns = ("forecaster", "bot", "co-player", "accuracy", "standard error", "splits")
        means, errors = self.means, self.errors_of_means
        rows = (
            (name, SIDES[b], SIDES[c], means[f, b, c], errors[f, b, c], len(self.held_out))
            for f, name in enumerate(self.forecasters)
            for b in range(2)
            for c in range(2)
        )
        return _csv(columns, rows)


@dataclass(frozen=True, eq=False)
class Figure4:
    """Accuracy of a predictor for each bot (row) against each co-player (column).

    Attributes:
        bots: Names, of rows and of columns.
        right (bots, bots, matches): Share of throws forecast in each match.
    """

    bots: tuple[str, ...]
    right: FloatArray

    @property
    def accuracy(self) -> FloatArray:
        """Means over matches, (bots, bots)."""
        return self.right.mean(axis=2)

    def to_csv(self) -> str:
        """Return a row for each bot, a column for each co-player."""
        rows = zip(self.bots, self.accuracy.tolist(), strict=True)
        return _csv(("bot", *self.bots), ((name, *row) for name, row in rows))


@dataclass(frozen=True, eq=False)
class Figure8:
    """Accuracy for each bot: of a predictor of its own, and of one for all.

    Attributes:
        bots: Names.
        individual, population (bots,): Accuracy over all co-players.
        individual_errors, population_errors (bots,): Standard errors.
        attainable (bots,): The best forecasts of bots with finitely many states in these very
            matches; not a number for others.
    """

    bots: tuple[str, ...]
    individual: FloatArray
    individual_errors: FloatArray
    population: FloatArray
    population_errors: FloatArray
    attainable: FloatArray

    def to_csv(self) -> str:
        """Return a row for each bot."""
        names = "individual", "individual_errors", "population", "population_errors", "attainable"
        columns = [getattr(self, name).tolist() for name in names]
        rows = zip(self.bots, *columns, strict=True)
        return _csv(("bot", *(name.replace("_", " ") for name in names)), rows)


def table_2(
    population: Population,
    splits: Sequence[Sequence[str]],
    *,
    seed: int,
    effort: Effort | None = None,
    baselines: Mapping[str, Forecaster] | None = None,
    folder: str | Path | None = None,
    on_round: OnRound | None = None,
) -> Table2:
    """Train a predictor on all bots but some, and judge it by all pairs of bots.

    Args:
        population: Makes the bots, by name.
        splits: For each, the names of those that are held out, as bots and as co-players; the paper
            draws 13 of 43, ten times (``split_bots``).
        seed: Of all matches and predictors.
        effort: How much; default the paper's.
        baselines: Other forecasters, judged by the same matches.
        folder: Where checkpoints are kept, so that a run that was stopped goes on.
        on_round: Called as predictors learn.

    Raises:
        InvalidArgument: If a split leaves nobody on a side, or names nobody of the population.

    >>> from learners.roshambo import embedded_population
    >>> everybody = embedded_population()
    >>> bots = {name: everybody[name] for name in ("cycle_up", "cycle_down", "copy")}
    >>> small = PredictorOptions(memories=(4,), layers=(), matches=4, batch=4)
    >>> effort = Effort(small, frames=160, matches=2, throws=40)
    >>> table_2(bots, [("copy",)], seed=1, effort=effort).means.shape
    (1, 2, 2)
    """
    effort = Effort() if effort is None else effort
    others = {} if baselines is None else dict(baselines)
    if PREDICTOR in others:
        raise InvalidArgument(needs=f"baselines not called {PREDICTOR!r}")
    chosen = tuple(_checked_split(split, population) for split in splits)
    require_integer(len(chosen), name="the number of splits", low=1)
    names = (PREDICTOR, *others)
    found = np.empty((2, len(names), len(chosen), 2, 2))
    for k, out in enumerate(chosen):
        known = {name: maker for name, maker in population.items() if name not in out}
        predictor = _trained(f"table-2-split-{k}", known, known, seed, effort, folder, on_round)
        source = MatchSource(population, throws=effort.throws, seed=seed)
        scores = score_forecasts({PREDICTOR: predictor, **others}, source, matches=effort.matches)
        sides = (tuple(known), out)
        for f, name in enumerate(names):
            for b, bots in enumerate(sides):
                for c, co_players in enumerate(sides):
                    part = scores[name].among(bots, co_players)
                    found[:, f, k, b, c] = part.accuracy, part.accuracy_error
    return Table2(chosen, names, freeze(found[0]), freeze(found[1]))


def figure_4(
    population: Population,
    *,
    seed: int,
    effort: Effort | None = None,
    folder: str | Path | None = None,
    on_round: OnRound | None = None,
) -> Figure4:
    """Train a predictor for each bot against all, and judge it by the bot against each.

    Args:
        population: Makes the bots, by name.
        seed, effort, folder, on_round: As of ``table_2``.

    >>> from learners.roshambo import embedded_population
    >>> bots = {name: embedded_population()[name] for name in ("cycle_up", "copy")}
    >>> small = PredictorOptions(memories=(4,), layers=(), matches=4, batch=4)
    >>> found = figure_4(bots, seed=1, effort=Effort(small, frames=160, matches=2, throws=40))
    >>> found.bots, found.accuracy.shape
    (('cycle_up', 'copy'), (2, 2))
    """
    effort = Effort() if effort is None else effort
    rows: list[FloatArray] = []
    for name, maker in population.items():
        own = {name: maker}
        predictor = _trained(f"figure-4-{name}", own, population, seed, effort, folder, on_round)
        rows.append(_judged(predictor, own, population, seed, effort).right[0])
    return Figure4(tuple(population), freeze(np.array(rows)))


def figure_8(
    population: Population,
    individual: Figure4,
    *,
    seed: int,
    effort: Effort | None = None,
    folder: str | Path | None = None,
    on_round: OnRound | None = None,
) -> Figure8:
    """Train one predictor for all bots, and judge it beside those of figure 4, by the same matches.

    Args:
        population: Makes the bots, by name.
        individual: What ``figure_4`` returns for these bots, this seed and this effort.
        seed, effort, folder, on_round: As of ``table_2``.

    Raises:
        InvalidArgument: If figure 4 is of other bots.

    >>> from learners.roshambo import embedded_population
    >>> bots = {name: embedded_population()[name] for name in ("cycle_up", "copy")}
    >>> small = PredictorOptions(memories=(4,), layers=(), matches=4, batch=4)
    >>> effort = Effort(small, frames=160, matches=2, throws=40)
    >>> own = figure_4(bots, seed=1, effort=effort)
    >>> figure_8(bots, own, seed=1, effort=effort).attainable.tolist()
    [1.0, 1.0]
    """
    effort = Effort() if effort is None else effort
    if individual.bots != tuple(population):
        raise InvalidArgument(
            needs="figure 4 of the same bots", found=f"it is of {', '.join(individual.bots)}"
        )
    predictor = _trained("figure-8", population, population, seed, effort, folder, on_round)
    shared = _judged(predictor, population, population, seed, effort).right
    best = np.full(len(population), np.nan)
    for row, (name, maker) in enumerate(population.items()):
        bot = maker()
        if isinstance(bot, CompiledBot) and bot.recipe.family.automaton is not None:
            true = TrueForecasts(automaton(bot))
            best[row] = _judged(true, {name: maker}, population, seed, effort).accuracy
    return Figure8(
        tuple(population),
        *_means_and_errors(individual.right),
        *_means_and_errors(shared),
        freeze(best),
    )


def _checked_split(split: Sequence[str], population: Population) -> tuple[str, ...]:
    out = tuple(split)
    unknown = [name for name in out if name not in population]
    if unknown or not 0 < len(set(out)) < len(population) or len(set(out)) < len(out):
        raise InvalidArgument(
            needs="some bots of the population to hold out, and some to learn from",
            found=f"{unknown[0]!r} is none of them" if unknown else f"{len(out)} are held out",
            where="table_2",
        )
    return out


def _trained(
    name: str,
    bots: Population,
    co_players: Population,
    seed: int,
    effort: Effort,
    folder: str | Path | None,
    on_round: OnRound | None,
) -> ThrowPredictor:
    own = int(named_stream(seed, name).integers(MOST_SEEDS))
    predictor = ThrowPredictor(replace(effort.options, seed=own), device=effort.device)
    source = MatchSource(bots, co_players, throws=effort.throws, seed=own)
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
    train_predictor(
        predictor,
        source,
        frames=effort.frames,
        checkpoint=None if folder is None else Path(folder) / f"{name}.zip",
        on_round=None if on_round is None else lambda made: on_round(name, made),
    )
    return predictor


def _judged(
    forecaster: Forecaster, bots: Population, co_players: Population, seed: int, effort: Effort
) -> ForecastScores:
    source = MatchSource(bots, co_players, throws=effort.throws, seed=seed)
    return score_forecasts({"": forecaster}, source, matches=effort.matches)[""]


def _means_and_errors(right: FloatArray) -> tuple[FloatArray, FloatArray]:
    errors = np.array([float(error_of(own)) for own in right])
    return freeze(right.mean(axis=(1, 2))), freeze(errors)


def _csv(columns: Iterable[str], rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(
        [f"{entry:.6g}" if isinstance(entry, float) else entry for entry in row] for row in rows
    )
    return text.getvalue()
