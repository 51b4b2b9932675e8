"""A bot that replies to what a predictor expects."""

import os
from typing import Any

import numpy as np

from gametheory_core.arguments import require_instance, require_number
from gametheory_core.arrays import FloatArray
from learners.roshambo.matches.histories import MatchClock
from learners.roshambo.matches.matches import NUM_THROWS, Throws
from learners.roshambo.prediction.throw_predictor import ThrowPredictor, load_predictor
from learners.streams import named_stream


class PredictionBot:
    """A bot that throws what is paid most against a predictor's forecast of the opponent.

    Args:
        predictor: Forecasts; is not changed, and may serve several bots.
        least_edge: Where the best throw is expected to be paid less, wins less losses, it throws at
            random; 0 never does, so that it draws nothing.

    Raises:
        InvalidArgument: By ``throw``, if histories are not those of a match that goes on, or have
            entries that are no throws.

    >>> from functools import partial
    >>> from learners.roshambo import play_match
    >>> from learners.roshambo.bots import embedded_bot
    >>> from learners.roshambo.prediction import MatchSource, PredictorOptions, train_predictor
    >>> options = PredictorOptions(memories=(8,), layers=(), matches=8, batch=4, step_size=0.1)
    >>> predictor = ThrowPredictor(options)
    >>> up, uniform = (partial(embedded_bot, name) for name in ("cycle_up", "uniform"))
    >>> source = MatchSource({"up": up}, {"uniform": uniform}, throws=40)
    >>> curve = train_predictor(predictor, source, frames=6400)
    >>> bot = PredictionBot(predictor)
    >>> play_match(bot, embedded_bot("cycle_up"), throws=100, seeds=(1, 2)).returns[0] > 95
    True
    """

    def __init__(self, predictor: ThrowPredictor, *, least_edge: float = 0.0) -> None:
        require_instance(predictor, ThrowPredictor, name="predictor")
        require_number(least_edge, name="least_edge", low=0, high=1)
        self._predictor, self._least_edge = predictor, float(least_edge)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget everything, and begin a match.

        Args:
            seed: Of what is thrown at random.
        """
        self._stream = named_stream(seed, "prediction_bot")
        self._forecast = self._predictor.first()
        self._clock = MatchClock()

    def throw(self, own: Throws, other: Throws) -> int:
        """Return the next throw after the throws so far; both grow by one from call to call."""
        mine, theirs = self._clock.tick(own, other)
        if len(own):
            self._forecast = self._predictor.after(self._forecast, int(theirs), int(mine))
        worth = expected_payments(self._forecast.probabilities)
        best = int(worth.argmax())
        if worth[best] < self._least_edge:
            return int(self._stream.integers(NUM_THROWS))
        return best

    def forecast(self) -> tuple[float, float, float]:
        """Return how likely the opponent was held to throw which when it was last replied to."""
        rock, paper, scissors = self._forecast.probabilities.tolist()
        return rock, paper, scissors


def bot_of_checkpoint(path: str | os.PathLike[str], *, least_edge: float = 0.0) -> PredictionBot:
    """Make a bot of a checkpoint; ``functools.partial`` of it can be sent to other processes.

    Raises:
        InvalidArgument: If there is no such file, or it is of something else.
        MalformedFile: If it is damaged.

    >>> bot_of_checkpoint("missing.zip")
    Traceback (most recent call last):
    gametheory_core.errors.InvalidArgument: missing.zip: needs a file that can be read, but: \
No such file or directory.
    """
    return PredictionBot(load_predictor(path), least_edge=least_edge)


def expected_payments(forecast: FloatArray) -> Any:
    """Return what each throw is paid on average against a forecast, (3,).

    >>> expected_payments(np.array([1.0, 0.0, 0.0])).tolist()
    [0.0, 1.0, -1.0]
    """
    return np.roll(forecast, 1) - np.roll(forecast, -1)
