"""A network that forecasts a bot's next throw, from short stretches of matches of many bots.

It sees both last throws and remembers by two long short-term memories; three layers make a
distribution of it. It learns from windows of 20 throws, each with an empty memory at first, and
forecasts with the memory of the whole match (:cite:`lanctot2023population`, section 3 and appendix
A.5). Nobody tells it which bot it is.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import require_instance, require_integer, shown
from gametheory_core.arrays import FloatArray
from gametheory_core.errors import InvalidArgument
from learners.deep import Device, RecurrentShape, SequenceClassifier
from learners.options import Count, Positive, checked
from learners.roshambo.matches.matches import NUM_THROWS
from learners.roshambo.prediction.watched_matches import (
    NUM_INPUTS,
    Bytes,
    MatchSource,
    marks,
    seen_before,
    windows_of,
)
from learners.snapshots import load_snapshot
from learners.streams import named_stream

SCHEMA = "throw predictor/1"


@dataclass(frozen=True)
@checked
class PredictorOptions:
    """What a predictor is, and how it learns; the defaults are the paper's, but for Adam's.

    Attributes:
        memories, layers: Sizes of the long short-term memories, and of the layers behind them.
        window: Throws in a stretch of a match.
        batch: Windows in a step.
        matches: Drawn at a time; their windows are shuffled, and each is used once.
        step_size: Of Adam.
        seed: Of the first weights, and of the order of windows.
    """

    memories: tuple[int, ...] = (64, 64)
    layers: tuple[int, ...] = (64, 32)
    window: Count = 20
    batch: Count = 128
    matches: Count = 128
    step_size: Positive = 2e-3
    seed: int = 0

    def __post_init__(self) -> None:
        require_integer(self.seed, name="seed", low=0)
        shape = RecurrentShape(self.memories, self.layers)
        object.__setattr__(self, "memories", shape.memories)
        object.__setattr__(self, "layers", shape.layers)


@dataclass(frozen=True)
class Round:
    """What was learned from a block of matches.

    Attributes:
        frames: Throws learned from since the beginning.
        of: How many are asked for.
        cross_entropy, accuracy: Before each step, averaged over the block.
    """

    frames: int
    of: int
    cross_entropy: float
    accuracy: float


OnRound: TypeAlias = Callable[[Round], None]


@dataclass(frozen=True, eq=False)
class Forecast:
    """What is expected in one match.

    Attributes:
        probabilities (3,): Of the next throw.
        memory: Of the match so far.
    """

    probabilities: FloatArray
    memory: Any


class ThrowPredictor:
    """A network that forecasts throws; made new, it knows nothing.

    Args:
        options: What it is.
        device: Where it computes.

    >>> predictor = ThrowPredictor(PredictorOptions(memories=(4,), layers=()))
    >>> still = np.zeros((1, 3), dtype=np.int8)
    >>> predictor.forecasts(still, still).shape
    (1, 3, 3)
    """

    def __init__(
        self, options: PredictorOptions | None = None, *, device: Device = Device.CPU
    ) -> None:
        self.options = PredictorOptions() if options is None else options
        require_instance(self.options, PredictorOptions, name="options")
        self._network = SequenceClassifier(
            inputs=NUM_INPUTS,
            classes=NUM_THROWS,
            shape=RecurrentShape(self.options.memories, self.options.layers),
            step_size=self.options.step_size,
            device=device,
            rng=named_stream(self.options.seed, "weights"),
        )
        self.rounds = self.frames = 0
        self._data: dict[str, Any] | None = None  # what it learned from

    @property
    def num_parameters(self) -> int:
        """How many numbers are learned."""
        return sum(own.numel() for own in self._network.parameters)

    def forecasts(self, own: Bytes, other: Bytes) -> FloatArray:
        """Return how likely each throw is, by those before it, (matches, throws, 3)."""
        seen = seen_before(own, other).swapaxes(0, 1)
        return self._network.read(seen).probabilities.swapaxes(0, 1)

    def first(self) -> Forecast:
        """Return the forecast of a match's first throw."""
        return self._forecast(np.zeros(NUM_INPUTS, dtype=np.int8), None)

    def after(self, forecast: Forecast, own: int, other: int) -> Forecast:
        """Return the forecast after one more throw of the bot and of its co-player."""
        thrown = marks(np.array(own, dtype=np.int8), np.array(other, dtype=np.int8))
        return self._forecast(thrown, forecast.memory)

    def _forecast(self, seen: Bytes, memory: Any) -> Forecast:
        reading = self._network.read(seen[None, None], memory)
        return Forecast(reading.probabilities[0, 0], reading.memory)

    def learn_round(self, source: MatchSource, *, of: int = 0) -> Round:
        """Learn from the next block of matches."""
        options = self.options
        matches = source.drawn(self.rounds, matches=options.matches)
        windows = windows_of(matches, length=options.window)
        number = windows.came.shape[1]
        order = named_stream(options.seed, "order", self.rounds).permutation(number)
        sums = np.zeros(2)
        for begin in range(0, number, options.batch):
            chosen = order[begin : begin + options.batch]
            made = self._network.learn(windows.seen[:, chosen], windows.came[:, chosen])
            sums += len(chosen) * np.array([made["loss/cross entropy"], made["accuracy"]])
        self.rounds += 1
        self.frames += windows.came.size
        entropy, accuracy = (sums / number).tolist()
        return Round(self.frames, of, entropy, accuracy)

    def begin(self, source: MatchSource) -> None:
        """Take note of what is learned from.

        Raises:
            InvalidArgument: If it is something else than before.
        """
        data = {
            "bots": list(source.bots),
            "co_players": list(source.co_players),
            "throws": source.throws,
            "seed": source.seed,
        }
        if self._data is not None and self._data != data:
            wrong = next(name for name, value in data.items() if self._data[name] != value)
            raise InvalidArgument(
                needs=f"the matches that the predictor began with, {wrong} of "
                f"{shown(self._data[wrong])}",
                found=f"got {shown(data[wrong])}",
                remedy="Make another predictor, or give another checkpoint.",
                where="train_predictor",
            )
        self._data = data

    def snapshot(self) -> dict[str, Any]:
        """Return all that is needed to continue exactly."""
        return {
            "schema": SCHEMA,
            "options": asdict(self.options),
            "rounds": self.rounds,
            "frames": self.frames,
            "data": self._data,
            "network": self._network.snapshot(),
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go back to a snapshot of a predictor with the same options.

        Raises:
            InvalidArgument: If it is none.
        """
        if snapshot.get("schema") != SCHEMA:
            raise InvalidArgument(
                needs="a snapshot of a throw predictor", found=f"got {shown(dict(snapshot))}"
            )
        options = asdict(self.options)
        for name, value in options.items():
            if snapshot["options"].get(name) != value:
                raise InvalidArgument(
                    needs=f"a predictor with {name} {shown(value)}",
                    found=f"the snapshot has {shown(snapshot['options'].get(name))}",
                    remedy="Give the options it began with, or another checkpoint.",
                )
        self._network.restore(snapshot["network"])
        self.rounds, self.frames = int(snapshot["rounds"]), int(snapshot["frames"])
        self._data = snapshot["data"]


def load_predictor(path: str | os.PathLike[str], *, device: Device = Device.CPU) -> ThrowPredictor:
    """Read a predictor from a checkpoint that ``train_predictor`` wrote.

    Raises:
        InvalidArgument: If there is no such file, or it is of something else.
        MalformedFile: If it is damaged.

    >>> import tempfile
    >>> from learners.snapshots import save_snapshot
    >>> new = ThrowPredictor(PredictorOptions(memories=(4,), layers=()))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_snapshot(f"{folder}/new.zip", new.snapshot())
    ...     load_predictor(f"{folder}/new.zip").options.memories
    (4,)
    """
    snapshot = load_snapshot(path)
    if snapshot.get("schema") != SCHEMA:
        raise InvalidArgument(
            needs="a checkpoint of a throw predictor", found="it is of something else", where=path
        )
    predictor = ThrowPredictor(PredictorOptions(**snapshot["options"]), device=device)
    predictor.restore(snapshot)
    return predictor
