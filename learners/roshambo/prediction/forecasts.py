"""What a forecaster of throws is, and how well one does: accuracy and cross-entropy.

A forecast is a distribution of the next throw. It is *right* if the throw is the likeliest; among
equally likely ones the point is shared. Its cross-entropy is ``-ln`` of the probability it gave to
the throw that came.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from gametheory_core.arguments import require_integer, shown
from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.errors import InvalidArgument
from learners.roshambo.prediction.watched_matches import Bytes, MatchSource, WatchedMatches

OnBlock: TypeAlias = Callable[[int, int], None]  # how many matches are judged, of how many
TIE = 1e-9  # probabilities that differ by less are equal
LEAST = 1e-12  # smaller probabilities count as this one in cross-entropies
AT_ONCE = 256  # matches in memory
EDGES = (1, 5, 10, 20, 50, 100, 200, 500)  # of positions in a match


class Forecaster(Protocol):
    """One that forecasts throws."""

    def forecasts(self, own: Bytes, other: Bytes) -> FloatArray:
        """Return how likely each throw of a bot is, by the throws before it alone.

        Args:
            own (matches, throws): Of the bot.
            other (matches, throws): Of its co-player.

        Returns:
            Shape (matches, throws, 3), each row a distribution.
        """
        ...


@dataclass(frozen=True, eq=False)
class ForecastScores:
    """How well throws were forecast.

    Attributes:
        bots, co_players: Names.
        right (bots, co-players, matches): Share of throws that were forecast.
        entropy (bots, co-players, matches): Cross-entropy, in nats a throw.
        edges: Where spans of positions begin; the first is 0.
        right_by_position, entropy_by_position (spans, bots, co-players, matches): The same by span.
    """

    bots: tuple[str, ...]
    co_players: tuple[str, ...]
    right: FloatArray
    entropy: FloatArray
    edges: tuple[int, ...]
    right_by_position: FloatArray
    entropy_by_position: FloatArray

    @property
    def accuracy(self) -> float:
        """Over all pairs."""
        return float(self.right.mean())

    @property
    def accuracy_error(self) -> float:
        """Its standard error: pairs are fixed, matches are drawn."""
        return float(error_of(self.right))

    @property
    def cross_entropy(self) -> float:
        """Over all pairs, in nats a throw."""
        return float(self.entropy.mean())

    @property
    def cross_entropy_error(self) -> float:
        """Its standard error."""
        return float(error_of(self.entropy))

    def by_bot(self) -> dict[str, tuple[float, float]]:
        """Return the accuracy of each bot's forecasts, and its standard error."""
        means = self.right.mean(axis=(1, 2)).tolist()
        errors = [float(error_of(own)) for own in self.right]
        return dict(zip(self.bots, zip(means, errors, strict=True), strict=True))

    def by_position(self) -> dict[int, tuple[float, float]]:
        """Return the accuracy from each position on, up to the next, and its standard error."""
        means = self.right_by_position.mean(axis=(1, 2, 3)).tolist()
        errors = [float(error_of(own)) for own in self.right_by_position]
        return dict(zip(self.edges, zip(means, errors, strict=True), strict=True))

    def among(self, bots: tuple[str, ...], co_players: tuple[str, ...]) -> "ForecastScores":
        """Return the scores of some pairs alone."""
        rows = [self.bots.index(name) for name in bots]
        columns = [self.co_players.index(name) for name in co_players]
        part = np.ix_(rows, columns)
        spans = (slice(None), *part)
        return ForecastScores(
            bots,
            co_players,
            self.right[part],
            self.entropy[part],
            self.edges,
            self.right_by_position[spans],
            self.entropy_by_position[spans],
        )


def error_of(values: FloatArray) -> FloatArray:
    """Return the standard error of a mean over pairs, each with matches of its own.

    Args:
        values (..., matches): At least two matches; all axes but the last are pairs.

    >>> float(error_of(np.array([[0.0, 1.0], [1.0, 1.0]])))
    0.25
    """
    matches = values.shape[-1]
    spread = values.var(axis=-1, ddof=1) / matches
    return np.sqrt(spread.sum()) / spread.size


def score_forecasts(
    forecasters: Mapping[str, Forecaster],
    source: MatchSource,
    *,
    matches: int = 2,
    on_block: OnBlock | None = None,
) -> dict[str, ForecastScores]:
    """Judge forecasters by the same matches, of each bot with each co-player.

    None of these matches is one that ``source.drawn`` gives.

    Args:
        forecasters: By name.
        matches: Of each pair, at least 2.
        on_block: Called as matches are judged.

    Raises:
        InvalidArgument: If there is no forecaster, there are too few matches, or what one returns
            is no forecast; names it.

    >>> from learners.roshambo import embedded_population
    >>> from learners.roshambo.prediction import BackOff
    >>> bots = {name: embedded_population()[name] for name in ("cycle_up", "uniform")}
    >>> source = MatchSource(bots, throws=200, seed=1)
    >>> found = score_forecasts({"markov": BackOff(1)}, source)["markov"]
    >>> found.by_bot()["cycle_up"][0] > 0.95, found.by_bot()["uniform"][0] < 0.5
    (True, True)
    """
    if not forecasters:
        raise InvalidArgument(needs="a forecaster or more", found="there is none")
    require_integer(matches, name="matches", low=2)
    edges = (0, *(edge for edge in EDGES if edge < source.throws))
    total = source.num_judged(matches=matches)
    sums = {name: np.empty((2, len(edges), total)) for name in forecasters}
    for begin in range(0, total, AT_ONCE):
        end = min(begin + AT_ONCE, total)
        block = source.judged(begin, end, matches=matches)
        for name, forecaster in forecasters.items():
            forecasts = forecaster.forecasts(block.own, block.other)
            _require_forecasts(forecasts, block, name=name)
            both = np.stack(points(forecasts, block.own))
            sums[name][:, :, begin:end] = np.add.reduceat(both, edges, axis=2).swapaxes(1, 2)
        if on_block is not None:
            on_block(end, total)
    return {name: _scores(own, source, edges, matches) for name, own in sums.items()}


def points(forecasts: FloatArray, thrown: Bytes) -> tuple[FloatArray, FloatArray]:
    """Return what each forecast is worth: whether it is right, and its cross-entropy.

    Args:
        forecasts (..., 3), thrown (...)

    >>> own = points(np.array([[0.5, 0.5, 0.0]]), np.array([1], dtype=np.int8))
    >>> [float(part[0].round(4)) for part in own]
    [0.5, 0.6931]
    """
    tied = forecasts >= forecasts.max(axis=-1, keepdims=True) - TIE
    which = thrown[..., None].astype(np.intp)
    hit = np.take_along_axis(tied, which, axis=-1)[..., 0] / tied.sum(axis=-1)
    given = np.take_along_axis(forecasts, which, axis=-1)[..., 0]
    return hit, -np.log(np.maximum(given, LEAST))


def _scores(
    sums: FloatArray, source: MatchSource, edges: tuple[int, ...], matches: int
) -> ForecastScores:
    lengths = np.diff([*edges, source.throws])
    shape = (len(source.bots), len(source.co_players), matches)
    right, entropy = (sums.sum(axis=1) / source.throws).reshape(2, *shape)
    by_position = (sums / lengths[:, None]).reshape(2, len(edges), *shape)
    names = source.bots, source.co_players
    return ForecastScores(
        *names,
        freeze(right),
        freeze(entropy),
        edges,
        freeze(by_position[0]),
        freeze(by_position[1]),
    )


def _require_forecasts(found: FloatArray, block: WatchedMatches, *, name: str) -> None:
    shape = (*block.own.shape, 3)
    if np.shape(found) != shape:
        raise InvalidArgument(
            needs=f"forecasts of shape {shape} from {name}", found=f"got {np.shape(found)}"
        )
    wrong = ~((found >= 0).all(axis=-1) & (np.abs(found.sum(axis=-1) - 1) < 1e-6))
    if wrong.any():
        row = found[wrong][0]
        raise InvalidArgument(
            needs=f"distributions from {name}", found=f"it forecasts {shown(row.tolist())}"
        )
