"""Training of predictors, which can be stopped and go on as if they had not been."""

import os
from pathlib import Path

from gametheory_core.arguments import require_instance, require_integer
from learners.roshambo.prediction.throw_predictor import OnRound, ThrowPredictor
from learners.roshambo.prediction.watched_matches import MatchSource
from learners.snapshots import load_snapshot, save_snapshot

ROUNDS_KEPT = 20  # between checkpoints


def train_predictor(
    predictor: ThrowPredictor,
    source: MatchSource,
    *,
    frames: int,
    checkpoint: str | os.PathLike[str] | None = None,
    on_round: OnRound | None = None,
) -> tuple[tuple[int, float], ...]:
    """Let a predictor learn until it has seen so many throws, in whole blocks of matches.

    Args:
        predictor: Learns; one that has seen as many throws already learns no more.
        source: Of the matches.
        frames: Throws in all, those before a checkpoint included.
        checkpoint: A file. If it is there, the predictor goes on from it; it is written now and
            then, at the end, and on Ctrl-C.
        on_round: Called after each block.

    Returns:
        Throws seen, and the cross-entropy of the block before it was learned; for each block.

    Raises:
        InvalidArgument: If the checkpoint is of other options or other matches.
        MalformedFile: If it is damaged.
        Broken: If a quantity becomes infinite or no number.
        KeyboardInterrupt: On Ctrl-C; the predictor is then what it was after the last whole block.

    >>> from learners.roshambo import embedded_population
    >>> from learners.roshambo.prediction import PredictorOptions
    >>> source = MatchSource({"up": embedded_population()["cycle_up"]}, throws=40)
    >>> options = PredictorOptions(memories=(8,), layers=(), matches=8, batch=4, step_size=0.1)
    >>> curve = train_predictor(ThrowPredictor(options), source, frames=3200)
    >>> curve[0][0], curve[-1][0], curve[-1][1] < 0.1
    (320, 3200, True)
    """
    require_instance(predictor, ThrowPredictor, name="predictor")
    require_instance(source, MatchSource, name="source")
    require_integer(frames, name="frames", low=1)
    if checkpoint is not None and Path(checkpoint).exists():
        predictor.restore(load_snapshot(checkpoint))
    predictor.begin(source)
    curve: list[tuple[int, float]] = []
    whole = predictor.snapshot()
    try:
        while predictor.frames < frames:
            made = predictor.learn_round(source, of=frames)
            whole = predictor.snapshot()
            curve.append((made.frames, made.cross_entropy))
            if checkpoint is not None and predictor.rounds % ROUNDS_KEPT == 0:
                save_snapshot(checkpoint, whole)
            if on_round is not None:
                on_round(made)
    except KeyboardInterrupt:
        predictor.restore(whole)
        raise
    finally:
        if checkpoint is not None:
            save_snapshot(checkpoint, whole)
    return tuple(curve)
